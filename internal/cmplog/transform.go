package cmplog

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
)

// The functions below handle strings that are not literally in the input. The program cut them,
// surrounded them, encoded them, or formatted a number. The wanted string is transformed back in
// the same way. Each function reports whether it found a place.

// replaceEnd searches for the start or the end of x, for comparisons of a prefix or suffix.
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

// replaceCore searches for the part of x that differs from y. The program may have added the common
// rest.
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

// replaceDecoded searches for the decoded form of x, since the program may encode before it
// compares.
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

// replaceSpelled searches for the number that x spells.
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

// replacePart replaces the longest part of x that is in the input.
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
