package triage

import (
	"math/bits"
	"slices"

	"parallax/cmd/internal/campaign/neighbor"
	"parallax/cmd/internal/campaign/rejection"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// With three programs or more, an input may hold two causes. Two programs may reject it for
// different reasons, or values may differ for two reasons. Each combination of causes would be a
// finding of its own. Programs that accept are not divided: a neighbor that one of them rejects may
// have a defect that the input does not have.

// partialNeighbor is a neighbor on which only part of the input's disagreement remains.
type partialNeighbor struct {
	side      side
	rejecting uint64 // set of programs
	equal     []int  // by program: the first one with an equal value
	flat      []byte
}

// side is the way in which a neighbor differs less.
type side uint8

const (
	fewerReject side = iota // some of the rejecting programs still reject
	moreEqual               // more programs have equal values
)

// equalValues returns the first program with an equal value for each program.
func equalValues(results []wire.RunResult) (equal []int) {
	for _, r := range results {
		equal = append(equal, slices.IndexFunc(results, func(o wire.RunResult) bool { return o.Value == r.Value }))
	}
	return equal
}

// partialOf returns the part of the input's disagreement in a neighbor's results, or nil. deleted
// means that the neighbor lacks bytes of the input: inserted ones may add a disagreement.
func partialOf(layer oracle.Layers, base, results []wire.RunResult, deleted bool) *partialNeighbor {
	all, ok := rejection.Set(base)
	some, also := rejection.Set(results)
	switch {
	case !ok || !also:
	case layer == oracle.VerdictLayer:
		if some != all && some&^all == 0 && bits.OnesCount64(all) > 1 {
			return &partialNeighbor{side: fewerReject, rejecting: some}
		}
	case layer == oracle.ValueLayer && deleted && all == 0 && some == 0:
		x, y := equalValues(base), equalValues(results)
		if !slices.Equal(x, y) && slices.Equal(x, finer(x, y)) {
			return &partialNeighbor{side: moreEqual, equal: y}
		}
	}
	return nil
}

// finer returns the equalities that hold in both.
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

// addPartial adds a partial neighbor, the first of each kind.
func (l *Located) addPartial(layer oracle.Layers, base []wire.RunResult, neighbor []byte, results []wire.RunResult, deleted bool) {
	f := partialOf(layer, base, results, deleted)
	if f == nil || slices.ContainsFunc(l.partial, f.sameAs) {
		return
	}
	f.flat = neighbor
	l.partial = append(l.partial, *f)
}

// sameAs reports whether two neighbors show the same part.
func (f *partialNeighbor) sameAs(other partialNeighbor) bool {
	return f.side == other.side && f.rejecting == other.rejecting && slices.Equal(f.equal, other.equal)
}

// combined returns a neighbor with one of the causes that an input combines, or nil. An input
// combines causes if two neighbors each lack part of the disagreement and together hold it once:
//
//   - each rejection is in one neighbor, and no neighbor is accepted by all;
//   - or values are equal on the input if they are equal on both neighbors.
func (l *Located) combined(base []wire.RunResult) *partialNeighbor {
	all, _ := rejection.Set(base)
	for i := range l.partial {
		a := &l.partial[i]
		for k := range l.partial[:i] {
			one := &l.partial[k]
			if one.side != a.side {
				continue
			}
			together := false
			switch a.side {
			case fewerReject:
				together = l.Accepted == 0 && a.rejecting|one.rejecting == all && a.rejecting&one.rejecting == 0
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

// singleCause returns the finding with one of the causes that a minimized input combines, or nil.
func (j *Triager) singleCause(s *Replayer, f *Result, at *Located) (*Result, error) {
	r := at.combined(f.Results)
	if r == nil {
		return nil, nil
	}
	results, err := s.Run(r.flat, wire.WantDetail)
	if err != nil {
		return nil, err
	}
	if got := partialOf(f.Layer, f.Results, results, len(r.flat) < len(f.Minimized)); got == nil || !r.sameAs(*got) || Layer(j.Layers, results) != f.Layer {
		return nil, nil
	}
	return &Result{Kind: f.Kind, Layer: f.Layer, Flat: r.flat, Minimized: r.flat, Results: results, flags: f.flags, deadly: f.deadly}, nil
}

// Bounds of acceptedPart: plain inputs, and deleted places of an input.
const (
	maxPlain     = 8
	maxDeletions = 64
)

// acceptedPart returns the finding of an accepted difference that a minimized input shows together
// with another one, or nil. If only values are known, each combination would be a finding of its
// own. Differences on plain inputs do not count: they show with everything.
func (j *Triager) acceptedPart(s *Replayer, f *Result, want *cause) (*Result, error) {
	if want.variant == "" || j.Known.AcceptedVariant(want.variant) {
		return nil, nil
	}
	if err := j.learnUsual(s); err != nil {
		return nil, err
	}
	spans := j.Shape.Spans(nil, f.Minimized)
	left := maxDeletions
	for i, k := range j.Shape {
		if k.Width() > 0 {
			continue
		}
		for p := spans[i].Start; p < spans[i].End && left > 0; p, left = p+1, left-1 {
			flat := s.Repair(neighbor.Splice(j.Shape, f.Minimized, spans[i], p, p+1, nil))
			results, err := s.Run(flat, wire.WantDetail)
			if err != nil {
				return nil, err
			}
			if Layer(j.Layers, results) != oracle.ValueLayer {
				continue
			}
			variant := j.cause(results, oracle.ValueLayer, flat).variant
			if variant != want.variant && !j.usual[variant] && j.Known.AcceptedVariant(variant) {
				return &Result{Kind: f.Kind, Layer: f.Layer, Flat: flat, Minimized: flat, Results: results, flags: f.flags, deadly: f.deadly}, nil
			}
		}
	}
	return nil, nil
}

// learnUsual records the variants that plain inputs show.
func (j *Triager) learnUsual(s *Replayer) error {
	if j.usual != nil {
		return nil
	}
	usual, runs := map[string]bool{}, s.Runs
	defer func() { s.Runs = runs }() // the runs belong to no finding
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
