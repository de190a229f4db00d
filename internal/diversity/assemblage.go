package diversity

import (
	"encoding/binary"

	"parallax/internal/oracle"
)

// Assemblage holds the traces of one program, or of all programs of a campaign, and their counts.
// In ecology, an assemblage is the set of species at a place. A worker shares the memory of its
// record with the supervisor. The record has:
//
//	numWords words of 8 bytes: see Word
//	16 bytes per branch: three numbers of unique traces (4 bytes each), the number of inputs that
//	executed it, up to three (1), and of fresh inputs that did, up to three (1); the rest is zero
//
// All numbers are little-endian. The first two numbers count traces that an invalid and a valid
// input had first. The third counts traces that a valid input had after an invalid one. The sum of
// the first two is the number of all traces. The sum of the last two is that of valid inputs'
// traces. A new trace is counted for each of its branches.
type Assemblage struct {
	Traces Traces
	Record
}

// Record holds the counts of an assemblage.
type Record []byte

// Word identifies a number of a record.
type Word int

// Words of a record.
const (
	Valid        Word = iota // valid inputs
	Invalid                  // invalid inputs
	Failed                   // inputs with a crash, timeout, exhausted memory or failed property
	Traced                   // inputs whose trace is counted: all that did not fail, of programs with blocks
	TriedStruct              // mutants with changed structural choices
	WonStruct                // those of them that are valid and have a new trace
	TriedValue               // mutants with changed value choices
	WonValue                 // // those of them that are valid and have a new trace
	Weighed                  // unique traces in the branch counts, each with its weight
	WeighedValid             // those of valid inputs
	Inputs                   // counted inputs
	Sampled                  // inputs whose trace the set accepted; their branches are counted
	StoredKeys               // only on disk, in the record of all programs: number of stored trace keys of all assemblages
	Drawn                    // fresh inputs, independent of all others: see Independent
	DrawnFailed              // those of them on which a program failed

	Begins Word = 16 // inputs whose trace is counted, by the leading zero bits of its hash, from none to maxLevel: see Units
)

// numWords is the number of words. Unused words are zero.
const numWords = 64

const (
	headSize  = 8 * numWords
	blockSize = 16
	maxTimes  = 3
)

// RecordSize returns the bytes of a record with the given number of branches.
func RecordSize(branches int) int { return headSize + blockSize*branches }

// Size returns the bytes of a campaign's records: see Split.
func Size(programs, blocks int) int {
	if programs == 1 {
		return RecordSize(blocks)
	}
	return RecordSize(programs*blocks) + programs*RecordSize(blocks)
}

// Split returns the records in room: first that of all programs, then, for several programs, one
// per program. It returns nil if room is too small.
func Split(room []byte, programs, blocks int) []Record {
	if len(room) < Size(programs, blocks) {
		return nil
	}
	take := func(n int) Record {
		r := room[:n:n]
		room = room[n:]
		return r
	}
	list := []Record{take(RecordSize(programs * blocks))}
	for p := 0; p < programs && programs > 1; p++ {
		list = append(list, take(RecordSize(blocks)))
	}
	return list
}

// BehindMaps returns the records that follow a campaign's coverage maps of one byte per program and
// block. It returns nil if there is no room.
func BehindMaps(maps []byte, programs, blocks int) []Record {
	return Split(maps[min((programs*blocks+63)&^63, len(maps)):], programs, blocks)
}

// Branches returns the number of branches that the record has room for.
func (r Record) Branches() int { return max(0, len(r)-headSize) / blockSize }

// Word returns a number.
func (r Record) Word(w Word) uint64 {
	if len(r) < headSize {
		return 0
	}
	return binary.LittleEndian.Uint64(r[8*w:])
}

// Inc adds to a number.
func (r Record) Inc(w Word, n uint64) {
	if len(r) >= headSize {
		binary.LittleEndian.PutUint64(r[8*w:], binary.LittleEndian.Uint64(r[8*w:])+n)
	}
}

// Put replaces a number.
func (r Record) Put(w Word, n uint64) {
	if len(r) >= headSize {
		binary.LittleEndian.PutUint64(r[8*w:], n)
	}
}

// Input counts an input by its validity.
func (r Record) Input(v oracle.Validity, failed bool) {
	r.Inc(Inputs, 1)
	switch v {
	case oracle.Valid:
		r.Inc(Valid, 1)
	case oracle.Invalid:
		r.Inc(Invalid, 1)
	}
	if failed {
		r.Inc(Failed, 1)
	}
}

