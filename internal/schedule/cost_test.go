package schedule

import (
	"math"
	"testing"

	"parallax/internal/mutate"
)

func TestUsualCost(t *testing.T) {
	u := &UsualCost{}
	if n := u.Turns(1 << 40); n != 1 {
		t.Errorf("%d turns while nothing is known", n)
	}
	for range 1000 {
		u.Add(1000)
	}
	for range 50 {
		u.Add(1 << 30)
	}
	tests := map[uint64]int{0: 1, 1000: 1, 2000: 1, 4096: 1, 8192: 2, 1 << 20: 256, 1 << 30: 1 << 18, math.MaxUint64: maxTurns}
	for cost, want := range tests {
		if n := u.Turns(cost); n != want {
			t.Errorf("a cost of %d has %d turns, want %d", cost, n, want)
		}
	}
	for range 2000 {
		u.Add(1 << 30)
	}
	if n := u.Turns(1 << 30); n > 1<<8 {
		t.Errorf("what most inputs cost has %d turns", n)
	}
}

// TestRarityExpensiveTurn checks that a turn ends when its children have cost as much as a turn's
// usual children.
func TestRarityExpensiveTurn(t *testing.T) {
	turns := func(each int) int {
		q := newRarity()
		q.Added(Seed{Traces: long(10, 1)})
		r := mutate.NewRand(1, 0)
		for range 16 * 12 {
			q.Ran(Result{Seed: q.Next(r), Traces: long(10, 1), Turns: each})
		}
		return int(q.seeds[0].turns)
	}
	if n := turns(0); n != 12 {
		t.Errorf("%d turns if costs are not known", n)
	}
	if n := turns(1); n != 12 {
		t.Errorf("%d turns of usual children", n)
	}
	if n := turns(4); n != 48 {
		t.Errorf("%d turns of children of four", n)
	}
	if n := turns(1000); n != 192 {
		t.Errorf("%d turns of children of a thousand", n)
	}
}
