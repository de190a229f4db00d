package feature

import (
	"testing"

	"parallax/internal/oracle"
)

// acceptedWith returns the result of two versions that accept, with the given numbers of blocks.
func acceptedWith(now, before uint64) *Joint {
	return &Joint{
		Traces: []Trace{{Length: now}, {Length: before}},
		Obs:    []oracle.Observation{{Outcome: oracle.Accepted}, {Outcome: oracle.Accepted}},
	}
}

// TestCostGrows checks that an input is new if the ratio of executed blocks exceeds all before.
func TestCostGrows(t *testing.T) {
	none := func(_ []Trace, out []uint64) []uint64 { return out }
	n := NewNovelty(&change, Setting{Programs: 2, Segments: none, Costs: true}, true, 0)
	for _, step := range []struct {
		now, before uint64
		fresh       bool
	}{
		{10, 10, false}, {10, 100, false}, {19, 10, false}, {20, 10, true}, {30, 10, false}, {400, 10, true}, {90, 10, false}, {320, 10, false}, {0, 10, false},
		{10, 0, false}, {640, 10, true}, {1 << 63, 1, true}, {1<<64 - 1, 1, false},
	} {
		if got := len(n.Observe(acceptedWith(step.now, step.before))) > 0; got != step.fresh {
			t.Errorf("%d beside %d is new: %v", step.now, step.before, got)
		}
	}
}

// TestCostUnknown checks that there are no cost features where costs are not compared, no change is
// known, or a version failed or did not run.
func TestCostUnknown(t *testing.T) {
	segments := func(_ []Trace, out []uint64) []uint64 { return append(out, 7) }
	dear := acceptedWith(1000, 1)
	for name, s := range map[string]Setting{"not compared": {Segments: segments}, "no change": {Costs: true}} {
		want := 1
		if s.Segments == nil {
			want = 0
		}
		if got := change.Measure(s)(dear, nil); len(got) != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := change.Measure(Setting{Segments: segments, Costs: true})(dear, nil); len(got) != 10 {
		t.Errorf("%d features", len(got)) // powers of two up to 512, and a segment
	}
	for p := range 2 {
		for _, o := range []oracle.Outcome{0, oracle.Crashed, oracle.Timeout, oracle.OOM} {
			j := acceptedWith(1000, 1)
			j.Obs[p].Outcome = o
			if got := appendCost(j, nil); got != nil {
				t.Errorf("program %d %v: %v", p, o, got)
			}
		}
	}
	if got := appendCost(&Joint{Traces: make([]Trace, 1), Obs: make([]oracle.Observation, 1)}, nil); got != nil {
		t.Errorf("of one program: %v", got)
	}
}

func TestCostAllocatesNothing(t *testing.T) {
	j, out := acceptedWith(1<<40, 1), make([]uint64, 0, 64)
	if n := testing.AllocsPerRun(100, func() { out = appendCost(j, out[:0]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
