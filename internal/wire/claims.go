package wire

import (
	"math/bits"
	"sync/atomic"

	"parallax/internal/feature"
)

// Claims is a table that the fuzzing workers of a campaign share, beside the memory of each: of what only one of them is to count, the
// first to find it takes it. It is no more than that: a program that writes into it makes a count wrong, and nothing else. When two take the same
// thing in the moment in which a level is full, or one of them has forgotten more than the other, both may get it.
//
// It grows by levels, so that a small campaign touches little memory: a page of counts, and then the slots of each level.
type Claims struct{ b []byte }

const (
	claimLevels = 5
	claimHead   = 4096
	mostProbes  = 64
	mostTries   = 64 // of one that others are quicker than, again and again
)

// claimSlots is how many slots a level has.
func claimSlots(level int) uint64 {
	if level == claimLevels-1 {
		return 1 << 23
	}
	return 1 << (12 + 3*level)
}

// ClaimsSize is the bytes of a table.
func ClaimsSize() int {
	n := claimHead
	for level := 0; level < claimLevels; level++ {
		n += 8 * int(claimSlots(level))
	}
	return n
}

// NewClaims returns the table in b, which is zero at first; nil if it is none. Contract relied on: b begins at a page.
func NewClaims(b []byte) *Claims {
	if len(b) < ClaimsSize() {
		return nil
	}
	return &Claims{b}
}

// Take takes a thing and reports whether nobody has taken it before. A thing is a key, and its lowest bit asks for something more of it, which
// is taken by itself: more reports whether nobody has taken that. Where there is no room left, a slot is given away whose key begins with fewer zero
// bits than level: nobody asks for such a thing any more. A table that is full nevertheless gives to everybody.
func (c *Claims) Take(key uint64, level uint8) (first, more bool) {
	asks := key & 1
	if key &^= 1; key == 0 {
		key = 2
	}
	at := feature.Mix(key)
	for try := 0; try < mostTries; try++ {
		slot, used, had := c.find(key, at, level)
		switch {
		case slot == nil:
			return true, asks != 0
		case had&^1 != key:
			if slot.CompareAndSwap(had, key|asks) {
				if had == 0 {
					used.Add(1)
				}
				return true, asks != 0
			}
		case asks == 0 || had&1 != 0:
			return false, false
		case slot.CompareAndSwap(had, had|1):
			return false, true
		} // otherwise somebody was quicker
	}
	return true, asks != 0
}

// find returns the slot of a thing and what it has, or one that the thing can have, with the count of its level; nil if there is none.
func (c *Claims) find(key, at uint64, level uint8) (free, count *atomic.Uint64, left uint64) {
	first := claimHead
	for l := 0; l < claimLevels; l++ {
		size := claimSlots(l)
		used := wordAt(c.b, 8*l)
		for probe := uint64(0); probe < mostProbes; probe++ {
			slot := wordAt(c.b, first+8*int((at+probe)&(size-1)))
			had := slot.Load()
			if had&^1 == key {
				return slot, used, had
			}
			if had == 0 {
				if used.Load() >= size/4*3 {
					break // it may be in the next
				}
				if free == nil {
					free, count = slot, used
				}
				return free, count, left
			}
			if free == nil && bits.LeadingZeros64(had) < int(level) {
				free, count, left = slot, used, had
			}
		}
		first += 8 * int(size)
	}
	return free, count, left
}

// ClaimsVariable is set in the environment of a worker that is given a table.
const ClaimsVariable = "PARALLAX_CLAIMS"
