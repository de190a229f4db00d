package campaign

import (
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// rest is an input on which a program has ended the process that it shares with others, before all had run and anything was compared. The next
// process of the instance begins with the other programs: what they do on the input is looked at as on any other.
type rest struct {
	flat  []byte
	ended uint64 // programs that are left out, a set
	tries int    // processes that have ended
}

// interrupted notes the rest of an input in the middle of which a process has ended. It reports whether that was in a rest already.
func (m *instance) interrupted(d *execute.Death, programs int) (again bool) {
	r := m.rest
	again = r != nil
	m.rest = nil
	switch {
	case programs < 2 || !d.InFlight || d.Repairing || d.Program >= programs || len(d.Recent) == 0:
		return again
	case r == nil:
		r = &rest{flat: d.Recent[0]}
	}
	next := &rest{flat: r.flat, ended: r.ended, tries: r.tries + 1}
	if !execute.LeftBehind(d.Text) { // else another program, or another input, did it
		next.ended |= 1 << d.Program
	}
	if next.ended != 1<<programs-1 && next.tries <= programs {
		m.rest = next
	}
	return again
}

// run has a process run the programs that are left.
func (r *rest) run(w *worker) ([]wire.RunResult, error) {
	return w.Run(r.flat, wire.WantHits|r.ended<<wire.SkipShift)
}

// rested takes what the programs that were left did.
func (c *Campaign) rested(m *instance, results []wire.RunResult) {
	r := m.rest
	m.rest = nil
	if r == nil || len(results) != len(c.facts.Names) {
		return
	}
	j := &feature.Joint{Obs: triage.Observations(results), Traces: make([]feature.Trace, len(results))}
	cand := triage.Candidate{Flat: r.flat, Inputs: c.totals.inputs, Seen: triage.Observations(results)}
	for p := range results {
		j.Traces[p].Hits, j.Obs[p].Place = results[p].Hits, results[p].Class
		if r.ended>>p&1 != 0 {
			j.Obs[p].Outcome = oracle.Crashed
		}
	}
	if c.rests == nil {
		c.rests = engine.NewCandidates(len(results), c.facts.Space.Len(), c.opt.Layers)
	}
	a := engine.Admission{Failing: c.rests.Fail(j) &^ r.ended}
	if !results[0].Ignored {
		a.Layers, a.Candidates = c.rests.Disagree(j)
	}
	c.offer(cand, a.Failing, a.Candidates)
}