// Units returns how many inputs had a trace that a set at this level accepts.
func (r Record) Units(level uint8) (n uint64) {
	for w := Begins + Word(level); w <= Begins+maxLevel; w++ {
		n += r.Word(w)
	}
	return n
}

// Weigh counts a trace by its sight.
func (r Record) Weigh(s Sight) {
	r.Inc(Traced, 1)
	r.Inc(Begins+Word(s.Zeros), 1)
	if s.Weight > 0 {
		r.Inc(Sampled, 1)
	}
	if s.New {
		r.Inc(Weighed, uint64(s.Weight))
	}
	if s.NewValid {
		r.Inc(WeighedValid, uint64(s.Weight))
	}
}

// Count counts the branches of a trace with sight s. Blocks are numbered from first.
func (r Record) Count(hits []uint32, first uint32, s Sight) {
	if len(r) < headSize || s.Times == 0 && !s.NewValid {
		return // seen too often to count
	}
	cells := r[headSize:]
	at := 0
	switch {
	case s.New && s.NewValid:
		at = 4
	case s.New:
	case s.NewValid:
		at = 8
	default:
		s.Weight = 0
	}
	for _, id := range hits {
		k := blockSize * int(first+id)
		if k+blockSize > len(cells) {
			continue
		}
		c := cells[k : k+blockSize : k+blockSize]
		n := binary.LittleEndian.Uint32(c[at:])
		binary.LittleEndian.PutUint32(c[at:], n+s.Weight)
		if s.Times > 0 && c[12] < maxTimes {
			c[12]++
		}
	}
}

// Draw counts a fresh input.
func (r Record) Draw(failed bool) {
	r.Inc(Drawn, 1)
	if failed {
		r.Inc(DrawnFailed, 1)
	}
}

// CountFresh counts the branches of a fresh input. Blocks are numbered from first.
func (r Record) CountFresh(hits []uint32, first uint32) {
	if len(r) < headSize {
		return
	}
	cells := r[headSize:]
	for _, id := range hits {
		if k := blockSize*int(first+id) + 13; k < len(cells) && cells[k] < maxTimes {
			cells[k]++
		}
	}
}

// Merge adds the counts of another record of the same branches.
func (r Record) Merge(other Record) {
	if len(r) != len(other) || len(r) < headSize {
		return
	}
	for w := Word(0); w < numWords; w++ {
		r.Inc(w, other.Word(w))
	}
	for k := headSize; k < len(r); k += blockSize {
		a, b := r[k:k+blockSize:k+blockSize], other[k:k+blockSize:k+blockSize]
		if blank(b) {
			continue // never executed
		}
		for at := 0; at < 12; at += 4 {
			binary.LittleEndian.PutUint32(a[at:], binary.LittleEndian.Uint32(a[at:])+binary.LittleEndian.Uint32(b[at:]))
		}
		a[12], a[13] = min(a[12]+b[12], maxTimes), min(a[13]+b[13], maxTimes)
	}
}

// Counts appends, per branch, the number of unique traces that executed it. With valid, it counts
// only traces of valid inputs.
func (r Record) Counts(to []uint64, valid bool) []uint64 {
	from := 0
	if valid {
		from = 4
	}
	for k := headSize; k+blockSize <= len(r); k += blockSize {
		c := r[k+from : k+from+8]
		to = append(to, uint64(binary.LittleEndian.Uint32(c))+uint64(binary.LittleEndian.Uint32(c[4:])))
	}
	return to
}

// Clear removes the counts of a branch.
func (r Record) Clear(i int) {
	if i < r.Branches() {
		clear(r.cell(i))
	}
}

// blank reports whether a branch has no counts.
func blank(cell []byte) bool {
	return binary.LittleEndian.Uint64(cell)|binary.LittleEndian.Uint64(cell[8:]) == 0
}

// Sample returns the branches as a sample for estimators. Its units are the inputs whose branches
// were counted. If the set of traces is a sample, other inputs count neither as units nor with
// their branches.
func (r Record) Sample() Sample { return r.sample(12, r.Word(Sampled)) }

// Independent returns the same for the fresh inputs. They satisfy the estimators' assumption: each
// is drawn from the same distribution, independently of the others. Its units exclude the inputs
// that failed.
func (r Record) Independent() Sample { return r.sample(13, r.Word(Drawn)-r.Word(DrawnFailed)) }

func (r Record) sample(at int, units uint64) Sample {
	s := Sample{Units: float64(units)}
	for k := headSize; k+blockSize <= len(r); k += blockSize {
		switch r[k+at] {
		case 0:
			continue
		case 1:
			s.Once++
		case 2:
			s.Twice++
		}
		s.Species++
	}
	return s
}
