package c

import "time"

// sample decides which inputs the build with sanitizers runs while fuzzing, no more than a share of all that is executed, in blocks.
// First come those that execute a set of blocks that was not seen lately, however many blocks these are: what an input costs more than was saved, those
// after it save. An error that
// sanitizers alone see lies where blocks are executed, and inputs with the same blocks mostly have it or not together (Kong, Li,
// Huang, Su: "SAND: Decoupling Sanitization from Fuzzing for Low Overhead", 2024). Mostly: an index may be wrong for some values only, and so
// what these leave of the share goes to inputs as they come.
type sample struct {
	seen   [1 << 12]uint64
	credit int64 // blocks; less than nothing after an input that costs more than was saved
	free   int64 // blocks that ends and looks have had without paying

	dearer      int           // what is paid is doubled so often
	ran, looked time.Duration // since it was last seen what both builds take
}

const (
	// inspectShare: of so many blocks that are executed, one is by the build with sanitizers. A block costs five to eight times as much
	// there, so that it takes about a fifth of the time.
	inspectShare = 24
	inspectMost  = 1 << 24 // blocks that are saved up
	inspectSpare = 1 << 20 // of which so many are kept for new sets
	inspectLeast = 64      // blocks that a run is counted as, at least: it takes time besides

	// What else takes time, in the blocks that the fast build executes in that time, 2.2 ns each, by inspectShare over the five to eight
	// times: a process takes some 15 ms of processor time from its start to its end, and a look for leaks, which stops all threads, 4 ms and
	// more (expat 2.5, clang 19). The first ones are free, since a short campaign would not see a second error otherwise.
	endCost  = 3 << 23
	lookCost = 1 << 23
	mostFree = 16 * endCost

	// These numbers are those of most programs. A program may exceed them, and so may a busy machine. Where time may count, both builds are
	// measured over each so much time of the fast one: above half of its time all that sanitizers do gets twice as dear, below an eighth half
	// as dear. With the numbers above they take a quarter of it.
	measuredTime = time.Second
	mostDearer   = 12
)

// measured counts the time that the fast build took, and the one with sanitizers.
func (s *sample) measured(ran, looked time.Duration) {
	s.ran += ran
	s.looked += looked
	if s.ran < measuredTime {
		return
	}
	switch {
	case s.looked > s.ran/2:
		s.dearer = min(s.dearer+1, mostDearer)
	case s.looked < s.ran/8:
		s.dearer = max(s.dearer-1, 0)
	}
	s.ran, s.looked = 0, 0
}

// charge counts what the build with sanitizers cost besides blocks: processes that it had to start, and looks for leaks.
func (s *sample) charge(starts, looks int) {
	cost := int64(starts)*endCost + int64(looks)*lookCost
	free := min(cost, mostFree-s.free)
	s.free += free
	s.credit -= (cost - free) << s.dearer
}

// wants counts an input that was executed, and tells whether it is one to run and whether its set of blocks is the reason. What is run is to be
// taken.
func (s *sample) wants(set, length uint64) (wanted, fresh bool) {
	length = max(length, inspectLeast)
	s.credit = min(s.credit+int64(min(length, inspectMost)), inspectMost)
	fresh = s.seen[set>>52] != set
	return s.credit >= 0 && (fresh || s.credit >= inspectSpare), fresh
}

// take pays for an input, and has seen its set.
func (s *sample) take(set, length uint64) {
	s.seen[set>>52] = set
	s.credit -= int64(min(max(length, inspectLeast)*inspectShare, inspectMost)) << s.dearer
}
