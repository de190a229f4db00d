package operand

import "parallax/internal/input"

const (
	maxPatches  = 2048    // of a call
	maxOfSite   = 256     // patches of a call for one comparison
	maxNewBytes = 1 << 20 // of text in the patches of a call
)

// Solver makes patches. It is not safe for concurrent use.
type Solver struct {
	shape  input.Shape
	maxLen int
	memory memory
	tokens tokens

	// Of one call of Solve.
	hay       haystack
	places    []place
	texts     map[string]placeSet
	numbers   map[number]placeSet
	gaps      []gap
	gapsKnown bool
	offers    []offer
	ops       map[uint64]bool  // comparisons seen, by hash
	sites     map[uint64]int32 // comparisons of the program, in the order in which they came
	pattern   []byte

	lastText  string // of marks
	lastMarks uint8

	ranking ranking

	spans []input.Span // Apply's
}

// NewSolver returns a Solver for inputs of a shape, whose []byte and string arguments may grow to maxLen bytes each.
func NewSolver(shape input.Shape, maxLen int) *Solver {
	return &Solver{
		shape: append(input.Shape{}, shape...), maxLen: max(maxLen, 1), memory: newMemory(),
		texts: map[string]placeSet{}, numbers: map[number]placeSet{}, ops: map[uint64]bool{}, sites: map[uint64]int32{},
	}
}

// Solve returns patches for an input, a flat form of the shape, and the comparisons of one run of it: the most promising
// first, none twice, 2048 at most. They stay valid after further calls.
func (s *Solver) Solve(flat []byte, ops []Op) []Patch {
	s.memory.call++
	s.tokens.call++
	s.places, s.offers, s.gapsKnown = s.places[:0], s.offers[:0], false
	clear(s.texts)
	clear(s.numbers)
	clear(s.ops)
	clear(s.sites)
	s.hay.load(s.shape, flat)
	room := min(max(maxOffers/max(len(ops), 1), minRoom), maxRoom)
	for i := range ops {
		op := &ops[i]
		if len(s.offers) >= maxOffers || op.Kind < IntEqual || op.Kind > Lookup || s.repeats(op) {
			continue
		}
		site, known := s.sites[op.Site]
		if !known {
			site = int32(len(s.sites))
			s.sites[op.Site] = site
		}
		if op.Kind <= IntOrder || op.Kind == Lookup && op.Width > 0 {
			s.solveNumbers(op, site, room)
		} else {
			s.solveText(op, site, room)
		}
	}
	return s.emit(flat)
}

// repeats reports whether a comparison was made before with the same operands.
func (s *Solver) repeats(op *Op) bool {
	h := mix(mix(op.Site, uint64(op.Kind)|uint64(op.Width)<<8), op.A)
	h = mixText(mixText(mix(h, op.B), cut(op.S)), cut(op.T))
	if s.ops[h] {
		return true
	}
	s.ops[h] = true
	return false
}
