package diversity

import (
	"math/bits"

	"parallax/internal/feature"
)

// Traces is a set of unique traces, by their hashes, that remembers of each whether a valid input had it and how often it was had: once,
// twice, or more often. It holds a bounded number. When that is reached it becomes a sample: it forgets those whose hash is in the upper half
// of what it takes, and takes no more of these. What it holds depends on nothing but the hashes that it was given, each that stays counts
// for two, then four, and so on, and whether one of these is new stays exact. The zero Traces holds up to Limit.
//
// A slot is the hash, whose lower bits are cleared, a bit for valid and two for the number of times, so that none is zero.
type Traces struct {
	Limit int // how many it holds, 0 for Limit

	slots  []uint64
	n      int
	factor uint64 // see feature.Set
	shift  uint8
	level  uint8 // bits of a hash that are zero in what it takes

	total, valid uint64
	once, twice  int
}

// Limit is how many traces a set holds before it becomes a sample. They take 64 MiB.
const Limit = 4 << 20

// LimitOf is how many each of so many sets holds, so that all of them together take no more than one would.
func LimitOf(sets int) int { return Limit / max(sets, 1) }

const (
	validBit = 4
	timesBit = 3 // and below
	most     = 3 // times that are told apart

	// Significant are the bits of a trace's hash that count. The others are used to say more: see Key.
	Significant = ^uint64(1<<hashShift - 1)
	hashShift   = 10

	minSlots = 1 << 10
	maxLevel = 32
)

// Sight is what is known of an input's trace.
type Sight struct {
	Weight   uint32 // how many traces it stands for: 1, and more in a sample. 0: the sample does not take it, and nothing is known
	New      bool   // it was not seen before
	NewValid bool   // no valid input had it before, and this one is
	Times    uint8  // inputs that had it, up to three; 0: more
	Zeros    uint8  // zero bits that its hash begins with, up to maxLevel
}

// Add takes the trace of an input.
func (t *Traces) Add(hash uint64, valid bool) (s Sight) {
	hash &= Significant
	s.Zeros = uint8(min(bits.LeadingZeros64(hash), maxLevel))
	if s.Zeros < t.level {
		return s
	}
	s.Weight = 1 << t.level
	slot := t.slot(hash)
	if *slot == 0 {
		t.n++
		s.New = true
		t.total += uint64(s.Weight)
		*slot = hash
	}
	if valid && *slot&validBit == 0 {
		*slot |= validBit
		s.NewValid = true
		t.valid += uint64(s.Weight)
	}
	if times := *slot & timesBit; times < most {
		*slot++
		s.Times = uint8(times) + 1
		t.times(times, -1)
		t.times(times+1, 1)
	}
	if s.New && t.n >= t.limit() {
		t.thin()
	}
	return s
}

// State calls f with what is known of each trace, for Restore, in an order that depends on nothing but the traces and their number. Of a sample it
// says first what it takes: as a state of no input, with the level in place of the hash.
func (t *Traces) State(f func(uint64)) {
	if t.level > 0 {
		f(uint64(t.level) << hashShift)
	}
	for _, s := range t.slots {
		if s != 0 {
			f(s)
		}
	}
}

// Restore takes what another set knows of a trace.
func (t *Traces) Restore(state uint64) {
	hash, times := state&Significant, state&timesBit
	if times == 0 {
		if level := hash >> hashShift; level > uint64(t.level) && level <= maxLevel {
			t.level = uint8(level)
			t.move(max(len(t.slots), minSlots))
		}
		return
	}
	if hash>>(64-t.level) != 0 {
		return
	}
	slot, weight := t.slot(hash), uint64(1)<<t.level
	if *slot == 0 {
		t.n++
		t.total += weight
		*slot = hash
	}
	if state&validBit != 0 && *slot&validBit == 0 {
		*slot |= validBit
		t.valid += weight
	}
	if had := *slot & timesBit; times > had {
		*slot += times - had
		t.times(had, -1)
		t.times(times, 1)
	}
	if t.n >= t.limit() {
		t.thin()
	}
}

// Len is how many traces were seen: an estimate if the set is a sample.
func (t *Traces) Len() uint64 { return t.total }

// Valid is how many of them valid inputs had.
func (t *Traces) Valid() uint64 { return t.valid }

// Weight is how many traces one of the set stands for: 1 unless it is a sample.
func (t *Traces) Weight() uint64 { return 1 << t.level }

// Level is how often the set was halved: it takes traces whose hash begins with as many zero bits.
func (t *Traces) Level() uint8 { return t.level }

// Sample is what the set says of further inputs, where the record knows how many had which traces. Units are those that had a trace of the set:
// each trace is of one at least, so that there are never fewer than the set knows of, whatever has become of the record.
func (t *Traces) Sample(r Record) Sample {
	known := t.once + 2*t.twice + most*(t.n-t.once-t.twice)
	units := max(r.Units(t.level), uint64(known))
	w := float64(t.Weight())
	return Sample{Species: float64(t.total), Once: w * float64(t.once), Twice: w * float64(t.twice), Units: w * float64(units)}
}

// Clone returns a copy.
func (t *Traces) Clone() *Traces {
	c := *t
	c.slots = append([]uint64(nil), t.slots...)
	return &c
}

func (t *Traces) limit() int {
	if t.Limit > 0 {
		return t.Limit
	}
	return Limit
}

func (t *Traces) times(times uint64, by int) {
	switch times {
	case 1:
		t.once += by
	case 2:
		t.twice += by
	}
}

// slot is where a hash is, or where it belongs.
func (t *Traces) slot(hash uint64) *uint64 {
	if 4*(t.n+1) > 3*len(t.slots) {
		t.move(max(2*len(t.slots), minSlots))
	}
	mask := uint64(len(t.slots) - 1)
	for i := hash * t.factor >> t.shift; ; i = (i + 1) & mask {
		if s := &t.slots[i]; *s == 0 || *s&Significant == hash {
			return s
		}
	}
}

// thin forgets one half of what the set takes, or, should that be empty, as often as it needs.
func (t *Traces) thin() {
	for t.n >= t.limit() && t.level < maxLevel {
		t.level++
		t.move(len(t.slots))
	}
}

// move puts what the set takes into a table of that size.
func (t *Traces) move(size int) {
	old := t.slots
	t.slots = make([]uint64, size)
	t.factor, t.shift = feature.Mix(uint64(size))|1, uint8(64-bits.TrailingZeros(uint(size)))
	t.n, t.once, t.twice = 0, 0, 0
	mask := uint64(size - 1)
	for _, s := range old {
		if s == 0 || s>>(64-t.level) != 0 {
			continue
		}
		i := s & Significant * t.factor >> t.shift
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
		t.n++
		t.times(s&timesBit, 1)
	}
}
