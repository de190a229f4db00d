package campaign

import (
	"parallax/cmd/internal/campaign/triage"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/engine"
	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// rest is an input on which a program ended the common process before all programs had run. The
// next process of the instance runs the others, and their results are compared.
type rest struct {
	flat  []byte
	ended uint64 // the set of programs that are left out
	tries int    // number of ended processes
}

// interrupted records the rest of an input. again reports that a rest was running already.
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
	if !execute.LeftBehind(d.Text) { // else another program or input ended the process
		next.ended |= 1 << d.Program
	}
	if next.ended != 1<<programs-1 && next.tries <= programs {
		m.rest = next
	}
	return again
}

// run runs the remaining programs in a process.
func (r *rest) run(w *worker) ([]wire.RunResult, error) {
	return w.Run(r.flat, wire.WantHits|r.ended<<wire.SkipShift)
}

// handleRest handles the results of the remaining programs.
func (c *Campaign) handleRest(m *instance, results []wire.RunResult) {
	r := m.rest
	m.rest = nil
	if r == nil || len(results) != len(c.facts.Names) {
		return
	}
	j := &feature.Joint{Obs: triage.Observations(results), Traces: make([]feature.Trace, len(results))}
	cand := finding.Candidate{Flat: r.flat, Inputs: c.totals.inputs, Seen: triage.Observations(results)}
	for p := range results {
		j.Traces[p].Hits, j.Obs[p].Place = results[p].Hits, results[p].Class
		if r.ended>>p&1 != 0 {
			j.Obs[p].Outcome = oracle.Crashed
		}
	}
	if c.deaths.rests == nil {
		c.deaths.rests = engine.NewCandidates(len(results), c.facts.Space.Len(), c.opt.Layers)
	}
	a := engine.Admission{Failing: c.deaths.rests.Fail(j) &^ r.ended}
	if !results[0].Ignored {
		a.Layers, a.Candidates = c.deaths.rests.Disagree(j)
	}
	c.offer(cand, a.Failing, a.Candidates)
}
