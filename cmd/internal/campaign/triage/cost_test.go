package triage

import (
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

const compareCost = oracle.VerdictLayer | oracle.ValueLayer | oracle.CostLayer

// cost returns results of two versions that do the same at different costs.
func cost(blocks, bytes, before, beforeBytes uint64) []wire.RunResult {
	return []wire.RunResult{
		{Outcome: uint64(oracle.Accepted), Length: blocks, Allocated: bytes}, {Outcome: uint64(oracle.Accepted), Length: before, Allocated: beforeBytes},
	}
}

const manyBytes = 64 << 20

func TestLayerOfCost(t *testing.T) {
	differ := cost(1e6, 0, 10, 0)
	differ[1].Value = 3
	ignored := cost(1e6, 0, 10, 0)
	ignored[0].Ignored = true
	for _, test := range []struct {
		name    string
		layers  oracle.Layers
		results []wire.RunResult
		layer   oracle.Layers
		dear    oracle.Measures
	}{
		{"blocks", compareCost, cost(1e6, 0, 10, 0), oracle.CostLayer, oracle.Blocks},
		{"bytes", compareCost, cost(100, manyBytes, 10, 0), oracle.CostLayer, oracle.Bytes},
		{"both", compareCost, cost(1e6, manyBytes, 10, 0), oracle.CostLayer, oracle.Blocks | oracle.Bytes},
		{"cheaper", compareCost, cost(10, 0, 1e6, manyBytes), 0, 0},
		{"not compared", oracle.VerdictLayer, cost(1e6, 0, 10, 0), 0, 0},
		{"values differ", compareCost, differ, oracle.ValueLayer, 0},
		{"one program", compareCost, cost(1e6, 0, 10, 0)[:1], 0, 0},
		{"intended", compareCost, ignored, 0, oracle.Blocks},
	} {
		if got := Layer(test.layers, test.results); got != test.layer {
			t.Errorf("%s: layer %v, want %v", test.name, got, test.layer)
		}
		if got := Dear(test.layers, test.results); got != test.dear {
			t.Errorf("%s: %v, want %v", test.name, got, test.dear)
		}
	}
	for kind, is := range map[string]bool{finding.KindDiscrepancy: true, Change: true, oracle.KindCrash: false, oracle.KindTimeout: false, "": false} {
		if Disagrees(kind) != is {
			t.Errorf("%q: %v", kind, !is)
		}
	}
}

// TestCauseOfCost checks that the measure of a finding stays while an input is minimized.
func TestCauseOfCost(t *testing.T) {
	j := &Triager{Names: []string{"new", "old"}, Layers: compareCost, Shape: input.Shape{input.Bytes}}
	for _, test := range []struct {
		name      string
		want, got []wire.RunResult
		shown     bool
	}{
		{"less of it", cost(1e6, 0, 10, 0), cost(2e5, 0, 10, 0), true},
		{"too little", cost(1e6, 0, 10, 0), cost(1e5, 0, 10, 0), false},
		{"another measure", cost(1e6, 0, 10, 0), cost(10, manyBytes, 10, 0), false},
		{"blocks of both", cost(1e6, manyBytes, 10, 0), cost(2e5, 0, 10, 0), true},
		{"bytes of both", cost(1e6, manyBytes, 10, 0), cost(10, manyBytes, 10, 0), false},
		{"bytes", cost(10, manyBytes, 10, 0), cost(1e6, manyBytes, 10, 0), true},
		{"at the bound", cost(1e6, 0, 10, 0), cost(100_001, 0, 10, 0), false},
		{"the rest at the bound", cost(1e6, 0, 10, 0), cost(106_700, 0, 10, 0), true},
		{"bytes at the bound", cost(0, manyBytes, 10, 0), cost(0, 16<<20+1, 10, 0), false},
		{"ratio at the bound", cost(1e6, 0, 10, 0), cost(8e5, 0, 1e5, 0), false},
		{"it was at the bound before", cost(102_000, 0, 10, 0), cost(100_001, 0, 10, 0), true},
		{"below it", cost(102_000, 0, 10, 0), cost(100_000, 0, 10, 0), false},
	} {
		c := j.cause(test.want, oracle.CostLayer, nil)
		if got := c.shown(test.got); got != test.shown {
			t.Errorf("%s: %v", test.name, got)
		}
		if c.wanted() != nil {
			t.Errorf("%s: one program alone tells", test.name)
		}
	}
}

// TestBucketOfCost checks that the measure and the change name a bucket of cost, whatever the
// outcomes.
func TestBucketOfCost(t *testing.T) {
	space := versions()
	space.Align = func(*flow.Space) flow.Alignment {
		return flow.Alignment{Hunks: []flow.Hunk{{Function: "F", Text: "-a\n"}, {Function: "F", Text: "-b\n"}}}
	}
	j := &Triager{Names: []string{"new", "old"}, Layers: compareCost, Shape: input.Shape{input.Bytes}, Space: space}
	named := func(hunk int, results []wire.RunResult) *Result {
		at := &Located{Hunk: hunk, sure: true, Best: make([]*Direction, 2)}
		f := &Result{Kind: Change, Layer: oracle.CostLayer, Results: results, Minimized: []byte("x")}
		j.attribute(f, at)
		return f
	}
	blocks, bytes, skipped := cost(1e6, 0, 10, 0), cost(10, manyBytes, 10, 0), cost(1e6, 0, 10, 0)
	for p := range skipped {
		skipped[p].Outcome = uint64(oracle.Rejected)
	}
	ids := map[string]string{}
	for name, f := range map[string]*Result{
		"blocks": named(0, blocks), "bytes": named(0, bytes), "another change": named(1, blocks), "no change": named(None, blocks), "bytes, no change": named(None, bytes),
	} {
		if other := ids[f.Bucket]; other != "" {
			t.Errorf("%s and %s have one bucket", name, other)
		}
		ids[f.Bucket] = name
		if strings.HasSuffix(name, "no change") != (f.Symptoms == nil) {
			t.Errorf("%s: symptoms %+v", name, f.Symptoms)
		}
	}
	first, second := named(0, blocks), named(0, skipped)
	if first.Bucket != second.Bucket || !first.Symptoms.SameCause(second.Symptoms) || first.Variant == second.Variant {
		t.Errorf("inputs that are skipped: %+v, %+v", first, second)
	}
	if first.Symptoms.Cost != "blocks" || first.Symptoms.SameCause(named(0, bytes).Symptoms) || first.Symptoms.SameCause(named(1, blocks).Symptoms) {
		t.Errorf("two causes are one: %+v", first.Symptoms)
	}
	verdict := &Result{Kind: finding.KindDiscrepancy, Layer: oracle.VerdictLayer, Results: cost(0, 0, 0, 0), Minimized: []byte("x")}
	if j.attribute(verdict, &Located{Hunk: 0, sure: true, Best: make([]*Direction, 2)}); verdict.Symptoms.Cost != "" {
		t.Errorf("a verdict has a cost: %+v", verdict.Symptoms)
	}
}

// TestTriageCost checks that excessive costs are confirmed, and minimized while they last. One
// digit costs too much, no more.
func TestTriageCost(t *testing.T) {
	j := newTriager(t)
	j.Layers = compareCost
	f := triaged(t, j, finding.Candidate{Flat: []byte("a:work 0900000"), Layer: oracle.CostLayer})
	if f == nil {
		t.Fatal("it is called flaky")
	}
	if f.Kind != Change || f.Layer != oracle.CostLayer || f.Dear != oracle.Blocks || Dear(j.Layers, f.Results) != oracle.Blocks {
		t.Errorf("%+v", f)
	}
	if len(f.Minimized) > len("a:work 900000") {
		t.Errorf("minimized to %q", f.Minimized)
	}
	small, err := j.Minimize(t.Context(), f.Flat, f.Variant, Change, "cost", NoProgram, 300)
	if err != nil || small.Result == nil || len(small.Result.Minimized) >= len(f.Flat) {
		t.Errorf("%+v, %v", small, err)
	}
	for name, c := range map[string]finding.Candidate{
		"too little":                      {Flat: []byte("a:work 9000"), Layer: oracle.CostLayer},
		"the old version":                 {Flat: []byte("b:work 900000"), Layer: oracle.CostLayer},
		"both":                            {Flat: []byte("ab:work 900000"), Layer: oracle.CostLayer},
		"once in a process":               {Flat: []byte("a:once 900000"), Layer: oracle.CostLayer},
		"it disagrees in another layer":   {Flat: []byte("300"), Layer: oracle.CostLayer},
		"cost is what it was not seen in": {Flat: []byte("a:work 900000"), Layer: oracle.ValueLayer},
	} {
		if f := triaged(t, j, c); f != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	j.Layers = oracle.VerdictLayer | oracle.ValueLayer
	if f := triaged(t, j, finding.Candidate{Flat: []byte("a:work 900000"), Layer: oracle.CostLayer}); f != nil {
		t.Errorf("where cost is not compared: %+v", f)
	}
}

// TestCostThatWavers checks that a run without the cost ends triage, and that no program is named.
func TestCostThatWavers(t *testing.T) {
	j := newTriager(t)
	j.Layers = compareCost
	s := j.Replayer()
	defer s.Close()
	f, wavered, err := j.confirm(s, finding.Candidate{Flat: []byte("a:work 900000"), Layer: oracle.CostLayer})
	if err != nil || f == nil || wavered != (Wavering{}) {
		t.Fatalf("%+v, %v, %v", f, wavered, err)
	}
	f.Results, f.Minimized = f.Raw, f.Flat
	before := s.Runs
	if wavered, err := j.steady(s, f, nil); err != nil || wavered != (Wavering{}) {
		t.Errorf("%v, %v", wavered, err)
	}
	if n := j.Runs(f.Kind); s.Runs-before != processes*n {
		t.Errorf("%d runs of what is filed, want %d in each of %d processes", s.Runs-before, n, processes)
	}
	f.Flat, f.Minimized = []byte("a:once 900000"), []byte("a:once 900000")
	if wavered, err := j.steady(s, f, nil); err != nil || wavered != (Wavering{Why: WhyCost}) {
		t.Errorf("once: %v, %v", wavered, err)
	}
	if wavered, err := j.repeat(s, f, 3); err != nil || wavered != (Wavering{Why: WhyCost}) {
		t.Errorf("once, in one process: %v, %v", wavered, err)
	}
}
