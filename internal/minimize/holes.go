package minimize

import (
	"encoding/binary"

	"parallax/internal/input"
)

// Hole is a range of bytes of an input, in flat form, in which what holds for the input does not depend on what stands there,
// as far as was tried.
type Hole struct {
	Start, End int
	Of         string // what was tried: "byte", "digit", "letter", "letter or digit", "printable"; of a scalar, "value"
}

// Holes returns the bytes of flat that do not matter to test, which holds for flat: its general form. Each byte is tried
// with others of its own class, and then of wider classes; then all holes are filled at once, again and again, with other
// bytes each time, and what makes the test fail is narrowed or is no hole. It calls test at most budget times, and stop
// before each; what could not be tried at least minFillings times together is no hole. The same test makes the same
// holes.
//
// A hole is of one class, and what stands in it belongs to the class. Adjacent bytes of one class are one hole.
func Holes(shape input.Shape, flat []byte, budget int, stop func() bool, test func(flat []byte) bool) []Hole {
	if shape.Check(flat) != nil {
		return nil
	}
	h := holes{flat: flat, budget: budget, stop: stop, test: test}
	for i, span := range shape.Spans(nil, flat) {
		h.argument(shape[i], span)
	}
	if len(h.places) == 0 {
		return nil
	}
	h.limit = budget / 2 // the other half is for filling all at once
	h.each()
	h.limit = budget
	if !h.together() {
		return nil
	}
	h.smooth()
	return h.list()
}

const (
	// minFillings of all holes at once must have passed before anything is said: a byte that breaks one filling in ten is
	// missed by so many in one case of five.
	minFillings = 16
	// enough is how many there are at least, since some bytes matter only together.
	enough = 32
	// alikeEvery so many fillings, all places of a class hold the same.
	alikeEvery = 8
)

// holes is a search for holes.
type holes struct {
	flat   []byte
	places []place
	budget int
	limit  int // of the runs of the stage under way
	runs   int
	stop   func() bool
	test   func([]byte) bool
	filled []byte // the candidate
}

// place is a byte of a text, or a scalar.
type place struct {
	at, width int
	kind      input.Kind
	steps     []set // the classes that hold what stands here, narrow before wide
	of        int   // index in steps of the widest one that will do; -1: what stands here matters
	since     int   // fillings when the place was narrowed last
}

// set is a class of bytes. Members that a narrower class lacks and that mean something to many parsers come first.
type set struct {
	name    string
	members []byte // all of them
	telling []byte // a few that the narrower classes lack, tried first
}

func (s *set) has(c byte) bool {
	for _, m := range s.members {
		if m == c {
			return true
		}
	}
	return false
}

var (
	digits  = set{"digit", between("09"), []byte("719032")}
	letters = set{"letter", between("azAZ"), []byte("kQaezAZx")}
	words   = set{"letter or digit", between("09azAZ"), []byte("kQ70exZ9")}
	printed = set{"printable", between(" ~"), []byte("\"-.#,/ :<[{\\+%'&=;(@")}
	anyByte = set{"byte", between("\x00\xff"), []byte("\xff\x00\n\x80\xc3\t\r\x7f\x01")}
	scalars = set{name: "value"}
)

// between lists the bytes of ranges, given as pairs of their ends.
func between(ends string) (list []byte) {
	for i := 0; i < len(ends); i += 2 {
		for c := int(ends[i]); c <= int(ends[i+1]); c++ {
			list = append(list, byte(c))
		}
	}
	return list
}

// classes are those that hold c.
var classes = [...][]set{
	0: {digits, words, printed, anyByte},
	1: {letters, words, printed, anyByte},
	2: {printed, anyByte},
	3: {anyByte},
}

func classesOf(c byte) []set {
	switch {
	case isDigit(c):
		return classes[0]
	case class(c) == 1:
		return classes[1]
	case ' ' <= c && c <= '~':
		return classes[2]
	}
	return classes[3]
}

func (h *holes) argument(kind input.Kind, span input.Span) {
	if kind.Width() > 0 {
		h.places = append(h.places, place{span.Start, kind.Width(), kind, []set{scalars}, -1, 0})
		return
	}
	for at := span.Start; at < span.End; at++ {
		h.places = append(h.places, place{at, 1, kind, classesOf(h.flat[at]), -1, 0})
	}
}

