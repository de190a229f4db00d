package wire

// Claims is a table that the fuzzing workers of a campaign share, beside the memory of each: of what only one of them is to count, the
// first to find it takes it. It is no more than that: a program that writes into it makes a count wrong, and nothing else. When two take the same
// thing in the moment in which a level is full, both may get it.
//
// It grows by levels, so that a small campaign touches little memory: a page of counts, and then the slots of each level.
type Claims struct{ b []byte }

const (
	claimLevels = 5
	claimHead   = 4096
	mostProbes  = 64
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

// Take reports whether nobody has taken a thing, given by a hash that is well mixed, and takes it. A table that is full gives to everybody.
func (c *Claims) Take(hash uint64) bool {
	if hash == 0 {
		hash = 1
	}
	first := claimHead
	for level := 0; level < claimLevels; level++ {
		size := claimSlots(level)
		used := wordAt(c.b, 8*level)
		open := used.Load() < size/4*3
		for probe := uint64(0); probe < mostProbes; probe++ {
			slot := wordAt(c.b, first+8*int((hash+probe)&(size-1)))
			had := slot.Load()
			if had == 0 && open && slot.CompareAndSwap(0, hash) {
				used.Add(1)
				return true
			}
			if had == 0 && open {
				had = slot.Load() // somebody was quicker
			}
			if had == hash {
				return false
			}
			if had == 0 {
				break
			}
		}
		first += 8 * int(size)
	}
	return true
}

// ClaimsVariable is set in the environment of a worker that is given a table.
const ClaimsVariable = "PARALLAX_CLAIMS"
