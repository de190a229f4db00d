package triage

import (
	"math/rand/v2"
	"slices"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// versionsOf returns three versions of a function of 20 blocks. Blocks of the second are 20 higher,
// those of the third 40. Blocks 10 to 14 have no counterparts and are near each other. Blocks from
// 15 on have no counterparts and are near nothing.
func versionsOf() *flow.Space {
	space := spaceOf(nil, nil)
	space.Align = func(*flow.Space) flow.Alignment {
		a := flow.Alignment{Loose: map[int]int{}, Changed: map[int]flow.Difference{}}
		for b := range space.Len() {
			switch at := b % 20; {
			case at < 10:
				a.Numbers = append(a.Numbers, at)
			default:
				a.Numbers = append(a.Numbers, b)
				if at < 15 {
					a.Loose[b] = -1
				}
			}
		}
		return a
	}
	return space
}

// did returns the result of a version: its blocks in the order of their first execution.
func did(outcome oracle.Outcome, version int, blocks ...uint32) wire.RunResult {
	r := wire.RunResult{Outcome: uint64(outcome)}
	for _, b := range blocks {
		r.First = append(r.First, uint32(20*version)+b)
	}
	r.Hits = slices.Sorted(slices.Values(r.First))
	return r
}

// unordered returns a result without an order.
func unordered(r wire.RunResult) wire.RunResult {
	r.First = nil
	return r
}

// ranks returns rankings of programs by the order of their first separating block. Negative means
// that none separates.
func ranks(at ...int) (list []ranking) {
	for _, i := range at {
		list = append(list, ranking{parted: 2 * i})
	}
	for i := range list {
		list[i].parted = max(list[i].parted, -1)
	}
	return list
}

func TestHorizon(t *testing.T) {
	const yes, no = oracle.Accepted, oracle.Rejected
	const all = -1
	for _, test := range []struct {
		name   string
		base   []wire.RunResult
		parted []int
		want   int // of the first program: the number of blocks before the last that counts
	}{
		{"one program", []wire.RunResult{did(yes, 0, 1, 2, 3)}, []int{1}, all},
		{"one that rejects", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(no, 1, 1, 2, 7)}, []int{3, 2}, 2},
		{"what one that rejects does later", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(no, 1, 1, 2, 7, 5)}, []int{3, 2}, 2},
		{"one that rejects at once", []wire.RunResult{did(yes, 0, 1, 2, 3), did(no, 1, 1, 7)}, []int{0, 1}, 1},
		{"it is not known where it rejects", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(no, 1, 1, 2, 7)}, []int{3, -1}, all},
		{"its own rejection", []wire.RunResult{did(no, 0, 1, 2, 7, 8), did(yes, 1, 1, 2, 3, 4, 5)}, []int{2, 3}, 2},
		{"its own rejection, not known", []wire.RunResult{did(no, 0, 1, 2, 7, 8), did(yes, 1, 1, 2, 3, 4, 5)}, []int{-1, 3}, all},
		{"what it came upon late", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(no, 1, 4, 1, 7)}, []int{1, 2}, 4},
		{"one that has nothing in common with it", []wire.RunResult{did(yes, 0, 1, 2, 3), did(no, 1, 4, 5)}, []int{0, 1}, all},
		{"other values", []wire.RunResult{did(yes, 0, 1, 2, 3), did(yes, 1, 1)}, []int{1, 0}, all},

		{"three versions, of which two reject", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(no, 1, 1, 2, 7), did(no, 2, 1, 2, 3, 7)}, []int{4, 2, 3}, 3},
		{"the other way round", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(no, 1, 1, 2, 3, 7), did(no, 2, 1, 2, 7)}, []int{4, 3, 2}, 3},
		{"of which one rejects", []wire.RunResult{did(yes, 0, 1, 2, 3, 4, 5), did(yes, 1, 1, 2, 3, 4), did(no, 2, 1, 2, 7)}, []int{4, 3, 2}, 2},

		{"no order is recorded", []wire.RunResult{unordered(did(yes, 0, 1, 2, 3)), unordered(did(no, 1, 1))}, []int{0, 0}, all},
		{"none of the other", []wire.RunResult{did(yes, 0, 1, 2, 3), unordered(did(no, 1, 1))}, []int{0, 1}, all},
		{"nothing was executed", []wire.RunResult{did(yes, 0), did(no, 1, 1)}, []int{-1, 0}, all},

		{"functions whose blocks do not correspond", []wire.RunResult{did(yes, 0, 1, 10, 11, 2, 3), did(no, 1, 1, 13, 7)}, []int{4, 2}, 3},
		{"what comes after them", []wire.RunResult{did(yes, 0, 1, 10, 11, 2, 3), did(no, 1, 1, 13, 2, 7)}, []int{4, 3}, 4},
		{"functions of which it has none", []wire.RunResult{did(yes, 0, 1, 2, 15, 16, 17), did(no, 1, 1, 15, 16)}, []int{4, 2}, 1},
	} {
		got := horizon(versionsOf(), test.base, ranks(test.parted...), 0)
		if test.want == all && got > 1<<30 {
			continue
		}
		if got != 2*test.want {
			t.Errorf("%s: %d, want %d", test.name, got, 2*test.want)
		}
	}
}

