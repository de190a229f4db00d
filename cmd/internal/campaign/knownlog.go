package campaign

import "parallax/cmd/internal/finding/state"

// knownLog bounds tuples.log, in which most entries lose their use with time: traces are announced
// up to four times, and a sample drops most features. A log that is twice as long as the known
// features is replaced by these. Logs up to mostLog stay as they are.
//
// The time of that depends on the clock, but a campaign that repeats must end with the same log. So
// a log that was once longer than mostLog ends with the known features, sorted.
type knownLog struct {
	known     *knowledge
	branches  *behavior
	most      int64
	size      int64 // approximate
	compacted bool
}

const mostLog = 32 << 20

// due returns the features that replace the log, or nil. Their counters are written first.
func (l *knownLog) due(end bool) []state.Known {
	if l.size <= l.most && !(end && l.compacted) {
		return nil
	}
	held := l.known.heldBytes() + l.branches.heldBytes()
	if l.size <= 2*held && !end {
		return nil
	}
	l.size, l.compacted = held, true
	return append(l.known.all(), l.branches.all())
}
