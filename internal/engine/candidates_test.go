package engine

import (
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// joint returns the results of two programs.
func joint(a, b oracle.Observation, blocks ...uint32) *feature.Joint {
	return &feature.Joint{Obs: []oracle.Observation{a, b}, Traces: []feature.Trace{{Hits: blocks}, {Hits: blocks}}}
}

// admitted reports whether an input is a candidate for anything.
func admitted(a Admission) bool { return a.Failing != 0 || a.Candidates != 0 }

func TestCandidateRules(t *testing.T) {
	const all = oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer
	yes, no := accept(1), reject(1)
	type look struct {
		j         *feature.Joint
		layer     oracle.Layers
		candidate bool
	}
	tests := []struct {
		name   string
		layers oracle.Layers
		looks  []look
	}{
		{"agreement", all, []look{{joint(yes, yes), 0, false}, {joint(no, no), 0, false}}},
		{"only what is compared", oracle.VerdictLayer, []look{
			{joint(yes, accept(2)), 0, false}, {joint(no, reject(2)), 0, false}, {joint(yes, no), oracle.VerdictLayer, true},
		}},
		{"each layer", all, []look{
			{joint(yes, no), oracle.VerdictLayer, true},
			{joint(yes, accept(2)), oracle.ValueLayer, true},
			{joint(no, reject(2)), oracle.ClassLayer, true},
		}},
		{"powers of two", all, []look{
			{joint(yes, no), 1, true}, {joint(yes, no), 1, true}, {joint(yes, no), 1, false}, {joint(yes, no), 1, true},
			{joint(yes, no), 1, false}, {joint(yes, no), 1, false}, {joint(yes, no), 1, false}, {joint(yes, no), 1, true},
			{joint(yes, no), 1, false},
		}},
		{"a new class", all, []look{
			{joint(yes, no), 1, true}, {joint(yes, no), 1, true}, {joint(yes, reject(2)), 1, true}, {joint(yes, no), 1, true},
			{joint(yes, reject(3)), 1, true}, {joint(yes, reject(2)), 1, false},
		}},
		{"a new block", all, []look{
			{joint(yes, no, 3), 1, true}, {joint(yes, no, 3), 1, true}, {joint(yes, no, 3, 4), 1, true},
			{joint(yes, no, 4), 1, true}, {joint(yes, no, 3, 4), 1, false}, {joint(yes, no, 5), 1, true},
		}},
		{"tuples of outcomes count apart", all, []look{
			{joint(yes, no), 1, true}, {joint(yes, no), 1, true}, {joint(yes, no), 1, false}, {joint(no, yes), 1, true},
		}},
		{"values: who agrees counts, not the value", all, []look{
			{joint(yes, accept(2)), oracle.ValueLayer, true}, {joint(yes, accept(3)), oracle.ValueLayer, true},
			{joint(accept(8), accept(9)), oracle.ValueLayer, false},
		}},
		{"values: each set of parts that differ, then its powers of two", all, []look{
			{parts(1), oracle.ValueLayer, true}, {parts(1), oracle.ValueLayer, true}, {parts(1), oracle.ValueLayer, false},
			{parts(2), oracle.ValueLayer, true}, {parts(1), oracle.ValueLayer, true}, {parts(2), oracle.ValueLayer, true},
			{parts(1, 2), oracle.ValueLayer, true}, {parts(2), oracle.ValueLayer, false}, {parts(1), oracle.ValueLayer, false},
		}},
		{"a crash of one of two that both have elsewhere", all, []look{
			{joint(crash(1), crash(1)), 0, true}, {joint(crash(1), crash(1)), 0, true}, {joint(crash(1), crash(1)), 0, false},
			{joint(crash(1), yes), 0, true}, {joint(yes, crash(1)), 0, true}, {joint(crash(1), crash(1)), 0, true}, {joint(crash(1), crash(1)), 0, false},
		}},
		{"a crash at powers of two, by class and program", all, []look{
			{joint(crash(1), yes), 0, true}, {joint(crash(1), yes), 0, true}, {joint(crash(1), no), 0, false}, {joint(crash(1), no), 0, true},
			{joint(crash(2), yes), 0, true}, {joint(yes, crash(1)), 0, true}, {joint(crash(1), yes), 0, false},
		}},
		{"crashes hide disagreement", all, []look{
			{joint(crash(1), yes), 0, true}, {joint(crash(1), no), 0, true}, {joint(crash(1), no), 0, false}, {joint(yes, no), 1, true},
		}},
		{"both crash", all, []look{{joint(crash(1), crash(2)), 0, true}, {joint(crash(1), crash(2)), 0, true}, {joint(crash(1), crash(2)), 0, false}}},
		{"declined takes no part", all, []look{{joint(yes, oracle.Observation{Outcome: oracle.Declined}), 0, false}}},
	}
	for _, test := range tests {
		c := NewCandidates(2, 8, test.layers)
		for i, l := range test.looks {
			if a := c.Admit(l.j); a.Layers != l.layer || admitted(a) != l.candidate {
				t.Errorf("%s, input %d: %+v, want layer %v, candidate %v", test.name, i, a, l.layer, l.candidate)
			}
		}
	}
}

// parts returns the results of two programs whose values differ in some parts.
func parts(lanes ...int) *feature.Joint {
	a, b := accept(1), accept(2)
	a.Parts[31], b.Parts[31] = 1, 1
	for _, k := range lanes {
		b.Parts[k] = 1
	}
	return joint(a, b)
}

// TestRareParts checks that a disagreement in a rare part is a candidate at once, however many
// inputs disagree in another part.
func TestRareParts(t *testing.T) {
	c := NewCandidates(2, 8, oracle.ValueLayer)
	for n := 0; n < 3000; n++ {
		c.Admit(parts(1))
	}
	for n := 1; n <= 64; n++ {
		if a := c.Admit(parts(2)); admitted(a) != power(n) || a.Fresh != (n == 1) {
			t.Errorf("rare disagreement %d: %+v", n, a)
		}
	}
}

// TestSetsOfPartsAreBounded checks that only a bounded number of sets of parts count by themselves.
func TestSetsOfPartsAreBounded(t *testing.T) {
	c := NewCandidates(2, 8, oracle.ValueLayer)
	few := 0
	for set := 1; set < 1<<14; set++ {
		var lanes []int
		for k := 0; k < 14; k++ {
			if set>>k&1 != 0 {
				lanes = append(lanes, k)
			}
		}
		if admitted(c.Admit(parts(lanes...))) {
			few++
		}
	}
	if few < baseCandidates || few > maxParts+14 {
		t.Errorf("%d candidates of %d sets of parts", few, 1<<14)
	}
	for _, g := range c.groups {
		if len(g.parts) > maxParts+1 {
			t.Errorf("%d sets count by themselves", len(g.parts))
		}
	}
}

// TestCandidatesAreBounded checks that the candidates of a tuple of outcomes stay few, whatever the
// number of inputs and their appearance.
func TestCandidatesAreBounded(t *testing.T) {
	const blocks = 1 << 14
	c := NewCandidates(2, blocks, oracle.VerdictLayer)
	few := 0
	for n := 1; n <= blocks; n++ {
		if admitted(c.Admit(joint(accept(0), reject(uint64(n)), uint32(n-1)))) {
			few++
		}
		limit := baseCandidates
		for q := n / baseCandidates; q > 1; q /= 2 {
			limit += baseCandidates
		}
		if few > limit {
			t.Fatalf("%d candidates of %d inputs: the limit is %d", few, n, limit)
		}
	}
	if few < 9*baseCandidates {
		t.Errorf("only %d candidates of %d inputs that all show something new", few, blocks)
	}
	// Another tuple of outcomes has its own budget.
	if !admitted(c.Admit(joint(reject(1), accept(0), 1))) {
		t.Error("the first of another tuple is no candidate")
	}
}

func TestUnique(t *testing.T) {
	c := NewCandidates(2, 1, oracle.VerdictLayer)
	tests := []struct {
		a, b  oracle.Observation
		fresh bool
	}{
		{accept(1), reject(1), true},
		{accept(2), reject(1), false}, // values do not count
		{accept(1), reject(2), true},
		{reject(1), accept(1), true},
		{accept(1), accept(2), false},
		{reject(1), reject(2), false},
		{accept(1), crash(1), false},
	}
	for _, test := range tests {
		if _, fresh := c.Unique(joint(test.a, test.b)); fresh != test.fresh {
			t.Errorf("%v %v: fresh is %v", test.a, test.b, fresh)
		}
	}
}

// TestAdmissionFresh checks that a new outcome, class or block is fresh, and that powers of two are
// not.
func TestAdmissionFresh(t *testing.T) {
	c := NewCandidates(2, 8, oracle.VerdictLayer|oracle.ValueLayer)
	yes, no := accept(1), reject(1)
	for i, look := range []struct {
		j                *feature.Joint
		candidate, fresh bool
	}{
		{joint(yes, no), true, true}, {joint(yes, no), true, false}, {joint(yes, no), false, false}, {joint(yes, no), true, false},
		{joint(yes, reject(2)), true, true}, {joint(yes, no, 3), true, true}, {joint(yes, yes), false, false},
		{joint(yes, oracle.Observation{Outcome: oracle.Crashed, Class: 1}), true, true},
		{joint(yes, oracle.Observation{Outcome: oracle.Crashed, Class: 1}), true, false},
	} {
		if a := c.Admit(look.j); admitted(a) != look.candidate || a.Fresh != look.fresh {
			t.Errorf("input %d: %+v, want a candidate: %v, fresh: %v", i, a, look.candidate, look.fresh)
		}
	}
}
