package review

import (
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// TestRecordMismatch checks that the wavering of a bystander does not change a disagreement.
func TestRecordMismatch(t *testing.T) {
	outcomes := map[byte]oracle.Outcome{'a': oracle.Accepted, 'r': oracle.Rejected, 'c': oracle.Crashed, 'd': oracle.Declined}
	for _, c := range []struct {
		layer, was, is string // one letter per program for its outcome, followed by its value
		want           uint64
	}{
		{"value", "a1 a2 r", "a1 a2 a3", 0},
		{"value", "a1 a2 r", "a1 a2 c", 0},
		{"value", "a1 a2 d", "a1 a2 a1", 0b100}, // the third is no bystander, as it declined
		{"value", "a1 a2 r", "a1 r r", 0b10},
		{"value", "a1 a1 r r", "a1 a1 r a1", 0b1000}, // the differing values are unknown, so all count
		{"class", "r r a1", "r r r", 0},
		{"verdict", "a1 r a1", "a1 r r", 0b100},
	} {
		b := &findings.Group{Best: &finding.Finding{}}
		b.Kind, b.Best.Layer = finding.KindDiscrepancy, c.layer
		for _, o := range strings.Fields(c.was) {
			b.Best.Programs = append(b.Best.Programs, finding.Program{Detail: oracle.Detail{Outcome: outcomes[o[0]].String(), Value: o[1:]}})
		}
		var results []wire.RunResult
		for _, o := range strings.Fields(c.is) {
			results = append(results, wire.RunResult{Outcome: uint64(outcomes[o[0]])})
		}
		if got := recordMismatch(b, results); got != c.want {
			t.Errorf("%s: %s, then %s: %b, want %b", c.layer, c.was, c.is, got, c.want)
		}
	}
}
