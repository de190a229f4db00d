package campaign

import (
	"bytes"
	"cmp"
	"parallax/cmd/internal/finding"
	"slices"
	"strconv"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/process/diagnostic"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/engine"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// deaths counts the deaths of workers by their looks. A program that ends its process on every
// tenth input would keep triage busy with one cause. Of deaths that look alike, only those whose
// number is a power of two are triaged. If a candidate turns out flaky, or triage fails, the next
// death that looks like it is triaged as well.
type deaths struct {
	counts  engine.Failures
	repairs int                // processes that ended while they repaired a mutant
	owed    map[uint64]int     // flaky failures by class: another one of each class becomes a candidate
	rests   *engine.Candidates // candidates from rests of inputs that ended a process; may be nil
}

// count counts a death and reports whether it is to be triaged.
func (d *deaths) count(place, looks string) bool {
	_, candidate := d.counts.Count(triage.Hash(place), triage.Hash(looks))
	return candidate
}

// giveBack has one more death of the same looks triaged. Empty looks are ignored.
func (d *deaths) giveBack(looks string) {
	if looks != "" {
		d.counts.AllowAgain(triage.Hash(looks))
	}
}

// looksOf returns the place and the looks of a death. Without a stack, they consist of the status,
// the program and its last output.
func (c *Campaign) looksOf(d *execute.Death, trace *oracle.Crash) (place, looks string) {
	code := c.facts.Space.Code
	if len(trace.Frames) > 0 {
		return trace.Where(code), trace.Key(code)
	}
	place = trace.Kind + " " + d.Status + " " + strconv.Itoa(d.Program)
	return place, place + " " + oracle.CrashClass(string(diagnostic.Last(d.Text)))
}

// workerFailed is the exit status of a worker that fails for reasons of its own.
const workerFailed = "exit status 120"

// handleDeath handles the death of an instance's process. counts reports whether the input in
// flight counts, resting whether the process was running the rest of an input.
func (c *Campaign) handleDeath(m *instance, d *execute.Death) (counts, resting bool) {
	trace := oracle.ParseTrace(d.Text)
	trace.Kind = oracle.KindOf(d.Outcome)
	// The process or its runtime ended it. An earlier input may have closed descriptors.
	harmed := d.Harmed() || d.Status == "exit status 2" || !d.InFlight && d.Exited() && d.Status != workerFailed
	if d.Determined {
		m.determinedDeaths++
	}
	if d.Spoiled > 0 || d.Wrote && len(d.Recent) == 0 {
		c.problems = appendOnce(c.problems, "a program wrote into the memory that its worker shares with parallax, over the inputs that show which of them did it")
	}
	resting = m.interrupted(d, len(c.facts.Names))
	if len(d.Recent) == 0 || !d.InFlight && len(trace.Frames) == 0 && !harmed {
		c.problems = appendOnce(c.problems, "a worker ended between two inputs: "+d.Status)
		return false, false
	}
	flat := d.Recent[0]
	if d.Repairing {
		c.handleRepairDeath(d, len(trace.Frames) > 0)
		return false, false
	}
	if d.InFlight {
		c.known.avoid(flat)
	}
	offered, err := c.fleet.intake.Died(&m.offers, flat)
	if err != nil {
		c.fail(err)
	}
	// The input already counts, even if its consequences came later, or it never counts.
	replay := !d.InFlight || resting || offered
	if d.InFlight && !m.fuzz && m.counts.Stats[wire.Inputs] == 0 {
		for i := range c.known.inputs {
			if bytes.Equal(c.known.inputs[i].flat, flat) {
				c.known.inputs[i].bad, replay = true, true
			}
		}
	}
	if !replay {
		c.totals.inputs++
		c.totals.executions += uint64(min(d.Program, len(c.facts.Names)-1)) + 1
	}
	if place, looks := c.looksOf(d, &trace); c.deaths.count(place, looks) {
		cand := finding.Candidate{Flat: flat, Before: d.Recent[1:], Deadly: true, Ended: d.Outcome, Inputs: c.totals.inputs, Death: looks, Said: escape.Cut(cmp.Or(trace.Message, d.Status), 200)}
		if d.Program < len(c.facts.Names) {
			cand.Failing = triage.Fails(d.Program).Failing
		}
		if len(trace.Frames) == 0 && !harmed {
			cand.Before = nil // killed from outside, or ended by the program; a leftover goroutine causes neither
		}
		if !c.enqueue(cand) { // the input was a candidate before
			c.deaths.giveBack(looks)
		}
	}
	return !replay, resting
}

// firstLine returns the beginning of a process's output for the log.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line[:min(len(line), 200)])
}

func appendOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
