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

	hashes       feature.Hashes
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
	if !t.hashes.Accepts(hash) {
		return s
	}
	s.Weight = uint32(t.hashes.Weight())
	slot := t.hashes.Slot(hash, Significant)
	if *slot == 0 {
		t.hashes.Filled()
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
	if s.New {
		t.thin()
	}
	return s
}

// State calls f with what is known of each trace, for Restore, in an order that depends on nothing but the traces and their number. Of a sample it
// says first what it takes: as a state of no input, with the level in place of the hash.
func (t *Traces) State(f func(uint64)) {
	if level := t.hashes.Level(); level > 0 {
		f(stateOf(level))
	}
	t.hashes.All(f)
}

// stateOf is what states of a sample begin with.
func stateOf(level uint8) uint64 { return uint64(level) << hashShift }

// Page appends states to a list, as Hashes.Page does.
func (t *Traces) Page(at int, to []uint64) (page []uint64, next int) {
	if level := t.hashes.Level(); at == 0 && level > 0 && len(to) < cap(to) {
		to = append(to, stateOf(level))
	}
	return t.hashes.Page(at, to)
}

// Moves is how often traces have changed their places: see feature.Hashes.Page.
func (t *Traces) Moves() int { return t.hashes.Moves() }

// Bytes bounds the memory that the set takes.
func (t *Traces) Bytes() int { return t.hashes.Bytes(t.limit()) }

// Held is how many traces the set holds.
func (t *Traces) Held() int { return t.hashes.Len() }

// Restore takes what another set knows of a trace.
func (t *Traces) Restore(state uint64) {
	hash, times := state&Significant, state&timesBit
	if times == 0 {
		if level := hash >> hashShift; level <= maxLevel {
			t.raise(uint8(level))
		}
		return
	}
	if !t.hashes.Accepts(hash) {
		return
	}
	slot, weight := t.hashes.Slot(hash, Significant), t.Weight()
	fresh := *slot == 0
	if fresh {
		t.hashes.Filled()
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
	if fresh {
		t.thin()
	}
}

// Len is how many traces were seen: an estimate if the set is a sample.
func (t *Traces) Len() uint64 { return t.total }

// Valid is how many of them valid inputs had.
func (t *Traces) Valid() uint64 { return t.valid }

// Weight is how many traces one of the set stands for: 1 unless it is a sample.
func (t *Traces) Weight() uint64 { return uint64(t.hashes.Weight()) }

// Level is how often the set was halved: it takes traces whose hash begins with as many zero bits.
func (t *Traces) Level() uint8 { return t.hashes.Level() }

// Sample is what the set says of further inputs, where the record knows how many had which traces. Units are those that had a trace of the set:
// each trace is of one at least, so that there are never fewer than the set knows of, whatever has become of the record.
func (t *Traces) Sample(r Record) Sample {
	known := t.once + 2*t.twice + most*(t.hashes.Len()-t.once-t.twice)
	units := max(r.Units(t.Level()), uint64(known))
	w := float64(t.Weight())
	return Sample{Species: float64(t.total), Once: w * float64(t.once), Twice: w * float64(t.twice), Units: w * float64(units)}
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

// thin forgets traces when the set holds as many as it may.
func (t *Traces) thin() {
	if t.hashes.Len() >= t.limit() {
		t.hashes.Thin(t.limit(), Significant)
		t.recount()
	}
}

// raise makes the set a sample of a level.
func (t *Traces) raise(level uint8) {
	if level > t.Level() {
		t.hashes.Raise(level, Significant)
		t.recount()
	}
}

// recount counts how often the traces that are left were had.
func (t *Traces) recount() {
	t.once, t.twice = 0, 0
	t.hashes.All(func(s uint64) { t.times(s&timesBit, 1) })
}
