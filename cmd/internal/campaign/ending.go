package campaign

import (
	"time"

	"parallax/cmd/internal/campaign/queue"
)

// A run ends soon after its fuzzing. If programs disagree often, or are slow, candidates come
// faster than triage takes them. Candidates that are left wait on disk.
const (
	leastEnding = 30 * time.Second // for all work after the fuzzing
	endingShare = 4                // a quarter of the fuzzing time, if that is longer

	// unhurried and triaged are parts of that time. After the first, triage takes no new candidate
	// and minimizes no further: it files confirmed findings as they are. After the second, triage
	// ends. In the rest, findings are run once more.
	unhurried = 4.0 / 6
	triaged   = 5.0 / 6
)

// Ending is the time after the fuzzing that the targets of an invocation share.
type Ending struct {
	Targets      int // number of targets without results, with the current one
	fuzzed, used time.Duration
}

// share returns the time of the current target after its fuzzing. It is an equal part of what is
// left of leastEnding, or of the share of all fuzzing so far, if that is longer.
func (e *Ending) share(fuzzing time.Duration) time.Duration {
	return max(0, (leastEnding-e.used)/time.Duration(max(1, e.Targets)), (e.fuzzed+fuzzing)/endingShare-e.used)
}

// use records the time that the current target has used.
func (e *Ending) use(fuzzing, used time.Duration) {
	e.fuzzed += fuzzing
	e.used += used
	e.Targets--
}

// end holds the times at which the parts of a campaign's end are over. Zero times mean no limit.
type end struct {
	hurry, triage, all time.Time
}

// endAfter returns the end of a campaign whose fuzzing has just ended.
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

// awaitBuild moves the end of triage while it waits for the build that locates disagreements.
func (c *Campaign) awaitBuild(now time.Time) {
	took, long := c.triage.Waited(now)
	if e := c.phase.ends; c.opt.TriageTime == 0 && c.phase.stopped != "interrupted" && !e.triage.IsZero() {
		took = c.triage.Extend(took)
		c.phase.ends = end{e.hurry.Add(took), e.triage.Add(took), e.all.Add(took)}
	}
	if long {
		c.ui.Message("triage waits for the build that locates disagreements, which is made once")
	}
}

// interrupted returns the end of a campaign after an interrupt. It is never later than e.
func (e end) interrupted(now time.Time) end {
	return end{hurry: sooner(e.hurry, now.Add(interruptPatience/2)), triage: sooner(e.triage, now.Add(interruptPatience)), all: sooner(e.all, now.Add(2*interruptPatience))}
}

// sooner returns the earlier time. The zero time means no limit.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// passed reports whether a time is over. The zero time never is.
func passed(t, now time.Time) bool { return !t.IsZero() && now.After(t) }

// fileCut files confirmed findings whose triage the end of the run cut short. Their candidates
// stay, and the next run completes them.
func (c *Campaign) fileCut() {
	if c.opt.Confirm != nil { // Confirm needs complete findings
		return
	}
	for _, v := range c.triage.Cut {
		if err := c.fileUnfinished(v); err != nil {
			c.fail(err)
			return
		}
	}
}

// fileUnfinished files a finding whose triage is not complete, unless its bucket has one.
func (c *Campaign) fileUnfinished(v *queue.Case) error {
	v.Finding.Unfinished = c.findings.CandidateKey(&v.Cand)
	if c.findings.Find(v.Finding.Bucket) != nil {
		return nil
	}
	c.totals.triaged += uint64(v.Finding.Runs * len(c.facts.Names))
	c.verdicts.Info("unfinished", "candidate", v.Cand.Name, "bucket", v.Finding.Bucket)
	return c.file(v)
}