// TestHorizonCounts checks the horizon of an accepting version, in any order. Blocks count that a
// rejecting one executed before its rejection, and one more block.
func TestHorizonCounts(t *testing.T) {
	space := versionsOf()
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 6))
		var base []wire.RunResult
		var parted []int
		for version := range 2 + random.IntN(2) {
			var blocks []uint32
			for _, b := range random.Perm(20)[:1+random.IntN(8)] {
				blocks = append(blocks, uint32(b))
			}
			base = append(base, did(oracle.Outcome(1+random.IntN(2)), version, blocks...))
			parted = append(parted, random.IntN(len(blocks)+1)-1)
		}
		base[0].Outcome = uint64(oracle.Accepted)
		last := -1
		for i, id := range base[0].First {
			for q, r := range base[1:] {
				before := r.First[:max(parted[q+1], 0)]
				if oracle.Outcome(r.Outcome) == oracle.Rejected && slices.ContainsFunc(before, func(o uint32) bool { return space.Near(int(o)) == space.Near(int(id)) }) {
					last = i
				}
			}
		}
		if got := horizon(space, base, ranks(parted...), 0); last >= 0 && got != 2*(last+1) || last < 0 && got <= 2*len(base[0].First) {
			t.Errorf("seed %d: %d, want %d: %+v", seed, got, 2*(last+1), base)
		}
	}
}

// TestChangesBefore checks that changes beyond the horizon do not count, unless there are no
// others.
func TestChangesBefore(t *testing.T) {
	base := []wire.RunResult{did(oracle.Accepted, 0, 1, 2, 3, 4, 5), did(oracle.Rejected, 1, 1, 2, 7)}
	list := ranks(3, 2)
	for _, test := range []struct {
		first, second, want []int // the order of executed changes
	}{
		{[]int{0, 4, 6, 8}, []int{2, 4, 6}, []int{0, 4, 2, 4}},
		{[]int{6, 8}, []int{2}, []int{2}},
		{[]int{2, 4}, nil, []int{2, 4}},
		{[]int{3, 5}, []int{5}, []int{3}}, // odd ones replace something
		{[]int{6, 8}, []int{6}, []int{6, 8, 6}},
		{nil, nil, nil},
	} {
		space := versionsOf()
		align := space.Align
		space.Align = func(s *flow.Space) flow.Alignment {
			a := align(s)
			a.Hunks = []flow.Hunk{{Text: "+a\n"}, {Text: "-a\n+b\n"}}
			return a
		}
		for p, orders := range [][]int{test.first, test.second} {
			list[p].changed = nil
			for _, at := range orders {
				list[p].changed = append(list[p].changed, changed{suspect: suspect{order: at}, program: p, hunk: at % 2})
			}
		}
		var got []int
		for _, r := range withinHorizon(space, base, list) {
			for _, c := range r.changed {
				got = append(got, c.order)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%v and %v: %v, want %v", test.first, test.second, got, test.want)
		}
		if len(list[0].changed) != len(test.first) || len(list[1].changed) != len(test.second) {
			t.Error("the rankings themselves were changed")
		}
	}
}

func TestParted(t *testing.T) {
	at := func(score float64, order int, absent bool) suspect {
		return suspect{Direction: Direction{Score: score, Absent: absent}, order: order}
	}
	for name, test := range map[string]struct {
		list []suspect
		want int
	}{
		"nothing":                                 {nil, -1},
		"nothing separates":                       {[]suspect{at(0.5, 0, false), at(0.4, 2, false)}, -1},
		"the first of the best":                   {[]suspect{at(0.6, 0, false), at(0.9, 2, false), at(0.9, 4, false), at(0.7, 6, false)}, 2},
		"what was not done":                       {[]suspect{at(0.6, 0, false), at(1, 3, true)}, 0},
		"the same but for the order of additions": {[]suspect{at(0.9, 2, false), at(0.9+1e-15, 4, false)}, 2},
	} {
		if got := parted(test.list, 0.5); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
