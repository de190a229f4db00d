package campaign

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// stale re-executes the inputs of the accepted differences of this target. One whose input no longer shows it accepts nothing, and is noted, so
// that neither the file grows old unread nor a reason covers what it is not about. What cannot be executed is left to the log, and holds.
func (r *review) stale(ctx context.Context) error {
	var known func(bucket string) bool
	if r.opt.Mode == subject.Model {
		known = func(bucket string) bool { return r.findings.Find(bucket) != nil }
	}
	mine := ofTarget(r.findings.Accepted.Entries, known)
	if len(mine) == 0 {
		return nil
	}
	r.ui.Step("executing accepted differences again")
	t := r.triager()
	s := t.Replayer()
	s.Ctx = ctx
	defer s.Close()
	for _, e := range mine {
		if ctx.Err() != nil {
			return nil
		}
		b := r.findings.Find(e.Bucket)
		gone, known, why := r.gone(s, e)
		if gone {
			// Inputs executed before may have left a program in a state of its own.
			s.Fresh()
			gone, known, why = r.gone(s, e)
		}
		if !known {
			continue
		}
		set := r.findings.Hold
		if gone {
			set = r.findings.Lapse
		}
		if err := set(e); err != nil {
			return err
		}
		shared := r.opt.Stale != nil && e.Target == ""
		switch {
		case gone && shared && b == nil:
			r.log.Info("accepted of another target", "bucket", e.Bucket) // all have the programs old and new
		case shared:
			r.opt.Stale.note(e, r.folder, gone, r.staleNote(e, why))
		case gone:
			r.problems = append(r.problems, r.staleNote(e, why))
		}
		// The ids of variants change with the programs: those that an entry lists are compared with that of its own input.
		if gone || b != nil && b.Named(r.facts.Versions) && (r.known || len(e.Variants) == 0) {
			continue
		}
		if e.Change != "" && r.facts.Versions && !t.Changed(e.Change) {
			// Of a change that is there no more, or that is in another target: what its input shows here has another cause.
			r.log.Info("accepted of another change", "bucket", e.Bucket)
			continue
		}
		if err := r.expect(ctx, t, s, e); err != nil {
			r.log.Warn("accepted difference not attributed", "bucket", e.Bucket, "error", err.Error())
			s.Fresh()
		}
	}
	return nil
}

// ofTarget are the accepted differences whose inputs are a target's, of those that hold for it. Models of several functions and of several sets of
// methods have the same names of programs, and an input of one is another call for the others. Of entries that name no target, only those known to
// the campaign's folder are its own.
func ofTarget(all []accept.Entry, known func(bucket string) bool) (mine []accept.Entry) {
	for _, e := range all {
		if e.Input != nil && e.Programs != nil && (known == nil || e.Target != "" || known(e.Bucket)) {
			mine = append(mine, e)
		}
	}
	return mine
}

// expect finds out the cause of an accepted difference, because another campaign may have found it by another input.
func (r *review) expect(ctx context.Context, t *triage.Triager, s *triage.Replayer, e accept.Entry) error {
	flat, err := r.facts.Shape.Decode(e.Input)
	if err != nil || len(flat) > s.Spec.MaxFlat {
		return nil // gone has said so
	}
	found, err := t.Attribute(ctx, s, flat, func(results []wire.RunResult) (triage.Aspect, bool) { return r.acceptedAspect(e, results) })
	if err != nil || found == nil {
		return err
	}
	return r.findings.Expect(e.Bucket, found)
}

// acceptedAspect is what of its input an accepted difference is. Where that is not written, it is the first that shows, which it was
// before an input could have several.
func (r *review) acceptedAspect(e accept.Entry, results []wire.RunResult) (triage.Aspect, bool) {
	layers := r.opt.Layers | oracle.VerdictLayer | oracle.ValueLayer | oracle.ClassLayer
	for _, of := range triage.Aspects(layers, results) {
		if e.Layer != "" && e.Layer != of.Layer.String() {
			continue
		}
		if e.Kind == "" || triage.Disagrees(e.Kind) == (of.Layer != 0) && (of.Layer != 0 || of.Name(r.facts.Names) == e.Program) {
			return of, true
		}
	}
	return triage.Aspect{}, false
}

