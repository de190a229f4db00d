package campaign

import (
	"context"
	"time"

	"parallax/cmd/internal/campaign/event"
)

// A run ends soon after its fuzzing: candidates come quicker than they can be triaged where programs disagree often, or are slow.
// What is left waits on disk.
const (
	leastEnding = 30 * time.Second // for all that follows the fuzzing
	endingShare = 4                // or one part in so many of the fuzzing time, if that is longer

	// The end in parts of that time. Then no other candidate is taken up, and inputs are made no smaller: findings that are
	// confirmed are filed as they are. Then triage ends, whatever it does. The rest is for findings that are run once more.
	unhurried = 4.0 / 6
	triaged   = 5.0 / 6
)

// Ending is the time that the targets of an invocation have together after their fuzzing. The zero value has given none away.
type Ending struct {
	Targets      int // that are still to come, the one at hand included
	fuzzed, used time.Duration
}

// share is what the target at hand has after so much fuzzing: what is left of the least, in equal parts, or of the share of
// all fuzzing so far.
func (e *Ending) share(fuzzing time.Duration) time.Duration {
	return max(0, (leastEnding-e.used)/time.Duration(max(1, e.Targets)), (e.fuzzed+fuzzing)/endingShare-e.used)
}

// take notes what the target at hand has used.
func (e *Ending) take(fuzzing, used time.Duration) {
	e.fuzzed += fuzzing
	e.used += used
	e.Targets--
}

// end is when a campaign ends; zero times: when all is done.
type end struct {
	hurry, triage, all time.Time
}

// endAfter is the end of a campaign whose fuzzing has just ended.
func (c *Campaign) endAfter(now time.Time) (e end) {
	limit := c.opt.TriageTime
	switch {
	case c.opt.TriageAll || c.opt.NoFuzz && limit == 0:
		return end{}
	case limit > 0: // for triage itself
		return end{hurry: now.Add(time.Duration(unhurried / triaged * float64(limit))), triage: now.Add(limit), all: now.Add(time.Duration(float64(limit) / triaged))}
	}
	limit = c.opt.Ending.share(c.fuzzing())
	at := func(part float64) time.Time { return now.Add(time.Duration(part * float64(limit))) }
	return end{hurry: at(unhurried), triage: at(triaged), all: at(1)}
}

// interrupted is the end of a campaign that the user has interrupted, unless it would end before.
func (e end) interrupted(now time.Time) end {
	return end{hurry: sooner(e.hurry, now.Add(interruptPatience/2)), triage: sooner(e.triage, now.Add(interruptPatience)), all: sooner(e.all, now.Add(2*interruptPatience))}
}

// sooner is the first of two times, of which the zero time is none.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// passed reports whether a time has come, which the zero time never does.
func passed(t, now time.Time) bool { return !t.IsZero() && now.After(t) }

// bounded is a context that ends when the review is to.
func (r *review) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, r.until.Sub(r.now()))
}

// fileCut files the findings that were confirmed, and that triage was still looking into at the end, with what is known of
// them. Their candidates stay: the next run completes them.
func (c *Campaign) fileCut() {
	if c.opt.Confirm != nil { // who confirms findings wants to see the whole
		return
	}
	for _, v := range c.triage.cut {
		if err := c.unfinished(v); err != nil {
			c.fail(err)
			return
		}
	}
}

// unfinished files a finding that triage has not completed, unless its bucket has one.
func (c *Campaign) unfinished(v *verdict) error {
	v.finding.Unfinished = c.findings.CandidateKey(&v.cand)
	if c.findings.Find(v.finding.Bucket) != nil {
		return nil
	}
	c.totals.triaged += uint64(v.finding.Runs * len(c.facts.Names))
	c.verdicts.Info("unfinished", "candidate", v.name, "bucket", v.finding.Bucket)
	found := &event.Found{Finding: v.finding, Candidate: v.cand}
	if err := c.stream.Publish(found); err != nil {
		return err
	}
	c.fresh[found.Bucket.ID] = true
	return nil
}
