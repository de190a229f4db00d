package triage

import (
	"math/bits"
	"slices"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Where three programs or more are compared, an input may hold two causes: one program rejects it for what the other programs accept, and
// another program for something else; or one program accepts for its own reason what the others reject, and another for another reason; or
// values differ for two reasons. Each combination of causes would be a finding of its own.

// fewer is a relative that shows some of the difference between the programs that the input shows, and no other.
type fewer struct {
	side      side
	rejecting uint64 // programs, a set
	equal     []int  // where values differ: for each program the first one with its value
	flat      []byte
}

// side says what of a difference a relative has less of.
type side uint8

const (
	fewerReject side = iota // of the programs that reject the input, some still do
	fewerAccept             // of those that accept it
	moreEqual               // programs have equal values that had others
)

// rejecting is the set of programs that reject. It reports false where there are outcomes other than that and being accepted.
func rejecting(results []wire.RunResult) (set uint64, ok bool) {
	for p, r := range results {
		switch oracle.Outcome(r.Outcome) {
		case oracle.Rejected:
			set |= 1 << p
		case oracle.Accepted, 0: // or it is left out
		default:
			return 0, false
		}
	}
	return set, true
}

// equalValues is for each program the first one with its value.
func equalValues(results []wire.RunResult) (equal []int) {
	for _, r := range results {
		equal = append(equal, slices.IndexFunc(results, func(o wire.RunResult) bool { return o.Value == r.Value }))
	}
	return equal
}

// part is what a relative shows of the difference that the input shows, nil if it is the same or something else. deleted says that the relative
// was made of the input by taking something out: what is put in its place may bring a difference of its own.
func part(layer oracle.Layers, base, results []wire.RunResult, deleted bool) *fewer {
	all, ok := rejecting(base)
	some, also := rejecting(results)
	switch {
	case !ok || !also:
	case layer == oracle.VerdictLayer:
		switch {
		case some == all:
		case some&^all == 0 && bits.OnesCount64(all) > 1:
			return &fewer{side: fewerReject, rejecting: some}
		case all&^some == 0 && deleted && len(base)-bits.OnesCount64(all) > 1 && sameErrors(base, results):
			return &fewer{side: fewerAccept, rejecting: some}
		}
	case layer == oracle.ValueLayer && deleted && all == 0 && some == 0:
		x, y := equalValues(base), equalValues(results)
		if !slices.Equal(x, y) && slices.Equal(x, finer(x, y)) {
			return &fewer{side: moreEqual, equal: y}
		}
	}
	return nil
}

// sameErrors reports whether the programs that reject the input return errors of the same class for its relative.
func sameErrors(base, results []wire.RunResult) bool {
	for p, r := range base {
		if oracle.Outcome(r.Outcome) == oracle.Rejected && results[p].Class != r.Class {
			return false
		}
	}
	return true
}

// finer is which programs are equal if those are that are so in both.
func finer(a, b []int) (both []int) {
	for p := range a {
		for q := range a {
			if a[q] == a[p] && b[q] == b[p] {
				both = append(both, q)
				break
			}
		}
	}
	return both
}

// note keeps a relative that shows some of what the input shows, the first of each kind.
func (l *Located) note(layer oracle.Layers, base []wire.RunResult, relative []byte, results []wire.RunResult, deleted bool) {
	f := part(layer, base, results, deleted)
	if f == nil || slices.ContainsFunc(l.fewer, f.like) {
		return
	}
	f.flat = relative
	l.fewer = append(l.fewer, *f)
}

// like reports whether two relatives show the same.
func (f *fewer) like(other fewer) bool {
	return f.side == other.side && f.rejecting == other.rejecting && slices.Equal(f.equal, other.equal)
}

// combines is a relative with one of the causes that an input combines, nil if it holds one. It combines two if two edits each take away
// some of the difference, nothing of it stays in both relatives, and both together hold all of it:
//
//   - no edit makes all programs accept, and what programs reject for both relatives together is what they reject the input for. If it were
//     one cause, in two places that need each other, either edit would do for all;
//   - or what programs accept in both relatives together are those that accept the input;
//   - or programs have equal values for the input that have equal ones for both relatives.
func (l *Located) combines(base []wire.RunResult) *fewer {
	all, _ := rejecting(base)
	every := uint64(1)<<len(base) - 1
	for i := range l.fewer {
		a := &l.fewer[i]
		for k := range l.fewer[:i] {
			one := &l.fewer[k]
			if one.side != a.side {
				continue
			}
			together := false
			switch a.side {
			case fewerReject:
				together = l.Accepted == 0 && a.rejecting|one.rejecting == all && a.rejecting&one.rejecting == 0
			case fewerAccept:
				together = a.rejecting&one.rejecting == all && a.rejecting|one.rejecting == every
			case moreEqual:
				together = slices.Equal(finer(a.equal, one.equal), equalValues(base))
			}
			if together {
				return one
			}
		}
	}
	return nil
}

// one is the finding with one of the causes that a minimized input combines, nil if it holds one.
func (j *Triager) one(s *Replayer, f *Finding, at *Located) (*Finding, error) {
	r := at.combines(f.Results)
	if r == nil {
		return nil, nil
	}
	results, err := s.Run(r.flat, wire.WantDetail)
	if err != nil {
		return nil, err
	}
	if got := part(f.Layer, f.Results, results, len(r.flat) < len(f.Minimized)); got == nil || !r.like(*got) || Layer(j.Layers, results) != f.Layer {
		return nil, nil
	}
	return &Finding{Kind: f.Kind, Layer: f.Layer, Flat: r.flat, Minimized: r.flat, Results: results, flags: f.flags, deadly: f.deadly}, nil
}

// maxPlain is how many plain inputs are looked at, and maxDeletions how many places of an input.
const (
	maxPlain     = 8
	maxDeletions = 64
)

// apart is the finding of an accepted difference that a minimized input shows beside another one, nil if there is none: where only values are
// known, each combination of accepted differences would be a finding of its own. One that plain inputs show does not count, since it shows
// beside everything.
func (j *Triager) apart(s *Replayer, f *Finding, want *cause) (*Finding, error) {
	if want.variant == "" || j.Known.AcceptedVariant(want.variant) {
		return nil, nil
	}
	if err := j.plain(s); err != nil {
		return nil, err
	}
	spans := j.Shape.Spans(nil, f.Minimized)
	left := maxDeletions
	for i, k := range j.Shape {
		if k.Width() > 0 {
			continue
		}
		for p := spans[i].Start; p < spans[i].End && left > 0; p, left = p+1, left-1 {
			flat := s.Repair(splice(j.Shape, f.Minimized, spans[i], p, p+1, nil))
			results, err := s.Run(flat, wire.WantDetail)
			if err != nil {
				return nil, err
			}
			if Layer(j.Layers, results) != oracle.ValueLayer {
				continue
			}
			variant := j.cause(results, oracle.ValueLayer, flat).variant
			if variant != want.variant && !j.usual[variant] && j.Known.AcceptedVariant(variant) {
				return &Finding{Kind: f.Kind, Layer: f.Layer, Flat: flat, Minimized: flat, Results: results, flags: f.flags, deadly: f.deadly}, nil
			}
		}
	}
	return nil, nil
}

// plain finds out which variants plain inputs show.
func (j *Triager) plain(s *Replayer) error {
	if j.usual != nil {
		return nil
	}
	usual, runs := map[string]bool{}, s.Runs
	defer func() { s.Runs = runs }() // they are of no finding
	for _, flat := range j.Plain[:min(len(j.Plain), maxPlain)] {
		results, err := s.Run(flat, wire.WantDetail)
		if err != nil {
			return err
		}
		if Layer(j.Layers, results) == oracle.ValueLayer {
			usual[j.cause(results, oracle.ValueLayer, flat).variant] = true
		}
	}
	j.usual = usual
	return nil
}
