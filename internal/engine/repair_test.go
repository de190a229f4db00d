package engine

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/policy"
)

// sum returns the last byte that an input must have.
func sum(b []byte) byte {
	s := byte(0x5a)
	for _, c := range b {
		s = s*31 + c
	}
	return s
}

// sealed is a program that rejects inputs without their sum, and searches for words in the rest.
func sealed(list ...string) func([]byte) run {
	inside := words(list...)
	return func(flat []byte) run {
		if len(flat) == 0 || flat[len(flat)-1] != sum(flat[:len(flat)-1]) {
			return run{[]int{len(list) + 1}, reject(1)}
		}
		return inside(flat)
	}
}

func seal(flat []byte) []byte {
	if len(flat) == 0 {
		return nil
	}
	body := flat[:len(flat)-1]
	return append(slices.Clone(body), sum(body))
}

func TestRepair(t *testing.T) {
	f := newFake(6, sealed("a", "b"), sealed("a", "c"))
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"coverage"}}}, Repair: seal})
	e.Seed([]byte("no sum"))
	if got := e.corpus.inputs[0]; string(got) != "no sum" {
		t.Errorf("a seed became %q", got)
	}
	accepted := 0
	for range 2000 {
		begun := f.begun
		e.Fuzz()
		if f.begun != begun+1 {
			t.Fatalf("%d inputs were begun", f.begun-begun)
		}
		switch outcome := e.Joint().Obs[0]; {
		case len(e.execution.step.Flat) == 0:
		case outcome != accept(0):
			t.Fatalf("%q is not repaired", e.execution.step.Flat)
		default:
			accepted++
		}
	}
	if accepted < 1500 || len(r.reports) != 2001 {
		t.Errorf("%d accepted, %d reports", accepted, len(r.reports))
	}
	repaired := 0
	for _, rep := range r.reports {
		if i := slices.Index(rep.Ops, mutate.OpRepair); i >= 0 {
			repaired++
			if i != len(rep.Ops)-1 || i == 0 {
				t.Errorf("operators %v", rep.Ops)
			}
		}
	}
	if repaired < 1500 {
		t.Errorf("%d repaired", repaired)
	}
	for _, kept := range r.kept {
		if kept != "no sum" && !bytes.Equal(seal([]byte(kept)), []byte(kept)) {
			t.Errorf("kept %q, which is not what was run", kept)
		}
	}
	// Without repair, a mutant in 256 is accepted.
	e, _ = newEngine(t, newFake(6, sealed("a", "b"), sealed("a", "c")), Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1, Guidance: []string{"coverage"}}}})
	e.Seed([]byte("no sum"))
	without := 0
	for range 2000 {
		if e.Fuzz(); e.Joint().Obs[0] == accept(0) {
			without++
		}
	}
	if 10*without > accepted {
		t.Errorf("%d accepted with repair and %d without", accepted, without)
	}
}

// TestRepairWhileTrimming checks that trimming ends even if repair restores what it removes, and
// that its result is kept.
func TestRepairWhileTrimming(t *testing.T) {
	pad := func(flat []byte) []byte {
		flat = slices.Clone(flat)
		for len(flat) < 200 {
			flat = append(flat, '.')
		}
		return flat
	}
	e, sink := trimEngine(t, input.Shape{input.Bytes}, newFake(4, words("KEY")), Config{Setup: policy.Setup{Policy: policy.Policy{Seed: 1}}, Repair: pad})
	e.Seed([]byte("calm"))
	e.Seed([]byte(strings.Repeat("a", 300) + "KEY" + strings.Repeat("b", 200)))
	steps := 0
	for ; steps < 1000 && e.sources.trim.Active(); steps++ {
		e.Fuzz()
	}
	small := e.corpus.inputs[len(e.corpus.inputs)-1]
	if e.sources.trim.Active() || !bytes.Contains(small, []byte("KEY")) || len(small) < 200 || len(small) > 300 || len(sink.kept) < 3 {
		t.Errorf("after %d steps: %q", steps, small)
	}
}

// TestRepairEnds checks that a repair that ends the goroutine leaves the mutant unchanged.
func TestRepairEnds(t *testing.T) {
	n := 0
	f := newFake(4, words("a"), words("b"))
	e, r := newEngine(t, f, Config{
		Setup: policy.Setup{Policy: policy.Policy{Seed: 1}},
		Repair: func(flat []byte) []byte {
			if n++; n%3 == 0 {
				panic(errGone)
			}
			return seal(flat)
		},
	})
	e.Seed([]byte("seed"))
	for range 300 {
		if attempt(e.Fuzz) {
			e.Unrepaired()
			e.Resume()
		}
	}
	if len(r.reports) != 301 || f.begun != 301 || len(f.ran) != 602 {
		t.Errorf("%d reports, %d inputs, %d runs", len(r.reports), f.begun, len(f.ran))
	}
	e.Unrepaired() // nothing is left to do
	if f.begun != 301 {
		t.Error("an input was begun")
	}
}
