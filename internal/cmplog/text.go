package cmplog

import (
	"math/bits"

	"parallax/internal/input"
)

// place is the place of an operand in a view, and its form there.
type place struct {
	view, from, to int32 // the offsets are relative to the view
	form           form
	width          uint8 // of the form
	cost           uint8 // higher means a likelier coincidence; logarithmic
}

// maxPlaces limits the places of one operand in one form.
const maxPlaces = 64

// maxEvery limits the places that a patch changes at once.
const maxEvery = 16

// log2 returns the binary logarithm of n > 0, rounded down.
func log2(n int) int { return bits.Len(uint(n)) - 1 }

// placeSet is a range of Solver.places, which grows during a call.
type placeSet struct{ lo, hi int }

func (p placeSet) len() int { return p.hi - p.lo }

func (s *Solver) placesIn(p placeSet) []place { return s.places[p.lo:p.hi] }

// findText returns the places of a string. If there are none, it ignores letter case.
func (s *Solver) findText(x string) placeSet {
	set, known := s.texts[x]
	if !known {
		set.lo = len(s.places)
		s.pattern = append(s.pattern[:0], x...)
		s.addText(s.pattern, s.hay.search(s.pattern, false, maxPlaces), 0)
		if set.lo == len(s.places) {
			s.addText(s.pattern, s.hay.search(s.pattern, true, maxPlaces), 1)
		}
		set.hi = len(s.places)
		sortPlaces(s.places[set.lo:set.hi], func(a, b *place) bool { return a.cost < b.cost })
		s.texts[x] = set
	}
	return set
}

// sortPlaces is a stable sort for few places, which mostly are in order.
func sortPlaces(p []place, less func(a, b *place) bool) {
	for i := 1; i < len(p); i++ {
		for j := i; j > 0 && less(&p[j], &p[j-1]); j-- {
			p[j], p[j-1] = p[j-1], p[j]
		}
	}
}

func (s *Solver) addText(x []byte, found []int32, extra int) {
	if len(found) == 0 {
		return
	}
	cost := textCost(len(x)) + log2(len(found)) + extra
	h := &s.hay
	for _, f := range found {
		i, j := int(f), int(f)+len(x)
		n := h.viewAt(i, j)
		if n < 0 || h.views[n].kind == input.Bool {
			continue
		}
		v := &h.views[n]
		c := cost
		switch {
		case i == v.start && j == v.end && !v.fixed:
			c -= 3
		case i > v.start && j < v.end && h.text[i-1] == '"' && h.text[j] == '"':
			c -= 2
		case i > v.start && isWord(h.text[i-1]) && isWord(x[0]), j < v.end && isWord(h.text[j]) && isWord(x[len(x)-1]):
			c++
		}
		s.places = append(s.places, place{
			view: int32(n), from: int32(i - v.start), to: int32(j - v.start), form: asText, cost: uint8(max(c, 0)),
		})
	}
}

// textCost rates the likelihood that text of n bytes is a coincidence.
func textCost(n int) int {
	switch {
	case n >= 8:
		return 0
	case n >= 4:
		return 1
	case n == 3:
		return 2
	case n == 2:
		return 3
	}
	return 5
}

func isWord(c byte) bool { return byteClass[c]&(digit|letter) != 0 || c >= 0x80 || c == '_' }

// findPart returns the longest part of x, of at least four bytes, that is in a view: x[from:to].
func (s *Solver) findPart(x string) (p place, from, to int) {
	const gram, tries = 4, 32
	h := &s.hay
	s.pattern = append(s.pattern[:0], x...)
	step := max(len(x)/tries, 1)
	for k := 0; k+gram <= len(x); k += step {
		if k < to {
			continue // inside the best part
		}
		for _, f := range h.search(s.pattern[k:k+gram], false, 4) {
			n := h.viewAt(int(f), int(f)+gram)
			if n < 0 || h.views[n].fixed {
				continue
			}
			v := &h.views[n]
			i, j := k, k+gram
			at, end := int(f), int(f)+gram
			for i > 0 && at > v.start && h.text[at-1] == x[i-1] {
				i, at = i-1, at-1
			}
			for j < len(x) && end < v.end && h.text[end] == x[j] {
				j, end = j+1, end+1
			}
			if j-i > to-from {
				from, to = i, j
				p = place{view: int32(n), from: int32(at - v.start), to: int32(end - v.start), form: asText, cost: uint8(textCost(j - i))}
			}
		}
	}
	return p, from, to
}
