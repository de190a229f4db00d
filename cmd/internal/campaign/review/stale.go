package review

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// rerunAccepted runs the inputs of the target's accepted differences again. An entry whose input no
// longer shows the difference accepts nothing, and a note reports it. Thus no entry is outdated,
// and no reason covers other differences. Entries whose inputs cannot run hold, and are logged.
func (r *Review) rerunAccepted(ctx context.Context) error {
	var known func(bucket string) bool
	if r.Options.Mode == subject.Model {
		known = func(bucket string) bool { return r.Findings.Find(bucket) != nil }
	}
	mine := targetEntries(r.Findings.Accepted.Entries, known)
	if len(mine) == 0 {
		return nil
	}
	r.View.Step("executing accepted differences again")
	t := r.Triager()
	s := t.Replayer()
	s.Ctx = ctx
	defer s.Close()
	for _, e := range mine {
		if ctx.Err() != nil {
			return nil
		}
		b := r.Findings.Find(e.Bucket)
		gone, known, why := r.checkAccepted(s, e)
		if gone {
			// Earlier inputs may have changed the state of a program.
			s.Fresh()
			gone, known, why = r.checkAccepted(s, e)
		}
		if !known {
			continue
		}
		set := r.Findings.Hold
		if gone {
			set = r.Findings.Lapse
		}
		if err := set(e); err != nil {
			return err
		}
		shared := r.Stale != nil && e.Target == ""
		switch {
		case gone && shared && b == nil:
			r.Log.Info("accepted of another target", "bucket", e.Bucket) // all targets have the programs old and new
		case shared:
			r.Stale.note(e, r.Folder, gone, r.staleNote(e, why))
		case gone:
			r.Problems = append(r.Problems, r.staleNote(e, why))
		}
		// The ids of variants change with the programs. The variants of an entry are compared with
		// the current one of its input.
		if gone || b != nil && b.Named(r.Facts.Versions) && (r.Known || len(e.Variants) == 0) {
			continue
		}
		if e.Change != "" && r.Facts.Versions && !t.Changed(e.Change) {
			// The change no longer exists, or is in another target: here, the cause is another one.
			r.Log.Info("accepted of another change", "bucket", e.Bucket)
			continue
		}
		if err := r.expect(ctx, t, s, e); err != nil {
			r.Log.Warn("accepted difference not attributed", "bucket", e.Bucket, "error", err.Error())
			s.Fresh()
		}
	}
	return nil
}

// targetEntries returns the accepted differences whose inputs are those of a target. Models of
// several functions or sets of methods have the same names of programs, but their inputs are other
// calls. An entry without a target belongs to it only if the campaign's folder knows the bucket.
func targetEntries(all []accept.Entry, known func(bucket string) bool) (mine []accept.Entry) {
	for _, e := range all {
		if e.Input != nil && e.Programs != nil && (known == nil || e.Target != "" || known(e.Bucket)) {
			mine = append(mine, e)
		}
	}
	return mine
}

// expect determines the cause of an accepted difference: other campaigns know other inputs of it.
func (r *Review) expect(ctx context.Context, t *triage.Triager, s *triage.Replayer, e accept.Entry) error {
	flat, err := r.Facts.Shape.Decode(e.Input)
	if err != nil || len(flat) > s.Spec.MaxFlat {
		return nil // checkAccepted has reported it
	}
	found, err := t.Attribute(ctx, s, flat, func(results []wire.RunResult) (triage.Aspect, bool) { return r.acceptedAspect(e, results) })
	if err != nil || found == nil {
		return err
	}
	return r.Findings.Expect(e.Bucket, found)
}

// acceptedAspect returns the aspect of an accepted difference. If the entry does not name it, it is
// the first that the results show. Such entries come from a time when an input had one aspect.
func (r *Review) acceptedAspect(e accept.Entry, results []wire.RunResult) (triage.Aspect, bool) {
	layers := r.Options.Layers | oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer
	for _, of := range triage.Aspects(layers, results) {
		if e.Layer != "" && e.Layer != of.Layer.String() {
			continue
		}
		if e.Kind == "" || triage.Disagrees(e.Kind) == (of.Layer != 0) && (of.Layer != 0 || of.Name(r.Facts.Names) == e.Program) {
			return of, true
		}
	}
	return triage.Aspect{}, false
}

