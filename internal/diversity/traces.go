package diversity

import (
	"math/bits"

	"parallax/internal/feature"
)

// Traces is a set of unique traces, by hash. Per trace it records whether a valid input had it, and
// whether one, two or more inputs had it.
//
// Its size is bounded. A full set becomes a sample: it forgets the traces with hashes in the upper
// half of its range, and rejects them from then on. Each remaining trace then represents two, later
// four, and so on. The content depends only on the hashes added, and whether an accepted trace is
// new stays exact. The zero Traces holds up to Limit.
//
// A slot holds the hash with cleared lower bits, one bit for valid, and two bits for the number of
// inputs. So no slot is zero.
type Traces struct {
	Limit int // largest number of traces; zero means the constant Limit

	hashes       feature.Hashes
	total, valid uint64
	once, twice  int
}

// Limit is the default size of a set before it becomes a sample. It takes 64 MiB.
const Limit = 4 << 20

// LimitOf returns the size of each of several sets that together take the memory of one.
func LimitOf(sets int) int { return Limit / max(sets, 1) }

const (
	validBit = 4
	timesBit = 3 // mask of the number of inputs
	most     = 3 // largest recorded number of inputs

	// Significant masks the bits of a trace's hash that count. The other bits hold more
	// information: see Key.
	Significant = ^uint64(1<<hashShift - 1)
	hashShift   = 10

	maxLevel = 32
)

// Sight describes an input's trace at the time of the input.
type Sight struct {
	Weight   uint32 // number of traces it represents; zero means that the sample rejects it
	New      bool   // no earlier input had it
	NewValid bool   // the input is valid and no earlier valid input had it
	Times    uint8  // inputs that had it, up to three; zero means more
	Zeros    uint8  // leading zero bits of its hash, up to maxLevel
}

// Add adds the trace of an input.
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
		t.addTimes(times, -1)
		t.addTimes(times+1, 1)
	}
	if s.New {
		t.thin()
	}
	return s
}

// State calls f with the state of each trace, for Restore. The order depends only on the traces and
// their number. For a sample, the first state holds its level in place of a hash, with no input.
func (t *Traces) State(f func(uint64)) {
	if level := t.hashes.Level(); level > 0 {
		f(levelState(level))
	}
	t.hashes.All(f)
}

// levelState returns the first state of a sample.
func levelState(level uint8) uint64 { return uint64(level) << hashShift }

// Page appends states to a list, as Hashes.Page does.
func (t *Traces) Page(at int, to []uint64) (page []uint64, next int) {
	if level := t.hashes.Level(); at == 0 && level > 0 && len(to) < cap(to) {
		to = append(to, levelState(level))
	}
	return t.hashes.Page(at, to)
}

// Moves returns how often the traces have changed their slots: see feature.Hashes.Page.
func (t *Traces) Moves() int { return t.hashes.Moves() }

// Bytes returns a bound of the set's memory.
func (t *Traces) Bytes() int { return t.hashes.Bytes(t.limit()) }

// Held returns the number of traces in the set.
func (t *Traces) Held() int { return t.hashes.Len() }

// Restore adds the state of a trace from another set.
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
		t.addTimes(had, -1)
		t.addTimes(times, 1)
	}
	if fresh {
		t.thin()
	}
}

// Len returns the number of traces seen. For a sample it is an estimate.
func (t *Traces) Len() uint64 { return t.total }

// Valid returns how many of them valid inputs had.
func (t *Traces) Valid() uint64 { return t.valid }

// Weight returns how many traces one trace of the set represents. It is 1 unless the set is a
// sample.
func (t *Traces) Weight() uint64 { return uint64(t.hashes.Weight()) }

// Level returns how often the set was halved. The set accepts hashes with that many leading zero
// bits.
func (t *Traces) Level() uint8 { return t.hashes.Level() }

// Sample returns the set as a sample for estimators. r counts the inputs per level. Units are the
// inputs that had a trace of the set. Each trace had one input at least, which bounds the number
// from below if counts of the record are lost.
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

func (t *Traces) addTimes(addTimes uint64, by int) {
	switch addTimes {
	case 1:
		t.once += by
	case 2:
		t.twice += by
	}
}

// thin forgets traces when the set is full.
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

// recount counts the inputs of the remaining traces.
func (t *Traces) recount() {
	t.once, t.twice = 0, 0
	t.hashes.All(func(s uint64) { t.addTimes(s&timesBit, 1) })
}
