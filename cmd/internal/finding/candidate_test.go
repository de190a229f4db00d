package finding

import (
	"testing"

	"parallax/internal/oracle"
)

func one(o oracle.Outcome) oracle.Observation { return oracle.Observation{Outcome: o} }

// TestCandidateKind checks the kinds of candidates.
func TestCandidateKind(t *testing.T) {
	for _, test := range []struct {
		c    Candidate
		want string
	}{
		{Candidate{Layer: oracle.VerdictLayer}, "discrepancy"},
		{Candidate{Layer: oracle.ValueLayer}, "value discrepancy"},
		{Candidate{Failing: 2, Seen: []oracle.Observation{one(oracle.Crashed), one(oracle.Timeout)}}, "timeout"},
		{Candidate{Deadly: true, Ended: oracle.OOM}, "oom"},
		{Candidate{Deadly: true}, "crash"},
	} {
		if got := test.c.Kind(); got != test.want {
			t.Errorf("%+v: %s, want %s", test.c, got, test.want)
		}
	}
}
