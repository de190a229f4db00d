package report

import (
	"testing"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
)

// Harmless text is UTF-8 without anything a terminal acts on.
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

// No line of a list begins with what a CI system takes for a command, wherever lines are broken.
func TestWrapCommands(t *testing.T) {
	for width := 1; width < 40; width++ {
		for _, l := range Wrap("some text ::error::x and ##[error]y and more ::warning::z", width) {
			if workflowCommand(l) {
				t.Errorf("width %d: line %q", width, l)
			}
		}
	}
}

// A difference of any two inputs ends.
func FuzzDifference(f *testing.F) {
	f.Add("a\xff\x00", "b")
	f.Fuzz(func(t *testing.T, a, b string) { harmless(t, Difference([]byte(a), []byte(b))) })
}
