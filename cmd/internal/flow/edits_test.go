package flow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/internal/oracle"
)

// edited returns a space of two programs with one function of six corresponding blocks each, with
// the given differences.
func edited(changed map[int]Difference, hunks []Hunk, edits ...Edit) *Space {
	s := &Space{}
	for p, file := range []string{"new.go", "old.go"} {
		t := &Table{Package: "m", Funcs: []Func{{Name: "F", File: file, Count: 6}}}
		for i := range 6 {
			t.Blocks = append(t.Blocks, Block{ID: i, File: file, Line: 10 + i, EndLine: 10 + i, Cond: 10})
		}
		s.Add(t, p)
	}
	s.Align = func(*Space) Alignment {
		a := Alignment{Changed: changed, Hunks: hunks}
		for id := range 12 {
			a.Numbers = append(a.Numbers, id%6)
		}
		return a
	}
	s.Know(edits)
	return s
}

// shownHunks returns the changed blocks, with the name and the shown place of their hunks.
func shownHunks(s *Space) (list []string) {
	for id := range s.Len() {
		if hunk, ok := s.Hunk(id); ok {
			list = append(list, fmt.Sprintf("%d %q %s", id, s.HunkName(hunk), s.Change(id)))
		}
	}
	return list
}

// TestEdits checks that a changed declaration is a hunk of the blocks that use it, in both
// versions, each with its own line.
func TestEdits(t *testing.T) {
	a := Edit{Package: "m", Name: "T", ID: "1", Blocks: []int{1}, At: Spot{"new.go", 3}, Old: Spot{"old.go", 4}}
	b := Edit{Package: "m", Name: "U", ID: "2", Blocks: []int{3}, Follow: []int{1, 4}, At: Spot{"new.go", 5}}
	n := Edit{Package: "m", Name: "N", ID: "3", Valued: true, Blocks: []int{1}, At: Spot{"new.go", 7}, Old: Spot{"old.go", 8}}
	both := func(e Edit, blocks ...int) Edit { e.Blocks = blocks; return e }
	text := []Hunk{{Package: "m", Function: "F", Text: "+a\n"}, {Package: "m", Function: "N", Whole: true, Outside: true}, {Package: "m", Function: "G", Whole: true, Lone: true}}
	for _, test := range []struct {
		name    string
		changed map[int]Difference
		edits   []Edit
		want    []string
	}{
		{"none", map[int]Difference{1: {Line: 11}}, nil, []string{`1 "m.F\n+a\n" new.go:11`}},
		{"one", nil, []Edit{a}, []string{`1 "m.T\n1" new.go:3`, `7 "m.T\n1" old.go:4`}},
		{"two, and what a condition leads to", nil, []Edit{a, b}, []string{
			`1 "m.T\n1" new.go:3`, `3 "m.U\n2" new.go:5`, `4 "m.U\n2" new.go:5`, `7 "m.T\n1" old.go:4`, `9 "m.U\n2" old.go:13`, `10 "m.U\n2" old.go:14`}},
		{"two in one block", nil, []Edit{a, both(b, 1, 2)}, []string{
			`1 "m.T\nm.T\n1\nm.U\n2\n" new.go:3`, `2 "m.U\n2" new.go:5`, `4 "m.U\n2" new.go:5`,
			`7 "m.T\nm.T\n1\nm.U\n2\n" old.go:4`, `8 "m.U\n2" old.go:12`, `10 "m.U\n2" old.go:14`}},
		{"beside code", map[int]Difference{1: {Line: 11}, 2: {Line: 12}}, []Edit{a}, []string{
			`1 "m.F\nm.F\n+a\n\nm.T\n1\n" new.go:11`, `2 "m.F\n+a\n" new.go:12`, `7 "m.T\n1" old.go:4`}},
		{"in new code", map[int]Difference{1: {Line: 11, Hunk: 2}}, []Edit{a}, []string{`1 "m.G\n" new.go:11`, `7 "m.T\n1" old.go:4`}},
		{"a constant whose name was known", map[int]Difference{1: {Line: 11, Hunk: 1}, 2: {Line: 10, Hunk: 1}}, []Edit{n}, []string{
			`1 "m.N\n3" new.go:7`, `2 "m.N\n3" new.go:7`, `7 "m.N\n3" old.go:8`, `8 "m.N\n3" old.go:8`}},
		{"another one", map[int]Difference{2: {Line: 12, Hunk: 1}}, []Edit{a}, []string{`1 "m.T\n1" new.go:3`, `2 "m.N\n" new.go:12`, `7 "m.T\n1" old.go:4`}},
	} {
		for range 2 {
			if got := shownHunks(edited(test.changed, slices.Clone(text), test.edits...)); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(test.want))) {
				t.Errorf("%s:\n\t%q\nwant\n\t%q", test.name, got, test.want)
			}
			slices.Reverse(test.edits)
		}
	}
}

// TestEditsAreNoLines checks that a line's identity does not depend on the declarations that it
// uses, so that crashes keep their buckets.
func TestEditsAreNoLines(t *testing.T) {
	s := edited(map[int]Difference{2: {Line: 12}}, []Hunk{{}}, Edit{Name: "T", Blocks: []int{1, 2}, At: Spot{"new.go", 3}})
	if s.ChangedAt(0, "m.F", 11) || !s.ChangedAt(0, "m.F", 12) {
		t.Error("a line was changed where something that it uses was, or the reverse")
	}
	// A crash in a dependency is in the tested code if the line that calls the dependency was changed.
	s.Tested = func(function string) bool { return strings.HasPrefix(function, "m.") }
	s.Depends = func(function string) bool { return function == "dep.F" }
	for line, want := range map[int]int{11: 1, 12: 0} {
		c := oracle.Crash{Kind: oracle.KindCrash, Frames: []oracle.Frame{{Func: "strings.Map"}, {Func: "dep.F"}, {Func: "m.F", Line: line}}}
		if got := s.Inner(0, c); len(got) != want {
			t.Errorf("called at line %d: %d frames of dependencies, want %d", line, len(got), want)
		}
	}
}

func TestHunkNames(t *testing.T) {
	lone, other := Hunk{Package: "m", Function: "T.String", Lone: true}, Hunk{Package: "m", Function: "T.Str", Lone: true}
	methods := Hunk{Package: "m", Function: "T", Text: "+method T.String\n", Declared: "1"}
	joint, elsewhere := methods, methods
	joint.Joint, elsewhere.Package = true, "n"
	if !methods.Names(lone) || methods.Names(other) || joint.Names(lone) || elsewhere.Names(lone) || lone.Names(lone) {
		t.Error("which change of a type's methods is of a method")
	}
	if !methods.Replaces() {
		t.Error("a version has nothing where something else has other methods")
	}
}
