package columns

import (
	"testing"
)

// TestWrapCommands checks that no line of a list begins with a command of a CI system, wherever
// lines are broken.
func TestWrapCommands(t *testing.T) {
	for width := 1; width < 40; width++ {
		for _, l := range Wrap("some text ::error::x and ##[error]y and more ::warning::z", width) {
			if workflowCommand(l) {
				t.Errorf("width %d: line %q", width, l)
			}
		}
	}
}

// TestListBelowHeading checks a list below its heading.
func TestListBelowHeading(t *testing.T) {
	if got := Below("inputs:", []string{"a", "b"}); got != "inputs:\n    a\n    b" {
		t.Errorf("%q", got)
	}
	if got := Below("inputs:", nil); got != "" {
		t.Errorf("%q", got)
	}
}
