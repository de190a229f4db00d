package main

import (
	"reflect"
	"strings"
	"testing"

	"parallax/puzzles/several"
)

func TestRankOf(t *testing.T) {
	at := func(lines ...int) (out []place) {
		for _, l := range lines {
			out = append(out, place{File: "p.go", Line: l})
		}
		return out
	}
	covers := func(p place) bool { return p.Line == 7 }
	tests := []struct {
		original, changed []place
		want              rank
		either            int
	}{
		{at(7), at(1, 7), rank{Changed: 2, Original: 1}, 1},
		{at(1, 2, 3), at(1, 2, 7, 7), rank{Changed: 3}, 3},
		{at(5, 7), nil, rank{Original: 2}, 2},
		{at(1), at(2), rank{}, 0},
	}
	for _, test := range tests {
		b := bucket{Ranked: map[string][]place{"original.Enter": test.original, "m0123.Enter": test.changed}}
		if got := rankOf(b, covers); got != test.want || got.either() != test.either {
			t.Errorf("%v, %v: %+v, either %d", test.original, test.changed, got, got.either())
		}
	}
}

func TestCauses(t *testing.T) {
	tests := []struct {
		small       [][]int
		common, any []int
	}{
		{[][]int{{1}, {1}}, []int{1}, []int{1}},
		{[][]int{{1, 2}, {2}}, []int{2}, []int{1, 2}},
		{[][]int{{1}, {2}}, []int{}, []int{1, 2}},
		{[][]int{{}, {2}}, []int{2}, []int{2}},
		{[][]int{{}}, nil, nil},
	}
	for _, test := range tests {
		var b bucket
		for _, s := range test.small {
			b.Inputs = append(b.Inputs, finding{Small: s})
		}
		common, all := b.causes()
		if !reflect.DeepEqual(common, test.common) || !reflect.DeepEqual(all, test.any) {
			t.Errorf("%v: %v of %v, want %v of %v", test.small, common, all, test.common, test.any)
		}
	}
}

// TestPuzzleTally has one cause with two buckets, two in one, one that no minimized input shows,
// and one that no input shows.
func TestPuzzleTally(t *testing.T) {
	p := &several.Puzzle{Name: "p", Causes: make([]several.Cause, 5)}
	of := func(count uint64, inputs ...finding) bucket {
		return bucket{Kind: "discrepancy", Count: count, Inputs: inputs}
	}
	small := func(causes ...int) finding { return finding{Small: causes, Shown: causes, Variant: "v"} }
	s := &sample{
		Buckets: []bucket{
			of(1, small(0)), of(9, small(0), finding{Small: []int{0}, Shown: []int{0, 3}}), of(3, small(1), small(2)), of(1, finding{}),
			{Kind: "crash"},
		},
		Ranks: []rank{{}, {Changed: 2, Original: 4}, {}, {}, {}},
	}
	var tally puzzleTally
	tally.add(p, s)
	want := puzzleTally{
		causes: 5, found: 3, lost: 1, split: 1, merged: 2, buckets: 4, mixed: 1, joint: 1, located: [3]int{0, 1, 1}, changed: [3]int{0, 1, 1},
		variants: 3, hiding: 1,
	}
	if tally != want {
		t.Errorf("%+v, want %+v", tally, want)
	}
}

func TestTally(t *testing.T) {
	s := &sample{
		Name: "lib/p.go:1", Mutant: &mutant{File: "p.go", Line: 12},
		Buckets: []bucket{
			{ID: "a", Kind: "crash", Count: 99}, {ID: "b", Kind: "discrepancy", Count: 5}, {ID: "c", Kind: "discrepancy", Count: 7, Ranked: map[string][]place{"a": {{File: "q.go", Line: 12, Branch: ""}, {File: "p.go", Line: 9, Branch: ""}}}},
		},
		Ranks: []rank{{}, {Original: 3}, {Changed: 4, Original: 1}},
	}
	var tally tally
	tally.add(s)
	tally.add(&sample{Name: "lib/p.go:2"})
	var b strings.Builder
	tally.row(&b, "x")
	want := "| x | 2 | 2 | 1 | 100 % | 100 % | 100 % | 0 % | 0 % | 100 % | 100 % | 100 % | 2.00 | 100 % | 1 |\n"
	if b.String() != want {
		t.Errorf("%swant\n%s", b.String(), want)
	}
	if j := jaccard(s, &sample{Buckets: []bucket{{ID: "c", Kind: "discrepancy"}, {ID: "a", Kind: "discrepancy"}}}); j != 1.0/3 {
		t.Errorf("overlap %v", j)
	}
}
