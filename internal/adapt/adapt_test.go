package adapt

import (
	"math"
	"testing"
)

// TestShares checks that arms with more yield per cost get more, that others keep a part of their
// usual share, and that old yields fade.
func TestShares(t *testing.T) {
	var a Arms
	for _, usual := range []float64{1, 1, 2, 0} {
		a.Add(usual)
	}
	near := func(arm int, want, within float64) {
		t.Helper()
		if got := a.Share(arm); math.Abs(got-want) > within {
			t.Errorf("arm %d has %.3f, want %.3f", arm, got, want)
		}
	}
	near(0, 0.25, 1e-9)
	near(2, 0.5, 1e-9)
	near(3, 0, 0)
	run := func(inputs int, better int) {
		for i := range inputs {
			arm := a.Pick(uint64(i) * 0x9e3779b97f4a7c15)
			y := Yield{Cost: 100}
			if arm == better && i%50 == 0 {
				y.Found[Disagreement] = 1
			}
			a.Record(arm, y)
			a.Tick()
		}
	}
	run(40_000, 0)
	if s := a.Share(0); s < 0.5 {
		t.Errorf("the arm that yields has %.2f", s)
	}
	if s := a.Share(1); s < 0.05 || s > 0.25 {
		t.Errorf("an arm that does not has %.2f", s)
	}
	run(100_000, 1)
	if a.Share(1) < 2*a.Share(0) {
		t.Errorf("the shares are %.2f and %.2f after the other one yielded", a.Share(0), a.Share(1))
	}
	sum := 0.0
	for arm := range a.arms {
		sum += a.Share(arm)
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares sum up to %v", sum)
	}
}

// TestCost has two arms with equal yield. The arm with a tenth of the cost gets more.
func TestCost(t *testing.T) {
	var a Arms
	a.Add(1)
	a.Add(1)
	for i := range 20_000 {
		y := Yield{Cost: []float64{1000, 100}[i%2]}
		if i%100 < 2 {
			y.Found[Block] = 1
		}
		a.Record(i%2, y)
		a.Tick()
	}
	if a.Share(1) < 1.5*a.Share(0) {
		t.Errorf("the shares are %.2f and %.2f", a.Share(0), a.Share(1))
	}
}

// TestFloor checks that an arm keeps a quarter of its usual share however cheap the others are.
func TestFloor(t *testing.T) {
	var a Arms
	for range 8 {
		a.Add(1)
	}
	for i := range 50_000 {
		y := Yield{Cost: 30_000}
		if i%8 == 0 {
			y.Cost = 10
			y.Found[Block] = 1
		}
		y.Found[Disagreement] = float64(i % 3 / 2)
		a.Record(i%8, y)
		a.Tick()
	}
	for arm := range a.arms {
		if got, least := a.Share(arm), floor/8; got < least {
			t.Errorf("arm %d has %.4f, less than %.4f", arm, got, least)
		}
	}
	if a.Share(0) < 0.7 {
		t.Errorf("the cheap arm that yields has %.2f", a.Share(0))
	}
}

// TestSeenTwice checks that a species seen twice does not count. An arm that shows the same species
// as all others has no discoveries.
func TestSeenTwice(t *testing.T) {
	s := New([]float64{1, 1})
	for range 2 {
		s.Seeds.Add(1)
	}
	ops := []uint8{1}
	for i := range uint64(100) {
		c := Choice{Made: true, Seed: int(i % 2)}
		Record(s, c, ops, i, true, true, 0, 100)
		if i%2 == 0 { // the second arm shows the first arm's species again
			Record(s, Choice{Made: true, Seed: 1}, ops, i, true, false, 0, 100)
		}
	}
	if got := s.Seeds.arms[0].found[Disagreement]; got != 0 {
		t.Errorf("the first arm has %v discoveries", got)
	}
	if got := s.Seeds.arms[1].found[Disagreement]; got != 50 {
		t.Errorf("the second arm has %v discoveries", got)
	}
	if got := s.Operators.arms[1].found[Disagreement]; got != 50 || s.Operators.arms[0].found[Disagreement] != 0 {
		t.Errorf("the operator has %v discoveries", got)
	}
}

func TestAllocations(t *testing.T) {
	s := New([]float64{1, 1, 1})
	s.Seeds.Add(1)
	s.Seeds.Add(1)
	ops := []uint8{0, 2}
	n := uint64(0)
	if got := testing.AllocsPerRun(5000, func() {
		n++
		Record(s, Choice{Made: true, Seed: s.Seeds.Pick(n << 40)}, ops, 7, true, false, 0, n)
		s.Operators.Pick(n << 50)
	}); got != 0 {
		t.Errorf("%v allocations an input", got)
	}
}
