package minimize

import (
	"encoding/binary"
	"slices"

	"parallax/internal/input"
)

// Hole is a range of bytes of a flat input that can hold other values of one class. The test still
// held for every value that was tried.
type Hole struct {
	Start, End int
	Of         string // class that was tried: "byte", "digit", "letter", "letter or digit", "printable"; "value" for a scalar
}

// Holes returns the bytes of flat that do not matter to test, which must hold for flat. They are
// the input's general form. Each byte is first replaced by others of its own class, and then by
// bytes of wider classes. Then all holes are filled at once, several times, with other bytes each
// time. A byte whose filling makes the test fail gets a narrower class or is no hole.
//
// Holes calls test at most budget times, and stop before each call. If the budget ends before
// minFillings joint fillings, there are no holes. The same test gives the same holes.
//
// A hole has one class, and its bytes in flat belong to that class. Adjacent bytes of one class
// form one hole.
func Holes(shape input.Shape, flat []byte, budget int, stop func() bool, test func(flat []byte) bool) []Hole {
	if shape.Check(flat) != nil {
		return nil
	}
	h := holes{flat: flat, stop: stop, test: test}
	for i, span := range shape.Spans(nil, flat) {
		h.argument(shape[i], span)
	}
	if len(h.places) == 0 {
		return nil
	}
	h.limit = budget / 2 // the other half is for joint fillings
	h.widenRuns()
	h.limit = budget
	if !h.fillTogether() {
		return nil
	}
	h.smooth()
	return h.list()
}

const (
	// minFillings is the number of joint fillings that must pass before holes are reported. A byte
	// that breaks one filling in ten passes that many in one case of five.
	minFillings = 16
	// baseFillings is the least number of fillings if the budget suffices, since some bytes matter
	// only together.
	baseFillings = 32
	// alikeEvery is the period of the fillings that put the same byte into all places of a class.
	alikeEvery = 8
)

// holes holds the state of a search for holes.
type holes struct {
	flat   []byte
	places []place
	limit  int // of runs, for the current stage
	runs   int
	stop   func() bool
	test   func([]byte) bool
	filled []byte // current candidate
}

// place holds one byte of a text, or one scalar.
type place struct {
	at, width  int
	kind       input.Kind
	classes    []byteClass // classes that hold the present value, narrow before wide
	widest     int         // index in classes of the widest one that passed, -1 if the present value matters
	narrowedAt int         // number of fillings when the class was last narrowed
}

// byteClass holds a class of bytes.
type byteClass struct {
	name    string
	members []byte
	probes  []byte // a few that narrower classes lack and that many parsers treat specially, tried first
}

func (s *byteClass) has(c byte) bool {
	return slices.Contains(s.members, c)
}

var (
	digitClass     = byteClass{"digit", between("09"), []byte("719032")}
	letterClass    = byteClass{"letter", between("azAZ"), []byte("kQaezAZx")}
	alnumClass     = byteClass{"letter or digit", between("09azAZ"), []byte("kQ70exZ9")}
	printableClass = byteClass{"printable", between(" ~"), []byte("\"-.#,/ :<[{\\+%'&=;(@")}
	anyClass       = byteClass{"byte", between("\x00\xff"), []byte("\xff\x00\n\x80\xc3\t\r\x7f\x01")}
	valueClass     = byteClass{name: "value"}
)

// between lists the bytes of ranges. ends holds the two ends of each range.
func between(ends string) (list []byte) {
	for i := 0; i < len(ends); i += 2 {
		for c := int(ends[i]); c <= int(ends[i+1]); c++ {
			list = append(list, byte(c))
		}
	}
	return list
}

// classes holds, per kind of byte, the classes that contain it.
var classes = [...][]byteClass{
	0: {digitClass, alnumClass, printableClass, anyClass},
	1: {letterClass, alnumClass, printableClass, anyClass},
	2: {printableClass, anyClass},
	3: {anyClass},
}

func classesOf(c byte) []byteClass {
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
		h.places = append(h.places, place{span.Start, kind.Width(), kind, []byteClass{valueClass}, -1, 0})
		return
	}
	for at := span.Start; at < span.End; at++ {
		h.places = append(h.places, place{at, 1, kind, classesOf(h.flat[at]), -1, 0})
	}
}

// widenRuns widens runs of adjacent bytes of one class, a whole run first. Where nothing matters,
// as in padding, one test per class suffices.
func (h *holes) widenRuns() {
	for from := 0; from < len(h.places) && !h.spent(); {
		to := from + 1
		for to < len(h.places) && h.sameRun(from, to) {
			to++
		}
		h.widen(from, to, 0)
		from = to
	}
}

func (h *holes) sameRun(a, b int) bool {
	p, q := &h.places[a], &h.places[b]
	return q.at == h.places[b-1].at+1 && p.width == 1 && q.width == 1 && p.kind == q.kind &&
		(p.kind == input.Bytes || p.kind == input.String) && p.classes[0].name == q.classes[0].name
}

// widen finds which of the places [from,to) may have the class at step. All of them may have the
// class at step-1.
func (h *holes) widen(from, to, step int) {
	if step == len(h.places[from].classes) || h.spent() {
		return
	}
	h.reset()
	for n := from; n < to; n++ {
		h.put(n, h.places[n].probe(step, n-from, h.flat))
	}
	if h.holds() {
		for n := from; n < to; n++ {
			h.places[n].widest = step
		}
		h.widen(from, to, step+1)
		return
	}
	if middle := from + (to-from)/2; middle > from {
		h.widen(from, middle, step)
		h.widen(middle, to, step)
	}
}

