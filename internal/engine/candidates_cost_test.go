package engine

import (
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/impact"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

const compareCost = oracle.VerdictLayer | oracle.ValueLayer | oracle.CostLayer

// costJoint returns the results of two agreeing versions with the given costs of the first.
func costJoint(blocks, bytes uint64, executed ...uint32) *feature.Joint {
	j := joint(accept(1), accept(1), executed...)
	j.Traces[0].Length, j.Traces[0].Allocated = blocks, bytes
	j.Traces[1].Length, j.Traces[1].Allocated = 1000, 1000
	return j
}

func TestCandidatesOfCost(t *testing.T) {
	const much, mib = 200_000, 1 << 20
	c := NewCandidates(2, 8, compareCost)
	for i, look := range []struct {
		j         *feature.Joint
		layer     oracle.Layers
		candidate bool
	}{
		{costJoint(100_000, 0), 0, false},
		{costJoint(7000, 16*mib), 0, false},
		{costJoint(much, 0), oracle.CostLayer, true},
		{costJoint(much, 0), oracle.CostLayer, true},
		{costJoint(much, 0), oracle.CostLayer, false},
		{costJoint(1000, 64*mib), oracle.CostLayer, true}, // another measure
		{costJoint(much, 0, 3), oracle.CostLayer, true},   // another block
		{costJoint(much, 64*mib, 3), oracle.CostLayer, false},
		{func() *feature.Joint { j := costJoint(much, 0); j.Obs[1].Value = 2; return j }(), oracle.ValueLayer, true},
		{func() *feature.Joint { j := costJoint(much, 0); j.Obs[1] = crash(1); return j }(), 0, true},
		{func() *feature.Joint { j := costJoint(much, 0); j.Obs[1] = oracle.Observation{}; return j }(), 0, false},
	} {
		if a := c.Admit(look.j); a.Layers != look.layer || admitted(a) != look.candidate {
			t.Errorf("look %d: %+v; want %v, %v", i, a, look.layer, look.candidate)
		}
	}
	if a := NewCandidates(2, 8, oracle.VerdictLayer|oracle.ValueLayer).Admit(costJoint(much, 64*mib)); a.Layers != 0 || admitted(a) {
		t.Errorf("where cost is not compared: %+v", a)
	}
}

// TestCostOfVersions checks that a campaign on two versions reports an input with excessive cost
// and keeps the inputs that lead to it. It does so only if costs are compared and a change is
// known.
func TestCostOfVersions(t *testing.T) {
	// Each byte of the input doubles the work of the new version.
	newer := func(flat []byte) run {
		r := run{obs: accept(0)}
		for range 1 << len(flat) {
			r.path = append(r.path, 0)
		}
		return r
	}
	older := func([]byte) run { return run{obs: accept(0), path: []int{1}} }
	change := impact.Impact{Impacted: []uint32{0}, Segments: []impact.Segment{{From: 2, To: 3, Suspicious: true}}, Points: []impact.Point{{Blocks: []uint32{0}}}}
	for _, test := range []struct {
		name       string
		layers     oracle.Layers
		known      bool
		kept       string
		candidates string
	}{
		{"compared", compareCost, true, "|a|aaa|" + strings.Repeat("a", 17), strings.Repeat("a", 17)},
		{"no change", compareCost, false, "", strings.Repeat("a", 17)},
		{"not compared", oracle.VerdictLayer, true, "", ""},
	} {
		setup := policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Change}, Seed: 1, Layers: test.layers}}
		if test.known {
			setup.Impact = change
		}
		e, r := newEngine(t, newFake(4, newer, older), Config{Setup: setup})
		e.Seed(nil)
		for _, n := range []int{1, 3, 2, 3, 17} {
			try(e, []byte(strings.Repeat("a", n)))
		}
		if got := strings.Join(r.kept, "|"); got != test.kept {
			t.Errorf("%s: kept %q, want %q", test.name, got, test.kept)
		}
		if got := strings.Join(r.candidates, "|"); got != test.candidates {
			t.Errorf("%s: candidates %q, want %q", test.name, got, test.candidates)
		}
	}
}
