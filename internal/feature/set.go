package feature

import "math/bits"

// Set is a set of 64-bit hashes: open addressing with linear probing, at most three quarters full, eight bytes a
// slot and nothing else. The zero value is empty and ready. Hashes must be well mixed.
//
// A table of each size has its hashes in an order of its own: were it one order for all, adding what another set lists, slot by slot, would fill
// a smaller table from one end, and take quadratic time.
type Set struct {
	slots   []uint64
	n       int
	factor  uint64 // odd; a hash times it has its index in the upper bits
	shift   uint8  // that are left of 64
	hasZero bool   // zero marks an empty slot, so the hash 0 lives here
}

const minSlots = 1 << 10

// Add inserts h and reports whether it was absent.
func (s *Set) Add(h uint64) bool {
	if h == 0 {
		fresh := !s.hasZero
		s.hasZero = true
		return fresh
	}
	if 4*(s.n+1) > 3*len(s.slots) {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	for i := h * s.factor >> s.shift; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			s.n++
			return true
		case h:
			return false
		}
	}
}

// Has reports whether h is in the set.
func (s *Set) Has(h uint64) bool {
	if h == 0 {
		return s.hasZero
	}
	if len(s.slots) == 0 {
		return false
	}
	mask := uint64(len(s.slots) - 1)
	for i := h * s.factor >> s.shift; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case 0:
			return false
		case h:
			return true
		}
	}
}

// Len returns the number of hashes in the set.
func (s *Set) Len() int {
	if s.hasZero {
		return s.n + 1
	}
	return s.n
}

// All calls f with every hash, in an order that depends on nothing but the hashes and the table's size.
func (s *Set) All(f func(uint64)) {
	if s.hasZero {
		f(0)
	}
	for _, h := range s.slots {
		if h != 0 {
			f(h)
		}
	}
}

func (s *Set) grow() {
	old := s.slots
	size := 2 * len(old)
	if size < minSlots {
		size = minSlots
	}
	s.slots = make([]uint64, size)
	s.factor, s.shift = Mix(uint64(size))|1, uint8(64-bits.TrailingZeros(uint(size)))
	mask := uint64(size - 1)
	for _, h := range old {
		if h == 0 {
			continue
		}
		i := h * s.factor >> s.shift
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = h
	}
}

// Mix is the finalizer of splitmix64 (Steele, Lea, Flood 2014): a bijection whose output bits all depend on all
// input bits.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Chain folds x into the ordered hash h. Either may be a small number: the product keeps h apart from x in the upper bits, so that
// Chain(1, 5) is not Chain(0, 6). The factor is one that Steele and Vigna recommend ("Computationally easy, spectrally good
// multipliers", 2021).
func Chain(h, x uint64) uint64 {
	return Mix(h*0xd1342543de82ef95 ^ (x + 0x632be59bd9b4e019))
}

// Clone returns a copy.
func (s *Set) Clone() *Set {
	c := *s
	c.slots = append([]uint64(nil), s.slots...)
	return &c
}
