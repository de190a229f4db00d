package text

import (
	"testing"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
)

// harmless fails the test if s is not UTF-8, or has a character that a terminal acts on.
func harmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("invalid UTF-8: %q", s)
	}
	for _, r := range s {
		if r != '\n' && !escape.Visible(r) {
			t.Fatalf("%U in %q", r, s)
		}
	}
}

// FuzzDifference checks that Difference ends on any two inputs, and that its text is harmless.
func FuzzDifference(f *testing.F) {
	f.Add("a\xff\x00", "b")
	f.Fuzz(func(t *testing.T, a, b string) { harmless(t, parentLines([]byte(a), []byte(b))) })
}
