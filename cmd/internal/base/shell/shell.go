// Package shell quotes words for sh. All code that prints a command or writes a script calls it.
package shell

import "strings"

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