// each looks at bytes of one class that stand side by side, at first together: where nothing matters, as in padding, one
// run tells.
func (h *holes) each() {
	for from := 0; from < len(h.places) && !h.spent(); {
		to := from + 1
		for to < len(h.places) && h.alike(from, to) {
			to++
		}
		h.widen(from, to, 0)
		from = to
	}
}

func (h *holes) alike(a, b int) bool {
	p, q := &h.places[a], &h.places[b]
	return q.at == h.places[b-1].at+1 && p.width == 1 && q.width == 1 && p.kind == q.kind &&
		(p.kind == input.Bytes || p.kind == input.String) && p.steps[0].name == q.steps[0].name
}

// widen finds out whether the places [from,to), which are of one class at step-1, may be of the class at step.
func (h *holes) widen(from, to, step int) {
	if step == len(h.places[from].steps) || h.spent() {
		return
	}
	h.begin()
	for n := from; n < to; n++ {
		h.put(n, h.places[n].telling(step, n-from, h.flat))
	}
	if h.holds() {
		for n := from; n < to; n++ {
			h.places[n].of = step
		}
		h.widen(from, to, step+1)
		return
	}
	if middle := from + (to-from)/2; middle > from {
		h.widen(from, middle, step)
		h.widen(middle, to, step)
	}
}

// together fills all holes at once, each time with other bytes, and reports whether that was done often enough. A byte in
// whose place a filling fails is narrowed to a class without what stood there.
func (h *holes) together() bool {
	for try := 0; ; {
		open := h.open()
		if len(open) == 0 || try >= h.enough(open) {
			return true
		}
		if h.spent() {
			return try >= minFillings
		}
		if h.fill(open, try) {
			try++
		} else {
			h.narrow(open, try) // and the same again
		}
	}
}

// enough fillings show all that the places' classes hold.
func (h *holes) enough(open []int) int {
	most := enough
	for _, n := range open {
		p := &h.places[n]
		size := 2 * len(ends)
		if p.text() {
			size = len(p.steps[p.of].members)
			for _, s := range p.steps[:p.of+1] {
				size += len(s.telling)
			}
		}
		most = max(most, p.since+size*alikeEvery/(alikeEvery-1)+1)
	}
	return most
}

// open are the places that may be holes.
func (h *holes) open() (open []int) {
	for n := range h.places {
		if h.places[n].of >= 0 {
			open = append(open, n)
		}
	}
	return open
}

func (h *holes) fill(open []int, try int) bool {
	h.begin()
	for _, n := range open {
		h.put(n, h.places[n].filling(n, try))
	}
	return h.holds()
}

// narrow finds, for a filling that failed, a place that makes it fail while those before it are filled and those after it
// are not, and narrows it. Should the budget not suffice, all that are in question are no holes.
func (h *holes) narrow(open []int, try int) {
	passes, fails := 0, len(open) // so many places from the first
	for fails-passes > 1 {
		if h.spent() {
			for _, n := range open[passes:fails] {
				h.places[n].of = -1
			}
			return
		}
		if middle := passes + (fails-passes)/2; h.fill(open[:middle], try) {
			passes = middle
		} else {
			fails = middle
		}
	}
	p := &h.places[open[passes]]
	was := p.filling(open[passes], try)
	p.since = try
	for p.of--; p.of >= 0 && p.steps[p.of].has(was[0]); {
		p.of--
	}
}

func (h *holes) begin() { h.filled = append(h.filled[:0], h.flat...) }

// put writes what is to stand in a place. It takes the width's low bytes.
func (h *holes) put(n int, value [8]byte) {
	p := &h.places[n]
	if p.kind == input.Bool {
		value[0] &= 1
	}
	copy(h.filled[p.at:p.at+p.width], value[:])
}

func (h *holes) holds() bool {
	h.runs++
	return h.test(h.filled)
}

func (h *holes) spent() bool { return h.runs >= h.limit || h.stop != nil && h.stop() }

