package regress

import (
	"slices"
)

// Harness is a test that may be fuzzed.
type Harness struct {
	Name    string
	Reaches []int // change points, ascending
	Seldom  []int // of these, points that it executes only when its process starts, or on none of its seeds
}

// Share is a harness's share of the budget.
type Share struct {
	Name    string
	Reaches []int
	Part    float64 // of the whole; the parts of all shares add up to 1
	Inputs  uint64  // if the budget is in inputs
}

const (
	// firstPart is the part of its share after which a harness that executes no change point may
	// give the rest to others.
	firstPart = 0.25
	// FairInputs is the number of inputs that such a harness executes before, besides its seeds. A
	// part of a short budget may end with the seeds.
	FairInputs = 2000
)

// Cut divides a share into its first part and the rest.
func (s Share) Cut() (first, rest Share) {
	first = s
	first.Part, first.Inputs = firstPart*s.Part, uint64(firstPart*float64(s.Inputs))
	return s.Take(first)
}

// Take divides a share into a part as large as another share, and the rest.
func (s Share) Take(other Share) (part, rest Share) {
	part, rest = s, s
	part.Part, part.Inputs = min(s.Part, other.Part), min(s.Inputs, other.Inputs)
	rest.Part, rest.Inputs = s.Part-part.Part, s.Inputs-part.Inputs
	return part, rest
}

// Give distributes a share to others, in proportion to their own.
func Give(rest Share, to []*Share) {
	whole := 0.0
	for _, s := range to {
		whole += s.Part
	}
	for _, s := range to {
		part := rest.Part
		inputs := rest.Inputs
		if whole > s.Part { // all but the last, which gets the remainder
			part *= s.Part / whole
			inputs = uint64(float64(inputs) * s.Part / whole)
		}
		whole -= s.Part
		s.Part, s.Inputs = s.Part+part, s.Inputs+inputs
		rest.Part, rest.Inputs = rest.Part-part, rest.Inputs-inputs
	}
}

// leastPart is the part of an equal share that each harness gets at least. A harness that reaches
// one change point of many should run for some time.
const leastPart = 0.25

// Split divides a budget among the harnesses that reach a change point, in their order. Each change
// point gives equal parts to the harnesses that reach it. So a point that only one harness reaches
// is tested, and a point that all reach is not tested too often. Harnesses that execute a point
// seldom get no part of it if others execute it more. A harness gets at least a quarter of an equal
// part. inputs is 0 for a budget of time.
func Split(harnesses []Harness, inputs uint64) []Share {
	reached, called := map[int]int{}, map[int]int{} // by change point: the number of harnesses that reach it, and of those that execute it often
	n := 0
	for _, h := range harnesses {
		for _, p := range h.Reaches {
			reached[p]++
			if !slices.Contains(h.Seldom, p) {
				called[p]++
			}
		}
		if len(h.Reaches) > 0 {
			n++
		}
	}
	var shares []Share
	sum := 0.0
	for _, h := range harnesses {
		if len(h.Reaches) == 0 {
			continue
		}
		part := 0.0
		for _, p := range h.Reaches {
			switch {
			case called[p] == 0:
				part += 1 / float64(reached[p]) / float64(len(reached))
			case !slices.Contains(h.Seldom, p):
				part += 1 / float64(called[p]) / float64(len(reached))
			}
		}
		part = max(part, leastPart/float64(n))
		sum += part
		shares = append(shares, Share{Name: h.Name, Reaches: slices.Clone(h.Reaches), Part: part})
	}
	left := inputs
	for i := range shares {
		shares[i].Part /= sum
		shares[i].Inputs = min(left, uint64(shares[i].Part*float64(inputs)))
		left -= shares[i].Inputs
	}
	for i := 0; left > 0; i = (i + 1) % len(shares) { // the remainder of the rounding, one by one
		if len(shares) == 0 {
			break
		}
		shares[i].Inputs++
		left--
	}
	return shares
}
