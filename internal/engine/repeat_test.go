package engine

import (
	"slices"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// unsteady returns programs. One is deterministic, and one rejects every third run. One fails on
// some inputs at every time. One runs only every other time, as an old version does.
func unsteady() []func([]byte) run {
	calls, runs := 0, 0
	return []func([]byte) run{
		hashed(1, 30),
		func([]byte) run {
			if calls++; calls%3 == 0 {
				return run{path: []int{1}, obs: reject(1)}
			}
			return run{path: []int{2}, obs: accept(1)}
		},
		func(flat []byte) run {
			if len(flat)%4 == 3 {
				return run{path: []int{3}, obs: crash(1)}
			}
			return run{path: []int{4}, obs: accept(1)}
		},
		func([]byte) run {
			if runs++; runs%2 == 0 {
				return run{}
			}
			return run{path: []int{5}, obs: accept(1)}
		},
	}
}

// TestRepeat checks that one input in 64 is executed again, whether or not programs run in this
// process. Exactly the nondeterministic programs are reported, and the campaign is the same as
// without repeats.
func TestRepeat(t *testing.T) {
	const inputs = 64 * 100
	config := Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 3, Guidance: []string{feature.Ensemble}}}}
	e, one := newEngine(t, newFake(60, unsteady()...), config)
	for range inputs {
		e.Fuzz()
		e.Repeat()
	}
	f := newFake(60, unsteady()...)
	e, all := newEngine(t, f, config)
	b := &Batch{}
	for left := inputs; left > 0; {
		ran, ok := e.FuzzAll(b, 50, left, f.all)
		if left -= ran; !ok {
			t.Fatal("the batch was not run")
		}
	}
	for name, r := range map[string]*record{"one at a time": one, "batches": all} {
		differ := [4]int{}
		for _, mask := range r.differs {
			for p := range differ {
				differ[p] += int(mask >> p & 1)
			}
		}
		// Failing inputs are not executed again. If every third run rejects, two runs differ four
		// times in nine.
		if n := len(r.differs); n < 40 || n > 100 || differ[0]+differ[2]+differ[3] > 0 || differ[1] < n/5 {
			t.Errorf("%s: of %d inputs programs did otherwise on %v", name, n, differ)
		}
		if len(r.reports) != inputs {
			t.Errorf("%s: %d inputs count, want %d", name, len(r.reports), inputs)
		}
	}
}

// TestRepeatEnds checks that a program that ends the goroutine in its second run does not end the
// loop, and is reported.
func TestRepeatEnds(t *testing.T) {
	f := newFake(60, hashed(1, 30))
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}}}})
	f.dies = func(int, []byte) bool { return e.execution.origin == repeated }
	ends := 0
	for range 64 * 20 {
		e.Fuzz()
		if attempt(e.Repeat) {
			ends++
			e.Abort(oracle.Observation{Outcome: oracle.Crashed, Class: 5})
			e.Resume()
		}
	}
	if ends < 10 || len(r.differs) != ends || len(r.reports) != 64*20 || slices.Contains(r.differs, 0) {
		t.Errorf("%d ends, %d inputs a second time, %d inputs", ends, len(r.differs), len(r.reports))
	}
}

// TestBatchSize checks that a batch has room for its repeats.
func TestBatchSize(t *testing.T) {
	for n := 1; n < 1000; n++ {
		fit := BatchSize(n)
		if fit < 1 || fit > n || n >= repeatEvery && fit+(fit+repeatEvery-1)/repeatEvery > n || fit < n*9/10 {
			t.Errorf("%d of %d", fit, n)
		}
	}
}
