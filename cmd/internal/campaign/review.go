package campaign

import (
	"context"
	"log/slog"
	"time"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/steadiness"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/subject"
)

// review holds the runs before the fuzzing, which do not count: control seeds and a few inputs
// (probe.go), accepted differences (stale.go), and earlier findings (recheck.go).
type review struct {
	opt      *Options
	facts    *subject.Facts
	folder   string // the folder of the campaign
	findings *findings.Buckets
	triager  func() *triage.Triager
	ui       View
	log      *slog.Logger
	steady   *steadiness.Counts
	runner   func(ctx context.Context) inputRunner
	known    bool      // an earlier run had the same programs
	longest  int       // the longest input that may be executed
	until    time.Time // the end of the review; zero means no limit
	now      Clock

	seeds, inputs [][]byte // seeds that were not executed yet, and the corpus
	problems      []string // notes for the user at the end
}

func (c *Campaign) review() *review {
	r := &review{opt: &c.opt, facts: c.facts, folder: c.folder.Dir(), findings: c.findings, triager: c.triager, ui: c.ui, log: c.log, steady: &c.steady, seeds: c.seeds.left}
	r.runner, r.longest, r.now = c.runner, c.spec.MaxFlat, c.now
	for i := range c.known.inputs {
		r.inputs = append(r.inputs, c.known.inputs[i].flat)
	}
	return r
}

// rerun runs accepted differences and findings again.
func (r *review) rerun(ctx context.Context) error {
	if err := r.rerunAccepted(ctx); err != nil {
		return err
	}
	return r.recheck(ctx)
}
