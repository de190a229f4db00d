package schedule

import (
	"math/bits"

	"parallax/internal/feature"
)

// power is a schedule of AFLFast: a factor of AFL's score, from how often a seed was picked and how
// many executions took its path.
type power int

const (
	constant power = iota // "explore": AFL's own
	exploit
	coe // cut-off exponential
	fast
	lin
	quad
)

const (
	maxFactor = 32 // AFLFast's MAX_FACTOR, with its POWER_BETA of 1
	maxPicks  = 16 // exponents stop here
)

// counts reports whether the factor depends on executions.
func (p power) counts() bool { return p >= coe }

// factor returns the factor of a seed that was picked s times before and whose trace f executions
// had. mean is the mean of f over all seeds' traces. The factor is 0 to 32, and 0 skips the seed
// this time. Divisions truncate, as in the published code.
func (p power) factor(s int, f, mean uint64) int {
	f = max(f, 1)
	n := uint64(1)
	switch p {
	case exploit:
		n = maxFactor
	case coe:
		switch {
		case f > mean:
			n = 0
		case s < maxPicks:
			n = 1 << s
		default:
			n = maxFactor
		}
	case fast:
		if s < maxPicks {
			n = 1 << s / f
		} else {
			n = maxFactor / powerOfTwo(f)
		}
	case lin:
		n = uint64(s) / f
	case quad:
		n = uint64(s) * uint64(s) / f
	}
	return int(min(n, maxFactor))
}

// wait returns how many more visits a seed needs until its factor is positive, if nothing else
// happens. ever is false if it never is.
func (p power) wait(s int, f uint64) (visits int, ever bool) {
	switch p {
	case fast:
		// 2^picks reaches f before it stops growing, or more picks never help.
		if need := bits.Len64(f - 1); s < maxPicks && need < maxPicks {
			return max(0, need-s), true
		}
		return 0, f <= maxFactor
	case lin:
		return max(0, int(f)-s), true
	case quad:
		return max(0, rootUp(f)-s), true
	}
	return 0, true
}

// powerOfTwo returns the smallest power of two that is at least n.
func powerOfTwo(n uint64) uint64 {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len64(n-1)
}

// rootUp returns the smallest integer whose square is at least n, for n below 2^62.
func rootUp(n uint64) int {
	lo, hi := uint64(0), uint64(1)<<31
	for lo < hi {
		if mid := (lo + hi) / 2; mid*mid >= n {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return int(lo)
}

// frequency counts the executions of every trace that a seed has, from the seed's own on. The
// published code walks the queue and compares checksums. This is as exact and takes one lookup.
type frequency struct {
	index map[uint64]int // trace to its index in count
	count []uint64
	total uint64
}

// join counts a seed's own execution and returns the index of its trace.
func (q *frequency) join(trace uint64) int {
	i, ok := q.index[trace]
	if !ok {
		i = len(q.count)
		q.index[trace] = i
		q.count = append(q.count, 0)
	}
	q.count[i]++
	q.total++
	return i
}

// countMutant counts the execution of a mutant, if a seed has its trace.
func (q *frequency) countMutant(trace uint64) {
	if i, ok := q.index[trace]; ok {
		q.count[i]++
		q.total++
	}
}

// mean returns the mean number of executions over all traces of seeds (the paper's mu).
func (q *frequency) mean() uint64 {
	if len(q.count) == 0 {
		return 0
	}
	return q.total / uint64(len(q.count))
}

// path hashes the tuple of all programs' sets of blocks. AFLFast uses the checksum of edges with
// hit-count buckets.
func path(traces []feature.Trace) uint64 {
	h := uint64(0)
	for i := range traces {
		h = feature.Chain(h, traces[i].Set)
	}
	return h
}
