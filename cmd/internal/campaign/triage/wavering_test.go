package triage

import (
	"testing"

	"parallax/internal/oracle"
)

// TestWaver checks that a reason names a limit if a differing program reached one in either run,
// and else the runs that differ.
func TestWaver(t *testing.T) {
	a, r, slow, big := one(oracle.Accepted), one(oracle.Rejected), one(oracle.Timeout), one(oracle.OOM)
	for _, test := range []struct {
		programs uint64
		x, y     oracle.Observation
		want     string
	}{
		{1, a, r, WhyRun},
		{1, slow, a, WhyLimit},
		{1, a, slow, WhyLimit},
		{1, slow, slow, WhyRun},
		{1, big, a, WhyMemory},
		{2, a, slow, WhyRun}, // another program differs
		{0, a, slow, ""},
	} {
		got := waver(test.programs, []oracle.Observation{test.x, a}, []oracle.Observation{test.y, r}, WhyRun)
		if got != (Wavering{Programs: test.programs, Why: test.want}) {
			t.Errorf("%b, %v, %v: %+v, want %q", test.programs, test.x, test.y, got, test.want)
		}
	}
}

func one(o oracle.Outcome) oracle.Observation { return oracle.Observation{Outcome: o} }
