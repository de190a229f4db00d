package triage

import (
	"context"

	"parallax/internal/wire"
)

// Programs of several kinds take long to start, and some long to run: what spares starts and runs is here.

// budget is what is left of a number of inputs for programs that are slow.
func (j *Judge) budget(n int) int { return n / max(j.Slow, 1) }

func (j *Judge) blind(program int) bool { return program < len(j.Blind) && j.Blind[program] }

// Close ends what Warm keeps.
func (j *Judge) Close() {
	if j.kept != nil {
		j.kept.Close()
		j.kept = nil
	}
}

// locator is the session that locates and minimises, after s has confirmed.
func (j *Judge) locator(ctx context.Context, s *Session) (*Session, error) {
	if !j.Warm {
		return s, j.order(ctx, s)
	}
	s.Fresh() // its programs are not needed any more
	if j.kept == nil {
		kept := j.Session()
		kept.Ctx = ctx
		if err := j.order(ctx, kept); err != nil {
			return nil, err
		}
		j.kept = kept
	}
	j.kept.Ctx = ctx
	return j.kept, nil
}

// known judges a candidate of a bucket that needs no more inputs, in the session that Warm keeps: nothing is learnt of it that
// fresh processes for all programs would be worth. It is nil for all others.
func (j *Judge) known(ctx context.Context, c Candidate) (*Finding, error) {
	if j.kept == nil || j.Enough == nil || c.Deadly || c.Layer == 0 {
		return nil, nil
	}
	s := j.kept
	s.Ctx = ctx
	before := s.Runs
	first, err := s.Run(c.Flat, wire.WantDetail)
	if err != nil {
		s.Fresh()
		return nil, ctx.Err()
	}
	f := j.classify(&Finding{Flat: c.Flat, Layer: c.Layer}, first, c.Layer)
	if f == nil || f.Kind != Discrepancy || !repeats(c.Layer, c.Seen, Observations(first)) {
		return nil, nil
	}
	var extra [][]byte
	if c.Parent != nil {
		extra = [][]byte{c.Parent}
	}
	at, err := Locate(s, j.Layers, j.Shape, f.Flat, extra, j.budget(glanceBudget), j.cause(f.Raw, f.Layer, f.Flat).shown)
	if err != nil {
		s.Fresh()
		return nil, ctx.Err()
	}
	f.Before = j.bucket(f.Raw, f.Layer, at.Best, f.Flat)
	if !j.Enough(f.Before) {
		return nil, nil
	}
	f.Minimized, f.Deciding, f.Ranked, f.Bucket, f.Runs = f.Flat, at.Deciding, at.Ranked, f.Before, s.Runs-before
	return f, nil
}
