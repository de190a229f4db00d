package wire

// A worker's counts are in the header. A program may overwrite them between two reads of the
// supervisor, or before it ends the process. So the counts have a checksum, and the supervisor
// trusts them only if it is right.

// Stat is a counter that the worker publishes.
type Stat int

// Counters of a worker's fuzzing. An input counts when all programs have run on it, or when it
// ended the worker. Replays of a corpus do not count.
const (
	Inputs     Stat = iota // inputs
	Discrepant             // inputs on which the programs disagree
	Kept                   // inputs kept
	Compared               // runs of the cmplog build, not included in Inputs
	Repaired               // mutants passed to the repair function
	Unrepaired             // those of them that it could not repair
	Repeated               // inputs executed a second time, not included in Inputs
	Skipped                // runs of programs that were skipped on counted inputs, since they would have shown nothing
	Redrawn                // those of Repeated for which the generator drew something else from the tape that it had drawn
	Replayed               // corpus tapes that were drawn again, not included in Inputs
	Realigned              // those of them for which the generator drew something else
	Bytes                  // total length of the inputs
	Blocks                 // blocks executed on the inputs, repetitions counted
	Offered                // inputs of other campaigns that are done with, not included in Inputs
	numStats
)

// NumStats is the number of counters.
const NumStats = int(numStats)

// MaxPrograms is the largest number of programs of a worker. Sets of programs are words.
const MaxPrograms = 64

// MaxOps bounds the mutation operators with published yields.
const MaxOps = 128

// Counts holds a worker's counts.
type Counts struct {
	Stats    [NumStats]uint64
	Unsteady [MaxPrograms]uint64 // repeated inputs on which a program behaved differently
	Tried    [MaxOps]uint64      // inputs made with an operator
	Kept     [MaxOps]uint64      // those of them that were kept
}

// mostCounted is far above any count of a worker.
const mostCounted = 1 << 40

// emptyCheck is the checksum of no counts. It is not zero, which a program that clears the memory
// leaves.
const emptyCheck = 0x9e3779b97f4a7c15

// weight returns the factor of a count in the checksum. It is odd, so that changing one count
// always changes the checksum.
func weight(off int) uint64 { return uint64(off)*0xd1342543de82ef95 | 1 }

// count writes a count. Call Seal afterwards.
func (m *Memory) count(off int, v uint64) {
	m.check += (v - m.own[(off-offOwn)/8]) * weight(off)
	m.put(off, v)
}

// Seal publishes the checksum of the counts.
func (m *Memory) Seal() { m.put(offCheck, m.check) }

// Count sets a counter. Call Seal afterwards.
func (m *Memory) Count(s Stat, v uint64) { m.count(offStats+8*int(s), v) }

// Add adds to a counter.
func (m *Memory) Add(s Stat, n uint64) {
	m.Count(s, m.Own(s)+n)
	m.Seal()
}

// Own returns the counter that this process has set last.
func (m *Memory) Own(s Stat) uint64 { return m.own[(offStats-offOwn)/8+int(s)] }

// AddUnsteady counts a repeated input on which a program behaved differently. Call Seal afterwards.
func (m *Memory) AddUnsteady(program int) {
	off := offUnsteady + 8*program
	m.count(off, m.own[(off-offOwn)/8]+1)
}

// Steady appends the number of repeated inputs and, per program, of those on which it behaved
// differently.
func (m *Memory) Steady(to []uint64, programs int) []uint64 {
	to = append(to, m.own[(offStats-offOwn)/8+int(Repeated)])
	at := (offUnsteady - offOwn) / 8
	return append(to, m.own[at:at+programs]...)
}

// CountOp sets the yield of an operator. Call Seal afterwards.
func (m *Memory) CountOp(op int, tried, kept uint64) {
	m.count(offOps+16*op, tried)
	m.count(offOps+16*op+8, kept)
}

// Stat returns a counter without checking the checksum.
func (m *Memory) Stat(s Stat) uint64 { return m.word(offStats + 8*int(s)).Load() }

// readTries is the number of attempts to read the counts while the worker seems to write them.
const readTries = 16

// Counts reads the worker's counts into c, which holds its earlier counts. It reports false, and
// leaves c unchanged, if they are invalid: a program has written there, or the worker is writing
// them.
func (m *Memory) Counts(c *Counts) bool {
	var now Counts
	for i := 0; i < readTries; i++ {
		if m.counts(&now) {
			if ok := now.follows(c); ok {
				*c = now
				return true
			}
			return false
		}
	}
	return false
}

// Counted reports whether the checksum of the counts is right.
func (m *Memory) Counted() bool { return m.counts(&Counts{}) }

func (m *Memory) counts(c *Counts) bool {
	want, sum := m.word(offCheck).Load(), uint64(emptyCheck)
	read := func(off int) uint64 {
		v := m.word(off).Load()
		sum += v * weight(off)
		return v
	}
	for s := range c.Stats {
		c.Stats[s] = read(offStats + 8*s)
	}
	for p := range c.Unsteady {
		c.Unsteady[p] = read(offUnsteady + 8*p)
	}
	for op := range c.Tried {
		c.Tried[op], c.Kept[op] = read(offOps+16*op), read(offOps+16*op+8)
	}
	return sum == want
}

// follows reports whether a worker with the earlier counts may have these.
func (c *Counts) follows(last *Counts) bool {
	ok := true
	for s := range c.Stats {
		ok = ok && c.Stats[s]-last.Stats[s] < mostCounted
	}
	for p := range c.Unsteady {
		ok = ok && c.Unsteady[p]-last.Unsteady[p] < mostCounted
	}
	for op := range c.Tried {
		ok = ok && c.Tried[op]-last.Tried[op] < mostCounted && c.Kept[op]-last.Kept[op] < mostCounted
	}
	return ok
}
