package plan

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"parallax/cmd/internal/change"
)

// TestCondense checks that few notes are unchanged, that the first of many similar notes are shown,
// and that notes without code are counted.
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
		"Test files of 9 packages changed, without counted blocks; in 2 packages only comments, formatting, names of locals or the order of declarations changed.",
	}
	if got := condense(many); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestChanged checks that each function has one line with a place, whatever the number of its
// change points.
func TestChanged(t *testing.T) {
	p := &Plan{}
	for _, one := range []struct {
		function, kind string
		line           int
	}{{"F", "statement", 3}, {"F", "statement", 4}, {"T.M", "constant", 9}, {"F", "entry", 2}} {
		p.Points = append(p.Points, Point{Point: change.Point{Package: "m/p", Function: one.function, Kind: change.Kind(one.kind), Line: one.line}, Home: "p/p.go"})
	}
	got := p.Functions()
	want := []*Changed{{"F", "p/p.go:3", []string{"statement", "entry"}, []int{4, 2}}, {"T.M", "p/p.go:9", []string{"constant"}, nil}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %+v", got[0], got[1])
	}
	if text := p.Changed(); text != "4 change points in 2 functions\n  p/p.go:3  F    statement, entry; also lines 4, 2\n  p/p.go:9  T.M  constant\n" {
		t.Errorf("%q", text)
	}
}
