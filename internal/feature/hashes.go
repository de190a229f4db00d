package feature

import "math/bits"

// Hashes is a bounded table of 64-bit hashes, the base of sets of features and of traces (Set,
// diversity.Traces). It uses open addressing with linear probing, at most three quarters full, and
// eight bytes per slot. Hashes must be well mixed. The upper bits of a slot hold a hash, under a
// mask that the caller passes. The lower bits belong to the caller. A used slot is not zero.
//
// When the table reaches its limit, it becomes a sample. It forgets the hashes in the upper half of
// its range and rejects them from then on. It then holds one hash in two, in four and so on: those
// with as many leading zero bits as its level. Its content depends only on the set of hashes added.
//
// The order of slots depends on the table's size. With one order for all sizes, copying a larger
// table slot by slot would fill a smaller one from one end, and take quadratic time.
type Hashes struct {
	slots  []uint64
	n      int
	factor uint64 // odd; the upper bits of hash*factor are the index
	shift  uint8  // 64 minus the bits of an index
	level  uint8
	moves  int // how often hashes have changed their slots
}

const (
	minSlots = 1 << 10
	maxLevel = 32
)

// Len returns the number of hashes in the table.
func (t *Hashes) Len() int { return t.n }

// Level returns the number of leading zero bits of all accepted hashes.
func (t *Hashes) Level() uint8 { return t.level }

// Weight returns how many hashes each hash of the table represents. It is 1 until the table is a
// sample.
func (t *Hashes) Weight() int { return 1 << t.level }

// Accepts reports whether the hash is in the table's range.
func (t *Hashes) Accepts(hash uint64) bool { return hash>>(64-t.level) == 0 }

// Slot returns the slot of a hash, or a free one for it. A caller that fills a free slot must call
// Filled.
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

// Filled counts a slot that Slot returned free.
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

// All calls f with every used slot. The order depends only on the table's history.
func (t *Hashes) All(f func(slot uint64)) {
	for _, s := range t.slots {
		if s != 0 {
			f(s)
		}
	}
}

// Page appends used slots to a list up to its capacity, from slot number at. It returns the number
// for the next call, or -1 at the end. If Moves changes, the caller must start again.
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

// Moves returns how often hashes have changed their slots.
func (t *Hashes) Moves() int { return t.moves }

// Thin raises the level until the table holds fewer than limit hashes.
func (t *Hashes) Thin(limit int, mask uint64) {
	for t.n >= limit && t.level < maxLevel {
		t.Raise(t.level+1, mask)
	}
}

// Raise sets the level and forgets the hashes that are no longer accepted. It allocates nothing.
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
	for t.slots[start] != 0 { // there is always a free slot
		start++
	}
	t.n = 0
	// From a free slot on, each hash moves to its place. The hashes before it on its probe path
	// have already moved.
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

// Bytes returns a bound of the table's memory. It includes the outgrown slots, which stay until the
// next garbage collection, and the next slots if the table can grow before it holds limit.
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

// place puts a slot into its place.
func (t *Hashes) place(s, mask uint64) {
	last := uint64(len(t.slots) - 1)
	i := s & mask * t.factor >> t.shift
	for t.slots[i] != 0 {
		i = (i + 1) & last
	}
	t.slots[i] = s
	t.n++
}
