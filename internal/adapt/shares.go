package adapt

import "math"

// Shares are the arms of an engine.
type Shares struct {
	Seeds     Arms // which kept seeds are mutated: the schedule's
	Sources   Arms // Mutants and Fresh
	Operators Arms // of mutation, by their numbers

	once map[uint64]sight // species that were seen once
}

// The arms of Shares.Sources.
const (
	Mutants = iota
	Fresh
)

// freshShare is the usual share of inputs that are made of nothing.
const freshShare = 1.0 / 32

// Choice is what an input was made by. The zero Choice is one that no arm made.
type Choice struct {
	Made   bool
	Source int
	Seed   int // -1: of none
}

// sight is who showed a species first, and when.
type sight struct {
	choice    Choice
	operators [maxOperators]uint8
	n         int
	step      int
}

const (
	maxOperators = 8
	maxOnce      = 1 << 14 // species that are remembered; what comes later counts as seen for good
)

// New returns the arms of an engine in which nothing has happened. Operators are the usual shares of the mutation operators.
func New(operators []float64) *Shares {
	s := &Shares{once: map[uint64]sight{}}
	s.Sources.Add(1 - freshShare)
	s.Sources.Add(freshShare)
	for _, usual := range operators {
		s.Operators.Add(usual)
	}
	return s
}

// Ran tells what an input showed, which the choice and the operators made. Species is what its disagreement looks like; disagrees says that there
// is one, and first that it was not seen before.
func Ran[Op ~uint8](s *Shares, c Choice, operators []Op, species uint64, disagrees, first bool, blocks int, cost uint64) {
	y := Yield{Cost: float64(cost)}
	if blocks > 0 {
		y.Found[Block] = 1
	}
	switch {
	case first:
		y.Found[Disagreement] = 1
		if c.Made && len(s.once) < maxOnce {
			at := sight{choice: c, step: s.Sources.steps}
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
	s.Sources.Ran(c.Source, y)
	if c.Seed >= 0 {
		s.Seeds.Ran(c.Seed, y)
	}
	if c.Source == Mutants {
		for _, op := range operators {
			if int(op) < s.Operators.Len() {
				s.Operators.Ran(int(op), y)
			}
		}
	}
	s.Seeds.Tick()
	s.Sources.Tick()
	s.Operators.Tick()
}

// takeBack takes back what was counted for a species that was seen once.
func (s *Shares) takeBack(at *sight) {
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
