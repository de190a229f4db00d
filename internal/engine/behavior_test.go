package engine

import (
	"reflect"
	"testing"

	"parallax/internal/diversity"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

// twice is a program that executes block 1 as often as the first byte. The second byte is its
// outcome.
func twice(flat []byte) run {
	path := []int{0}
	for range flat[0] {
		path = append(path, 1)
	}
	return run{path: path, obs: oracle.Observation{Outcome: oracle.Outcome(flat[1])}}
}

func counted(e *Engine, i int) (words [4]uint64, all, valid []uint64) {
	r := e.behavior.assemblages[i].Record
	return [4]uint64{r.Word(diversity.Valid), r.Word(diversity.Invalid), r.Word(diversity.Failed), r.Word(diversity.Traced)},
		r.Counts(nil, false), r.Counts(nil, true)
}

func TestBehavior(t *testing.T) {
	f := newFake(4, twice)
	e, r := newEngine(t, f, Config{Setup: policy.Setup{Policy: policy.Policy{Guidance: []string{feature.Random}}}})
	for _, step := range []struct {
		times    byte
		outcome  oracle.Outcome
		validity oracle.Validity
		unique   bool
	}{
		{2, oracle.Rejected, oracle.Invalid, true},
		{3, oracle.Accepted, oracle.Valid, true}, // another count is another trace
		{2, oracle.Accepted, oracle.Valid, false},
		{2, oracle.Declined, oracle.Invalid, false},
		{4, oracle.Crashed, oracle.NoValidity, false}, // a failing input has no trace
		{4, oracle.Timeout, oracle.NoValidity, false},
		{0, oracle.Accepted, oracle.Valid, true},
		{2, oracle.Accepted, oracle.Valid, false}, // the fourth time is not announced
	} {
		try(e, []byte{step.times, byte(step.outcome)})
		if j := e.Joint(); j.Validity != step.validity || j.Unique != step.unique {
			t.Errorf("%+v: %d, unique %v", step, j.Validity, j.Unique)
		}
	}
	words, all, valid := counted(e, 0)
	if words != [4]uint64{4, 2, 2, 6} || !reflect.DeepEqual(all, []uint64{3, 2, 0, 0}) || !reflect.DeepEqual(valid, []uint64{3, 2, 0, 0}) {
		t.Errorf("%v %v %v", words, all, valid)
	}
	if len(r.traces) != 5 {
		t.Errorf("%d traces were announced", len(r.traces))
	}
	// A process that knows the traces finds none of them new. Its replays count nowhere, unless the
	// programs have changed.
	next, _ := newEngine(t, f, Config{})
	e.behavior.assemblages[0].Traces.State(func(s uint64) { next.MarkSeen(feature.TraceNumber, diversity.State(s, 0)) })
	next.Replay([]byte{9, byte(oracle.Accepted)}, nil)
	if words, _, _ := counted(next, 0); words != [4]uint64{} {
		t.Errorf("a replay counts: %v", words)
	}
	if try(next, []byte{3, byte(oracle.Accepted)}); next.Joint().Unique {
		t.Error("a trace that is known is new")
	}
	changed, _ := newEngine(t, f, Config{Setup: policy.Setup{Changed: true}})
	changed.Replay([]byte{9, byte(oracle.Accepted)}, nil)
	if words, _, _ := counted(changed, 0); words != [4]uint64{1, 0, 0, 1} {
		t.Errorf("a replay of changed programs: %v", words)
	}
}

// TestBehaviorClaimed checks that a trace claimed by another engine does not count again, except as
// a valid input's if it was not one there.
func TestBehaviorClaimed(t *testing.T) {
	taken := map[uint64]bool{}
	claim := func(key uint64, level uint8) (first, valid bool) {
		hash, _, asks := diversity.ReadKey(key)
		had, was := taken[hash]
		taken[hash] = was && had || asks
		return !was, asks && !had
	}
	f := newFake(4, twice)
	one, _ := newEngine(t, f, Config{Claim: claim})
	two, _ := newEngine(t, f, Config{Claim: claim})
	try(one, []byte{2, byte(oracle.Rejected)})
	try(one, []byte{3, byte(oracle.Accepted)})
	try(two, []byte{2, byte(oracle.Accepted)})
	try(two, []byte{3, byte(oracle.Accepted)})
	_, all, valid := counted(one, 0)
	if !reflect.DeepEqual(all, []uint64{2, 2, 0, 0}) || !reflect.DeepEqual(valid, []uint64{1, 1, 0, 0}) {
		t.Errorf("the first counts %v, valid %v", all, valid)
	}
	one.behavior.assemblages[0].Merge(two.behavior.assemblages[0].Record)
	if _, all, valid = counted(one, 0); !reflect.DeepEqual(all, []uint64{2, 2, 0, 0}) || !reflect.DeepEqual(valid, []uint64{2, 2, 0, 0}) {
		t.Errorf("both count %v, valid %v", all, valid)
	}
}

// TestBehaviorOfTwo checks that each of two programs has its own numbers, and both together. An
// input on which one of them fails has no joint trace.
func TestBehaviorOfTwo(t *testing.T) {
	other := func(flat []byte) run {
		return run{path: []int{2}, obs: oracle.Observation{Outcome: oracle.Outcome(flat[2])}}
	}
	e, r := newEngine(t, newFake(4, twice, other), Config{})
	for _, in := range [][]byte{
		{1, byte(oracle.Accepted), byte(oracle.Rejected)},
		{2, byte(oracle.Rejected), byte(oracle.Rejected)},
		{3, byte(oracle.Rejected), byte(oracle.Crashed)},
	} {
		try(e, in)
	}
	words, all, _ := counted(e, 0)
	if words != [4]uint64{1, 1, 1, 2} || !reflect.DeepEqual(all, []uint64{2, 2, 0, 0, 0, 0, 2, 0}) {
		t.Errorf("together: %v %v", words, all)
	}
	words, all, valid := counted(e, 1)
	if words != [4]uint64{1, 2, 0, 3} || !reflect.DeepEqual(all, []uint64{3, 3, 0, 0}) || !reflect.DeepEqual(valid, []uint64{1, 1, 0, 0}) {
		t.Errorf("the first: %v %v %v", words, all, valid)
	}
	words, all, valid = counted(e, 2)
	if words != [4]uint64{0, 2, 1, 2} || !reflect.DeepEqual(all, []uint64{0, 0, 1, 0}) || !reflect.DeepEqual(valid, []uint64{0, 0, 0, 0}) {
		t.Errorf("the second: %v %v %v", words, all, valid)
	}
	// An input that a program does not run on counts for the other: the risk of failure is one of
	// inputs that were run.
	try(e, []byte{4, byte(oracle.Accepted), 0})
	if a, b := e.behavior.assemblages[1].Word(diversity.Inputs), e.behavior.assemblages[2].Word(diversity.Inputs); a != 4 || b != 3 {
		t.Errorf("inputs of the first %d, of the second %d", a, b)
	}
	announced := map[int]int{}
	for _, key := range r.traces {
		_, i, _ := diversity.ReadKey(key)
		announced[i]++
	}
	if !reflect.DeepEqual(announced, map[int]int{0: 3, 1: 4, 2: 2}) {
		t.Errorf("traces announced: %v", announced)
	}
}

// TestValidity checks that a failing property ran on a valid input.
func TestValidity(t *testing.T) {
	for _, c := range []struct {
		obs  []oracle.Observation
		want oracle.Validity
	}{
		{[]oracle.Observation{{Outcome: oracle.Crashed, Failed: true}}, oracle.Valid},
		{[]oracle.Observation{{Outcome: oracle.Crashed}}, oracle.NoValidity},
		{[]oracle.Observation{{Outcome: oracle.OOM}, {Outcome: oracle.Accepted}}, oracle.NoValidity},
		{[]oracle.Observation{{}, {Outcome: oracle.Accepted}}, oracle.Valid},
		{[]oracle.Observation{{}, {Outcome: oracle.Declined}}, oracle.Invalid},
		{[]oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Rejected}}, oracle.Valid},
		{[]oracle.Observation{{}}, oracle.NoValidity},
	} {
		if got := oracle.JointValidity(c.obs); got != c.want {
			t.Errorf("%+v: %d, want %d", c.obs, got, c.want)
		}
	}
}

// TestBehaviorOrdered checks that, with ordered traces, another order of the same blocks is another
// behavior.
func TestBehaviorOrdered(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		e, _ := newEngine(t, newFake(4, twice), Config{Setup: policy.Setup{Policy: policy.Policy{Ordered: ordered}}})
		trace := func(order uint64) *feature.Trace {
			return &feature.Trace{Hits: []uint32{1, 2}, Counts: []byte{1, 1}, Length: 2, Order: order}
		}
		if same := e.behavior.identity(trace(7)) == e.behavior.identity(trace(8)); same == ordered {
			t.Errorf("ordered %v: the same: %v", ordered, same)
		}
		first, second := e.behavior.identity(trace(7)), e.behavior.identity(trace(7))
		if first != second || e.behavior.identity(&feature.Trace{}) != 0 {
			t.Errorf("ordered %v: an identity wavers, or there is one of no block", ordered)
		}
	}
}
