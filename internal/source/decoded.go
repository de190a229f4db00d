package source

import "parallax/internal/tape"

// decodedTapes caches decoded seeds, since a schedule chooses few of them repeatedly.
type decodedTapes struct {
	slots [decodedSlots]decodedTape
	spare [2]tape.Coded // for seeds without a slot
}

type decodedTape struct {
	seed int // index of the seed plus one; 0 means none
	tape tape.Coded
}

// The decoded form takes up to 68 bytes per choice, and the encoded form at least two. So the cache
// takes at most 70 MB, if all seeds are as large as possible.
const (
	decodedSlots = 256
	decodedBytes = 8 << 10 // largest encoded tape with a slot
)

// get returns a decoded seed of the corpus, or nil if it is not a tape. Inputs of the corpus never
// change. The call may overwrite tapes that it returned earlier, except busy.
func (d *decodedTapes) get(corpus Corpus, seed int, busy *tape.Coded) *tape.Coded {
	slot := &d.slots[seed%decodedSlots]
	if slot.seed == seed+1 {
		return &slot.tape
	}
	to := &slot.tape
	switch {
	case len(corpus[seed]) <= decodedBytes && to != busy:
		slot.seed = 0
	case &d.spare[0] != busy:
		to, slot = &d.spare[0], nil
	default:
		to, slot = &d.spare[1], nil
	}
	if to.Decode(corpus[seed]) != nil {
		return nil
	}
	if slot != nil {
		slot.seed = seed + 1
	}
	return to
}
