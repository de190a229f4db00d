package cmplog

import "parallax/internal/input"

const (
	maxOps      = 1 << 14 // per call
	maxPatches  = 2048    // per call
	maxOfSite   = 256     // patches per call and comparison
	maxNewBytes = 1 << 20 // of text in the patches of a call
)

// Solver makes patches. It is not safe for concurrent use.
type Solver struct {
	shape  input.Shape
	maxLen int
	memory memory
	tokens tokens

	// State of one call of Solve.
	hay       haystack
	places    []place
	texts     map[string]placeSet
	numbers   map[number]placeSet
	gaps      []gap
	gapsKnown bool
	offers    []offer
	ops       map[uint64]bool  // hashes of comparisons
	sites     map[uint64]int32 // comparisons of the program, in order of appearance
	order     [10][]entry
	pattern   []byte

	members      []member
	membersKnown bool
	fills        []offer // second places of offers with two
	lookups      []lookedUp
	wishes       []wish
	lengths      []lengthField
	found        []keyed // by pairs

	lastText  string // cache of marks
	lastMarks uint8

	ranking ranking

	spans []input.Span // of Apply
}

// entry is a comparison to solve.
type entry struct{ op, site int32 }

// NewSolver returns a Solver for inputs of a shape, whose []byte and string arguments may grow to
// maxLen bytes each.
func NewSolver(shape input.Shape, maxLen int) *Solver {
	return &Solver{
		shape: append(input.Shape{}, shape...), maxLen: max(maxLen, 1), memory: newMemory(),
		texts: map[string]placeSet{}, numbers: map[number]placeSet{}, ops: map[uint64]bool{}, sites: map[uint64]int32{},
	}
}

// Solve returns patches for an input, in the flat form of the shape, and the comparisons of one
// run. The most promising patches come first. There are no duplicates, and at most 2048. They stay
// valid after further calls.
func (s *Solver) Solve(flat []byte, ops []Comparison) []Patch {
	s.begin(flat)
	count := s.sort(ops)
	room := min(max(maxOffers/max(count, 1), minRoom), maxRoom)
	for _, list := range s.order {
		for _, e := range list {
			if len(s.offers) >= maxOffers {
				break
			}
			op := &ops[e.op]
			if op.Kind <= IntOrder || op.Kind == Lookup && op.Width > 0 {
				s.solveNumbers(op, e.site, room)
			} else {
				s.solveText(op, e.site, room)
			}
		}
	}
	s.pairs()
	s.resizeWithFields()
	return s.emit()
}

// begin clears the state of the last call.
func (s *Solver) begin(flat []byte) {
	s.memory.call++
	s.tokens.call++
	s.places, s.offers, s.fills, s.lookups, s.wishes, s.lengths = s.places[:0], s.offers[:0], s.fills[:0], s.lookups[:0], s.wishes[:0], s.lengths[:0]
	s.gapsKnown, s.membersKnown = false, false
	clear(s.texts)
	clear(s.numbers)
	clear(s.ops)
	clear(s.sites)
	s.hay.load(s.shape, flat)
}

// sort sorts the distinct comparisons into lists. The first of each site precedes the following
// ones, which come from loops. Those with constants precede others. It returns their number.
func (s *Solver) sort(ops []Comparison) int {
	count := 0
	for i := range s.order {
		s.order[i] = s.order[i][:0]
	}
	of := s.ranking.ofSite[:0]
	for i := range ops {
		op := &ops[i]
		if op.Kind < IntEqual || op.Kind > Lookup || op.ConstA && op.ConstB || s.repeats(op) {
			continue
		}
		site, known := s.sites[op.Site]
		if !known {
			site = int32(len(s.sites))
			s.sites[op.Site] = site
			of = append(of, 0)
		}
		of[site]++
		list := 2 * min(log2(int(of[site])), len(s.order)/2-1)
		if !op.ConstA && !op.ConstB {
			list++
		}
		s.order[list] = append(s.order[list], entry{int32(i), site})
		if count++; count == maxOps {
			break
		}
	}
	s.ranking.ofSite = of
	return count
}

// repeats reports whether a comparison occurred before with the same operands.
func (s *Solver) repeats(op *Comparison) bool {
	x, y := op.texts()
	h := mix(mix(op.Site, uint64(op.Kind)|uint64(op.Width)<<8), op.A)
	h = mixText(mixText(mix(h, op.B), x), y)
	if s.ops[h] {
		return true
	}
	s.ops[h] = true
	return false
}
