package review

import (
	"context"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// slowRechecks bounds the findings run again that use all the time or memory of a program.
const slowRechecks = 3

// recheck runs the findings of earlier invocations again, since programs may have been fixed. A
// finding that two processes do not show stays on record and no longer fails the run. One that
// shows only in the second process, or that was not verified, is unverified. Unverified and flaky
// findings then run as often as at the end of a campaign, and count again if each run shows them.
func (r *Review) recheck(ctx context.Context) error {
	ids := r.Findings.IDs()
	if len(ids) == 0 {
		return nil
	}
	if err := r.Findings.MarkOlder(); err != nil {
		return err
	}
	r.View.Step("executing " + units.Plural(len(ids), "finding") + " again")
	located, stop := context.WithTimeout(ctx, locatingTime)
	defer stop()
	t := r.Triager()
	s := t.Replayer()
	s.Ctx = ctx
	defer s.Close()
	slow := 0
	var ran []string // the state of a finding is settled only after all have run: one may move to another bucket
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil
		}
		b := r.Findings.Find(id)
		if b == nil { // triage of another one has withdrawn it
			continue
		}
		if b.Kind == oracle.KindTimeout || b.Kind == oracle.KindOOM {
			if slow++; slow > slowRechecks {
				continue
			}
		}
		shows, results, err := r.runBest(s, b, r.Facts.Versions)
		if err == nil && !shows {
			s.Fresh()
			if shows, results, err = r.runBest(s, b, r.Facts.Versions); err == nil && shows {
				if err := r.Findings.MarkUnverified(id, "it showed only at the second time when its input was run again"); err != nil {
					return err
				}
				b = r.Findings.Find(id)
			}
		}
		if err != nil {
			r.Log.Warn("finding not executed again", "bucket", id, "error", err.Error())
			s.Fresh()
			continue
		}
		ran = append(ran, id)
		if err := r.recheckSeed(ctx, t, s, b); err != nil {
			return err
		}
		b = r.Findings.Find(id)
		older := r.Findings.Unsettled(id)
		// After an edit, the input may show something else, or the same for another reason.
		removed := b.Change() != "" && !t.Changed(b.Change())
		other := shows && r.Facts.Versions && (removed || differsFromRecord(b, results))
		var found *triage.Result
		if shows && !other {
			if found = r.locate(located, t, s, b); found != nil {
				other = !r.continues(b, found)
			}
		}
		if err := r.Findings.Mark(id, !shows || other); err != nil {
			return err
		}
		was := b
		var now []triage.Aspect // the aspects that the input shows instead
		if !shows {
			now = r.aspects(results)
			b, results = r.otherInput(s, b)
			other = b != nil
		}
		if shows && !other { // before record settles the lines, so that a run after a kill does it again
			if err := r.recheckVariants(ctx, located, t, s, id, older); err != nil || ctx.Err() != nil {
				return err
			}
		}
		switch {
		case other:
			r.Log.Info("of another change", "bucket", id)
			of, _ := r.recordedAspect(b, results)
			filed, err := r.judge(ctx, t, b, of)
			if err == nil && !filed && shows && !removed {
				err = r.Findings.Mark(id, false)
			}
			if err != nil {
				return err
			}
		case !shows:
			r.Log.Info("gone", "bucket", id)
			for _, of := range now {
				if _, err := r.judge(ctx, t, was, of); err != nil {
					return err
				}
			}
		case found != nil:
			if err := r.record(id, found); err != nil {
				return err
			}
		}
	}
	for _, id := range ran {
		if err := r.Findings.Settle(id); err != nil {
			return err
		}
	}
	return r.verifyAll(ctx, append(r.Findings.Unverified(), r.Findings.Flaky()...))
}

