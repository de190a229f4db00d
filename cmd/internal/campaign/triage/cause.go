package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// cause is what results must show to show a discrepancy again: the same outcomes in the same layer, the same classes of
// errors, the same programs with equal values, each program's deciding block executed, and of what was changed between versions some of the
// hunk that it is put down to, and no other hunk than the input has: it would become one that shows another change.
type cause struct {
	triager  *Triager
	layer    oracle.Layers
	obs      []oracle.Observation
	loose    []bool // programs whose class of errors is of no importance, and whether they decline
	deciding []int  // nil: none is asked for
	hunk     []int  // blocks of the hunk; empty: none is asked for
	foreign  []int  // blocks of hunks that the input does not execute
	flat     []byte
	costs    costs  // in the layer of cost
	variant  string // where only values are known, of which one is not to be taken for another that is accepted; else ""
}

func (j *Triager) cause(results []wire.RunResult, layer oracle.Layers, flat []byte) *cause {
	c := &cause{triager: j, layer: layer, obs: Observations(results), flat: flat}
	if layer == oracle.CostLayer {
		c.costs = costsOf(j.Layers, results)
	}
	for _, r := range results {
		_, loose := j.class(r, flat) // the error holds the input, and its class changes with it
		c.loose = append(c.loose, loose)
	}
	if j.Known != nil && layer == oracle.ValueLayer && j.Traits.CoverageUnknown(len(j.Names)) {
		c.variant = j.bucket(results, layer, make([]*Place, len(results)), flat)
	}
	return c
}

// flags are what shown has to see of results.
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
	return c.changes(results) && (c.variant == "" || !c.accepted(results))
}

// failedCalls compares the errors that the calls of a test returned in two programs that accept: 0 if the same calls returned some, 1 if there are more
// in p, -1 if there are fewer, and 2 if as many others failed.
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

// accepted reports whether results show an accepted difference, and no longer what the input showed.
func (c *cause) accepted(results []wire.RunResult) bool {
	variant := c.triager.bucket(results, c.layer, make([]*Place, len(results)), c.flat)
	return variant != c.variant && c.triager.Known.AcceptedVariant(variant)
}

// by is the cause as one program has it: of the others, only the outcomes matter, and whether they decline does not.
func (c *cause) by(program int) *cause {
	one := *c
	one.loose, one.deciding = slices.Clone(c.loose), slices.Clone(c.deciding)
	for p := range one.loose {
		if p != program {
			one.loose[p] = true
			if one.deciding != nil {
				one.deciding[p] = None
			}
		}
	}
	return &one
}

// located is the cause with what was found to decide.
func (c *cause) located(at *Located) *cause {
	l := *c
	l.deciding, l.hunk, l.foreign = slices.Clone(at.Deciding), nil, nil
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

// anywhere is the cause without that.
func (c *cause) anywhere() *cause {
	any := *c
	any.deciding, any.hunk, any.foreign = nil, nil, nil
	return &any
}

// severalVerdicts reports whether the discrepancy is one of verdicts among three programs or more.
func (c *cause) severalVerdicts() bool { return c.layer == oracle.VerdictLayer && len(c.obs) > 2 }

// whole is what stays while an input becomes smaller. With three programs and more, a place of who accepts is not needed where
// the reasons of those that reject are known, and whoever declines may as well take part.
func (c *cause) whole(at *Located) *cause {
	w := c.located(at)
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

// informed are the programs that reject at a check which separates nearly as well as that of any other that rejects, or, if all is set, as
// any place of any program.
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

// parts are the reasons to keep one at a time of an input that holds several: programs that reject it may have reasons that have nothing to do
// with each other, and each combination of them would be a finding of its own. A check at which all kinds of inputs end is no such reason: with
// it alone, the input would become any other that ends there. Where the programs agree on no relative, it is not known which checks these are, but
// that there are several reasons is.
func (c *cause) parts(at *Located) []*cause {
	var parts []*cause
	if c.severalVerdicts() && at.Accepted == 0 {
		w := c.whole(at)
		rejects := 0
		for p, is := range c.informed(at, ofBest, false) {
			if c.obs[p].Outcome != oracle.Rejected {
				continue
			}
			if rejects++; is || at.Agreed == 0 && at.Relatives > 0 {
				parts = append(parts, w.by(p))
			}
		}
		if rejects < 2 {
			return nil
		}
	}
	return parts
}

// minEcho is the shortest argument that is looked for in an error: a shorter one stands there by chance.
const minEcho = 2

// class is a rejection's error type and message without numbers and quoted parts, and without the input where the message
// repeats it. Echoes says that it does, outside quotes: the class as the worker hashes it then changes with the input.
// Results must hold detail.
func (j *Triager) class(r wire.RunResult, flat []byte) (class string, echoes bool) {
	if oracle.Outcome(r.Outcome) != oracle.Rejected || r.Error == "" {
		return "", false
	}
	text := oracle.MessageClass(withoutInput(j.Shape, r.Error, flat))
	return r.ErrorType + "\n" + text, text != oracle.MessageClass(r.Error)
}

// withoutInput is a message with an x for each argument that it repeats, as it is or in one of the forms that package fmt has.
func withoutInput(shape input.Shape, message string, flat []byte) string {
	var args []string
	for i, sp := range shape.Spans(nil, flat) {
		if k := shape[i]; k == input.Bytes || k == input.String {
			args = append(args, string(flat[sp.Start:sp.End]), strings.TrimSpace(string(flat[sp.Start:sp.End])))
		}
	}
	for _, arg := range args {
		if len(arg) < minEcho {
			continue
		}
		// Quoted forms first: without the argument in them, a backslash before the closing quote would hide it.
		for _, quoted := range []string{strconv.Quote(arg), strconv.QuoteToASCII(arg)} {
			message = strings.ReplaceAll(message, quoted, `"x"`)
		}
		for _, form := range []string{arg, fmt.Sprint([]byte(arg)), fmt.Sprintf("%x", arg), fmt.Sprintf("%X", arg)} {
			message = strings.ReplaceAll(message, form, "x")
		}
	}
	return message
}