// fillTogether fills all holes at once, each time with other bytes. It reports whether enough
// fillings passed. A place that makes a filling fail is narrowed to a class without the byte that
// failed.
func (h *holes) fillTogether() bool {
	for try := 0; ; {
		open := h.open()
		if len(open) == 0 || try >= h.fillingsNeeded(open) {
			return true
		}
		if h.spent() {
			return try >= minFillings
		}
		if h.fill(open, try) {
			try++
		} else {
			h.narrow(open, try) // the same filling again
		}
	}
}

// fillingsNeeded returns how many fillings show every member of the open places' classes.
func (h *holes) fillingsNeeded(open []int) int {
	most := baseFillings
	for _, n := range open {
		p := &h.places[n]
		size := 2 * len(ends)
		if p.text() {
			size = len(p.classes[p.widest].members)
			for _, s := range p.classes[:p.widest+1] {
				size += len(s.probes)
			}
		}
		most = max(most, p.narrowedAt+size*alikeEvery/(alikeEvery-1)+1)
	}
	return most
}

// open returns the indices of the places that may still be holes.
func (h *holes) open() (open []int) {
	for n := range h.places {
		if h.places[n].widest >= 0 {
			open = append(open, n)
		}
	}
	return open
}

func (h *holes) fill(open []int, try int) bool {
	h.reset()
	for _, n := range open {
		h.put(n, h.places[n].filling(n, try))
	}
	return h.holds()
}

// narrow narrows the first place that makes a failed filling fail. Places before it can be filled
// without failing. If the budget ends first, all places still in question are no holes.
func (h *holes) narrow(open []int, try int) {
	passes, fails := 0, len(open) // numbers of places filled, from the first
	for fails-passes > 1 {
		if h.spent() {
			for _, n := range open[passes:fails] {
				h.places[n].widest = -1
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
	p.narrowedAt = try
	for p.widest--; p.widest >= 0 && p.classes[p.widest].has(was[0]); {
		p.widest--
	}
}

func (h *holes) reset() { h.filled = append(h.filled[:0], h.flat...) }

// put writes the low bytes of value into place n.
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

// probe returns the first value that is tried from a class. It differs from the present value.
func (p *place) probe(step, salt int, flat []byte) (value [8]byte) {
	if p.text() {
		s := &p.classes[step]
		value[0] = s.probes[salt%len(s.probes)]
		if value[0] == flat[p.at] {
			value[0] = s.probes[(salt+1)%len(s.probes)]
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

// filling returns the value of the n-th place in the try-th filling. The classes' probes come
// first, then all members of the widest class, in another order in each place.
func (p *place) filling(n, try int) (value [8]byte) {
	turn := try - p.narrowedAt
	if turn%alikeEvery == alikeEvery-1 {
		n, turn = 0, turn/alikeEvery
	} else {
		turn -= turn / alikeEvery
	}
	if !p.text() {
		return number(turn, n)
	}
	shift := int(mix(uint64(n)+1) >> 33)
	for step := p.widest; step >= 0; step-- {
		telling := p.classes[step].probes
		if turn < len(telling) {
			value[0] = telling[(turn+shift)%len(telling)]
			return value
		}
		turn -= len(telling)
	}
	members := p.classes[p.widest].members
	value[0] = members[(shift+turn*strides[shift%len(strides)])%len(members)]
	return value
}

// strides share no divisor with the size of any class, so that every member is used.
var strides = [...]int{7, 11, 17, 23, 29, 37, 41, 43}

// ends holds small numbers, the ends of the ranges of all widths, and 1, infinity and NaN of both
// float widths.
var ends = [...]uint64{
	^uint64(0), 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 1<<63 - 1, 1 << 63,
	2, 10, 100, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff8000000000001, 0x3f800000, 0x7f800000, 0x7fc00001,
}

// number returns the try-th value for a scalar: first the ends, then pseudo-random numbers.
func number(try, n int) (value [8]byte) {
	x := mix(mix(uint64(try)+1) + uint64(n))
	if shift := int(mix(uint64(n)+1) >> 33); try < len(ends) {
		x = ends[(try+shift)%len(ends)]
	}
	binary.LittleEndian.PutUint64(value[:], x)
	return value
}

// maxPieces bounds the holes that a range without gaps may be split into.
const maxPieces = 4

// smooth turns a range that has more than maxPieces holes and no gaps into one hole. Its class
// suits all places. Where bytes matter only together, chance decides which of them were narrowed.
func (h *holes) smooth() {
	open := h.open()
	for from := 0; from < len(open); {
		to, pieces := from+1, 1
		for ; to < len(open) && h.adjacent(open[to-1], open[to]); to++ {
			if p, q := &h.places[open[to-1]], &h.places[open[to]]; p.classes[p.widest].name != q.classes[q.widest].name {
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

// level gives all places the narrowest class that one of them has, where they may have it.
func (h *holes) level(places []int) {
	first := &h.places[places[0]]
	narrowest := first.classes[first.widest]
	for _, n := range places {
		if p := &h.places[n]; len(p.classes[p.widest].members) < len(narrowest.members) {
			narrowest = p.classes[p.widest]
		}
	}
	for _, n := range places {
		if step := h.places[n].classIndex(narrowest.name); step >= 0 {
			h.places[n].widest = step
		}
	}
}

// classIndex returns the index of a class that the place may have, or -1.
func (p *place) classIndex(name string) int {
	for i := p.widest; i >= 0; i-- {
		if p.classes[i].name == name {
			return i
		}
	}
	return -1
}

// list joins adjacent places into holes.
func (h *holes) list() (list []Hole) {
	for _, n := range h.open() {
		p := &h.places[n]
		of := p.classes[p.widest].name
		if last := len(list) - 1; p.text() && last >= 0 && list[last].End == p.at && list[last].Of == of {
			list[last].End++
			continue
		}
		list = append(list, Hole{p.at, p.at + p.width, of})
	}
	return list
}