// checkAccepted reports whether the input of an accepted difference no longer shows it, and why.
// known is false if the input was not executed.
func (r *Review) checkAccepted(s *triage.Replayer, e accept.Entry) (gone, known bool, why string) {
	flat, err := r.Facts.Shape.Decode(e.Input)
	if err != nil {
		return true, true, "its input is none of " + r.Facts.Name + ", which takes " + r.Facts.Shape.String()
	}
	if len(flat) > s.Spec.MaxFlat {
		r.Log.Warn("accepted difference not executed again", "bucket", e.Bucket, "shape", r.Facts.Shape.String(), "bytes", len(e.Input))
		return false, false, ""
	}
	results, err := s.Run(flat, wire.WantDetail|wire.Settle)
	if err != nil {
		r.Log.Warn("accepted difference not executed again", "bucket", e.Bucket, "error", err.Error())
		s.Fresh()
		return false, false, ""
	}
	obs := triage.Observations(results)
	if len(e.Outcomes) > 0 {
		for p, o := range obs {
			if e.Program != "" && e.Program != r.Facts.Names[p] {
				continue
			}
			if was := e.Outcomes[r.Facts.Names[p]]; was != "" && was != o.Outcome.String() {
				return true, true, outcomeNote(r.Facts.Names[p], e.Kind, was, triage.Kind(&results[p]), o.Outcome, len(obs) == 1)
			}
			if is := triage.Kind(&results[p]); e.Program != "" && !triage.Disagrees(e.Kind) && e.Kind != "" && e.Kind != is {
				return true, true, fmt.Sprintf("%s now shows a %s, not a %s", r.Facts.Names[p], is, e.Kind)
			}
		}
	}
	// All layers count: the entry may come from a comparison of more layers.
	if _, shown := r.acceptedAspect(e, results); shown || e.Program == "" && oracle.Disagree(oracle.VerdictLayer|oracle.ValueLayer|oracle.ClassLayer, obs) {
		return false, true, ""
	}
	return true, true, "the programs agree"
}

// outcomeNote describes a new outcome in place of the accepted one. alone means a fuzz test.
func outcomeNote(name, wasKind, was, kind string, now oracle.Outcome, alone bool) string {
	switch {
	case alone && now == oracle.Accepted:
		return name + " passes now"
	case alone && (now == oracle.Rejected || now == oracle.Declined):
		return name + " skips its input now"
	}
	return fmt.Sprintf("the outcome of %s is now %s, not %s", name, finding.Outcome(kind, now.String()), finding.Outcome(wasKind, was))
}

func (r *Review) staleNote(e accept.Entry, why string) string {
	where := finding.Relative(r.Options.Dir, r.Findings.Accepted.Path)
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, e.Line)
	}
	reason := ""
	if e.Reason != "" {
		reason = " (" + escape.Quote(e.Reason) + ")"
	}
	then := "it accepts nothing, and other inputs of " + e.Bucket + " are findings"
	if _, other := r.Findings.Accepted.Find(e.Bucket); other {
		then = "another entry accepts " + e.Bucket
	}
	return fmt.Sprintf("the accepted difference %s%s no longer shows, %s: remove it from %s; %s", e.Bucket, reason, why, where, then)
}

// Stale collects notes on accepted differences that several targets of an invocation share. A note
// appears only if no target shows the difference.
type Stale struct {
	entries []*staleEntry // oldest first
}

type staleEntry struct {
	bucket string
	gone   map[string]string // notes by the folders of campaigns that do not show it
	shown  map[string]bool   // the folders of campaigns that show it
}

// note records the result of a target for an accepted difference.
func (s *Stale) note(e accept.Entry, folder string, gone bool, text string) {
	at := slices.IndexFunc(s.entries, func(have *staleEntry) bool { return have.bucket == e.Bucket })
	if at < 0 {
		at = len(s.entries)
		s.entries = append(s.entries, &staleEntry{e.Bucket, map[string]string{}, map[string]bool{}})
	}
	of := s.entries[at]
	delete(of.gone, folder)
	delete(of.shown, folder)
	if gone {
		of.gone[folder] = text
	} else {
		of.shown[folder] = true
	}
}

// Notes returns the notes for the user when all targets have ended. It leaves out a difference that
// another campaign nearby has on record and has not checked now.
func (s *Stale) Notes() (notes []string) {
	for _, e := range s.entries {
		if len(e.shown) > 0 {
			continue
		}
		folders := slices.Sorted(maps.Keys(e.gone))
		elsewhere := slices.ContainsFunc(folders, func(folder string) bool {
			list, _ := filepath.Glob(filepath.Join(filepath.Dir(folder), "*", "findings", e.bucket))
			return slices.ContainsFunc(list, func(at string) bool { return e.gone[filepath.Dir(filepath.Dir(at))] == "" })
		})
		if !elsewhere {
			notes = append(notes, e.gone[folders[0]])
		}
	}
	return notes
}