// telling is what is tried first of a class, and is not what stands there already.
func (p *place) telling(step, salt int, flat []byte) (value [8]byte) {
	if p.text() {
		s := &p.steps[step]
		value[0] = s.telling[salt%len(s.telling)]
		if value[0] == flat[p.at] {
			value[0] = s.telling[(salt+1)%len(s.telling)]
		}
		return value
	}
	value = number(0, salt)
	if p.kind == input.Bool {
		value[0] = flat[p.at] ^ 1
	}
	return value
}

func (p *place) text() bool { return p.kind == input.Bytes || p.kind == input.String }

// filling is what stands in the n-th place in the try-th filling: what the classes hold that tells most, then everything
// that the widest one holds, in another order in each place.
func (p *place) filling(n, try int) (value [8]byte) {
	turn := try - p.since
	if turn%alikeEvery == alikeEvery-1 {
		n, turn = 0, turn/alikeEvery
	} else {
		turn -= turn / alikeEvery
	}
	if !p.text() {
		return number(turn, n)
	}
	shift := int(mix(uint64(n)+1) >> 33)
	for step := p.of; step >= 0; step-- {
		telling := p.steps[step].telling
		if turn < len(telling) {
			value[0] = telling[(turn+shift)%len(telling)]
			return value
		}
		turn -= len(telling)
	}
	members := p.steps[p.of].members
	value[0] = members[(shift+turn*strides[shift%len(strides)])%len(members)]
	return value
}

// strides have no divisor in common with the size of any class, so that every member's turn comes.
var strides = [...]int{7, 11, 17, 23, 29, 37, 41, 43}

// ends are small numbers and the ends of the ranges of all widths, and one, infinity and NaN of both kinds of floats.
var ends = [...]uint64{
	^uint64(0), 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 1<<63 - 1, 1 << 63,
	2, 10, 100, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000001, 0x3f800000, 0x7f800000, 0x7fc00001,
}

// number is the try-th number that is tried in the place of a scalar: the ends, then any.
func number(try, n int) (value [8]byte) {
	x := mix(mix(uint64(try)+1) + uint64(n))
	if shift := int(mix(uint64(n)+1) >> 33); try < len(ends) {
		x = ends[(try+shift)%len(ends)]
	}
	binary.LittleEndian.PutUint64(value[:], x)
	return value
}

// maxPieces is how many holes a range without gaps may be.
const maxPieces = 4

// smooth makes ranges without gaps that fell into many pieces one hole of the class that suits all: where bytes matter only
// together, which of them were narrowed is chance.
func (h *holes) smooth() {
	open := h.open()
	for from := 0; from < len(open); {
		to, pieces := from+1, 1
		for ; to < len(open) && h.adjacent(open[to-1], open[to]); to++ {
			if p, q := &h.places[open[to-1]], &h.places[open[to]]; p.steps[p.of].name != q.steps[q.of].name {
				pieces++
			}
		}
		if pieces > maxPieces {
			h.level(open[from:to])
		}
		from = to
	}
}

func (h *holes) adjacent(a, b int) bool {
	p, q := &h.places[a], &h.places[b]
	return p.text() && q.text() && p.at+1 == q.at
}

// level gives places the narrowest class that one of them has, where they may have it.
func (h *holes) level(places []int) {
	first := &h.places[places[0]]
	narrowest := first.steps[first.of]
	for _, n := range places {
		if p := &h.places[n]; len(p.steps[p.of].members) < len(narrowest.members) {
			narrowest = p.steps[p.of]
		}
	}
	for _, n := range places {
		if step := h.places[n].step(narrowest.name); step >= 0 {
			h.places[n].of = step
		}
	}
}

// step is the index of a class that the place may have, -1 if it may not.
func (p *place) step(name string) int {
	for i := p.of; i >= 0; i-- {
		if p.steps[i].name == name {
			return i
		}
	}
	return -1
}

// list joins places to holes.
func (h *holes) list() (list []Hole) {
	for _, n := range h.open() {
		p := &h.places[n]
		of := p.steps[p.of].name
		if last := len(list) - 1; p.text() && last >= 0 && list[last].End == p.at && list[last].Of == of {
			list[last].End++
			continue
		}
		list = append(list, Hole{p.at, p.at + p.width, of})
	}
	return list
}
