package feature

import "math/bits"

// Hashes is a bounded table of 64-bit hashes: open addressing with linear probing, at most three quarters full, eight bytes a slot. It
// is what sets of features and of traces have in common (Set, diversity.Traces). Hashes must be well mixed. The upper bits of a slot
// are a hash, by a mask that whoever uses the table gives; the lower ones are the user's. A slot in use is not zero.
//
// When it holds as many as it may, the table becomes a sample: it forgets the hashes in the upper half of what it accepts, and accepts
// no more of these. Of all hashes it then holds one in two, in four and so on: those that begin with as many zero bits as its level.
// Which ones it holds depends on nothing but the hashes that it was given, whatever their order.
//
// A table of each size has its hashes in an order of its own: were it one order for all, adding what another one lists, slot by slot,
// would fill a smaller table from one end, and take quadratic time.
type Hashes struct {
	slots  []uint64
	n      int
	factor uint64 // odd; a hash times it has its index in the upper bits
	shift  uint8  // that are left of 64
	level  uint8
	moves  int // how often hashes have changed their slots
}

const (
	minSlots = 1 << 10
	maxLevel = 32
)

// Len is how many hashes the table holds.
func (t *Hashes) Len() int { return t.n }

// Level is with how many zero bits the hashes begin that the table accepts.
func (t *Hashes) Level() uint8 { return t.level }

// Weight is how many hashes one of the table stands for: 1 until it is a sample.
func (t *Hashes) Weight() int { return 1 << t.level }

// Accepts reports whether the table is one for the hash.
func (t *Hashes) Accepts(hash uint64) bool { return hash>>(64-t.level) == 0 }

// Slot returns the slot that has a hash, or the free one where it belongs. Whoever fills that calls Filled.
func (t *Hashes) Slot(hash, mask uint64) *uint64 {
	if 4*(t.n+1) > 3*len(t.slots) {
		t.grow(max(2*len(t.slots), minSlots), mask)
	}
	last := uint64(len(t.slots) - 1)
	for i := hash * t.factor >> t.shift; ; i = (i + 1) & last {
		if s := &t.slots[i]; *s == 0 || *s&mask == hash {
			return s
		}
	}
}

// Filled counts a slot that Slot has returned and that was free.
func (t *Hashes) Filled() { t.n++ }

// Has reports whether the table has a hash.
func (t *Hashes) Has(hash, mask uint64) bool {
	if len(t.slots) == 0 {
		return false
	}
	last := uint64(len(t.slots) - 1)
	for i := hash * t.factor >> t.shift; t.slots[i] != 0; i = (i + 1) & last {
		if t.slots[i]&mask == hash {
			return true
		}
	}
	return false
}

// All calls f with every slot in use, in an order that depends on nothing but what the table was given.
func (t *Hashes) All(f func(slot uint64)) {
	for _, s := range t.slots {
		if s != 0 {
			f(s)
		}
	}
}

// Page appends slots in use to a list, as long as that has room, beginning with the slot of a number. It returns the number with which
// to go on, -1 at the end. When Moves has changed meanwhile, the pages begin anew.
func (t *Hashes) Page(at int, to []uint64) (page []uint64, next int) {
	for ; at < len(t.slots); at++ {
		if len(to) == cap(to) {
			return to, at
		}
		if s := t.slots[at]; s != 0 {
			to = append(to, s)
		}
	}
	return to, -1
}

// Moves is how often hashes have changed their slots.
func (t *Hashes) Moves() int { return t.moves }

// Thin makes the table a sample, or a smaller one, until it holds fewer than limit.
func (t *Hashes) Thin(limit int, mask uint64) {
	for t.n >= limit && t.level < maxLevel {
		t.Raise(t.level+1, mask)
	}
}

// Raise has the table accept only hashes that begin with as many zero bits, and forget the others. It needs no memory.
func (t *Hashes) Raise(level uint8, mask uint64) {
	if level <= t.level || level > maxLevel {
		return
	}
	t.level = level
	if len(t.slots) == 0 {
		return
	}
	t.moves++
	last := len(t.slots) - 1
	start := 0
	for t.slots[start] != 0 { // there is a free slot
		start++
	}
	t.n = 0
	// From a free slot on, each hash goes back to where it belongs: what stood before it in its way has done so already.
	for k := 1; k <= last; k++ {
		i := (start + k) & last
		s := t.slots[i]
		if s == 0 {
			continue
		}
		t.slots[i] = 0
		if t.Accepts(s) {
			t.place(s, mask)
		}
	}
}

// Bytes bounds the memory that the table takes: with the one that it has outgrown, which stays until the garbage is collected, and with
// the next one, if it can grow before it holds limit.
func (t *Hashes) Bytes(limit int) int {
	if 4*limit > 3*len(t.slots) {
		return 8 * (len(t.slots) + max(2*len(t.slots), minSlots))
	}
	return 8 * (len(t.slots) + len(t.slots)/2)
}

// Clone returns a copy.
func (t *Hashes) Clone() Hashes {
	c := *t
	c.slots = append([]uint64(nil), t.slots...)
	return c
}

func (t *Hashes) grow(size int, mask uint64) {
	old := t.slots
	t.slots = make([]uint64, size)
	t.factor, t.shift = Mix(uint64(size))|1, uint8(64-bits.TrailingZeros(uint(size)))
	t.n = 0
	t.moves++
	for _, s := range old {
		if s != 0 {
			t.place(s, mask)
		}
	}
}

// place puts a slot where it belongs.
func (t *Hashes) place(s, mask uint64) {
	last := uint64(len(t.slots) - 1)
	i := s & mask * t.factor >> t.shift
	for t.slots[i] != 0 {
		i = (i + 1) & last
	}
	t.slots[i] = s
	t.n++
}
