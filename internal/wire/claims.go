package wire

import (
	"math/bits"
	"sync/atomic"

	"parallax/internal/feature"
)

// Claims is a table that the fuzzing workers of a campaign share, besides each worker's memory. The
// first worker that claims a thing counts it. A program that writes into the table makes counts
// wrong, and nothing else. Two workers may both get a thing if they claim it at the moment a level
// becomes full. The same holds if one of them has forgotten more than the other.
//
// The table grows by levels, so that a small campaign touches little memory. It has a page of
// counts and then the slots of each level.
type Claims struct{ b []byte }

const (
	claimLevels = 5
	claimHead   = 4096
	mostProbes  = 64
	mostTries   = 64 // retries while other workers change the slot
)

// claimSlots returns the number of slots of a level.
func claimSlots(level int) uint64 {
	if level == claimLevels-1 {
		return 1 << 23
	}
	return 1 << (12 + 3*level)
}

// ClaimsSize returns the bytes of a table.
func ClaimsSize() int {
	n := claimHead
	for level := 0; level < claimLevels; level++ {
		n += 8 * int(claimSlots(level))
	}
	return n
}

// NewClaims returns the table in b, which is zero at first, or nil if b is too short. Contract
// relied on: b is page-aligned.
func NewClaims(b []byte) *Claims {
	if len(b) < ClaimsSize() {
		return nil
	}
	return &Claims{b}
}

// Claim claims a thing and reports whether no worker has claimed it before. A thing is a key. Its
// lowest bit also claims a second part of it, and more reports whether no worker has claimed that.
// Without room, Claim reuses the slot of a key that begins with fewer zero bits than level, since
// such keys are not claimed any more. A completely full table grants every claim.
func (c *Claims) Claim(key uint64, level uint8) (first, more bool) {
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
		} // otherwise another worker was faster
	}
	return true, asks != 0
}

// find returns the slot of a thing and its content, or a slot that the thing can use, with the
// count of its level. It returns nil if there is none.
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
					break // it may be in the next level
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

// ClaimsVariable is set in the environment of a worker with a shared table.
const ClaimsVariable = "PARALLAX_CLAIMS"
