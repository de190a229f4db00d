package campaign

import (
	"bytes"
	"cmp"
	"hash/fnv"
	"strconv"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/process/diagnostic"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/engine"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// deaths are those of workers, by what they look like. A program that ends its process on every tenth input would keep triage busy with one
// cause: of deaths that look alike those are triaged whose number is a power of two. A candidate that turns out flaky, or that triage
// fails on, has found out nothing: the next death that looks like it is triaged as well.
type deaths struct{ counts engine.Failures }

// count counts a death, and reports whether it is triaged.
func (d *deaths) count(place, looks string) bool {
	_, candidate := d.counts.Count(hashText(place), hashText(looks))
	return candidate
}

// giveBack has one more death of those looks triaged; "" are those of no death.
func (d *deaths) giveBack(looks string) {
	if looks != "" {
		d.counts.AllowAgain(hashText(looks))
	}
}

func hashText(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// looksOf is what a death looks like, and where it happened. Where there is no stack, the status, the program and what it printed last tell.
func (c *Campaign) looksOf(d *execute.Death, trace *oracle.Crash) (place, looks string) {
	own := c.facts.Space.Own
	if len(trace.Frames) > 0 {
		return trace.Where(own), trace.Key(own)
	}
	place = trace.Kind + " " + d.Status + " " + strconv.Itoa(d.Program)
	return place, place + " " + oracle.CrashClass(string(diagnostic.Last(d.Text)))
}

// workerFailed is the status of a worker that could not go on for reasons of its own.
const workerFailed = "exit status 120"

// died takes the death of an instance's process. It reports whether the input in flight counts, and whether the process was running the rest
// of one that counts already.
func (c *Campaign) died(m *instance, d *execute.Death) (counts, resting bool) {
	trace := oracle.ParseTrace(d.Text)
	trace.Kind = triage.KindOf(d.Outcome)
	// It ended itself, or the runtime ended it: what an earlier input has left behind may be why, such as closed descriptors.
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
		c.diedRepairing(d, len(trace.Frames) > 0)
		return false, false
	}
	if d.InFlight {
		c.known.avoid(flat)
	}
	replay := !d.InFlight || resting // it was counted, also where what it left behind failed later
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
		cand := triage.Candidate{Flat: flat, Before: d.Recent[1:], Deadly: true, Ended: d.Outcome, Inputs: c.totals.inputs, Death: looks, Said: escape.Cut(cmp.Or(trace.Message, d.Status), 200)}
		if d.Program < len(c.facts.Names) {
			cand.Failing = triage.Fails(d.Program).Failing
		}
		if len(trace.Frames) == 0 && !harmed {
			cand.Before = nil // killed from outside, or ended by the program: no goroutine left behind does that
		}
		if !c.enqueue(cand) { // its input was one before
			c.deaths.giveBack(looks)
		}
	}
	return !replay, resting
}

// firstLine is the beginning of what a process said, for the log.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line[:min(len(line), 200)])
}

func appendOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
