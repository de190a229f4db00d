package review

import (
	"context"
	"time"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/internal/wire"
)

// locatingTime bounds the time before the fuzzing in which findings are located again after an
// edit. The lines of the rest stay marked as those of older sources, and the next run goes on.
const locatingTime = 30 * time.Second

// locate attributes a finding that shows again, if its lines are of older sources or its cause is
// not on record. It returns nil if nothing is to be recorded. A finding whose triage was cut short
// keeps its provisional bucket: its candidate waits, and the cause will name another one.
func (r *Review) locate(ctx context.Context, t *triage.Triager, s *triage.Replayer, b *findings.Group) *triage.Result {
	if b.Extra[findings.UnfinishedKey] != "" || b.Named(r.Facts.Versions) && !r.Findings.Outdated(b.ID) {
		return nil
	}
	return r.attribute(ctx, t, s, b)
}

// attribute returns the cause of the best input of a bucket as it is now. It returns nil if the
// input does not show the finding, is too long, or ctx has ended.
func (r *Review) attribute(ctx context.Context, t *triage.Triager, s *triage.Replayer, b *findings.Group) *triage.Result {
	if len(b.Best.Minimized) > r.Longest || ctx.Err() != nil {
		return nil
	}
	all := s.Ctx
	s.Ctx = ctx
	found, err := t.Attribute(ctx, s, b.Best.Minimized, func(results []wire.RunResult) (triage.Aspect, bool) { return r.recordedAspect(b, results) })
	if s.Ctx = all; err != nil {
		r.Log.Warn("finding not attributed", "bucket", b.ID, "error", err.Error())
		s.Fresh()
		return nil
	}
	return found
}

// continues reports whether the result of a finding's input is still that finding. After an edit,
// the programs may have other outcomes, or one may fail elsewhere.
func (r *Review) continues(b *findings.Group, found *triage.Result) bool {
	switch {
	case !r.Findings.Outdated(b.ID):
		return true
	case triage.Disagrees(b.Kind):
		return recordMismatch(b, found.Results) == 0
	}
	return r.Findings.SameFailure(b, found)
}

// record records the cause of a finding that had none, and the lines of one that had older ones.
func (r *Review) record(id string, found *triage.Result) error {
	if r.Findings.Find(id) == nil { // its findings moved to another bucket
		return nil
	}
	if err := r.Findings.Name(id, found); err != nil {
		return err
	}
	if !r.Findings.Outdated(id) {
		return nil
	}
	r.Log.Info("located again", "bucket", id)
	return r.Findings.Relocate(id, found)
}
