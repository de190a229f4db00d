package triage

import (
	"math/bits"
	"slices"

	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// Where three programs or more are compared, an input may hold two causes: one program rejects it for what the other programs accept, and
// another program for something else. Each combination of causes would be a finding of its own.

// fewer is a relative that only some of the programs reject which reject the input.
type fewer struct {
	rejecting uint64 // programs, a set
	flat      []byte
}

// rejecting is the set of programs that reject. It reports false where there are outcomes other than that and being accepted.
func rejecting(results []wire.RunResult) (set uint64, ok bool) {
	for p, r := range results {
		switch oracle.Outcome(r.Outcome) {
		case oracle.Rejected:
			set |= 1 << p
		case oracle.Accepted:
		default:
			return 0, false
		}
	}
	return set, true
}

// reject notes a relative whose verdicts differ in another way than those of the input.
func (l *Located) reject(layer oracle.Layers, base []wire.RunResult, relative []byte, results []wire.RunResult) {
	all, ok := rejecting(base)
	some, also := rejecting(results)
	if layer != oracle.VerdictLayer || !ok || !also || bits.OnesCount64(all) < 2 || some&^all != 0 || some == all {
		return
	}
	if !slices.ContainsFunc(l.fewer, func(r fewer) bool { return r.rejecting == some }) {
		l.fewer = append(l.fewer, fewer{some, relative})
	}
}

// combines is a relative with one of the causes that an input combines, nil if it holds one. It combines two where no edit makes all programs
// accept, and each of two edits takes away the reasons of some: what programs reject for both edits together is what they reject the input for.
// If it were one cause, in two places that need each other, either edit would do for all.
func (l *Located) combines(base []wire.RunResult) *fewer {
	all, _ := rejecting(base)
	if l.Accepted > 0 {
		return nil
	}
	for i, a := range l.fewer {
		for b := range l.fewer[:i] {
			if one := &l.fewer[b]; a.rejecting|one.rejecting == all && a.rejecting&one.rejecting == 0 {
				return one
			}
		}
	}
	return nil
}

// one is the finding with one of the causes that a minimised input combines, nil if it holds one.
func (j *Triager) one(s *Replayer, f *Finding, at *Located) (*Finding, error) {
	r := at.combines(f.Results)
	if r == nil || f.Layer != oracle.VerdictLayer {
		return nil, nil
	}
	results, err := s.Run(r.flat, wire.WantDetail)
	if err != nil {
		return nil, err
	}
	if got, ok := rejecting(results); !ok || got != r.rejecting || Layer(j.Layers, results) != oracle.VerdictLayer {
		return nil, nil
	}
	return &Finding{Kind: Discrepancy, Layer: f.Layer, Flat: r.flat, Minimized: r.flat, Results: results, flags: f.flags, deadly: f.deadly}, nil
}

// maxPlain is how many plain inputs are looked at, and maxDeletions how many places of an input.
const (
	maxPlain     = 8
	maxDeletions = 64
)

// beside is the finding of an accepted difference that a minimised input shows beside another one, nil if there is none: where only values are
// known, each combination of accepted differences would be a finding of its own. One that plain inputs show does not count, since it shows
// beside everything.
func (j *Triager) beside(s *Replayer, f *Finding, want *cause) (*Finding, error) {
	if want.variant == "" || j.Accepted(want.variant) {
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
			if variant != want.variant && !j.usual[variant] && j.Accepted(variant) {
				return &Finding{Kind: Discrepancy, Layer: f.Layer, Flat: flat, Minimized: flat, Results: results, flags: f.flags, deadly: f.deadly}, nil
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