// otherInput returns a finding with the first of its other inputs on disk that still shows it, as
// minimized or as found, and the results. It returns nil if there is none.
func (r *Review) otherInput(s Runner, b *findings.Group) (*findings.Group, []wire.RunResult) {
	if b.Kind == oracle.KindTimeout || b.Kind == oracle.KindOOM {
		return nil, nil
	}
	for as, err := range r.Findings.Inputs(b) {
		if err == nil && len(as.Best.Input) > r.Longest {
			continue
		}
		var shows bool
		var results []wire.RunResult
		if err == nil {
			if shows, results, err = r.runBest(s, as, false); err != nil {
				s.Fresh()
			}
		}
		switch {
		case err != nil:
			r.Log.Warn("input not executed again", "bucket", b.ID, "error", err.Error())
		case shows:
			return as, results
		}
	}
	return nil, nil
}

// differsFromRecord reports whether a program that did not fail has results unlike its record.
func differsFromRecord(b *findings.Group, results []wire.RunResult) bool {
	for p, r := range results {
		if p >= len(b.Best.Programs) || oracle.Outcome(r.Outcome) >= oracle.Crashed {
			continue
		}
		if recordable(b.Best.Programs[p].Detail) != recordable(triage.Detail(r)) {
			return true
		}
	}
	return false
}

// recordable returns a result without the characters that a record in JSON cannot hold.
func recordable(d oracle.Detail) oracle.Detail {
	for _, text := range []*string{&d.Error, &d.ErrorType, &d.ErrorClass, &d.Value} {
		*text = strings.ReplaceAll(strings.ToValidUTF8(*text, ""), "\ufffd", "")
	}
	return d
}

// judge triages a finding's input again, since the recorded change no longer exists, or the input
// shows something else now. It reports whether it filed a finding.
func (r *Review) judge(ctx context.Context, t *triage.Triager, b *findings.Group, of triage.Aspect) (bool, error) {
	cand := finding.Candidate{Flat: b.Best.Input, Parent: b.Best.Parent, Operators: b.Best.Operators, Failing: of.Failing, Layer: of.Layer, Inputs: b.LastSeen}
	found, _, err := t.Triage(ctx, cand)
	if err != nil && ctx.Err() == nil {
		r.Log.Warn("finding not triaged again", "bucket", b.ID, "error", err.Error())
	}
	if found == nil || err != nil {
		return false, nil
	}
	_, _, err = r.Findings.Add(found, cand)
	return err == nil, err
}

// Programs that read the clock are verified in several rounds: a clock of seconds advances.
const (
	verifyRounds  = 3
	roundInterval = 550 * time.Millisecond
)

// Verify runs the new findings of this invocation, and unverified older ones, once more in a
// process of its own. More is known about the programs now than during triage. A finding that shows
// only in some runs is flaky and does not fail the run. After an interrupt, Verify continues for as
// long as triage does. kill ends it at once. Other findings stay unverified for the next run.
func (r *Review) Verify(ctx context.Context, kill <-chan struct{}, found []string) error {
	ctx, stop := outlasting(ctx, r.Patience, kill)
	defer stop()
	ctx, cancel := r.Bounded(ctx)
	defer cancel()
	return r.verifyAll(ctx, append(found, r.Findings.Unverified()...))
}

// outlasting returns a context that ends some time after ctx, or when kill is closed.
func outlasting(ctx context.Context, patience time.Duration, kill <-chan struct{}) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	select {
	case <-kill:
		cancel()
		return out, cancel
	default:
	}
	go func() {
		defer cancel()
		select {
		case <-ctx.Done():
		case <-kill:
			return
		case <-out.Done():
			return
		}
		late := time.NewTimer(patience)
		defer late.Stop()
		select {
		case <-late.C:
		case <-kill:
		case <-out.Done():
		}
	}()
	return out, cancel
}