// gone reports whether the input of an accepted difference does not show it any more, and what shows instead. Unless known, it was not executed.
func (r *review) gone(s *triage.Replayer, e accept.Entry) (gone, known bool, why string) {
	flat, err := r.facts.Shape.Decode(e.Input)
	if err != nil {
		return true, true, "its input is none of " + r.facts.Name + ", which takes " + r.facts.Shape.String()
	}
	if len(flat) > s.Spec.MaxFlat {
		r.log.Warn("accepted difference not executed again", "bucket", e.Bucket, "shape", r.facts.Shape.String(), "bytes", len(e.Input))
		return false, false, ""
	}
	results, err := s.Run(flat, wire.WantDetail|wire.Settle)
	if err != nil {
		r.log.Warn("accepted difference not executed again", "bucket", e.Bucket, "error", err.Error())
		s.Fresh()
		return false, false, ""
	}
	obs := triage.Observations(results)
	if len(e.Outcomes) > 0 {
		for p, o := range obs {
			if e.Program != "" && e.Program != r.facts.Names[p] {
				continue
			}
			if was := e.Outcomes[r.facts.Names[p]]; was != "" && was != o.Outcome.String() {
				return true, true, instead(r.facts.Names[p], e.Kind, was, triage.Kind(&results[p]), o.Outcome, len(obs) == 1)
			}
			if is := triage.Kind(&results[p]); e.Program != "" && !triage.Disagrees(e.Kind) && e.Kind != "" && e.Kind != is {
				return true, true, fmt.Sprintf("%s now shows a %s, not a %s", r.facts.Names[p], is, e.Kind)
			}
		}
	}
	// All layers: the entry may come from a comparison that looked at more than this one does.
	if _, shown := r.acceptedAspect(e, results); shown || e.Program == "" && oracle.Disagree(oracle.VerdictLayer|oracle.ValueLayer|oracle.ClassLayer, obs) {
		return false, true, ""
	}
	return true, true, "the programs agree"
}

// instead says what a program does now in place of an outcome that is accepted of a kind. A fuzz test is alone.
func instead(name, wasKind, was, kind string, now oracle.Outcome, alone bool) string {
	switch {
	case alone && now == oracle.Accepted:
		return name + " passes now"
	case alone && (now == oracle.Rejected || now == oracle.Declined):
		return name + " skips its input now"
	}
	return fmt.Sprintf("the outcome of %s is now %s, not %s", name, report.Outcome(kind, now.String()), report.Outcome(wasKind, was))
}

func (r *review) staleNote(e accept.Entry, why string) string {
	where := report.Relative(r.opt.Dir, r.findings.Accepted.Path)
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, e.Line)
	}
	reason := ""
	if e.Reason != "" {
		reason = " (" + escape.Quote(e.Reason) + ")"
	}
	return fmt.Sprintf("the accepted difference %s%s no longer shows, %s: remove it from %s; it accepts nothing, and other inputs of %[1]s are findings", e.Bucket, reason, why, where)
}

// Stale is what the targets of an invocation say of the accepted differences that they have in common. Who removes the entry of one removes it for
// all of them, so that it is to show in none.
type Stale struct {
	entries []*staleEntry // in the order in which they were seen
}

type staleEntry struct {
	bucket string
	gone   map[string]string // notes, by the folder of the campaign in which it does not show
	shown  map[string]bool   // the folders of those in which it shows
}

// note takes what a target says of an accepted difference now.
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

// Notes are for the user, when all targets have ended. There is none of a difference that a campaign beside these has on record and that has
// not been looked for there: another invocation may find it.
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
