package campaign

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/campaign/triage"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// slowRechecks is how many findings are run again of which each costs the whole time or memory that a program may use.
const slowRechecks = 3

// recheck runs what earlier invocations found again: programs may have been corrected since. A finding that does not show any
// more, in two processes, stays on record and no longer makes the run fail; one that shows again counts again. One that shows in the second
// alone, or that an earlier invocation did not run once more at its end, is then run as often as at the end of a run. So is one that is flaky:
// it counts again if each of these runs shows it.
func (r *review) recheck(ctx context.Context) error {
	ids := r.findings.IDs()
	if len(ids) == 0 {
		return nil
	}
	r.ui.Step("executing the findings again")
	t := r.triager()
	s := t.Replayer()
	s.Ctx = ctx
	defer s.Close()
	slow := 0
	for _, id := range ids {
		if ctx.Err() != nil {
			return nil
		}
		b := r.findings.Find(id)
		if b.Kind == oracle.KindTimeout || b.Kind == oracle.KindOOM {
			if slow++; slow > slowRechecks {
				continue
			}
		}
		shows, results, err := r.look(s, b, r.facts.Versions)
		if err == nil && !shows {
			s.Fresh()
			if shows, results, err = r.look(s, b, r.facts.Versions); err == nil && shows {
				if err := r.findings.Doubt(id); err != nil {
					return err
				}
				b = r.findings.Find(id)
			}
		}
		if err != nil {
			r.log.Warn("finding not executed again", "bucket", id, "error", err.Error())
			s.Fresh()
			continue
		}
		// What was edited may have the input show something else, or the same for another reason.
		removed := b.Change() != "" && !t.Changed(b.Change())
		other := shows && r.facts.Versions && (removed || recordedOtherwise(b, results))
		if err := r.findings.Mark(id, !shows || other); err != nil {
			return err
		}
		was := b
		var now []triage.Aspect // what it shows instead
		if !shows {
			now = r.aspects(results)
			b, results = r.inputThatShows(s, b)
			other = b != nil
		}
		switch {
		case other:
			r.log.Info("of another change", "bucket", id)
			of, _ := r.recorded(b, results)
			filed, err := r.judge(ctx, t, b, of)
			if err == nil && !filed && shows && !removed {
				err = r.findings.Mark(id, false)
			}
			if err != nil {
				return err
			}
		case !shows:
			r.log.Info("gone", "bucket", id)
			for _, of := range now {
				if _, err := r.judge(ctx, t, was, of); err != nil {
					return err
				}
			}
		case !b.Named(r.facts.Versions):
			found, err := t.Attribute(ctx, s, b.Best.Minimized, func(results []wire.RunResult) (triage.Aspect, bool) { return r.recorded(b, results) })
			if err != nil {
				r.log.Warn("finding not attributed", "bucket", id, "error", err.Error())
				s.Fresh()
				continue
			}
			if found != nil {
				if err := r.findings.Name(id, found); err != nil {
					return err
				}
			}
		}
	}
	return r.lookAtAll(ctx, append(r.findings.Doubted(), r.findings.Flaky()...))
}

// manyInputs is how many other inputs of a finding are run again whose smallest input shows nothing any more.
const manyInputs = 16

// inputThatShows is a finding with another one of its inputs on disk, as minimized or as it was found, the first that still shows it, with its
// results; nil if there is none.
func (r *review) inputThatShows(s player, b *findings.Bucket) (*findings.Bucket, []wire.RunResult) {
	if b.Kind == oracle.KindTimeout || b.Kind == oracle.KindOOM {
		return nil, nil
	}
	tried := [][]byte{b.Best.Minimized}
	for _, hash := range append([]string{b.BestHash}, b.OtherInputs()...) {
		as, err := r.findings.WithInput(b, hash)
		if err != nil { // its files are damaged
			r.log.Warn("input not executed again", "bucket", b.ID, "input", hash, "error", err.Error())
			continue
		}
		for _, flat := range [][]byte{as.Best.Minimized, as.Best.Input} {
			if len(flat) > r.longest || slices.ContainsFunc(tried, func(was []byte) bool { return bytes.Equal(was, flat) }) {
				continue
			}
			if tried = append(tried, flat); len(tried)-1 > manyInputs {
				return nil, nil
			}
			best := *as.Best
			best.Input, best.Minimized = flat, flat
			as.Best = &best
			shows, results, err := r.look(s, as, false)
			if err != nil {
				r.log.Warn("input not executed again", "bucket", b.ID, "input", hash, "error", err.Error())
				s.Fresh()
			} else if shows {
				return as, results
			}
		}
	}
	return nil, nil
}

