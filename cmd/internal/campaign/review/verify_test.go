package review

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/findings/findingstest"
	"parallax/cmd/internal/campaign/steadiness"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// answers executes inputs with known results.
type answers map[string][]wire.RunResult

func (a answers) Run(flat []byte, _ uint64) ([]wire.RunResult, error) { return a[string(flat)], nil }
func (answers) Fresh()                                                {}
func (answers) Close()                                                {}
func (answers) Ended() int                                            { return 0 }

// TestLaterVariantWavers checks that a later variant that wavers after the fuzzing stays on record,
// and that its finding is flaky.
func TestLaterVariantWavers(t *testing.T) {
	target := findingstest.Target()
	accepted := &accept.File{Entries: []accept.Entry{{Bucket: findingstest.FirstID, Input: target.Shape.Encode([]byte("f")), Variants: []string{findingstest.FirstID}}}}
	f, _, err := findings.Load(findingstest.OpenFolder(t, t.TempDir()), target, accepted)
	if err != nil {
		t.Fatal(err)
	}
	file := func(in, variant string) {
		t.Helper()
		found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, in, in)
		found.Variant = variant
		if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat}); err != nil {
			t.Fatal(err)
		}
	}
	file("f", findingstest.FirstID)
	file("later", findingstest.SecondID)
	differ := findingstest.Disagreement("", "", "f", "f").Results
	agree := []wire.RunResult{{Outcome: uint64(oracle.Accepted)}, {Outcome: uint64(oracle.Accepted)}}
	r := &Review{
		Options: &subject.Options{}, Facts: target.About(), Findings: f, Longest: 100,
		Log: slog.New(slog.DiscardHandler), Steady: &steadiness.Counts{}, Triager: func() *triage.Triager { return &triage.Triager{} },
	}
	r.Options.Layers = oracle.VerdictLayer
	for _, wavers := range []bool{true, false} {
		runs := answers{"f": differ, "later": differ}
		if wavers {
			runs["later"] = agree
		}
		r.Open = func(context.Context) Runner { return runs }
		if err := r.Verify(t.Context(), nil, f.Flaky()); err != nil {
			t.Fatal(err)
		}
		row := f.Row(f.Find(findingstest.FirstID))
		if file("f", findingstest.FirstID); row.Accepted || row.Flaky != wavers || row.Unverified || row.NewVariants != 1 || strings.Contains(row.Wavers, findings.FlakyLater) != wavers {
			t.Errorf("wavers %v: %+v", wavers, row)
		}
	}
}
