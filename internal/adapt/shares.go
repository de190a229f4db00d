package adapt

import "math"

// Shares holds the arms of an engine.
type Shares struct {
	Seeds     Arms // groups of seeds; the schedule adds them
	Sources   Arms // Mutants and Fresh
	Operators Arms // mutation operators, by number

	once map[uint64]firstSight // species that were seen once
}

// The arms of Shares.Sources.
const (
	Mutants = iota
	Fresh
)

// freshShare is the usual share of inputs that are made from nothing.
const freshShare = 1.0 / 32

// Choice holds the arms that made an input. The zero Choice means that no arm made it.
type Choice struct {
	Made   bool
	Source int
	Seed   int // -1 for none
}

// firstSight holds the arms that first showed a species, and when.
type firstSight struct {
	choice    Choice
	operators [maxOperators]uint8
	n         int
	step      int
}

const (
	maxOperators = 8
	maxOnce      = 1 << 14 // species to remember; a later discovery is never taken back
)

// New returns the arms of a new engine. operators holds the usual shares of the mutation operators.
func New(operators []float64) *Shares {
	s := &Shares{once: map[uint64]firstSight{}}
	s.Sources.Add(1 - freshShare)
	s.Sources.Add(freshShare)
	for _, usual := range operators {
		s.Operators.Add(usual)
	}
	return s
}

// Record records what an input showed, for the arms of its choice and its operators. species
// identifies its disagreement. disagrees reports whether there is one, and first whether it was not
// seen before.
func Record[Op ~uint8](s *Shares, c Choice, operators []Op, species uint64, disagrees, first bool, blocks int, cost uint64) {
	y := Yield{Cost: float64(cost)}
	if blocks > 0 {
		y.Found[Block] = 1
	}
	switch {
	case first:
		y.Found[Disagreement] = 1
		if c.Made && len(s.once) < maxOnce {
			at := firstSight{choice: c, step: s.Sources.steps}
			for ; at.n < len(operators) && at.n < maxOperators; at.n++ {
				at.operators[at.n] = uint8(operators[at.n])
			}
			s.once[species] = at
		}
	case disagrees:
		if at, ok := s.once[species]; ok {
			delete(s.once, species)
			s.takeBack(&at)
		}
	}
	if !c.Made {
		return
	}
	s.Sources.Record(c.Source, y)
	if c.Seed >= 0 {
		s.Seeds.Record(c.Seed, y)
	}
	if c.Source == Mutants {
		for _, op := range operators {
			if int(op) < s.Operators.Len() {
				s.Operators.Record(int(op), y)
			}
		}
	}
	s.Seeds.Tick()
	s.Sources.Tick()
	s.Operators.Tick()
}

// takeBack removes the discovery of a species that was seen a second time.
func (s *Shares) takeBack(at *firstSight) {
	faded := math.Pow(fade, float64(s.Sources.steps-at.step))
	s.Sources.takeBack(at.choice.Source, Disagreement, faded)
	if at.choice.Seed >= 0 {
		s.Seeds.takeBack(at.choice.Seed, Disagreement, faded)
	}
	if at.choice.Source == Mutants {
		for _, op := range at.operators[:at.n] {
			if int(op) < s.Operators.Len() {
				s.Operators.takeBack(int(op), Disagreement, faded)
			}
		}
	}
}
