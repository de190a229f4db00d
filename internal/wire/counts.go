package wire

// What a worker counts lies in the header. A program may write over it, between two looks of the supervisor and before it ends the process:
// so the counts have a sum, and the supervisor believes them when it is right.

// Stat is a counter that the worker publishes.
type Stat int

// Counters of a worker's fuzzing. An input counts when all programs have run on it, or when it ended the worker;
// replays of a corpus count nowhere.
const (
	Inputs     Stat = iota // inputs
	Discrepant             // inputs on which the programs disagree
	Kept                   // inputs kept
	Compared               // runs of the cmplog build, which count nowhere else
	Repaired               // mutants that the repair function was called for
	Unrepaired             // those of them that it could not repair
	Again                  // inputs executed a second time, which count nowhere else
	Skipped                // runs of programs on inputs that count, on which they were not run: they would have shown nothing
	Redrawn                // those of Again for which the generator drew something else of the tape that it had drawn
	Replayed               // tapes of a corpus that were drawn again, which count nowhere else
	Realigned              // those of them of which the generator drew something else than was kept
	Bytes                  // of the inputs
	Blocks                 // that the programs entered on the inputs, repetitions counted
	numStats
)

// NumStats is the number of counters.
const NumStats = int(numStats)

// MaxPrograms is how many programs a worker may have: sets of them are words.
const MaxPrograms = 64

// MaxOps bounds the mutation operators with published yields.
const MaxOps = 128

// Counts are what a worker has counted.
type Counts struct {
	Stats    [NumStats]uint64
	Unsteady [MaxPrograms]uint64 // inputs that a program was given a second time, and did otherwise
	Tried    [MaxOps]uint64      // inputs that an operator took part in
	Kept     [MaxOps]uint64      // those of them that were kept
}

// mostCounted is far above what a worker counts in its life.
const mostCounted = 1 << 40

// emptyCheck is the sum of no counts: not zero, which is what a program that clears the memory leaves.
const emptyCheck = 0x9e3779b97f4a7c15

// weight is what a count is multiplied by in the sum. It is odd, so that a change of one count always changes the sum.
func weight(off int) uint64 { return uint64(off)*0xd1342543de82ef95 | 1 }

// count writes a count. Seal must follow.
func (m *Memory) count(off int, v uint64) {
	m.check += (v - m.own[(off-offOwn)/8]) * weight(off)
	m.put(off, v)
}

// Seal makes what was counted believed.
func (m *Memory) Seal() { m.put(offCheck, m.check) }

// Count sets a counter. Seal must follow.
func (m *Memory) Count(s Stat, v uint64) { m.count(offStats+8*int(s), v) }

// Add adds to a counter.
func (m *Memory) Add(s Stat, n uint64) {
	m.Count(s, m.own[(offStats-offOwn)/8+int(s)]+n)
	m.Seal()
}

// AddUnsteady counts that a program did otherwise. Seal must follow.
func (m *Memory) AddUnsteady(program int) {
	off := offUnsteady + 8*program
	m.count(off, m.own[(off-offOwn)/8]+1)
}

// Steady appends how many inputs were executed a second time, and for each program, on how many of them it did otherwise.
func (m *Memory) Steady(to []uint64, programs int) []uint64 {
	to = append(to, m.own[(offStats-offOwn)/8+int(Again)])
	at := (offUnsteady - offOwn) / 8
	return append(to, m.own[at:at+programs]...)
}

// CountOp sets the yield of an operator. Seal must follow.
func (m *Memory) CountOp(op int, tried, kept uint64) {
	m.count(offOps+16*op, tried)
	m.count(offOps+16*op+8, kept)
}

// Stat is a counter as it stands there.
func (m *Memory) Stat(s Stat) uint64 { return m.word(offStats + 8*int(s)).Load() }

// looks is how often the counts are read when the worker seems to be writing them.
const looks = 16

// Counts reads what the worker has counted into c, which holds what it had counted before. It reports false, and leaves c as it is, when that
// cannot be: a program has written there, or the worker is in the middle of it.
func (m *Memory) Counts(c *Counts) bool {
	var now Counts
	for i := 0; i < looks; i++ {
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

// Counted reports whether the sum of the counts is right.
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

// follows reports whether a worker that had counted so much may have counted this.
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
