package source

import "parallax/internal/tape"

// decodedTapes holds seeds as they were decoded: a schedule chooses few of them again and again.
type decodedTapes struct {
	slots [decodedSlots]decodedTape
	spare [2]tape.Coded // of seeds that have no slot
}

type decodedTape struct {
	seed int // and one; 0: none
	tape tape.Coded
}

// The decoded form takes up to 68 bytes a choice, and the encoded one two at least: there are 70 MB at most, where all seeds are as large as can be.
const (
	decodedSlots = 256
	decodedBytes = 8 << 10 // of an encoded tape that has a slot
)

// get is a seed of the corpus, whose inputs never change; nil if it is no tape. What was got before may be another tape then, but for busy.
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