// verifyAll runs open and flaky findings as often as their kinds need, until ctx ends.
func (r *Review) verifyAll(ctx context.Context, ids []string) error {
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		b := r.Findings.Find(id)
		if b == nil || !findings.Verifiable(b.Kind) {
			return true
		}
		row := r.Findings.Row(b)
		row.Flaky = false // the runs below decide
		return findings.Closed(row)
	})
	if len(ids) == 0 || ctx.Err() != nil {
		return nil
	}
	triager := r.Triager()
	s := r.Open(ctx)
	defer s.Close()
	first := map[string][]wire.RunResult{}
	times := 1
	if r.Facts.Plan.ReadsClock {
		times = verifyRounds
	}
	for look := 0; look < times && len(ids) > 0; look++ {
		if look > 0 {
			select {
			case <-time.After(roundInterval):
			case <-ctx.Done():
			}
		}
		var steady []string
		for _, id := range ids {
			if ctx.Err() != nil {
				return nil
			}
			shows, err := r.verifyOne(s, id, triager, first)
			if err == nil && shows {
				steady = append(steady, id)
			}
			if err == nil && shows && look == times-1 {
				err = r.Findings.MarkVerified(id)
			}
			if err != nil {
				return err
			}
		}
		ids = steady
	}
	return nil
}

// mostProcesses bounds the fresh processes in which a finding is verified. Starting one may take
// longer than many runs. A program that decides by chance at its start, and does the less frequent
// thing every second time, is missed once in 131,000 findings.
const mostProcesses = 17

// verifyOne runs a finding in one round and marks it as flaky if it does not show each time in the
// same way. It reports whether the finding shows. first holds the first results of each finding.
func (r *Review) verifyOne(s Runner, id string, triager *triage.Triager, first map[string][]wire.RunResult) (shows bool, err error) {
	whole := r.Findings.Find(id)
	b := r.Findings.Open(whole)
	each := triager.Runs(b.Kind)
	runs := max(each, triager.AllRuns(b.Kind)) // more may be known about the programs than during triage
	each = max(each, (runs+mostProcesses-1)/mostProcesses)
	slow, flaky := 0, b.Extra[findings.FlakyKey] != ""
	for k := range runs {
		if k > 0 && k%each == 0 {
			s.Fresh()
		}
		ended := s.Ended()
		shows, results, err := r.runBest(s, b, false)
		if err != nil {
			r.Log.Warn("finding not executed again", "bucket", id, "error", err.Error())
			s.Fresh()
			return false, nil
		}
		if results == nil { // the input is too long to run
			return false, nil
		}
		if triage.Disagrees(b.Kind) && newlyLimited(b, results) { // a busy machine may be the reason
			if slow++; slow > slowRechecks {
				return false, nil
			}
			continue
		}
		if !shows && b == whole && first[id] == nil && r.Findings.Older(id) {
			r.Log.Info("gone", "bucket", id)
			if err := r.Findings.Mark(id, true); err != nil {
				return false, err
			}
			return false, r.Findings.Settle(id)
		}
		if first[id] == nil {
			first[id] = results
		}
		wavered := runMismatch(b, first[id], results)
		if r.Findings.Recorded(id) { // else programs may have been edited since
			wavered |= recordMismatch(b, results)
		}
		if !shows || wavered != 0 {
			why := triage.WhyRecheck
			if shows {
				why = triage.WhyOtherwise
			}
			if b != whole {
				why = findings.FlakyLater + why
			}
			r.Log.Info("flaky", "bucket", id, "why", why)
			r.Steady.AddWavering(wavered)
			return false, r.Findings.MarkFlaky(id, why)
		}
		if s.Ended() > ended && (!flaky || k+1 >= triage.DeadlyRuns) { // each run costs a process
			break
		}
	}
	return first[id] != nil, nil
}

// newlyLimited reports whether a program ran into a limit that is not on record.
func newlyLimited(b *findings.Group, results []wire.RunResult) bool {
	for p, r := range results {
		is := oracle.Outcome(r.Outcome)
		if !findings.Verifiable(oracle.KindOf(is)) && (p >= len(b.Best.Programs) || b.Best.Programs[p].Outcome != is.String()) {
			return true
		}
	}
	return false
}

