package engine

import (
	"bytes"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/policy"
)

// all executes batches on the fake's programs.
func (f *fake) all(flats [][]byte, joints []feature.Joint) bool {
	for i, flat := range flats {
		for p := range f.programs {
			joints[i].Obs[p] = f.Run(p, flat, &joints[i].Traces[p])
		}
	}
	return true
}

// TestBatches checks that batches of one input give the events of single inputs, and that larger
// ones repeat.
func TestBatches(t *testing.T) {
	seeds := [][]byte{[]byte("seed"), []byte("another")}
	batched := func(n int, ahead bool) []string {
		f := newFake(60, hashed(1, 30), hashed(2, 60))
		e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"ensemble"}, PoolSize: 8}}})
		b := &Batch{}
		if !e.SeedAll(b, seeds, f.all) || !e.ImportAll(b, [][]byte{[]byte("mail")}, Worker, f.all) {
			t.Fatal("refused")
		}
		for k := 0; k < 2048; k += n {
			left := n
			if ahead {
				left = 2048 - k
			}
			if ran, ok := e.FuzzAll(b, n, left, f.all); !ok || ran != n {
				t.Fatal("refused")
			}
		}
		if len(r.reports) != 2048+len(seeds) {
			t.Errorf("batches of %d: %d reports", n, len(r.reports))
		}
		return r.events
	}
	f := newFake(60, hashed(1, 30), hashed(2, 60))
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"ensemble"}, PoolSize: 8}}})
	for _, s := range seeds {
		e.Seed(s)
	}
	e.Import([]byte("mail"), Worker)
	for range 2048 {
		e.Fuzz()
	}
	if got := batched(1, false); strings.Join(got, "\n") != strings.Join(r.events, "\n") {
		t.Errorf("batches of one: %d events, one at a time: %d", len(got), len(r.events))
	}
	for _, n := range []int{4, 64} {
		for _, ahead := range []bool{false, true} {
			if a, b := batched(n, ahead), batched(n, ahead); strings.Join(a, "\n") != strings.Join(b, "\n") {
				t.Errorf("batches of %d do not repeat, made ahead: %v", n, ahead)
			}
		}
	}
}

// TestBatchRefused checks that a failed batch leaves nothing, and that the engine continues.
func TestBatchRefused(t *testing.T) {
	f := newFake(60, hashed(1, 30), hashed(2, 60))
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"ensemble"}}}})
	b := &Batch{}
	e.SeedAll(b, [][]byte{[]byte("seed")}, f.all)
	events := len(r.events)
	if _, ok := e.FuzzAll(b, 8, 64, func([][]byte, []feature.Joint) bool { return false }); ok || len(r.events) != events {
		t.Error("something came of a batch that was not run")
	}
	if _, ok := e.FuzzAll(b, 8, 64, f.all); !ok || len(r.reports) != 9 {
		t.Errorf("%d inputs counted", len(r.reports))
	}
}

// TestBatchRepair checks that repaired mutants replace mutants and have the operator.
func TestBatchRepair(t *testing.T) {
	var ran [][]byte
	f := newFake(60, hashed(1, 30), hashed(2, 60))
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"ensemble"}}}})
	b := &Batch{Repair: func(flats [][]byte) ([][]byte, bool) {
		repaired := make([][]byte, len(flats))
		for i := range flats {
			if i%2 == 0 {
				repaired[i] = append([]byte("fixed:"), flats[i]...)
			}
		}
		return repaired, true
	}}
	run := func(flats [][]byte, joints []feature.Joint) bool {
		for _, flat := range flats[:min(len(flats), 8)] { // repeats follow
			ran = append(ran, bytes.Clone(flat))
		}
		return f.all(flats, joints)
	}
	e.SeedAll(b, [][]byte{[]byte("seed")}, run)
	ran = nil
	for range 10 {
		e.FuzzAll(b, 8, 80, run)
	}
	for i, flat := range ran {
		ops := r.reports[i+1].Ops
		marked := len(ops) > 0 && ops[len(ops)-1] == mutate.OpRepair
		if fixed := bytes.HasPrefix(flat, []byte("fixed:")); i%2 == 0 && (!fixed || !marked) || i%2 == 1 && marked {
			t.Errorf("mutant %d: %q by %v", i, flat, ops)
		}
	}
}
