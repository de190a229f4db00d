package campaign

import (
	"bytes"
	"strconv"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/triage"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// sameDeaths is how many deaths that look alike are triaged. A program that ends its process on every tenth input would
// otherwise keep triage busy with one cause.
const sameDeaths = 3

// workerFailed is the status of a worker that could not go on for reasons of its own.
const workerFailed = "exit status 120"

// died takes the death of an instance's process and reports whether the input in flight counts.
func (c *Campaign) died(m *instance, d *execute.Death) bool {
	trace := oracle.ParseTrace(d.Text)
	trace.Kind = triage.KindOf(d.Outcome)
	// It ended itself, or the runtime ended it: what an earlier input has left behind may be why, such as closed descriptors.
	harmed := d.Harmed() || d.Status == "exit status 2" || !d.InFlight && d.Exited() && d.Status != workerFailed
	if d.Determined {
		m.determinedDeaths++
	}
	if d.Spoiled > 0 || d.Wrote && len(d.Recent) == 0 {
		c.problems = appendOnce(c.problems, "a program wrote into the memory that its worker shares with parallax, over the inputs that tell which of them did it")
	}
	if len(d.Recent) == 0 || !d.InFlight && len(trace.Frames) == 0 && !harmed {
		c.problems = appendOnce(c.problems, "a worker ended between two inputs: "+d.Status)
		return false
	}
	flat := d.Recent[0]
	if d.Repairing {
		c.diedRepairing(d, len(trace.Frames) > 0)
		return false
	}
	if d.InFlight {
		c.known.avoid(flat)
	}
	replay := !d.InFlight // what an input left behind failed later: it was counted
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
	key := trace.Key(c.facts.Space.Own)
	if len(trace.Frames) == 0 { // nothing but the status tells them apart
		key += d.Status + " " + strconv.Itoa(d.Program)
	}
	if c.deaths == nil {
		c.deaths = map[string]int{}
	}
	c.deaths[key]++
	if c.deaths[key] <= sameDeaths {
		cand := triage.Candidate{Flat: flat, Before: d.Recent[1:], Deadly: true, Inputs: c.totals.inputs}
		if d.Program < len(c.facts.Names) {
			cand.Failing = triage.Fails(d.Program).Failing
		}
		if len(trace.Frames) == 0 && !harmed {
			cand.Before = nil // killed from outside, or ended by the program: no goroutine left behind does that
		}
		c.enqueue(cand)
	}
	return !replay
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
