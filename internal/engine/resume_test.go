package engine

import (
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// TestResumedPools checks that a resumed process keeps no more than an uninterrupted one. So a
// campaign's corpus does not grow by resuming it or by replacing workers.
func TestResumedPools(t *testing.T) {
	const free, inputs = 32, 4000
	// Every input has its own output along one path, so that only the number of tuples bounds the
	// corpus.
	unbounded := func(flat []byte) run {
		h := uint64(1)
		for _, b := range flat {
			h = feature.Chain(h, uint64(b))
		}
		return run{path: []int{0}, obs: oracle.Observation{Outcome: oracle.Accepted, Value: h}}
	}
	cfg := Config{
		Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Output}, PoolSize: free, Seed: 1}},
	}
	first, r := newEngine(t, newFake(4, unbounded, unbounded), cfg)
	for range inputs {
		first.Fuzz()
	}
	if len(r.kept) != free {
		t.Fatalf("%d kept, want %d", len(r.kept), free)
	}
	cfg.Stream = 1
	second, again := newEngine(t, newFake(4, unbounded, unbounded), cfg)
	for _, d := range first.novelty.measured {
		d.Seen.All(func(h uint64) { second.MarkSeen(d.Number, h) })
	}
	for _, flat := range r.kept {
		second.Replay([]byte(flat), nil)
	}
	for range inputs {
		second.Fuzz()
	}
	if len(again.kept) != 0 || second.Corpus() != free {
		t.Errorf("%d more kept, a corpus of %d", len(again.kept), second.Corpus())
	}
}
