package campaign

import (
	"bytes"
	"strconv"

	"parallax/cmd/internal/execute"
	"parallax/cmd/internal/triage"
	"parallax/internal/judge"
	"parallax/internal/wire"
)

// sameDeaths is how many deaths that look alike are judged. A program that ends its process on every tenth input would
// otherwise keep the judge busy with one cause.
const sameDeaths = 3

// died takes the death of a member's process and reports whether the input in flight counts.
func (c *Campaign) died(m *member, d *execute.Death) bool {
	trace := judge.ParseTrace(d.Text)
	trace.Kind = triage.KindOf(d.Outcome)
	if len(d.Recent) == 0 || !d.InFlight && len(trace.Frames) == 0 {
		c.problems = appendOnce(c.problems, "a worker ended between two inputs: "+d.Status)
		return false
	}
	flat := d.Recent[0]
	replay := !d.InFlight // what an input left behind failed later: it was counted
	if d.InFlight && !m.fuzz && m.last[wire.Inputs] == 0 {
		for i := range c.inputs {
			if bytes.Equal(c.inputs[i].flat, flat) {
				c.inputs[i].bad, replay = true, true
			}
		}
	}
	if !replay {
		c.totals.inputs++
		c.totals.executions += uint64(d.Program) + 1
	}
	key := trace.Key(c.target.Own)
	if len(trace.Frames) == 0 { // nothing but the status tells them apart
		key += d.Status + " " + strconv.Itoa(d.Program)
	}
	if c.deaths == nil {
		c.deaths = map[string]int{}
	}
	c.deaths[key]++
	if c.deaths[key] <= sameDeaths {
		cand := triage.Candidate{Flat: flat, Before: d.Recent[1:], Deadly: true, Inputs: c.totals.inputs}
		if len(trace.Frames) == 0 {
			cand.Before = nil // killed from outside, or ended by the program: no goroutine left behind does that
		}
		c.enqueue(cand)
	}
	return !replay
}

func (c *Campaign) candidate(m *member, e *wire.Event) {
	cand := triage.Candidate{
		Flat: bytes.Clone(e.Flat), Operators: c.operators(e.Ops), Layer: judge.Layers(e.Layer),
		Inputs: c.totals.inputsAt(m, e.Inputs),
	}
	for _, o := range e.Tuple {
		cand.Seen = append(cand.Seen, judge.Observation{Outcome: judge.Outcome(o.Outcome), Class: o.Class, Value: o.Value})
	}
	if e.Parent != nil {
		cand.Parent = append([]byte{}, e.Parent...)
	}
	c.enqueue(cand)
}

func (c *Campaign) enqueue(cand triage.Candidate) {
	if err := c.triage.push(cand); err != nil {
		c.fail(err)
	}
}

func appendOnce(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}
