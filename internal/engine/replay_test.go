package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// own gives every input its own output, along one of so many paths.
func own(paths int) func(flat []byte) run {
	return func(flat []byte) run {
		h := uint64(1)
		for _, b := range flat {
			h = feature.Chain(h, uint64(b))
		}
		return run{path: []int{0, 1 + int(h%uint64(paths))}, obs: oracle.Observation{Outcome: oracle.Accepted, Value: h}}
	}
}

// TestResumedOften checks that a corpus keeps its bound however often the campaign is resumed. Each
// process continues the pools of earlier ones. Tuples come along many paths, so that cells do not
// bound the corpus.
func TestResumedOften(t *testing.T) {
	const free, inputs, paths = 32, 2000, 1000
	cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Output}, PoolSize: free, Seed: 1}}}
	program := own(paths)
	var kept []string
	known, tuples := feature.Set{}, 0
	for process := range 8 {
		cfg.Stream = uint64(process)
		e, r := newEngine(t, newFake(1+paths, program, program), cfg)
		output := e.novelty.domain(feature.Find(feature.Output).Number)
		known.All(func(h uint64) { e.MarkSeen(output.Number, h) })
		for _, flat := range kept {
			e.Replay([]byte(flat), []string{feature.Output})
		}
		for range inputs {
			e.Fuzz()
		}
		kept = append(kept, r.kept...)
		output.Seen.All(func(h uint64) { known.Add(h) })
		tuples = output.Seen.Len()
		if bound := free * (1 + bits.Len(uint(tuples/free))); len(kept) > bound {
			t.Fatalf("after process %d: %d inputs kept for %d tuples, more than %d", process, len(kept), tuples, bound)
		}
	}
	if tuples < 8*inputs/2 || len(kept) < 2*free {
		t.Fatalf("%d tuples, %d inputs: the bound was not tried", tuples, len(kept))
	}
}

// seedDomains is a schedule that records the domains of seeds.
type seedDomains struct{ domains []string }

func (s *seedDomains) Added(seed schedule.Seed)     { s.domains = append(s.domains, fmt.Sprint(seed.New)) }
func (s *seedDomains) Next(*mutate.Rand) (seed int) { return 0 }
func (s *seedDomains) Ran(schedule.Result)          {}

// TestReplayedDomains checks that a replayed input is a seed of the domains in which it was new, if
// they guide.
func TestReplayedDomains(t *testing.T) {
	inputs := []string{"a", "bb", "ccc", "dddd"}
	domains := [][]string{{"path-fine", "output"}, {"coverage"}, {"output", "structure", "path-coarse"}, {"nobody knows"}}
	want := []string{"[path-fine output]", "[coverage]", "[output]", "[]"}
	flats := make([][]byte, len(inputs))
	for i, s := range inputs {
		flats[i] = []byte(s)
	}
	cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{"coverage", "path-fine", "output"}}}}
	program := func([]byte) run { return run{path: []int{0}, obs: oracle.Observation{Outcome: oracle.Accepted}} }
	for _, batch := range []bool{false, true} {
		f := newFake(2, program, program)
		e, _ := newEngine(t, f, cfg)
		e.Replay([]byte("first"), nil) // it was the first to reach anything
		s := &seedDomains{}
		e.schedule = s
		if batch {
			e.ReplayAll(new(Batch), flats, domains, f.all)
		} else {
			for i, flat := range flats {
				e.Replay(flat, domains[i])
			}
		}
		if !slices.Equal(s.domains, want) {
			t.Errorf("in a batch: %v: kept for %q, want %q", batch, s.domains, want)
		}
	}
}

// TestReplayedShares checks that a resumed process distributes mutants as the process that kept the
// seeds did.
func TestReplayedShares(t *testing.T) {
	const old = 64
	cfg := Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Output}, Schedule: "stratified", PoolSize: 2 * old, Seed: 1}}}
	program := own(1)
	first, r := newEngine(t, newFake(2, program, program), cfg)
	for first.Corpus() < old {
		first.Fuzz()
	}
	cfg.Stream = 1
	e, _ := newEngine(t, newFake(2, program, program), cfg)
	output := first.novelty.domain(feature.Find(feature.Output).Number)
	output.Seen.All(func(h uint64) { e.MarkSeen(output.Number, h) })
	for _, flat := range r.kept {
		e.Replay([]byte(flat), []string{feature.Output})
	}
	for e.Corpus() == old {
		e.Fuzz()
	}
	latest, rand := 0, mutate.NewRand(1, 1)
	const turns = 1000
	for range turns {
		if e.schedule.Next(rand) >= old {
			latest++
		}
	}
	if most := 4 * turns / old; latest > most {
		t.Errorf("%d of %d mutants are of the one input that was kept last, more than %d", latest, turns, most)
	}
}
