package schedule

import (
	"math"
	"testing"

	"parallax/internal/impact"
	"parallax/internal/mutate"
)

// branching returns a program in which block 0 leads to 1 and 2, 1 leads to 3 and 4, and 3 holds a
// change. Each input has one of the blocks 50 to 59. Block 9 is another changed place, which 2
// leads to.
func branching() *impact.Index {
	return impact.NewIndex(&impact.Impact{
		Impacted: []uint32{0, 1, 3},
		Segments: []impact.Segment{{From: 0, To: 1, Suspicious: true}, {From: 0, To: 2}, {From: 1, To: 3, Suspicious: true}, {From: 1, To: 4}},
		Distance: []impact.BlockDistance{{Block: 0, Milli: 4000}, {Block: 1, Milli: 2000}, {Block: 3, Milli: 0}},
		Points: []impact.Point{
			{Blocks: []uint32{3}, Near: []impact.Near{{Block: 0, Distance: 2, Gate: true}, {Block: 1, Distance: 1, Gate: true}, {Block: 3, Gate: true}}},
			{Blocks: []uint32{9}, Near: []impact.Near{{Block: 0, Distance: 2, Gate: true}, {Block: 2, Distance: 1, Gate: true}, {Block: 9, Gate: true}}},
		},
	}, 100)
}

// TestChangeFactors checks the factors of seeds that reach the change, come half way, go elsewhere,
// and are unrelated to it.
func TestChangeFactors(t *testing.T) {
	paths := [][]uint32{{0, 1, 3}, {0, 1, 4}, {0, 2}, {50}}
	hours := int64(0)
	e := Environment{Programs: 1, Impact: branching(), Now: func() int64 { return hours }}
	for _, test := range []struct {
		name    string
		minutes float64
		picks   int
		want    [4]float64
	}{
		{"delta", 0, 0, [4]float64{1.1, 0.6, 0.1, 0.1}}, // Fit is 1, 1/2, 0, 0
		{"delta-0.05", 0, 7, [4]float64{1.05, 0.55, 0.05, 0.05}},
		{"delta-0.5", 0, 0, [4]float64{1.5, 1, 0.5, 0.5}},
		{"delta-1", 0, 0, [4]float64{2, 1.5, 1, 1}},
		{"delta-visits", 0, 0, [4]float64{1.1, 0.6, 0.1, 0.1}}, // each block once
		// Distances are 2, 3, 4 and none, scaled to 0, 1/2, 1 and 1. At first the temperature is 1
		// and p is 1/2 for all.
		{"aflgo", 0, 0, [4]float64{1, 1, 1, 1}},
		// After ten minutes the temperature is 1/20: p is 0.975, 0.5, 0.025 and 0.025.
		{"aflgo", 10, 0, [4]float64{math.Exp2(4.75), 1, math.Exp2(-4.75), math.Exp2(-4.75)}},
		// One of three blocks holds a change, so that w is 1, 0, 0 and 0. e is 1/2 for a seed that
		// was never picked.
		{"churn", 0, 0, [4]float64{1, 1, 1, 1}},
		{"churn", 0, 1, [4]float64{math.Exp2(3 * (2*(0.7+0.15) - 1)), math.Exp2(3 * (2*0.15 - 1)), math.Exp2(3 * (2*0.15 - 1)), math.Exp2(3 * (2*0.15 - 1))}},
	} {
		row, err := Find(test.name)
		if err != nil {
			t.Fatal(err)
		}
		hours = 0
		s := row.New(e)
		q, ok := s.(*queue)
		if a, is := s.(*aflgo); is {
			q, ok = a.queue, true
		}
		if !ok {
			t.Fatalf("%s is a %T", test.name, s)
		}
		for _, p := range paths {
			s.Added(Seed{Traces: traced(p...), Parent: -1})
		}
		hours = int64(test.minutes * 60e9)
		for i, want := range test.want {
			if got := q.scale.factor(q.seeds[i].near, test.picks); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s after %v minutes, seed %d picked %d times: factor %v, want %v", test.name, test.minutes, i, test.picks, got, want)
			}
		}
	}
}

// TestAFLGoWithoutClock checks that the temperature falls to a twentieth after explorationRuns
// mutants.
func TestAFLGoWithoutClock(t *testing.T) {
	a := aflgoNoClockRow.New(Environment{Programs: 1, Impact: branching()}).(*aflgo)
	a.Added(Seed{Traces: traced(0, 1, 3), Parent: -1})
	a.Added(Seed{Traces: traced(0, 2), Parent: -1})
	if got := a.factor(a.seeds[0].near, 0); got != 1 {
		t.Errorf("at first %v", got)
	}
	a.ran = explorationRuns
	if got, want := a.factor(a.seeds[0].near, 0), math.Exp2(4.75); math.Abs(got-want) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
}

