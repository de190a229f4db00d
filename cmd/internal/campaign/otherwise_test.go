package campaign

import (
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/report"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A program that has no part in a disagreement may waver: the disagreement is as it was.
func TestOtherwise(t *testing.T) {
	outcomes := map[byte]oracle.Outcome{'a': oracle.Accepted, 'r': oracle.Rejected, 'c': oracle.Crashed, 'd': oracle.Declined}
	for _, c := range []struct {
		layer, was, is string // a letter for each program's outcome, and its value
		want           uint64
	}{
		{"value", "a1 a2 r", "a1 a2 a3", 0},
		{"value", "a1 a2 r", "a1 a2 c", 0},
		{"value", "a1 a2 d", "a1 a2 a1", 0b100}, // it is no bystander: it judges nothing
		{"value", "a1 a2 r", "a1 r r", 0b10},
		{"value", "a1 a1 r r", "a1 a1 r a1", 0b1000}, // not known which values differ: all count
		{"class", "r r a1", "r r r", 0},
		{"verdict", "a1 r a1", "a1 r r", 0b100},
	} {
		b := &findings.Bucket{Best: &report.Finding{}}
		b.Kind, b.Best.Layer = triage.Discrepancy, c.layer
		for _, o := range strings.Fields(c.was) {
			b.Best.Programs = append(b.Best.Programs, report.Program{Detail: oracle.Detail{Outcome: outcomes[o[0]].String(), Value: o[1:]}})
		}
		var results []wire.RunResult
		for _, o := range strings.Fields(c.is) {
			results = append(results, wire.RunResult{Outcome: uint64(outcomes[o[0]])})
		}
		if got := otherwise(b, results); got != c.want {
			t.Errorf("%s: %s, then %s: %b, want %b", c.layer, c.was, c.is, got, c.want)
		}
	}
}