// aspects returns the aspects of results that can be findings.
func (r *Review) aspects(results []wire.RunResult) []triage.Aspect {
	return triage.Counted(r.Facts, triage.Aspects(r.Options.Layers, results), triage.Observations(results))
}

// recordedAspect returns the aspect of a bucket, and reports whether the results show it.
func (r *Review) recordedAspect(b *findings.Group, results []wire.RunResult) (triage.Aspect, bool) {
	return triage.Recorded(r.Options.Layers, b.Kind, b.Best.Layer, b.Best.Failing(), results)
}

// bystanders returns the set of programs that have no part in a recorded disagreement.
func bystanders(b *findings.Group) uint64 {
	layer, err := oracle.ParseLayers([]string{b.Best.Layer})
	if err != nil || !triage.Disagrees(b.Kind) {
		return 0
	}
	obs := make([]oracle.Observation, len(b.Best.Programs))
	for p := range obs {
		d := &b.Best.Programs[p].Detail
		obs[p].Outcome, _ = oracle.ParseOutcome(d.Outcome)
		obs[p].Value, obs[p].Class = triage.Hash(d.Value), triage.Hash(d.ErrorType+"\x00"+d.ErrorClass+"\x00"+d.Sentinel)
	}
	return oracle.Bystanders(oracle.VerdictLayer|oracle.ValueLayer|oracle.ClassLayer, layer, obs)
}

// recordMismatch returns the set of programs whose outcomes differ from the record of a finding.
// For a failure, these are the failing program and, if there are two programs, the other one.
func recordMismatch(b *findings.Group, results []wire.RunResult) (programs uint64) {
	of, bystanders := b.Best.Failing(), bystanders(b)
	for p := range results {
		if p >= len(b.Best.Programs) {
			break
		}
		if bystanders>>p&1 != 0 {
			continue
		}
		was, err := oracle.ParseOutcome(b.Best.Programs[p].Outcome)
		is := oracle.Outcome(results[p].Outcome)
		if err != nil || is == was {
			continue
		}
		if triage.Disagrees(b.Kind) && was < oracle.Crashed || is == oracle.Crashed && (p == of || len(results) == 2 && !triage.Disagrees(b.Kind)) {
			programs |= 1 << p
		}
	}
	return programs
}

// runMismatch returns the set of programs that differ from the first run in a disagreement.
func runMismatch(b *findings.Group, first, results []wire.RunResult) uint64 {
	if !triage.Disagrees(b.Kind) {
		return 0
	}
	layer, err := oracle.ParseLayers([]string{b.Best.Layer})
	if err != nil { // the layer of costs, which no configuration names
		layer = oracle.VerdictLayer
	}
	return triage.Differ(triage.Aspect{Layer: layer}, triage.Observations(first), triage.Observations(results))
}

// runBest runs a bucket's smallest input and reports whether it shows a finding of its kind. If a
// failure does not show at once, the input runs again with time for leftover goroutines to fail.
func (r *Review) runBest(s Runner, b *findings.Group, details bool) (shows bool, results []wire.RunResult, err error) {
	if len(b.Best.Minimized) > r.Longest {
		return true, nil, nil // the limit is lower now, so the input cannot run
	}
	if triage.Disagrees(b.Kind) {
		flags := uint64(0)
		if details {
			flags = wire.WantDetail
		}
		if results, err = s.Run(b.Best.Minimized, flags); err != nil {
			return false, nil, err
		}
		_, shows = r.recordedAspect(b, results)
		return shows, results, nil
	}
	for _, flags := range []uint64{wire.WantDetail, wire.WantDetail | wire.Settle} {
		if results, err = s.Run(b.Best.Minimized, flags); err != nil {
			return false, nil, err
		}
		if _, shows := r.recordedAspect(b, results); shows {
			return true, results, nil
		}
	}
	return false, results, nil
}
