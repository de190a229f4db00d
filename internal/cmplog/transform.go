package cmplog

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

// Strings that do not stand in the input as they are: the program cut them, put something around them, encoded them or made
// them of a number. They are replaced by what the wanted string comes from in the same way. Each of these functions reports whether
// it found something.

// replaceEnd looks for the start of x, or its end, where that is all that the comparison is about.
func (s *Solver) replaceEnd(t *task, x, y string) bool {
	if t.backward || t.op.Kind != Prefix && t.op.Kind != Suffix {
		return false
	}
	for _, n := range [...]int{64, 16, 8, 4} {
		if n >= len(x) {
			continue
		}
		part := x[:n]
		if t.op.Kind == Suffix {
			part = x[len(x)-n:]
		}
		if places := s.findText(part); places.len() > 0 {
			t.cost++
			s.offerText(t, places, part, y)
			return true
		}
	}
	return false
}

// replaceCore looks for what of x is not common with y: the rest was put around it.
func (s *Solver) replaceCore(t *task, x, y string) bool {
	n := min(len(x), len(y))
	a, b := 0, 0
	for a < n && x[a] == y[a] {
		a++
	}
	for b < n-a && x[len(x)-1-b] == y[len(y)-1-b] {
		b++
	}
	x, y = x[a:len(x)-b], y[a:len(y)-b]
	if a+b == 0 || x == "" {
		return false
	}
	places := s.findText(x)
	if places.len() == 0 {
		return false
	}
	t.cost += 2
	s.offerPlaces(t, keyCore, places, y)
	return true
}

// replaceDecoded looks for what x is the encoding of: the program may encode before it compares.
func (s *Solver) replaceDecoded(t *task, x, y string) bool {
	for _, decode := range decoders {
		dx, err := decode(x)
		if err != nil || len(dx) < 2 {
			continue
		}
		dy, err := decode(y)
		if err != nil {
			continue
		}
		if places := s.findText(string(dx)); places.len() > 0 {
			t.cost++
			s.offerPlaces(t, keyDecoded, places, string(dy))
			return true
		}
	}
	return false
}

var decoders = [...]func(string) ([]byte, error){
	hex.DecodeString,
	base64.StdEncoding.DecodeString,
	base64.RawURLEncoding.DecodeString,
	func(s string) ([]byte, error) {
		q, err := strconv.Unquote(s)
		return []byte(q), err
	},
	func(s string) ([]byte, error) { return reversed(s), nil },
}

func reversed(s string) []byte {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// replaceSpelled looks for the number that x spells.
func (s *Solver) replaceSpelled(t *task, x, y string) bool {
	a, err := strconv.ParseInt(x, 10, 64)
	if err != nil {
		return false
	}
	b, err := strconv.ParseInt(y, 10, 64)
	if err != nil {
		return false
	}
	before := len(s.offers)
	from, to := number{value: uint64(a), width: 8, signed: true}, number{value: uint64(b), width: 8, signed: true}
	s.replaceNumber(t, from, to, keySpelled<<8, maxPlaces/8, true)
	s.replaceNumber(t, from, to, keySpelled<<8, maxPlaces/8, false)
	return len(s.offers) > before
}

// replacePart replaces the longest part of x that stands in the input.
func (s *Solver) replacePart(t *task, x, y string) {
	p, from, to := s.findPart(x)
	if to == 0 || !s.open(t, keyPart, mixText(0, y)) {
		return
	}
	c := int(p.cost) + 3
	s.putText(t, p.view, p.from, p.to, y, c, false)
	if len(x) == len(y) {
		s.putText(t, p.view, p.from, p.to, y[from:to], c, false)
	}
}