// recordedOtherwise reports whether the programs accept or reject a finding's input with other results than those on record.
func recordedOtherwise(b *findings.Bucket, results []wire.RunResult) bool {
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

// recordable is a result in words without what a record in JSON cannot hold.
func recordable(d oracle.Detail) oracle.Detail {
	for _, text := range []*string{&d.Error, &d.ErrorType, &d.ErrorClass, &d.Value} {
		*text = strings.ReplaceAll(strings.ToValidUTF8(*text, ""), "\ufffd", "")
	}
	return d
}

// judge triages the input of a finding that was put down to a change which is there no more, or that shows something else now: it shows a difference
// still, which may be another finding. It reports whether that was filed.
func (r *review) judge(ctx context.Context, t *triage.Triager, b *findings.Bucket, of triage.Aspect) (bool, error) {
	cand := triage.Candidate{Flat: b.Best.Input, Parent: b.Best.Parent, Operators: b.Best.Operators, Failing: of.Failing, Layer: of.Layer, Inputs: b.LastSeen}
	found, _, err := t.Triage(ctx, cand)
	if err != nil && ctx.Err() == nil {
		r.log.Warn("finding not triaged again", "bucket", b.ID, "error", err.Error())
	}
	if found == nil || err != nil {
		return false, nil
	}
	_, _, err = r.findings.Add(found, cand)
	return err == nil, err
}

// Where programs ask for the time, findings are run again so many times, so far apart: a clock of seconds moves on meanwhile.
const (
	looks = 3
	apart = 550 * time.Millisecond
)

// player executes inputs: a *triage.Replayer, but in tests.
type player interface {
	loner
	Ended() int // processes that inputs have ended
}

// again runs what this invocation found once more at its end, and what is in doubt from earlier ones, in a process of its own: some time has
// passed, and the programs are known better than when each was triaged. A finding that does not always show is flaky: it stays on record, and
// does not make the run fail. When the user interrupts, that goes on for as long as triage does; kill ends it at once. What it has not come to
// is in doubt still, on disk, and the next run begins with it.
func (r *review) again(ctx context.Context, kill <-chan struct{}, found []string) error {
	ctx, stop := outlasting(ctx, interruptPatience, kill)
	defer stop()
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	return r.lookAtAll(ctx, append(found, r.findings.Doubted()...))
}

// outlasting is a context that ends so long after another, or when kill is closed.
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

// lookAtAll runs findings as often as they should, until ctx ends, but those that are closed for other reasons than that they are flaky.
func (r *review) lookAtAll(ctx context.Context, ids []string) error {
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		b := r.findings.Find(id)
		if b == nil || !findings.Doubtful(b.Kind) {
			return true
		}
		row := r.findings.Row(b)
		row.Flaky = false // whether it is shows here
		return findings.Closed(row)
	})
	if len(ids) == 0 || ctx.Err() != nil {
		return nil
	}
	triager := r.triager()
	s := r.player(ctx)
	defer s.Close()
	first := map[string][]wire.RunResult{}
	times := 1
	if r.facts.Plan.ReadsClock {
		times = looks
	}
	for look := 0; look < times && len(ids) > 0; look++ {
		if look > 0 {
			select {
			case <-time.After(apart):
			case <-ctx.Done():
			}
		}
		var steady []string
		for _, id := range ids {
			if ctx.Err() != nil {
				return nil
			}
			shows, err := r.lookAgain(s, id, triager, first)
			if err == nil && shows {
				steady = append(steady, id)
			}
			if err == nil && shows && look == times-1 {
				err = r.findings.Looked(id)
			}
			if err != nil {
				return err
			}
		}
		ids = steady
	}
	return nil
}

// lookAgain runs a finding as often as a process should, and marks it if it does not always show, or not in the same way. It reports whether it does.
// first keeps what each finding showed first.
func (r *review) lookAgain(s player, id string, triager *triage.Triager, first map[string][]wire.RunResult) (shows bool, err error) {
	b := r.findings.Find(id)
	each := triager.Runs(b.Kind)
	runs := max(each, triager.AllRuns(b.Kind)) // triage has decided by what was known when it looked at the input
	slow, flaky := 0, b.Extra[findings.FlakyKey] != ""
	for k := range runs {
		if k > 0 && k%each == 0 {
			s.Fresh()
		}
		ended := s.Ended()
		shows, results, err := r.look(s, b, false)
		if err != nil {
			r.log.Warn("finding not executed again", "bucket", id, "error", err.Error())
			s.Fresh()
			return false, nil
		}
		if results == nil { // nothing is known
			return false, nil
		}
		if triage.Disagrees(b.Kind) && newlyLimited(b, results) { // a busy machine does that: nothing is known
			if slow++; slow > slowRechecks {
				return false, nil
			}
			continue
		}
		if !shows && first[id] == nil && r.findings.Older(id) {
			r.log.Info("gone", "bucket", id)
			return false, r.findings.Mark(id, true)
		}
		if first[id] == nil {
			first[id] = results
		}
		wavered := differs(b, first[id], results)
		if r.findings.Recorded(id) { // else programs may have been edited since
			wavered |= otherwise(b, results)
		}
		if !shows || wavered != 0 {
			why := triage.WhyRecheck
			if shows {
				why = triage.WhyOtherwise
			}
			r.log.Info("flaky", "bucket", id, "why", why)
			r.wavered(wavered)
			return false, r.findings.MarkFlaky(id, why)
		}
		if s.Ended() > ended && (!flaky || k+1 >= triage.DeadlyRuns) { // each run costs a process
			break
		}
	}
	return first[id] != nil, nil
}

