package cmplog

import "math/bits"

// solveNumbers offers replacements that change the result of a comparison of integers.
func (s *Solver) solveNumbers(op *Comparison, site int32, room int) {
	width := op.Width
	if width > 8 || bits.OnesCount8(width) != 1 {
		width = 8
	}
	a, b := number{op.A, width, op.Signed}.normal(), number{op.B, width, op.Signed}.normal()
	if !op.ConstA && !op.ConstB {
		s.findLength(a, b)
		s.findLength(b, a)
	}
	if a == b && op.Kind != IntOrder {
		return
	}
	if op.ConstA {
		s.tokens.number(a.value, int(width), op.Signed)
	}
	if op.ConstB {
		s.tokens.number(b.value, int(width), op.Signed)
	}
	forward := task{op: op, site: site, room: room, constant: op.ConstB}
	backward := task{op: op, site: site, room: room, constant: op.ConstA, backward: true}
	if !op.ConstA && !op.ConstB {
		forward.room, backward.room = (room+1)/2, room/2
		forward.cost, backward.cost = 2, 3
	}
	if !op.ConstA {
		s.reach(&forward, a, b)
	}
	if !op.ConstB {
		s.reach(&backward, b, a)
	}
}

// normal sets the unused high bits to zeros or to the sign.
func (n number) normal() number {
	unused := 64 - 8*int(n.width)
	if n.signed {
		n.value = uint64(int64(n.value<<unused) >> unused)
	} else {
		n.value = n.value << unused >> unused
	}
	return n
}

// plus returns the number plus d. It reports false if the sum is beyond the type.
func (n number) plus(d int64) (number, bool) {
	m := n
	m.value += uint64(d)
	if m != m.normal() || n.signed && (int64(m.value) > int64(n.value)) != (d > 0) || !n.signed && (m.value > n.value) != (d > 0) {
		return n, false
	}
	return m, true
}

func (n number) less(m number) bool {
	if n.signed {
		return int64(n.value) < int64(m.value)
	}
	return n.value < m.value
}

// want is a value for x.
type want struct {
	number
	cost int
}

// wants returns the n values of x that change the result of the comparison with y, for any
// operator.
func wants(k Kind, x, y number) (w [3]want, n int) {
	add := func(d int64, cost int) {
		if m, ok := y.plus(d); ok {
			w[n] = want{m, cost}
			n++
		}
	}
	switch {
	case k != IntOrder:
		w[0] = want{y, 0}
		return w, 1
	case x == y:
		add(1, 0)
		add(-1, 0)
		return w, n
	}
	w[0], n = want{y, 0}, 1
	side := int64(1)
	if y.less(x) {
		side = -1
	}
	add(side, 0)
	add(-side, 3) // as near as may be, on the side where it is
	return w, n
}

// reach offers to give x the wanted values where it is likely written, and where it is a length.
// Last come places of an equal byte or digit, which may be coincidences.
func (s *Solver) reach(t *task, x, y number) {
	limit := maxPlaces
	if !t.constant {
		limit = maxPlaces / 8
	}
	all, n := wants(t.op.Kind, x, y)
	for _, w := range all[:n] {
		t.cost += w.cost
		s.replaceNumber(t, x, w.number, 0, limit, true)
		s.resize(t, x, w.number)
		t.cost -= w.cost
	}
	last := 0
	if t.op.Kind == IntOrder {
		last = min(1, n-1) // beyond y
		// Character classes and loops cause floods of offers; one value is enough.
		limit, n = min(limit, maxPlaces/8), 1
	}
	for _, w := range all[:n] {
		s.replaceNumber(t, x, w.number, 0, limit, false)
	}
	if t.constant && x.value == 0 && y.value > 1 {
		s.replaceNothing(t, all[last].number)
	}
}

// isWeak is the cost from which a place is likely a coincidence: one byte, or a digit.
const isWeak = 4

// replaceNumber offers to write y in the places of x: the likely ones, or the others.
func (s *Solver) replaceNumber(t *task, x, y number, way uint64, limit int, strong bool) {
	if x == y {
		return
	}
	known := t.known
	if !strong {
		// A variable found in more than one byte, such as a checksum, differs each time. One byte
		// is noise.
		way |= keyWeak
		t.known = !t.constant
	}
	for places := s.findNumber(x); places.len() > 0 && t.room > 0; {
		form := s.places[places.lo].form
		middle := places.lo
		for middle < places.hi && s.places[middle].form == form && s.places[middle].cost < isWeak {
			middle++
		}
		end := middle
		for end < places.hi && s.places[end].form == form {
			end++
		}
		part := placeSet{middle, end}
		if strong {
			part = placeSet{places.lo, middle}
		}
		if part.len() > 0 && s.open(t, uint64(form)|way, y.value) {
			s.offerNumber(t, part, x, y, limit)
		}
		places.lo = end
	}
	t.known = known
}

func (s *Solver) offerNumber(t *task, places placeSet, x, y number, limit int) {
	first := s.places[places.lo]
	weak := first.cost >= isWeak
	joins := t.constant && t.op.Kind != IntOrder && !weak
	if n := places.len(); n > 1 && n <= maxEvery && !weak {
		s.put(t, offer{from: int32(places.lo), to: int32(places.hi), every: true, form: first.form, was: x, number: y}, int(first.cost))
	}
	s.rotated(t, places, limit, func(p place) {
		f, ok := s.formFor(p, x, y)
		if !ok {
			return
		}
		c := int(p.cost)
		if weak && (t.op.Kind == IntOrder || t.op.Kind == Lookup && y.width == 8 && y.value < 256) {
			c += 2 // a class of characters, an enumeration
		}
		o := offer{view: p.view, from: p.from, to: p.to, form: f, width: p.width, number: y, joins: joins}
		s.put(t, o, c)
		if p.form == littleEndian && p.width == 1 && f == p.form && y.width == 4 && y.value >= 0x80 && y.signed {
			o.form = utf8Rune // a byte fits as well
			s.put(t, o, c)
		}
	})
}
