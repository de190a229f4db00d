// Package escape makes text of programs and inputs safe for terminals, Markdown and HTML. Invisible
// characters become escapes as in Go source. All code that prints text of a program or a user calls
// it.
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

// Visible reports whether a terminal or page may get a character unchanged. Such a character has a
// glyph, and does not change its neighbors. Control, bidirectional, combining, private and blank
// characters other than the space are not visible.
func Visible(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && r != utf8.RuneError
}

// Text makes a string safe for one line of a terminal. Invisible characters become escapes as in Go
// source, and invalid bytes become \xNN. Backslashes stay, so escaping twice changes nothing. The
// form is for readers only: it cannot be reversed.
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

// Lines is Text for a string of several lines. Newlines and tabs stay.
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

// Quote returns a Go string literal of s that has only visible characters. strconv.Unquote reverses
// it.
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

// Escaped reports whether Go text quotes a byte or a character that is not visible, other than the
// ends of lines and tabs.
func Escaped(quoted string) bool {
	for i := 0; i+1 < len(quoted); i++ {
		if quoted[i] != '\\' {
			continue
		}
		if i++; !strings.ContainsRune(`nrt"'\`, rune(quoted[i])) {
			return true
		}
	}
	return false
}

// escaped returns the escape of one invisible character, or of one byte of invalid UTF-8.
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

// Cut shortens a long value at a character and appends its length. A value within the limit is
// returned unchanged.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return Prefix(s, limit) + "… (" + Size(len(s)) + " in all)"
}

// QuoteCut quotes at most limit bytes of s, and appends the length if there are more.
func QuoteCut(s string, limit int) string {
	if len(s) <= limit {
		return Quote(s)
	}
	return Quote(Prefix(s, limit)) + "… (" + Size(len(s)) + " in all)"
}

// Prefix returns at most n bytes of s. It does not split characters of valid UTF-8.
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

// Code returns a Markdown code span that its content cannot end.
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

// Cell returns a code span for a cell of a Markdown table. A bar is escaped there, even in code.
// After a backslash, Markdown would read that escape differently, so such a bar becomes an escape
// of Go.
func Cell(s string) string {
	s = strings.ReplaceAll(Code(s), `\|`, `\\x7c`)
	return strings.ReplaceAll(s, "|", `\|`)
}

// Fence returns a Markdown code block that its content cannot end. Lines stay lines; everything
// else is escaped.
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

// Plain makes text safe for Markdown outside of code: it escapes for the terminal first, and then
// for Markdown and HTML. Characters that are special only in some positions, such as a colon before
// a letter (an address), stay in the others.
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

// HexLine returns the beginning of an input in hexadecimal. It returns "" unless the input is one
// argument of bytes with at least a quarter of them in invisible characters of several bytes. A
// quoted form shows other invisible bytes as \xNN.
func HexLine(shape input.Shape, flat []byte, limit int) string {
	if !shape.Raw() || len(flat) == 0 {
		return ""
	}
	hidden := 0
	for s := flat; len(s) > 0; {
		r, n := utf8.DecodeRune(s)
		if n > 1 && !Visible(r) {
			hidden += n
		}
		s = s[n:]
	}
	if hidden == 0 || 4*hidden < len(flat) {
		return ""
	}
	line := fmt.Sprintf("% x", flat[:min(len(flat), limit)])
	if len(flat) > limit {
		line += " … (" + Size(len(flat)) + " in all)"
	}
	return line
}

// HexDump returns at most limit bytes in the format of hexdump -C. It returns "" if all bytes are
// visible text.
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

// ShortPath returns a source file's path relative to its module, without the folders of the build
// machine.
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

// Capitals undoes the module cache's spelling of capital letters: !masterminds becomes Masterminds.
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
