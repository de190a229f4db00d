package triage

import (
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/wire"
)

// TestMaker checks the choice of hunkOf among hunks that no place separates. It is the one that
// names the differing field, or that is in the function with the differing result.
func TestMaker(t *testing.T) {
	space := versions(
		flow.Hunk{Function: "Measure", Text: "-o . Text = a ( s )\n+o . Text = b ( s )\n"},
		flow.Hunk{Function: "Measure", Text: "-o . Len = a ( s )\n+o . Len = b ( s )\n"},
		flow.Hunk{Function: "T.Width", Text: "-return a\n+return b\n"},
		flow.Hunk{Function: "other", Text: "-Length = a\n+Length = b\n"},
	)
	several := func(c changed) changed { c.several = true; return c }
	block := []ranking{ran(several(was(1, 0, 2)), several(was(1, 1, 2)), was(2, 2, 4), was(3, 3, 6)), ran()}
	for _, test := range []struct {
		name, a, b string
		ranked     []ranking
		want       int
	}{
		{"nothing is known", "", "", block, 0},
		{"the first field", "Measure (x_test.go:8): p.Out{Len: 1, Text: 2}", "Measure (x_test.go:8): p.Out{Len: 1, Text: 3}", block, 0},
		{"the second field", "Measure (x_test.go:8): p.Out{Len: 1, Text: 2}", "Measure (x_test.go:8): p.Out{Len: 2, Text: 2}", block, 1},
		{"both", "Measure (x_test.go:8): p.Out{Len: 1, Text: 2}", "Measure (x_test.go:8): p.Out{Len: 2, Text: 3}", block, 0},
		{"neither, of that function", "Measure (x_test.go:8): p.Out{X: 1}", "Measure (x_test.go:8): p.Out{X: 2}", block, 0},
		{"another function", "v.Width (x_test.go:8): 1", "v.Width (x_test.go:8): 2", block, 2},
		{"a function that did not change", "None (x_test.go:8): 1", "None (x_test.go:8): 2", block, 0},
		{"before the one in the block that separates", "Measure (x_test.go:8): p.Out{Len: 1}", "Measure (x_test.go:8): p.Out{Len: 2}",
			[]ranking{ran(several(was(1, 0, 2).separating(1)), several(was(1, 1, 2).separating(1)), was(2, 2, 4)), ran()}, 1},
		{"not in another block", "v.Width (x_test.go:8): 1", "v.Width (x_test.go:8): 2",
			[]ranking{ran(several(was(1, 0, 2).separating(1)), several(was(1, 1, 2).separating(1)), was(2, 2, 4)), ran()}, 0},
	} {
		makes := makerOf(space, []wire.RunResult{{Rendered: test.a, Value: 1}, {Rendered: test.b, Value: 2}})
		if got, sure := hunkOf(space, test.ranked, makes); got != test.want || sure {
			t.Errorf("%s: hunk %d, sure %v, want %d", test.name, got, sure, test.want)
		}
	}
	if makerOf(space, []wire.RunResult{{Rendered: "1"}, {Rendered: "2", Truncated: true}}) != nil {
		t.Error("there are hints from a part of a value")
	}
}

// TestSeveralInBlock checks that no hunk is sure in a block with several hunks, also if versions
// part there.
func TestSeveralInBlock(t *testing.T) {
	list := []changed{was(1, 0, 2).separating(1), was(1, 1, 2).separating(1)}
	for i := range list {
		list[i].several, list[i].Parts = true, true
	}
	if got, sure := hunkOf(versions(), []ranking{ran(list...), ran()}, nil); got != 0 || sure {
		t.Errorf("hunk %d, sure %v", got, sure)
	}
}
