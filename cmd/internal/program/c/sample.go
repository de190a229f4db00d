package c

import "time"

// sample decides which inputs the build with sanitizers runs during fuzzing. They take a bounded
// share of all execution, measured in blocks. Inputs with a set of blocks not seen lately come
// first, whatever they cost: later ones save up for an overdraft. An error that only sanitizers see
// lies in executed blocks, and inputs with the same blocks usually agree on it. The source is Kong,
// Li, Huang, Su: "SAND: Decoupling Sanitization from Fuzzing for Low Overhead", 2024. Exceptions
// exist, such as an index that is wrong for some values only. So the rest of the share goes to
// inputs in order of arrival.
type sample struct {
	seen   [1 << 12]uint64
	credit int64 // blocks; negative after an input that costs more than the savings
	free   int64 // blocks of process ends and leak checks that were free

	doublings               int           // the number of doublings of the price
	fastTime, sanitizedTime time.Duration // time of both builds since the last adjustment
}

const (
	// inspectShare is the reciprocal of the share of blocks executed by the build with sanitizers.
	// A block costs five to eight times as much there, so that it takes about a fifth of the time.
	inspectShare    = 24
	maxSavings      = 1 << 24 // maximum savings in blocks
	reservedSavings = 1 << 20 // savings reserved for new sets
	minRunCost      = 64      // minimum price of a run in blocks, for its fixed cost

	// Prices of other costs, in blocks of the fast build, 2.2 ns each, scaled by inspectShare over
	// the five to eight times. A process takes about 15 ms of processor time from start to end. A
	// leak check, which stops all threads, takes 4 ms and more (expat 2.5, clang 19). The first
	// ones are free, because a short campaign would not see a second error otherwise.
	endCost       = 3 << 23
	leakCheckCost = 1 << 23
	maxFree       = 16 * endCost

	// These numbers fit most programs. A program may exceed them, and so may a busy machine. Where
	// time may influence the campaign, both builds are measured over periods of the fast one. Above
	// half of its time, the price doubles; below an eighth, it halves. With the numbers above,
	// sanitizers take a quarter.
	measuredTime = time.Second
	maxDoublings = 12
)

// measured adds the time of the fast build and of the one with sanitizers.
func (s *sample) measured(ran, looked time.Duration) {
	s.fastTime += ran
	s.sanitizedTime += looked
	if s.fastTime < measuredTime {
		return
	}
	switch {
	case s.sanitizedTime > s.fastTime/2:
		s.doublings = min(s.doublings+1, maxDoublings)
	case s.sanitizedTime < s.fastTime/8:
		s.doublings = max(s.doublings-1, 0)
	}
	s.fastTime, s.sanitizedTime = 0, 0
}

// charge pays for the costs of the build with sanitizers besides blocks: started processes and leak
// checks.
func (s *sample) charge(starts, looks int) {
	cost := int64(starts)*endCost + int64(looks)*leakCheckCost
	free := min(cost, maxFree-s.free)
	s.free += free
	s.credit -= (cost - free) << s.doublings
}

// wants adds the blocks of an executed input to the savings. It reports whether to run the input,
// and whether its set of blocks is the reason. An input that is run must be passed to pay.
func (s *sample) wants(set, length uint64) (wanted, fresh bool) {
	length = max(length, minRunCost)
	s.credit = min(s.credit+int64(min(length, maxSavings)), maxSavings)
	fresh = s.seen[set>>52] != set
	return s.credit >= 0 && (fresh || s.credit >= reservedSavings), fresh
}

// pay pays for an input, and records its set.
func (s *sample) pay(set, length uint64) {
	s.seen[set>>52] = set
	s.credit -= int64(min(max(length, minRunCost)*inspectShare, maxSavings)) << s.doublings
}
