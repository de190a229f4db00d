package campaign

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/queue"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/engine"
	"parallax/internal/input"
)

// handleVerdict handles a verdict.
func (c *Campaign) handleVerdict(v *queue.Case) error {
	switch {
	case v.Elsewhere:
		c.deaths.giveBack(v.Cand.Death)
		c.triage.Readmit(&v.Cand) // this campaign may find the input by itself
		c.verdicts.Info("triaged elsewhere", "candidate", v.Cand.Name, "input", shownInput(v.Cand.Flat))
	case v.Err != nil:
		c.verdicts.Error("triage failed", "candidate", v.Cand.Name, "error", v.Err.Error())
		if c.fleet.alive() > 0 {
			c.triage.Postpone(v) // a test may need a port that the fuzzing process holds
			return nil
		}
		// The candidate stays on disk and is triaged again by the next run.
		c.leftover.reason = v.Err
		c.deaths.giveBack(v.Cand.Death)
		c.series.verdict(c.findings.Count())
		c.triage.Leave()
		return nil
	case v.Finding == nil && v.Wavered.Gone:
		c.steady.Flaky.Gone++
		if err := c.findings.Withdraw(c.findings.CandidateKey(&v.Cand), nil, true); err != nil {
			c.triage.Leave()
			return err
		}
		c.verdicts.Info("gone", "candidate", v.Cand.Name, "input", shownInput(v.Cand.Flat))
	case v.Finding == nil:
		c.totals.flaky++
		if c.deaths.giveBack(v.Cand.Death); v.Cand.Death != "" {
			c.triage.Readmit(&v.Cand)
		}
		c.owe(&v.Cand)
		if err := c.findings.Withdraw(c.findings.CandidateKey(&v.Cand), nil, false); err != nil {
			c.triage.Leave()
			return err
		}
		c.steady.AddWavering(v.Wavered.Programs)
		c.steady.Flaky.Add(finding.Flaky{
			Kind: v.Cand.Kind(), Programs: c.steady.Programs(v.Wavered.Programs), Reason: v.Wavered.Why, Count: 1,
			Inputs:  []string{quote.Input(c.facts.Shape, v.Cand.Flat, 200)},
			Message: escape.Cut(quote.OneLine(cmp.Or(v.Cand.Said, v.Wavered.Message)), 200),
		})
		c.verdicts.Info("flaky", "candidate", v.Cand.Name, "programs", c.steady.Programs(v.Wavered.Programs), "reason", v.Wavered.Why, "input", shownInput(v.Cand.Flat))
	default:
		refused, err := c.refused(v)
		if err != nil {
			c.verdicts.Error("not confirmed", "candidate", v.Cand.Name, "error", err.Error())
			c.leftover.undecided++
			c.series.verdict(c.findings.Count())
			c.triage.Leave()
			return nil
		}
		c.totals.triaged += uint64(v.Finding.Runs * len(c.facts.Names))
		if refused {
			break
		}
		if v.Finding.Unfinished != "" {
			err := c.fileUnfinished(v)
			c.triage.Leave()
			c.leftover.cutShort++
			return err
		}
		if err := c.file(v); err != nil {
			c.triage.Leave()
			return err
		}
	}
	c.series.verdict(c.findings.Count())
	return c.triage.Settle(v.Cand.Name)
}

// file writes a finding to its bucket, and then publishes it.
func (c *Campaign) file(v *queue.Case) error {
	b, fresh, err := c.findings.Add(v.Finding, v.Cand)
	if err != nil {
		return err
	}
	if v.Finding.Results != nil || v.Finding.Unfinished != "" {
		c.fresh[b.ID] = true
	}
	if err := c.findings.Settle(b.ID); err != nil {
		return err
	}
	v.Bucket = b.ID
	return c.stream.Publish(event.Found{Bucket: b.Bucket, Best: b.Best, New: fresh, Runs: v.Finding.Runs})
}

// revision describes the code that the campaign tests.
func (c *Campaign) revision() string {
	commit := ""
	if c.opt.Revision != nil {
		commit = c.opt.Revision()
	}
	return state.Revision(commit, c.folder.Config().Identity.Programs)
}

