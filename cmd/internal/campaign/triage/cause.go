package triage

import (
	"cmp"
	"slices"

	"parallax/cmd/internal/campaign/rejection"
	"parallax/cmd/internal/finding/causes"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// cause is the condition under which results show a discrepancy again: the same outcomes, layer,
// error classes, equalities of values and deciding blocks. Between versions, the values must also
// differ in a common part. The results must execute blocks of the attributed hunk, and none of
// hunks that the input does not execute.
type cause struct {
	triager  *Triager
	layer    oracle.Layers
	obs      []oracle.Observation
	loose    []bool  // programs whose class of errors does not matter, nor whether they decline
	deciding []int   // nil means any
	rejects  [][]int // by program: last blocks of the check at which it rejects; nil means any
	hunk     []int   // blocks of the hunk; empty means any
	foreign  []int   // blocks of hunks that the input does not execute
	flat     []byte
	costs    costs  // in the layer of cost
	variant  string // set if only values are known, so that an accepted variant is another cause
}

func (j *Triager) cause(results []wire.RunResult, layer oracle.Layers, flat []byte) *cause {
	c := &cause{triager: j, layer: layer, obs: Observations(results), flat: flat}
	if layer == oracle.CostLayer {
		c.costs = costsOf(j.Layers, results)
	}
	for _, r := range results {
		_, loose := j.class(r, flat) // the error quotes the input, and its class changes with it
		c.loose = append(c.loose, loose)
	}
	if j.Known != nil && layer == oracle.ValueLayer && j.Traits.CoverageUnknown(len(j.Names)) {
		c.variant = j.bucket(results, layer, notLocated(len(results)), flat)
	}
	return c
}

// flags returns the flags of runs whose results shown compares.
func (c *cause) flags() uint64 {
	if c.variant != "" {
		return wire.WantDetail
	}
	return wire.WantHits
}

// shown reports whether results show the discrepancy.
func (c *cause) shown(results []wire.RunResult) bool {
	got := Observations(results)
	if Layer(c.triager.Layers, results) != c.layer || c.layer == oracle.CostLayer && !c.costs.shown(c.triager.Layers, results) {
		return false
	}
	if c.layer == oracle.ValueLayer && c.triager.Versions && c.elsewhere(got) {
		return false
	}
	for p := range got {
		if c.loose[p] && c.obs[p].Outcome == oracle.Declined && got[p].Outcome < oracle.Crashed {
			continue
		}
		if got[p].Outcome != c.obs[p].Outcome {
			return false
		}
		if got[p].Outcome == oracle.Rejected && got[p].Class != c.obs[p].Class && !c.loose[p] {
			return false
		}
		for q := range got[:p] {
			if c.layer == oracle.ValueLayer && ((got[p].Value == got[q].Value) != (c.obs[p].Value == c.obs[q].Value) || failedCalls(got[p], got[q]) != failedCalls(c.obs[p], c.obs[q])) {
				return false
			}
		}
		if c.deciding != nil && c.deciding[p] != None {
			if _, ok := slices.BinarySearch(results[p].Hits, uint32(c.deciding[p])); !ok {
				return false
			}
		}
	}
	return rejection.Alike(c.rejects, results) && c.changes(results) && (c.variant == "" || !c.accepted(results))
}

// elsewhere reports whether the values of two versions differ in other parts only. Another change
// may make that difference.
func (c *cause) elsewhere(got []oracle.Observation) bool {
	was, is := c.obs[0].Parts.Differ(&c.obs[1].Parts), got[0].Parts.Differ(&got[1].Parts)
	return was != 0 && is != 0 && was&is == 0
}

// failedCalls compares the errors that the calls of a test returned in two accepting programs. It
// is 0 for the same calls, 1 or -1 if p has more or fewer, and 2 for as many other calls.
func failedCalls(p, q oracle.Observation) int {
	if p.Outcome != oracle.Accepted || q.Outcome != oracle.Accepted || p.Class == q.Class {
		return 0
	}
	return cmp.Or(cmp.Compare(oracle.FailureCount(p.Class), oracle.FailureCount(q.Class)), 2)
}

// changes reports whether programs executed something of the hunk, and nothing of foreign ones.
func (c *cause) changes(results []wire.RunResult) bool {
	executed := func(blocks []int) bool {
		return slices.ContainsFunc(results, func(r wire.RunResult) bool {
			return slices.ContainsFunc(blocks, func(block int) bool {
				_, ok := slices.BinarySearch(r.Hits, uint32(block))
				return ok
			})
		})
	}
	return (len(c.hunk) == 0 || executed(c.hunk)) && !executed(c.foreign)
}

// accepted reports whether results show an accepted difference in place of the input's own.
func (c *cause) accepted(results []wire.RunResult) bool {
	variant := c.triager.bucket(results, c.layer, notLocated(len(results)), c.flat)
	return variant != c.variant && c.triager.Known.AcceptedVariant(variant)
}

// forProgram returns the cause for one program. Of the others, only the outcomes matter.
func (c *cause) forProgram(program int) *cause {
	one := *c
	one.loose, one.deciding, one.rejects = slices.Clone(c.loose), slices.Clone(c.deciding), slices.Clone(c.rejects)
	for p := range one.loose {
		if p != program {
			one.loose[p] = true
			if one.deciding != nil {
				one.deciding[p] = None
			}
			if one.rejects != nil {
				one.rejects[p] = nil
			}
		}
	}
	return &one
}

// withPlaces returns the cause with its deciding blocks and hunks.
func (c *cause) withPlaces(at *Located) *cause {
	l := *c
	l.deciding, l.rejects, l.hunk, l.foreign = slices.Clone(at.Deciding), at.Rejects, nil, nil
	if space := c.triager.Space; space.AllVersions(len(c.obs)) {
		switch {
		case len(at.keep) > 0:
			l.hunk = at.keep
		case at.Hunk != None:
			l.hunk = space.Changed(func(hunk int) bool { return hunk == at.Hunk })
		}
		l.foreign = space.Changed(func(hunk int) bool { return !at.executed[hunk] })
	}
	return &l
}

// withoutPlaces returns the cause without deciding blocks and hunks.
func (c *cause) withoutPlaces() *cause {
	any := *c
	any.deciding, any.rejects, any.hunk, any.foreign = nil, nil, nil, nil
	return &any
}

// severalVerdicts reports whether three or more programs disagree in their verdicts.
func (c *cause) severalVerdicts() bool { return c.layer == oracle.VerdictLayer && len(c.obs) > 2 }

// forMinimizing returns the cause that stays while an input is minimized. If three or more programs
// disagree in verdicts, some may change: declining ones, and the places of accepting ones.
func (c *cause) forMinimizing(at *Located) *cause {
	w := c.withPlaces(at)
	if !c.severalVerdicts() {
		return w
	}
	w.loose = slices.Clone(c.loose)
	informed := slices.Contains(c.informed(at, tellingReject, true), true)
	for p, o := range c.obs {
		switch o.Outcome {
		case oracle.Declined:
			w.loose[p] = true
		case oracle.Accepted:
			if informed {
				w.deciding[p] = None
			}
		}
	}
	return w
}

// informed returns the programs that reject at a check whose score is nearly that of the best
// rejecting program. If all is set, it is nearly that of the best place of any program.
func (c *cause) informed(at *Located, nearly float64, all bool) []bool {
	is := make([]bool, len(c.obs))
	rejects := func(p int) bool { return c.obs[p].Outcome == oracle.Rejected }
	best := 0.0
	for p, place := range at.Best {
		if place != nil && (all || rejects(p)) {
			best = max(best, place.Score)
		}
	}
	for p, place := range at.Best {
		is[p] = place != nil && rejects(p) && place.Score >= nearly*best
	}
	return is
}

// parts returns the reasons of an input that several programs reject, to be kept one at a time.
// Each combination of reasons would be a finding. A check at which all kinds of inputs end is none:
// the input would become any of these. If no neighbor shows such checks, each rejection is a
// reason.
func (c *cause) parts(at *Located) []*cause {
	var parts []*cause
	if c.severalVerdicts() && at.Accepted == 0 {
		w := c.forMinimizing(at)
		rejects := 0
		for p, is := range c.informed(at, ofBest, false) {
			if c.obs[p].Outcome != oracle.Rejected {
				continue
			}
			if rejects++; is || at.Agreed == 0 && at.Neighbors > 0 {
				parts = append(parts, w.forProgram(p))
			}
		}
		if rejects < 2 {
			return nil
		}
	}
	return parts
}

// class returns a rejection's error type and message, without numbers, quoted parts and echoes.
// echoes reports an echo outside quotes, which changes the worker's class. The result needs detail.
func (j *Triager) class(r wire.RunResult, flat []byte) (class string, echoes bool) {
	if oracle.Outcome(r.Outcome) != oracle.Rejected || r.Error == "" {
		return "", false
	}
	text := oracle.MessageClass(causes.WithoutInput(j.Shape, r.Error, flat))
	return r.ErrorType + "\n" + text, text != oracle.MessageClass(r.Error)
}
