// Package escape makes text of programs and inputs fit for terminals, Markdown and pages. What is not visible becomes an escape as in Go
// source. Whoever prints text that a program or a user chose calls it.
package escape

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/units"
	"parallax/internal/input"
)

// Visible reports whether a character may reach a terminal or a page as it is: it has a shape of its own and changes nothing
// around it. Control, bidirectional, combining, private and blank characters other than the space are not visible.
func Visible(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && r != utf8.RuneError
}

// Text makes a string fit for one line of a terminal: what is not visible becomes an escape as in Go source, an invalid
// byte \xNN. A backslash stays as it is, so the form is for reading and escaping twice changes nothing.
func Text(s string) string {
	if ASCII(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if Visible(r) {
			b.WriteString(s[i : i+n])
		} else {
			b.WriteString(escaped(s[i:i+n], r))
		}
		i += n
	}
	return b.String()
}

// Lines is Text for a string of several lines, whose ends and tabs stay.
func Lines(s string) string {
	return notLayout().ReplaceAllStringFunc(s, Text)
}

var notLayout = lazyregexp.New(`[^\n\t]+`)

// ASCII reports whether s has only visible ASCII characters.
func ASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Quote is a Go string literal of s, reversible by strconv.Unquote, with nothing in it that is not visible.
func Quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(r))
		case Visible(r):
			b.WriteString(s[i : i+n])
		default:
			b.WriteString(escaped(s[i:i+n], r))
		}
		i += n
	}
	b.WriteByte('"')
	return b.String()
}

// Escaped is the escape of one character that is not visible, or of one byte of invalid UTF-8.
func escaped(raw string, r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	switch {
	case len(raw) == 1:
		return `\x` + hexadecimal(uint32(raw[0]), 2)
	case r < 0x10000:
		return `\u` + hexadecimal(uint32(r), 4)
	}
	return `\U` + hexadecimal(uint32(r), 8)
}

func hexadecimal(n uint32, digits int) string {
	var b [8]byte
	for i := digits - 1; i >= 0; i, n = i-1, n>>4 {
		b[i] = "0123456789abcdef"[n&15]
	}
	return string(b[:digits])
}

// Cut shortens a long value at a character and says how long it was; a value within the limit is returned unchanged.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return Prefix(s, limit) + "… (" + Size(len(s)) + " in all)"
}

// QuoteCut is Quote of at most limit bytes of s, with a note of its size when there are more.
func QuoteCut(s string, limit int) string {
	if len(s) <= limit {
		return Quote(s)
	}
	return Quote(Prefix(s, limit)) + "… (" + Size(len(s)) + " in all)"
}

// Prefix is at most n bytes of s, whole characters where s is UTF-8.
func Prefix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for back := 0; back < utf8.UTFMax && n-back > 0; back++ {
		if utf8.RuneStart(s[n-back]) {
			return s[:n-back]
		}
	}
	return s[:n]
}

// Size writes a number of bytes in words.
func Size(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return units.Thousands(uint64(n)) + " bytes"
}

// Code is a Markdown code span which its content cannot end.
func Code(s string) string {
	s = Text(s)
	if s == "" {
		return ""
	}
	tick := strings.Repeat("`", longestRun(s)+1)
	if s[0] == '`' || s[len(s)-1] == '`' || (s[0] == ' ' && s[len(s)-1] == ' ') {
		s = " " + s + " "
	}
	return tick + s + tick
}

// Cell is a code span for a cell of a Markdown table. There a bar is escaped even in code; after a backslash that would
// itself be read as an escape, so such a bar becomes an escape of Go.
func Cell(s string) string {
	s = strings.ReplaceAll(Code(s), `\|`, `\\x7c`)
	return strings.ReplaceAll(s, "|", `\|`)
}

// Fence is a Markdown code block which its content cannot end. Lines stay lines; everything else is escaped.
func Fence(language, s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = Source(l)
	}
	s = strings.Join(lines, "\n")
	tick := strings.Repeat("`", max(3, longestRun(s)+1))
	return tick + language + "\n" + s + "\n" + tick + "\n"
}

// Source is Text with tabs as four spaces, for source code and stack traces.
func Source(s string) string { return Text(strings.ReplaceAll(s, "\t", "    ")) }

// Plain is untrusted text outside code: escaped for the terminal first, then everything Markdown or HTML would read. What it reads in
// some places only, such as a colon before a letter (an address), is left alone in others.
func Plain(s string) string {
	var b strings.Builder
	text := []rune(Text(s))
	within := func(i int, is func(rune) bool) bool { return i >= 0 && i < len(text) && is(text[i]) }
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i, r := range text {
		special := strings.ContainsRune("\\`*_{}[]<>#|~&@", r)
		switch r {
		case ':':
			special = i+1 < len(text) && text[i+1] != ' '
		case '-', '+':
			special = !within(i-1, word) || !within(i+1, word)
		case '(', ')':
			special = within(i-1, func(r rune) bool { return r == ']' || unicode.IsDigit(r) }) // a link, a list
		}
		if special {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func longestRun(s string) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// HexLine is the beginning of an input in hexadecimal, "" where its quoted form reads as well: for one argument of bytes of
// which a quarter or more are escapes there.
func HexLine(shape input.Shape, flat []byte, limit int) string {
	if !shape.Raw() || len(flat) == 0 {
		return ""
	}
	hidden := 0
	for s := flat; len(s) > 0; {
		r, n := utf8.DecodeRune(s)
		if !Visible(r) && r != '\n' && r != '\t' && r != '\r' {
			hidden += n
		}
		s = s[n:]
	}
	if 4*hidden < len(flat) {
		return ""
	}
	line := fmt.Sprintf("% x", flat[:min(len(flat), limit)])
	if len(flat) > limit {
		line += " … (" + Size(len(flat)) + " in all)"
	}
	return line
}

// HexDump is the dump that hexdump -C prints, of at most limit bytes; empty when every byte is visible text.
func HexDump(b []byte, limit int) string {
	readable := utf8.Valid(b) && !bytes.ContainsFunc(b, func(r rune) bool { return !Visible(r) && r != '\n' })
	if readable {
		return ""
	}
	d := hex.Dump(b[:min(len(b), limit)])
	if len(b) > limit {
		d += "… (" + Size(len(b)) + " in all)\n"
	}
	return d
}

// ShortPath is a source file as a reader knows it: relative to its module, without the folders of the machine it was
// built on.
func ShortPath(file string) string {
	for _, root := range []string{"/pkg/mod/", "/vendor/", "/src/"} {
		if i := strings.LastIndex(file, root); i >= 0 {
			return Capitals(file[i+len(root):])
		}
	}
	if !strings.HasPrefix(file, "/") {
		return file
	}
	part := strings.Split(file, "/")
	return strings.Join(part[max(1, len(part)-2):], "/")
}

// Capitals undoes the module cache's spelling of capital letters: !masterminds is Masterminds.
func Capitals(file string) string {
	var b strings.Builder
	for i := 0; i < len(file); i++ {
		if file[i] == '!' && i+1 < len(file) && 'a' <= file[i+1] && file[i+1] <= 'z' {
			i++
			b.WriteByte(file[i] - 'a' + 'A')
			continue
		}
		b.WriteByte(file[i])
	}
	return b.String()
}
