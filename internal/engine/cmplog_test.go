package engine

import (
	"slices"
	"strings"
	"testing"

	"parallax/internal/cmplog"
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/policy"
)

// compares reports a comparison with a secret for every input, once it is ready.
type compares struct {
	secret string
	ready  bool
	asked  []string
}

func (c *compares) Ready() bool { return c.ready }

func (c *compares) Compare(flat []byte) []cmplog.Comparison {
	c.asked = append(c.asked, string(flat))
	return []cmplog.Comparison{{Site: 1, Kind: cmplog.StringEqual, ConstB: true, S: string(flat), T: c.secret}}
}

const secret = "a secret that no mutation finds"

func knows(flat []byte) run {
	if string(flat) == secret {
		return run{[]int{0, 1}, accept(0)}
	}
	return run{[]int{0}, accept(0)}
}

// TestCmpLog checks that operands are tried at once, and that each corpus input is solved once.
func TestCmpLog(t *testing.T) {
	from := &compares{secret: secret}
	e, r := newEngine(t, newFake(4, knows), Config{
		Setup:       policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}, Seed: 1, MaxBytes: 100, NoTrim: true}},
		Comparisons: from,
	})
	try(e, []byte("seed"))
	for range 200 {
		e.Fuzz()
	}
	if len(from.asked) != 0 {
		t.Fatalf("asked for %q before it was ready", from.asked)
	}
	from.ready = true
	for range 200 {
		e.Fuzz()
	}
	if !slices.Contains(from.asked, "seed") || !slices.ContainsFunc(r.kept, func(k string) bool { return strings.Contains(k, secret) }) {
		t.Errorf("asked for %q, kept %q", from.asked, r.kept)
	}
	seen := map[string]bool{}
	for _, a := range from.asked {
		if seen[a] {
			t.Errorf("asked twice for %q", a)
		}
		seen[a] = true
	}
}

// TestCmpLogTakeTurns checks that the stage takes an eighth of the mutants unless it yields more,
// and that its mutants are marked.
func TestCmpLogTakeTurns(t *testing.T) {
	from := &compares{secret: strings.Repeat("wanted ", 9), ready: true}
	e, r := newEngine(t, newFake(4, func([]byte) run { return run{[]int{0}, accept(0)} }),
		Config{
			Setup:       policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Coverage}, Seed: 1, MaxBytes: 100, NoTrim: true}},
			Comparisons: from,
		})
	try(e, []byte("seed"))
	stage, all := 0, 0
	for range 64 {
		e.Fuzz()
		all++
		if slices.Equal(r.last().Ops, []mutate.Op{mutate.OpCmpLog}) {
			stage++
		}
	}
	if stage == 0 || stage > all/8+1 {
		t.Errorf("%d of %d mutants", stage, all)
	}
}
