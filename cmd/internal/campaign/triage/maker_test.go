package triage

import (
	"maps"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
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
		if got, sure := hunkOf(space, nil, test.ranked, makes); got != test.want || sure {
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
	if got, sure := hunkOf(versions(), nil, []ranking{ran(list...), ran()}, nil); got != 0 || sure {
		t.Errorf("hunk %d, sure %v", got, sure)
	}
}

// TestIdleHunks checks that a hunk at which versions part, but mostly on inputs on which they
// agree, comes after others and is never sure.
func TestIdleHunks(t *testing.T) {
	space := versions(
		flow.Hunk{Function: "Measure", Text: "-o . Text = a ( s )\n+o . Text = b ( s )\n"},
		flow.Hunk{Function: "marks", Text: "-if a\n+if b\n"},
		flow.Hunk{Function: "Measure", Text: "-x = a ( s )\n+x = b ( s )\n"},
	)
	parts := func(c changed) changed { c.Parts = true; return c }
	idle := func(c changed) changed { c.Parts, c.idle = true, true; return c }
	text := []string{"Measure (x_test.go:8): p.Out{Text: 1}", "Measure (x_test.go:8): p.Out{Text: 2}"}
	other := []string{"Measure (x_test.go:8): p.Out{X: 1}", "Measure (x_test.go:8): p.Out{X: 2}"}
	for _, test := range []struct {
		name   string
		values []string
		list   []changed
		want   int
		sure   bool
	}{
		{"not idle", text, []changed{was(0, 0, 0), parts(was(1, 1, 2).separating(1))}, 1, true},
		{"before the one that names the part", text, []changed{was(0, 0, 0), idle(was(1, 1, 2).separating(1))}, 0, false},
		{"no hunk names the part", other, []changed{was(0, 0, 0), idle(was(1, 1, 2).separating(1))}, 1, false},
		{"a function alone names no part", other, []changed{was(0, 2, 0), idle(was(1, 1, 2).separating(1))}, 1, false},
		{"before one that separates less", other, []changed{idle(was(1, 1, 2).separating(1)), parts(was(2, 2, 4).separating(0.6))}, 2, true},
		{"versions part elsewhere in the hunk", text, []changed{was(0, 0, 0), idle(was(1, 1, 2).separating(1)), parts(was(2, 1, 4))}, 1, true},
	} {
		makes := makerOf(space, []wire.RunResult{{Rendered: test.values[0], Value: 1}, {Rendered: test.values[1], Value: 2}})
		if got, sure := hunkOf(space, nil, []ranking{ran(test.list...), ran()}, makes); got != test.want || sure != test.sure {
			t.Errorf("%s: hunk %d, sure %v, want %d, %v", test.name, got, sure, test.want, test.sure)
		}
	}
}

// TestAddParting checks the count of neighbors on which versions part at a changed block: only one
// executes it, or they first part there.
func TestAddParting(t *testing.T) {
	space := versionsOf()
	align := space.Align
	space.Align = func(s *flow.Space) flow.Alignment {
		a := align(s)
		for _, b := range []int{2, 3, 12} {
			a.Changed[b] = flow.Difference{Line: 1}
		}
		return a
	}
	const accepted = oracle.Accepted
	base := []wire.RunResult{did(accepted, 0, 1, 2, 3, 12), did(accepted, 1, 1, 3, 2)}
	s := spectrum{base: base[0], parting: parting(space, base, 0)}
	for _, run := range []struct {
		of       relation
		new, old wire.RunResult
	}{
		{agrees, did(accepted, 0, 1, 2, 12), did(accepted, 1, 1, 2)},      // 12 is in one version only
		{agrees, did(accepted, 0, 1, 12), did(accepted, 1, 1)},            // 12
		{disagrees, did(accepted, 0, 1, 12), did(accepted, 1, 1)},         // 12
		{agrees, did(accepted, 0, 1, 3), did(accepted, 1, 1)},             // 3 by one
		{agrees, did(accepted, 0, 1, 2, 3), did(accepted, 1, 1, 2, 3)},    // nowhere
		{other, did(accepted, 0, 1, 2, 3, 12), did(accepted, 1, 1)},       // does not count
		{disagrees, did(accepted, 0, 1, 3, 2), did(accepted, 1, 1, 3, 2)}, // nowhere
	} {
		s.addParting(space, []wire.RunResult{run.new, run.old}, 0, run.of)
	}
	if want := map[int]int{2: 0, 3: 1, 12: 1}; !maps.Equal(s.idle, want) {
		t.Errorf("neighbors %v, want %v", s.idle, want)
	}
}
