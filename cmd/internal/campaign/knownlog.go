package campaign

import "parallax/cmd/internal/finding/state"

// knownLog bounds tuples.log. What is announced is appended to it, and most of that says less with time: traces are announced up to four
// times, and of a sample the greater part is forgotten. So when the log is longer than twice what is known, it is replaced by that. It may
// have mostLog anyway, so that short campaigns keep what they have found in its order.
//
// When that happens depends on the clock, and a campaign that repeats is to have the same log: one that was once longer than mostLog ends
// with what is known, in order.
type knownLog struct {
	known     *known
	branches  *behavior
	most      int64
	size      int64 // about
	compacted bool
}

const mostLog = 32 << 20

// due returns what takes the place of the log, nil if it stays. The counters with which the traces go are written before.
func (l *knownLog) due(end bool) []state.Known {
	if l.size <= l.most && !(end && l.compacted) {
		return nil
	}
	held := l.known.held() + l.branches.held()
	if l.size <= 2*held && !end {
		return nil
	}
	l.size, l.compacted = held, true
	return append(l.known.all(), l.branches.all())
}