// mostOwed bounds the flaky failures per class for which another one is triaged. A program that
// always wavers has no end of them.
const mostOwed = 32

// mostClasses bounds the classes for which the failures are remembered.
const mostClasses = 1 << 16

// owe asks the worker that reported a flaky failure for another candidate of its class, since few
// failures are candidates. A campaign that repeats asks for none: requests arrive at any time.
func (c *Campaign) owe(cand *finding.Candidate) {
	p := cand.Failing - 1
	if cand.Worker == 0 || p < 0 || p >= len(cand.Seen) || c.opt.Repeats() {
		return
	}
	class := engine.FailureClass(cand.Seen, p)
	if c.deaths.owed[class] >= mostOwed {
		return
	}
	if c.deaths.owed == nil || len(c.deaths.owed) >= mostClasses {
		c.deaths.owed = map[uint64]int{}
	}
	c.deaths.owed[class]++
	m := c.fleet.instances[cand.Worker-1]
	m.owed = append(m.owed, class)
	c.triage.Readmit(cand)
}

// shownInput returns the beginning of an input, quoted for the log.
func shownInput(flat []byte) string {
	const most = 256
	if len(flat) <= most {
		return strconv.Quote(string(flat))
	}
	return fmt.Sprintf("%q... (%d bytes)", flat[:most], len(flat))
}

// noteUnverified notes how many findings the next run will verify.
func (c *Campaign) noteUnverified() {
	n := 0
	for _, row := range c.findings.Rows() {
		if row.Unverified {
			n++
		}
	}
	if n > 0 {
		c.note("%s: the next run checks that the programs always do the same on them", finding.Unverified(n))
	}
}

// noteGone notes how many candidates the present programs do not show.
func (c *Campaign) noteGone() {
	if c.steady.Flaky.Gone == 0 {
		return
	}
	no := map[bool]string{true: "no longer shows", false: "no longer show"}[c.steady.Flaky.Gone == 1]
	c.note("%s %s: the programs have changed since", units.Count(c.steady.Flaky.Gone, "candidate of an earlier run", "candidates of earlier runs"), no)
}

// refused reports whether Confirm refused a finding.
func (c *Campaign) refused(v *queue.Case) (bool, error) {
	if c.opt.Confirm == nil || v.Finding.Results == nil { // without results, the finding is only counted
		return false, nil
	}
	kind, why, err := c.opt.Confirm(v.Finding)
	if err == nil && kind != "" {
		c.totals.refused[kind]++
		c.verdicts.Info(kind, "candidate", v.Cand.Name, "reason", why)
	}
	return kind != "", err
}

// moment returns the state of the loop.
func (c *Campaign) moment() moment {
	m := moment{
		now: c.now(), fuzzing: c.fuzzing(), workers: len(c.fleet.instances), pending: c.triage.Pending(), left: c.leftover.all, stopped: c.phase.stopped,
		notes: c.problems, builds: c.builds.doing(), until: c.phase.ends.triage,
	}
	// The writer may report a failure after the end of the budget.
	if c.phase.failure != nil {
		m.stopped = "error"
	}
	c.fleet.up(func(i *instance) {
		m.up++
		c.known.merge(i)
	})
	return m
}

// fuzzing returns the fuzzing time of this invocation.
func (c *Campaign) fuzzing() time.Duration {
	if c.phase.begun.IsZero() {
		return 0
	}
	return c.totals.fuzzing(c.now().Sub(c.phase.begun))
}

// record updates the folder: counters, a line of stats.jsonl, and the summary on request. A
// campaign that repeats gets its lines at marks, and one at its end.
func (c *Campaign) record(summary, end bool) {
	m := c.moment()
	e := c.account.sampled(m.fuzzing)
	if c.opt.Repeats() {
		if e.Samples = c.series.due(c.store.Len()); end {
			e.Samples = append(e.Samples, c.series.rest(c.findings.Count())...)
		}
	}
	if end || !c.opt.Repeats() {
		e.Samples = append(e.Samples, c.account.line(m.fuzzing))
	}
	if summary {
		e.Summary = c.account.summary(m)
	}
	e.End = end
	c.publish(e)
}

func hashOf(shape input.Shape, flat []byte) string { return corpus.Hash(shape.Encode(flat)) }
