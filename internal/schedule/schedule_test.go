package schedule

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/mutate"
)

// traced returns the trace of a program that executed the blocks.
func traced(blocks ...uint32) []feature.Trace {
	t := feature.Trace{Hits: blocks}
	for _, b := range blocks {
		t.Set += feature.Mix(uint64(b))
		t.Counts = append(t.Counts, 1)
	}
	return []feature.Trace{t}
}

// blocks returns the first n blocks.
func blocks(n int) []uint32 {
	var b []uint32
	for i := range n {
		b = append(b, uint32(i))
	}
	return b
}

func create(t testing.TB, name string) Schedule {
	t.Helper()
	row, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	e := Environment{Programs: 1, Now: func() int64 { return 0 }}
	if row.Needs&Impact != 0 {
		e.Impact = impact.NewIndex(&impact.Impact{
			Impacted: []uint32{0, 1, 100, 101}, Segments: []impact.Segment{{From: 0, To: 100, Suspicious: true}, {From: 1, To: 102}, {From: 1, To: 101, Suspicious: true}},
			Distance: []impact.BlockDistance{{Block: 0, Milli: 2000}, {Block: 100, Milli: 1000}, {Block: 101}},
			Points: []impact.Point{
				{Blocks: []uint32{101}, Near: []impact.Near{{Block: 0, Distance: 3, Gate: true}, {Block: 100, Distance: 1}, {Block: 101, Gate: true}}},
				{Blocks: []uint32{120}, Near: []impact.Near{{Block: 120, Gate: true}}},
			},
		}, 200)
	}
	return row.New(e)
}

// every returns the names of all schedules, including those that need a change.
func every() []string {
	var names []string
	for _, r := range Table {
		names = append(names, r.Name)
	}
	return names
}