// picked counts the turns of seeds over many draws.
func picked(s Schedule, seeds, draws int) []int {
	r, count := mutate.NewRand(5, 0), make([]int, seeds)
	for range draws {
		k := s.Next(r)
		count[k]++
		s.Ran(Result{Seed: k, Traces: traced(50)})
	}
	return count
}

// TestChangeIsFavored checks that equal seeds near the change have more turns under each of the
// schedules, and equally many under afl-noclock. A distant seed still has turns.
func TestChangeIsFavored(t *testing.T) {
	for _, r := range Table {
		if r.Needs&Impact == 0 && r.Name != "afl-noclock" {
			continue
		}
		now := int64(0)
		s := r.New(Environment{Programs: 1, Impact: branching(), Now: func() int64 { now += 1e9; return now }})
		for _, p := range [][]uint32{{0, 1, 3}, {50, 51, 52}} {
			s.Added(Seed{Traces: traced(p...), Parent: -1, Nanos: 100})
		}
		count := picked(s, 2, 2_000_000)
		if r.Name == "afl-noclock" {
			if d := count[0] - count[1]; d < -100_000 || d > 100_000 {
				t.Errorf("%s: %d", r.Name, count)
			}
			continue
		}
		if 4*count[0] < 5*count[1] || count[1] < 1000 {
			t.Errorf("%s: %d", r.Name, count)
		}
	}
}

// TestPointsShare checks that each point has its share where a hundred seeds reach one point and
// one comes near to another. DeltaFuzz gives each seed its own share.
func TestPointsShare(t *testing.T) {
	s := pointsRow.New(Environment{Programs: 1, Impact: branching()})
	for i := range uint32(100) {
		s.Added(Seed{Traces: traced(0, 1, 3, 10+i%80, 60+i%30), Parent: -1})
	}
	s.Added(Seed{Traces: traced(0, 2), Parent: -1})
	if count := picked(s, 101, 200_000); count[100] < 30_000 {
		t.Errorf("the only seed near to the second point had %d turns of 200,000", count[100])
	}
}

// TestBucket checks that a bucket has the nearest seeds, by gates before distance, and different
// ones among those that reach the point. The one picked most is replaced.
func TestBucket(t *testing.T) {
	var b bucket
	b.add(bucketSeed{seed: 1, gates: 2, distance: 9, set: 1})
	b.turns = 70
	b.add(bucketSeed{seed: 2, gates: 2, distance: 12, set: 2})
	if b.turns != 70 || b.share() != 8 {
		t.Errorf("a seed that is no nearer counts as progress: %d turns", b.turns)
	}
	b.add(bucketSeed{seed: 3, gates: 1, distance: 30, set: 3})
	b.add(bucketSeed{seed: 4, gates: 1, distance: 30, set: 3})
	if b.turns != 0 || len(b.seeds) != 3 || b.seeds[0].seed != 3 || b.seeds[1].seed != 1 || b.seeds[2].seed != 2 {
		t.Errorf("%+v", b)
	}
	for i := range bucketSeeds + 3 {
		b.add(bucketSeed{seed: 10 + i, set: uint64(10 + i)})
	}
	if len(b.seeds) != bucketSeeds {
		t.Fatalf("%d seeds", len(b.seeds))
	}
	for _, n := range b.seeds {
		if !n.reaches() {
			t.Errorf("%+v is still there", n)
		}
	}
	b.seeds[5].picks, b.turns = 9, 300
	worn := b.seeds[5].seed
	b.add(bucketSeed{seed: 99, set: 99})
	if b.turns != 0 || b.seeds[bucketSeeds-1].seed != 99 {
		t.Errorf("a new path to the point: %+v", b)
	}
	for _, n := range b.seeds {
		if n.seed == worn {
			t.Error("the seed with most turns is still there")
		}
	}
	b.add(bucketSeed{seed: 100, gates: 1, set: 100})
	if b.seeds[bucketSeeds-1].seed != 99 {
		t.Error("a seed that does not reach the point took a place")
	}
}

// TestAFLGoBudget checks that a sixth of the budget takes AFLGo from exploration to exploitation.
// Without a budget, ten minutes do.
func TestAFLGoBudget(t *testing.T) {
	row, err := Find("aflgo-noclock")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ inputs, ran uint64 }{{0, 600_000}, {12_000, 2000}} {
		a := row.New(Environment{Budget: Budget{Inputs: test.inputs}}).(*aflgo)
		a.least, a.most, a.ran = 1, 3, test.ran
		near, far := a.factor(1, 0), a.factor(3, 0) // T is 1/20
		if got := math.Log2(near); math.Abs(got-4.75) > 1e-9 {
			t.Errorf("budget %d: the nearest seed has 2^%v", test.inputs, got)
		}
		if got := math.Log2(far); math.Abs(got+4.75) > 1e-9 {
			t.Errorf("budget %d: the farthest seed has 2^%v", test.inputs, got)
		}
	}
}
