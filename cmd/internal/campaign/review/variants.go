package review

import (
	"context"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// A finding that shows again may have variants that do not: each has inputs of its own. A variant
// that came after acceptance keeps its finding open, so it runs in each invocation. The others are
// listed, and run after an edit. The inputs on disk bound the runs.

// recheckVariants runs the variants of a finding again, except that of its own input. One that no
// input shows is gone. A later one that shows something else is triaged again. Until located ends,
// recheckVariants records the ids that variants have in edited programs.
func (r *Review) recheckVariants(ctx, located context.Context, t *triage.Triager, s *triage.Replayer, id string, older bool) error {
	b := r.Findings.Find(id)
	if b == nil || b.Kind == oracle.KindTimeout || b.Kind == oracle.KindOOM {
		return nil
	}
	for i, v := range b.Variants {
		if b = r.Findings.Find(id); b == nil { // its findings moved to another bucket
			return nil
		}
		later := r.Findings.IsLater(b, v.ID)
		if v.Hash == "" || v.Hash == b.BestHash || v.ID == b.Best.Variant || !later && (!older || i == 0) {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		as, results, err := r.runVariant(s, b, v)
		switch {
		case err != nil:
			r.Log.Warn("variant not executed again", "bucket", id, "variant", v.ID, "error", err.Error())
			s.Fresh()
			if err = nil; later {
				err = r.Findings.MarkUnverified(id, "a variant of it could not run again")
			}
		case as == nil:
			r.Log.Info("variant gone", "bucket", id, "variant", v.ID)
			err = r.Findings.DropVariant(id, v.ID)
		case later && r.Facts.Versions && (b.Change() != "" && !t.Changed(b.Change()) || differsFromRecord(as, results)):
			err = r.judgeVariant(ctx, t, as, results, v.ID)
		case as.BestHash != v.Hash:
			err = r.Findings.Represent(id, v.ID, as.BestHash)
		}
		if err == nil && as != nil && older && !r.Facts.Versions {
			err = r.renameVariant(located, t, s, as, v.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// renameVariant locates the input of a variant in edited programs, and records the id that it has
// there.
func (r *Review) renameVariant(ctx context.Context, t *triage.Triager, s *triage.Replayer, as *findings.Group, variant string) error {
	found := r.attribute(ctx, t, s, as)
	if found == nil {
		return nil
	}
	return r.Findings.Rename(as.ID, variant, found)
}

// runVariant returns the bucket with the first input of a variant that shows it, and the results.
// It returns nil if two processes show it on none.
func (r *Review) runVariant(s Runner, b *findings.Group, v finding.Variant) (*findings.Group, []wire.RunResult, error) {
	for range 2 {
		for _, hash := range b.InputsOf(v) {
			as, err := r.Findings.WithInput(b, hash)
			if err != nil {
				return nil, nil, err
			}
			shows, results, err := r.runBest(s, as, r.Facts.Versions)
			if err != nil || shows {
				return as, results, err
			}
		}
		s.Fresh()
	}
	return nil, nil, nil
}

// judgeVariant triages the input of a variant that shows something else now, and files the result
// in place of the variant.
func (r *Review) judgeVariant(ctx context.Context, t *triage.Triager, as *findings.Group, results []wire.RunResult, variant string) error {
	of, _ := r.recordedAspect(as, results)
	cand := finding.Candidate{Flat: as.Best.Input, Parent: as.Best.Parent, Operators: as.Best.Operators, Failing: of.Failing, Layer: of.Layer, Inputs: as.LastSeen}
	found, _, err := t.Triage(ctx, cand)
	if err != nil || found == nil || found.Unfinished != "" {
		if err != nil && ctx.Err() == nil {
			r.Log.Warn("variant not triaged again", "bucket", as.ID, "variant", variant, "error", err.Error())
		}
		return r.Findings.MarkUnverified(as.ID, "a variant of it shows something else, and was not triaged again")
	}
	r.Log.Info("variant replaced", "bucket", as.ID, "variant", variant)
	return r.Findings.ReplaceVariant(as.ID, variant, found, cand)
}
