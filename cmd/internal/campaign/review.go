package campaign

import (
	"context"
	"log/slog"
	"time"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/subject"
)

// review is what is run before fuzzing, in processes of its own: control seeds and a few inputs (probe.go), accepted differences
// (stale.go), and what earlier invocations found (recheck.go). It executes nothing that counts.
type review struct {
	opt      *Options
	facts    *subject.Facts
	folder   string // the campaign's
	findings *findings.Buckets
	triager  func() *triage.Triager
	ui       View
	log      *slog.Logger
	wavered  func(programs uint64) // told of findings that do not always show
	player   func(ctx context.Context) player
	known    bool      // an earlier run was of the same programs
	longest  int       // input that may be executed
	until    time.Time // when that is to end; zero: when all is done
	now      Clock

	seeds, inputs [][]byte // seeds that were not executed yet, and the corpus
	problems      []string // what the user is told at the end
}

func (c *Campaign) review() *review {
	r := &review{opt: &c.opt, facts: c.facts, folder: c.folder.Dir(), findings: c.findings, triager: c.triager, ui: c.ui, log: c.log, wavered: c.steady.wavered, seeds: c.seeds}
	r.player, r.longest, r.now = c.player, c.spec.MaxFlat, c.now
	for i := range c.known.inputs {
		r.inputs = append(r.inputs, c.known.inputs[i].flat)
	}
	return r
}

// rerun runs accepted differences and findings again.
func (r *review) rerun(ctx context.Context) error {
	if err := r.stale(ctx); err != nil {
		return err
	}
	return r.recheck(ctx)
}
