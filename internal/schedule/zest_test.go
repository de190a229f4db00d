package schedule

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/mutate"
)

// turnsOf returns the turns of a schedule as seed×children.
func turnsOf(s Schedule, n int) string {
	var out []string
	r := mutate.NewRand(1, 0)
	last, count := s.Next(r), 1
	for len(out) < n {
		next := s.Next(r)
		if next == last {
			count++
			continue
		}
		out = append(out, fmt.Sprintf("%d×%d", last, count))
		last, count = next, 1
	}
	return strings.Join(out, " ")
}

func added(blocks []uint32, accepted bool) Seed {
	return Seed{Traces: traced(blocks...), Accepted: accepted, Parent: -1}
}

// TestZestChildren checks NUMCHILDREN: 50 times the seed's fraction of all blocks, and 20 times
// that if it owns one.
func TestZestChildren(t *testing.T) {
	z := create(t, Zest)
	z.Added(added([]uint32{0, 1, 2, 3}, true))
	z.Added(added([]uint32{0, 1}, true))          // owns nothing
	z.Added(added([]uint32{0, 4, 5, 6, 7}, true)) // 8 blocks in all
	z.Added(added([]uint32{0}, true))
	if got, want := turnsOf(z, 5), "0×500 1×12 2×620 3×6 0×500"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
	// With very many blocks a seed has one child.
	z = create(t, Zest)
	z.Added(added(blocks(200), true))
	z.Added(added([]uint32{0}, true))
	if got, want := turnsOf(z, 3), "0×1000 1×1 0×1000"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
}

// TestZestOwners checks that the first accepted seed takes blocks from a seed that is not accepted,
// and keeps them.
func TestZestOwners(t *testing.T) {
	z := create(t, Zest)
	z.Added(added([]uint32{0, 1}, false))
	z.Added(added([]uint32{0, 1}, false))
	if got, want := turnsOf(z, 2), "0×1000 1×50"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
	z = create(t, Zest)
	z.Added(added([]uint32{0, 1}, false))
	z.Added(added([]uint32{0}, true))
	z.Added(added([]uint32{0, 1}, true))
	z.Added(added([]uint32{0, 1}, true))
	if got, want := turnsOf(z, 4), "0×50 1×500 2×1000 3×50"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
}

// TestZestFinds checks that an input found in a turn joins the end of the queue and is visited in
// the same cycle. Turns become shorter, since more blocks are known.
func TestZestFinds(t *testing.T) {
	z := create(t, Zest)
	r := mutate.NewRand(1, 0)
	z.Added(added([]uint32{0, 1}, true))
	for range 400 {
		if z.Next(r) != 0 {
			t.Fatal("another seed than the only one")
		}
	}
	z.Added(added([]uint32{0, 1, 2, 3}, true))
	if got, want := turnsOf(z, 3), "0×100 1×1000 0×500"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
}

// TestZestResumed checks that a continued campaign begins anywhere in the queue.
func TestZestResumed(t *testing.T) {
	first := map[int]bool{}
	for seed := range uint64(40) {
		z := create(t, Zest)
		for i := range 4 {
			s := added([]uint32{uint32(i)}, true)
			s.Known = true
			z.Added(s)
		}
		first[z.Next(mutate.NewRand(seed, 0))] = true
	}
	if len(first) != 4 {
		t.Errorf("begins with %v", first)
	}
}
