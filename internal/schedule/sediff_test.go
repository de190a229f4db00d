package schedule

import (
	"slices"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/mutate"
)

// both returns the traces of two programs.
func both(first, last []uint32) []feature.Trace {
	return append(traced(first...), traced(last...)...)
}

// TestCull checks that the favored seeds are the cheapest of each block, as many as cover all. A
// cheaper seed takes over, and a seed whose blocks others have is not favored.
func TestCull(t *testing.T) {
	favored := func(c *cull) (list []int) {
		for i := range c.seeds {
			if c.favored(i) {
				list = append(list, i)
			}
		}
		return list
	}
	c := newCull(false)
	c.added(Seed{Len: 4, Traces: traced(1, 2)})
	c.added(Seed{Len: 9, Traces: traced(2)})
	if got := favored(c); !slices.Equal(got, []int{0}) {
		t.Errorf("favored %v, want the one that covers both", got)
	}
	c.added(Seed{Len: 2, Traces: traced(1, 2, 3)})
	if got := favored(c); !slices.Equal(got, []int{2}) {
		t.Errorf("favored %v, want the one that is cheaper and covers all", got)
	}
	c.added(Seed{Len: 1, Traces: traced(2)})
	if got := favored(c); !slices.Equal(got, []int{2}) {
		t.Errorf("favored %v: block 2 is covered by the seed of block 1", got)
	}
	last := newCull(true)
	last.added(Seed{Len: 1, Traces: both([]uint32{1, 2, 3, 4}, nil)})
	last.added(Seed{Len: 5, Traces: both([]uint32{1}, []uint32{1})})
	if got := favored(last); !slices.Equal(got, []int{1}) {
		t.Errorf("favored %v, want the one that covers the last program", got)
	}
}

// shares counts the mutants of each seed.
func shares(s Schedule, seeds, mutants int, ran Result) []int {
	r, count := mutate.NewRand(1, 0), make([]int, seeds)
	for range mutants {
		ran.Seed = s.Next(r)
		count[ran.Seed]++
		s.Ran(ran)
	}
	return count
}

// TestFavored checks that AFL's rule skips all but one of many seeds with the same blocks of the
// last program. SEDiff's rule does not skip those on which the programs disagree, and gives them
// twice as many mutants.
func TestFavored(t *testing.T) {
	for _, test := range []struct {
		name string
		want func(shares []int) bool
	}{
		{"sediff-nf", func(n []int) bool { return n[0] > 8*n[5] && n[0] > 8*n[6] }},
		{"sediff", func(n []int) bool { return n[0] > 8*n[5] && n[6] > 3*n[0]/2 && n[6] < 5*n[0]/2 }},
		{"afl-noclock", func(n []int) bool { return n[5] > 8*n[0] && n[5] > 8*n[6] }}, // seed 5 has another block of the first program
	} {
		s := create(t, test.name)
		for i := range 20 {
			seed := Seed{Len: 9, Parent: -1, Traces: both([]uint32{1}, []uint32{1})}
			switch i {
			case 0:
				seed.Len = 8
			case 5:
				seed.Traces = both([]uint32{1, 2}, []uint32{1})
				seed.Len = 1
				if test.name != "afl-noclock" {
					seed.Len = 9
				}
			case 6:
				seed.Deviation = 77
			}
			s.Added(seed)
		}
		if got := shares(s, 20, 200_000, Result{Traces: both([]uint32{1}, []uint32{1})}); !test.want(got) {
			t.Errorf("%s: mutants of each seed %v", test.name, got)
		}
	}
}

// TestCheckedForgetsRepeats checks that the first deviation of its kind on its path has four times
// the energy. A frequent one has less than a seed without deviation.
func TestCheckedForgetsRepeats(t *testing.T) {
	fill := func() *checked {
		s := create(t, "checked").(*checked)
		s.Added(Seed{Len: 1, Traces: both([]uint32{1}, []uint32{1})})
		s.Added(Seed{Len: 2, Traces: both([]uint32{1}, []uint32{1})})
		s.Added(Seed{Len: 2, Traces: both([]uint32{1}, []uint32{1}), Deviation: 5})
		return s
	}
	energies := func(s *checked) []float64 {
		s.draw(mutate.NewRand(1, 0))
		return s.energy
	}
	s := fill()
	if got := energies(s); !slices.Equal(got, []float64{1, 0.25, 1}) {
		t.Errorf("energies %v", got)
	}
	for range 15 {
		s.Ran(Result{Deviation: 5})
	}
	s.Ran(Result{Deviation: 6}) // no seed has it
	s.Ran(Result{Deviation: 5, Kept: true})
	if got := energies(s); !slices.Equal(got, []float64{1, 0.25, 0.25}) {
		t.Errorf("energies after 16 inputs %v", got)
	}
	for range 10_000 {
		s.Ran(Result{Deviation: 5})
	}
	if got := energies(s); !slices.Equal(got, []float64{1, 0.25, 0.0625}) {
		t.Errorf("energies after many inputs %v", got)
	}
	n := shares(fill(), 3, 9_000, Result{})
	for i, want := range []int{4000, 1000, 4000} {
		if n[i] < want-600 || n[i] > want+600 {
			t.Errorf("seed %d has %d mutants, want about %d", i, n[i], want)
		}
	}
}