// newlyLimited reports whether a program ran into a limit that did not on record.
func newlyLimited(b *findings.Bucket, results []wire.RunResult) bool {
	for p, r := range results {
		is := oracle.Outcome(r.Outcome)
		if !findings.Doubtful(triage.KindOf(is)) && (p >= len(b.Best.Programs) || b.Best.Programs[p].Outcome != is.String()) {
			return true
		}
	}
	return false
}

// aspects are what results show that can be findings.
func (r *review) aspects(results []wire.RunResult) []triage.Aspect {
	return counted(r.facts, triage.Aspects(r.opt.Layers, results), triage.Observations(results))
}

// recorded is what of its input a bucket is, where results show it.
func (r *review) recorded(b *findings.Bucket, results []wire.RunResult) (triage.Aspect, bool) {
	return triage.Recorded(r.opt.Layers, b.Kind, b.Best.Layer, b.Best.Failing(), results)
}

// bystanders is the set of programs that have no part in a disagreement, by its record.
func bystanders(b *findings.Bucket) uint64 {
	layer, err := oracle.ParseLayers([]string{b.Best.Layer})
	if err != nil || !triage.Disagrees(b.Kind) {
		return 0
	}
	obs := make([]oracle.Observation, len(b.Best.Programs))
	for p := range obs {
		d := &b.Best.Programs[p].Detail
		obs[p].Outcome, _ = oracle.ParseOutcome(d.Outcome)
		obs[p].Value, obs[p].Class = hashText(d.Value), hashText(d.ErrorType+"\x00"+d.ErrorClass+"\x00"+d.Sentinel)
	}
	return oracle.Bystanders(oracle.VerdictLayer|oracle.ValueLayer|oracle.ClassLayer, layer, obs)
}

// otherwise is the set of programs that did something else than what is on record, as far as the bucket is of them. A failure is of the program that
// fails and, of two programs, of whether the other one does, too.
func otherwise(b *findings.Bucket, results []wire.RunResult) (programs uint64) {
	of, beside := b.Best.Failing(), bystanders(b)
	for p := range results {
		if p >= len(b.Best.Programs) {
			break
		}
		if beside>>p&1 != 0 {
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

// differs is the set of programs that did something else than in the first run, where a disagreement is what the finding is.
func differs(b *findings.Bucket, first, results []wire.RunResult) uint64 {
	if !triage.Disagrees(b.Kind) {
		return 0
	}
	layer, err := oracle.ParseLayers([]string{b.Best.Layer})
	if err != nil { // that of costs, which no configuration asks for
		layer = oracle.VerdictLayer
	}
	return triage.Differ(triage.Aspect{Layer: layer}, triage.Observations(first), triage.Observations(results))
}

// look runs a bucket's smallest input, and reports whether it shows a finding of its kind. A failure that does not show at once is given time: a
// goroutine that was left behind may fail later.
func (r *review) look(s player, b *findings.Bucket, details bool) (shows bool, results []wire.RunResult, err error) {
	if len(b.Best.Minimized) > r.longest {
		return true, nil, nil // the limit is lower now; nothing is known
	}
	if triage.Disagrees(b.Kind) {
		flags := uint64(0)
		if details {
			flags = wire.WantDetail
		}
		if results, err = s.Run(b.Best.Minimized, flags); err != nil {
			return false, nil, err
		}
		_, shows = r.recorded(b, results)
		return shows, results, nil
	}
	for _, flags := range []uint64{wire.WantDetail, wire.WantDetail | wire.Settle} {
		if results, err = s.Run(b.Best.Minimized, flags); err != nil {
			return false, nil, err
		}
		if _, shows := r.recorded(b, results); shows {
			return true, results, nil
		}
	}
	return false, results, nil
}
