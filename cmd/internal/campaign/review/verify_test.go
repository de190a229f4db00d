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

// counted counts runs and fresh processes.
type counted struct {
	answers
	runs, fresh int
}

func (c *counted) Run(flat []byte, want uint64) ([]wire.RunResult, error) {
	c.runs++
	return c.answers.Run(flat, want)
}

func (c *counted) Fresh() { c.fresh++ }

// TestVerifyProcesses checks that a finding of a program that wavered is verified by many runs in
// few processes.
func TestVerifyProcesses(t *testing.T) {
	target := findingstest.Target()
	f, _, err := findings.Load(findingstest.OpenFolder(t, t.TempDir()), target, &accept.File{})
	if err != nil {
		t.Fatal(err)
	}
	found := findingstest.Disagreement(findingstest.FirstID, findingstest.FirstID, "f", "f")
	if _, _, err := f.Add(found, finding.Candidate{Flat: found.Flat}); err != nil {
		t.Fatal(err)
	}
	c := &counted{answers: answers{"f": found.Results}}
	r := &Review{
		Options: &subject.Options{}, Facts: target.About(), Findings: f, Longest: 100, Log: slog.New(slog.DiscardHandler), Steady: &steadiness.Counts{},
		Triager: func() *triage.Triager {
			return &triage.Triager{Steadiness: func() finding.Steadiness { return finding.Steadiness{Wavered: true} }}
		},
		Open: func(context.Context) Runner { return c },
	}
	r.Options.Layers = oracle.VerdictLayer
	if err := r.verifyAll(t.Context(), []string{findingstest.FirstID}); err != nil {
		t.Fatal(err)
	}
	if c.runs < 500 || c.fresh > mostProcesses {
		t.Errorf("%d runs in %d processes", c.runs, 1+c.fresh)
	}
}
