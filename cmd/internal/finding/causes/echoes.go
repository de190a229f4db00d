package causes

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parallax/internal/input"
)

// minEcho is the shortest argument that counts as an echo in an error. Shorter ones match anyway.
const minEcho = 2

// wholeEcho is the length below which an argument counts only as a whole word: "bo" is no echo in
// "both".
const wholeEcho = 5

// WithoutInput replaces each argument in a message by x, in all forms of package fmt.
func WithoutInput(shape input.Shape, message string, flat []byte) string {
	var args []string
	for i, sp := range shape.Spans(nil, flat) {
		if k := shape[i]; k == input.Bytes || k == input.String {
			args = append(args, string(flat[sp.Start:sp.End]), strings.TrimSpace(string(flat[sp.Start:sp.End])))
		}
	}
	for _, arg := range args {
		if len(arg) < minEcho {
			continue
		}
		// Quoted forms come first: a backslash before the closing quote would hide them.
		for _, quoted := range []string{strconv.Quote(arg), strconv.QuoteToASCII(arg)} {
			message = strings.ReplaceAll(message, quoted, `"x"`)
		}
		for _, form := range []string{arg, fmt.Sprint([]byte(arg)), fmt.Sprintf("%x", arg), fmt.Sprintf("%X", arg)} {
			if len(form) < wholeEcho {
				message = replaceWords(message, form)
			} else {
				message = strings.ReplaceAll(message, form, "x")
			}
		}
	}
	return message
}

// replaceWords replaces a text by x where it is no part of a longer word.
func replaceWords(message, text string) string {
	var b strings.Builder
	done := 0
	for from := 0; ; {
		i := strings.Index(message[from:], text)
		if i < 0 {
			return b.String() + message[done:]
		}
		at := from + i
		end := at + len(text)
		if within(message, at) || within(message, end) {
			from = at + 1
			continue
		}
		b.WriteString(message[done:at] + "x")
		done, from = end, end
	}
}

// within reports whether an offset lies within a word.
func within(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	word := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return word(before) && word(after)
}
