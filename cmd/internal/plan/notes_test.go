package plan

import (
	"fmt"
	"slices"
	"testing"

	"parallax/cmd/internal/change"
)

// Few notes stand as they are; of many alike the first are told, and what touches no code is counted.
func TestCondense(t *testing.T) {
	if got := condense([]change.Note{{Kind: "tests", Text: "Test files changed: a_test.go."}, {Kind: "removed", Text: "Function F is gone."}}); !slices.Equal(got, []string{"Function F is gone.", "Test files changed: a_test.go."}) {
		t.Errorf("%q", got)
	}
	var many []change.Note
	for i := range 9 {
		many = append(many, change.Note{Kind: "unused", Text: fmt.Sprintf("x%d changed.", i)}, change.Note{Kind: "tests", Text: "t"})
	}
	many = append(many, change.Note{Kind: "comments", Text: "c"}, change.Note{Kind: "comments", Text: "c"})
	want := []string{
		"x0 changed.", "x1 changed.", "x2 changed.", "And 6 more like that.",
		"Test files of 9 packages changed, of which no block is counted; in 2 packages only comments, formatting, names of locals or the order of declarations changed.",
	}
	if got := condense(many); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
