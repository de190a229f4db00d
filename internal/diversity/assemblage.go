package diversity

import (
	"encoding/binary"

	"parallax/internal/oracle"
)

// Assemblage is the branches of a program, or of all programs of a campaign together, with what was counted of each. Ecology has the word
// for the species of a place. It counts in room that it is given, since a worker shares it with its supervisor:
//
//	numWords words of 8 bytes: see Word
//	for each branch 16 bytes: three numbers of unique traces (4 each), by what is first known of them, and the inputs that executed it, up to
//	three (1), and the same of those that were drawn from nothing (1); the rest is zero
//
// all little-endian. A trace that an invalid input had first, one that a valid input had first, and one that a valid input had later: the first two
// are all traces, the last two those of valid inputs. One of them is counted for each branch of a trace that is new.
type Assemblage struct {
	Traces Traces
	Record
}

// Record is what an assemblage has counted.
type Record []byte

// Word is a number of a record.
type Word int

// The words.
const (
	Valid        Word = iota // inputs that are valid
	Invalid                  // inputs that are not
	Failed                   // inputs on which a program crashed, hung, ran out of memory, or a property failed
	Traced                   // inputs whose trace is counted: all but those that failed, of programs with blocks
	TriedStruct              // mutants by a change of structural choices
	WonStruct                // those of them that are valid and have a new trace
	TriedValue               // the same of value choices
	WonValue                 //
	Weighed                  // unique traces that the counts of branches know, each as often as it stands for
	WeighedValid             // those of valid inputs
	Inputs                   // inputs that count
	Taken                    // inputs whose trace the set took: those whose branches are counted
	Told                     // of a record on disk, of all programs: keys of traces on disk that it goes with, of each assemblage
	Drawn                    // inputs that were drawn from nothing, independent of all others: see Independent
	DrawnFailed              // those of them on which a program failed

	Begins Word = 16 // inputs whose trace is counted, by the zero bits that its hash begins with, none up to maxLevel: see Units
)

// numWords is how many words there are; further ones are zero.
const numWords = 64

const (
	headSize  = 8 * numWords
	blockSize = 16
	maxTimes  = 3
)

// RecordSize is the bytes of a record of so many branches.
func RecordSize(branches int) int { return headSize + blockSize*branches }

// Size is the bytes of the records of a campaign: see Split.
func Size(programs, blocks int) int {
	if programs == 1 {
		return RecordSize(blocks)
	}
	return RecordSize(programs*blocks) + programs*RecordSize(blocks)
}

// Split returns the records in room, of all programs together first and, if there are several, of each behind it: nil if there is too little.
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

// Behind returns the records that lie behind the coverage maps of a campaign, one byte for each program and block: nil if there is no room.
func Behind(maps []byte, programs, blocks int) []Record {
	return Split(maps[min((programs*blocks+63)&^63, len(maps)):], programs, blocks)
}

// Branches is how many branches the record has room for.
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

// Units is how many inputs had a trace that a set of traces takes which has been halved so often.
func (r Record) Units(level uint8) (n uint64) {
	for w := Begins + Word(level); w <= Begins+maxLevel; w++ {
		n += r.Word(w)
	}
	return n
}

// Weigh counts a trace by what is known of it.
func (r Record) Weigh(s Sight) {
	r.Inc(Traced, 1)
	r.Inc(Begins+Word(s.Zeros), 1)
	if s.Weight > 0 {
		r.Inc(Taken, 1)
	}
	if s.New {
		r.Inc(Weighed, uint64(s.Weight))
	}
	if s.NewValid {
		r.Inc(WeighedValid, uint64(s.Weight))
	}
}

// Count counts the branches of a trace of which that is known; blocks are numbered from first.
func (r Record) Count(hits []uint32, first uint32, s Sight) {
	if len(r) < headSize || s.Times == 0 && !s.NewValid {
		return // more often than is told apart
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

// Draw counts an input that was drawn from nothing, and the branches that it executed: none where it failed.
func (r Record) Draw(failed bool) {
	r.Inc(Drawn, 1)
	if failed {
		r.Inc(DrawnFailed, 1)
	}
}

// Saw counts the branches of an input that was drawn from nothing; blocks are numbered from first.
func (r Record) Saw(hits []uint32, first uint32) {
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

// Merge adds what another record of the same branches has counted.
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
			continue // nobody executed it
		}
		for at := 0; at < 12; at += 4 {
			binary.LittleEndian.PutUint32(a[at:], binary.LittleEndian.Uint32(a[at:])+binary.LittleEndian.Uint32(b[at:]))
		}
		a[12], a[13] = min(a[12]+b[12], maxTimes), min(a[13]+b[13], maxTimes)
	}
}

// Counts appends, for each branch, how many unique traces executed it, or only those that valid inputs had.
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

// blank reports whether nothing is counted of a branch.
func blank(cell []byte) bool {
	return binary.LittleEndian.Uint64(cell)|binary.LittleEndian.Uint64(cell[8:]) == 0
}

// Sample is what the branches say of further inputs. Its units are the inputs whose branches were counted: where traces are a sample, the others are
// neither in its units nor in what they executed.
func (r Record) Sample() Sample { return r.sample(12, r.Word(Taken)) }

// Independent is the same of the inputs that were drawn from nothing. They are what estimators ask for: each is drawn from the same distribution, whatever
// the others have shown. Those that failed are not among its units.
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