func TestFind(t *testing.T) {
	for _, name := range append([]string{""}, every()...) {
		create(t, name)
		row, _ := Find(name)
		if slices.Contains(Names(false), name) == (row.Needs&Impact != 0) && name != "" {
			t.Errorf("%q is listed among those that go by no change, or is missing there", name)
		}
		clock := strings.HasPrefix(name, "afl") && !strings.HasSuffix(name, "-noclock")
		if got := row.Needs&Clock != 0; got != clock {
			t.Errorf("%q: reads the clock: %v", name, got)
		}
		if got := row.Needs&Sets != 0; got != strings.HasPrefix(name, "aflfast") && got != (name == "points" || name == "sediff" || name == "checked") {
			t.Errorf("%q: reads sets: %v", name, got)
		}
	}
	var unknown *UnknownError
	_, err := Find("lunar")
	if !errors.As(err, &unknown) || unknown.Name != "lunar" {
		t.Fatalf("error %v", err)
	}
	if want := `unknown schedule "lunar"`; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

// simulate runs a schedule on a growing corpus. Mutants have few traces, and some are kept.
func simulate(t *testing.T, name string, seed uint64, steps int) []int {
	s := create(t, name)
	r, world := mutate.NewRand(seed, 0), mutate.NewRand(7, 7)
	n := 0
	add := func(parent int) {
		s.Added(Seed{Len: 1 + world.Intn(99), Accepted: n%3 == 0, Traces: traced(uint32(n), uint32(100+world.Intn(50))), Parent: parent, Nanos: int64(100 + world.Intn(900))})
		n++
	}
	for range 5 {
		add(-1)
	}
	var picks []int
	for range steps {
		k := s.Next(r)
		if k < 0 || k >= n {
			t.Fatalf("%s: seed %d of %d", name, k, n)
		}
		picks = append(picks, k)
		kept := world.Chance(1, 500)
		if kept {
			add(k)
			if world.Chance(1, 4) {
				add(-1) // from another worker
			}
		}
		s.Ran(Result{Traces: traced(uint32(world.Intn(5)), uint32(100+world.Intn(50))), Kept: kept})
	}
	return picks
}

// TestRepeats checks that the same calls and random numbers give the same answers under each
// schedule, and that they differ from uniform's.
func TestRepeats(t *testing.T) {
	uniform := simulate(t, "uniform", 1, 20_000)
	for _, name := range every() {
		a := simulate(t, name, 1, 20_000)
		if !slices.Equal(a, simulate(t, name, 1, 20_000)) {
			t.Errorf("%s does not repeat", name)
		}
		if name != "uniform" && slices.Equal(a, uniform) {
			t.Errorf("%s is uniform", name)
		}
	}
}

// TestUniform checks that every input is taken about equally often, within six standard deviations.
func TestUniform(t *testing.T) {
	s := create(t, "uniform")
	const inputs, draws = 100, 100_000
	for range inputs {
		s.Added(Seed{Parent: -1})
	}
	r := mutate.NewRand(1, 0)
	var count [inputs]int
	for range [draws]struct{}{} {
		count[s.Next(r)]++
		s.Ran(Result{})
	}
	const mean, deviation = draws / inputs, 32
	for i, n := range count {
		if n < mean-6*deviation || n > mean+6*deviation {
			t.Errorf("input %d was chosen %d times of %d, expected about %d", i, n, draws, mean)
		}
	}
}

// TestStratified checks that accepted seeds have half of the mutants, and each of their domains the
// same share, within six standard deviations.
func TestStratified(t *testing.T) {
	type seed struct {
		accepted bool
		domains  []string
	}
	tests := []struct {
		name  string
		seeds []seed
		want  []float64
	}{
		{"the user's", []seed{{true, nil}, {true, nil}}, []float64{0.5, 0.5}},
		{"all are rejected", []seed{{false, nil}, {false, nil}}, []float64{0.5, 0.5}},
		{"accepted and rejected", []seed{{true, nil}, {false, nil}, {false, nil}}, []float64{0.5, 0.25, 0.25}},
		{"domains", []seed{{true, []string{"a"}}, {true, []string{"a"}}, {true, []string{"b"}}}, []float64{0.25, 0.25, 0.5}},
		{"new in both", []seed{{true, []string{"a", "b"}}, {true, []string{"b"}}}, []float64{0.75, 0.25}},
		{"all of it", []seed{{true, nil}, {true, []string{"a"}}, {false, []string{"a"}}, {false, []string{"b"}}}, []float64{0.25, 0.25, 0.25, 0.25}},
	}
	const draws = 100_000
	for _, test := range tests {
		s := create(t, "stratified")
		for _, seed := range test.seeds {
			s.Added(Seed{Accepted: seed.accepted, New: seed.domains})
		}
		r := mutate.NewRand(1, 0)
		count := make([]int, len(test.seeds))
		for range draws {
			count[s.Next(r)]++
			s.Ran(Result{})
		}
		for i, share := range test.want {
			if d := float64(count[i]) - share*draws; d < -950 || d > 950 {
				t.Errorf("%s: input %d was chosen %d times of %d, want about %.0f", test.name, i, count[i], draws, share*draws)
			}
		}
	}
}

// TestAllocatesNothing checks that choosing a seed does not allocate.
func TestAllocatesNothing(t *testing.T) {
	for _, name := range every() {
		s, r, mutants := warm(t, name)
		i := 0
		n := testing.AllocsPerRun(10_000, func() {
			s.Next(r)
			s.Ran(Result{Traces: mutants[i%len(mutants)]})
			i++
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// warm returns a schedule with a thousand seeds of a hundred blocks, and the traces of their
// mutants.
func warm(t testing.TB, name string) (s Schedule, r *mutate.Rand, mutants [][]feature.Trace) {
	s, r = create(t, name), mutate.NewRand(1, 1)
	for i := range 1000 {
		var hits []uint32
		for b := range uint32(100) {
			hits = append(hits, 97*b+uint32(r.Intn(97)))
		}
		trace := traced(hits...)
		mutants = append(mutants, trace)
		s.Added(Seed{Len: 10 + r.Intn(90), Traces: trace, Parent: r.Intn(i+1) - 1, Nanos: int64(500 + r.Intn(1500))})
	}
	for i := range 100_000 {
		s.Next(r)
		s.Ran(Result{Traces: mutants[i%len(mutants)]})
	}
	return s, r, mutants
}

// BenchmarkNext measures the cost of a schedule per mutant.
func BenchmarkNext(b *testing.B) {
	for _, name := range Names(false) {
		b.Run(name, func(b *testing.B) {
			s, r, mutants := warm(b, name)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				s.Next(r)
				s.Ran(Result{Traces: mutants[i%len(mutants)]})
			}
		})
	}
}
