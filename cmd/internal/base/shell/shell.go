// Package shell writes words for sh: in commands that people are told to type, and in scripts. Whatever prints a command or writes
// a script calls it.
package shell

import "strings"

// Word is s as one word, in quotes where it needs them.
func Word(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%+=:,./-_", r))
	}) < 0 {
		return s
	}
	return Quote(s)
}

// Quote is s as one word in quotes.
func Quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
