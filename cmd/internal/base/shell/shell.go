// Package shell quotes words for sh. All code that prints a command or writes a script calls it.
package shell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word returns s as one word, quoted if needed.
func Word(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r))
	}) < 0 {
		return s
	}
	return Quote(s)
}

// Quote returns s as one quoted word.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Text returns any text without zero bytes as one word. Characters that a terminal could take for a
// command are written in octal.
func Text(s string) string {
	plain := utf8.ValidString(s)
	for _, r := range s {
		plain = plain && (unicode.IsPrint(r) || r == '\n' || r == '\t')
	}
	if plain {
		return Word(s)
	}
	end := len(strings.TrimRight(s, "\n")) // a substitution would drop the rest
	var b strings.Builder
	b.WriteString(`"$(printf '`)
	for i := range end {
		fmt.Fprintf(&b, `\%03o`, s[i])
	}
	b.WriteString(`')"`)
	if end < len(s) {
		b.WriteString("'" + s[end:] + "'")
	}
	return b.String()
}
