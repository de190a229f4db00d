package review

import (
	"context"
	"slices"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/internal/wire"
)

// mostSeeds bounds the seeds that run again for one finding.
const mostSeeds = 1000

// recheckSeed runs seeds again if one of them reopened an accepted finding, that one first. If none
// shows the finding, the entry accepts it again. With too many seeds, the finding stays open.
func (r *Review) recheckSeed(ctx context.Context, t *triage.Triager, s *triage.Replayer, b *findings.Group) error {
	hash, accepted := r.Findings.ReopeningSeed(b)
	if hash == "" {
		return nil
	}
	var seeds [][]byte
	for _, flat := range r.AllSeeds {
		switch corpus.Hash(r.Facts.Shape.Encode(flat)) {
		case hash:
			seeds = slices.Insert(seeds, 0, flat)
		case accepted:
		default:
			seeds = append(seeds, flat)
		}
	}
	for _, flat := range seeds[:min(len(seeds), mostSeeds)] {
		shows, err := r.seedShows(ctx, t, s, b, flat)
		if shows || err != nil || ctx.Err() != nil {
			return err
		}
	}
	if len(seeds) > mostSeeds {
		return nil
	}
	r.Log.Info("no seed shows it now", "bucket", b.ID)
	return r.Findings.ForgetSeed(b.ID)
}

// seedShows reports whether a seed shows a finding in one of two processes. A seed that cannot run
// counts as one that does.
func (r *Review) seedShows(ctx context.Context, t *triage.Triager, s *triage.Replayer, b *findings.Group, flat []byte) (bool, error) {
	if len(flat) > r.Longest {
		return true, nil
	}
	of := func(results []wire.RunResult) (triage.Aspect, bool) { return r.recordedAspect(b, results) }
	for range 2 {
		found, err := t.Attribute(ctx, s, flat, of)
		if err != nil {
			r.Log.Warn("seed not executed again", "bucket", b.ID, "error", err.Error())
			s.Fresh()
			return true, nil
		}
		if found != nil && r.Findings.SameFailure(b, found) {
			return true, nil
		}
		s.Fresh()
	}
	return false, nil
}
