package engine

import "math/bits"

// lengths makes mutants grow slowly. The limit starts at the length of the seeds. It rises a little
// whenever nothing new was covered for a while (libFuzzer's -len_control, with its default of 100).
// Long inputs are slow and hide relevant bytes. They are tried when short ones find nothing more.
type lengths struct {
	now, max int
	quiet    int // inputs since the last new coverage or growth
}

const (
	minLength  = 64
	lenControl = 100
)

func newLengths(max int) *lengths {
	l := &lengths{now: minLength, max: max}
	if l.now > max {
		l.now = max
	}
	return l
}

// raise raises the limit to the length of a corpus input and reports whether it changed.
func (l *lengths) raise(n int) bool {
	if n <= l.now || l.now == l.max {
		return false
	}
	if l.now = n; n > l.max {
		l.now = l.max
	}
	return true
}

func (l *lengths) reset() { l.quiet = 0 }

// step counts an input and reports whether the limit changed.
func (l *lengths) step() bool {
	l.quiet++
	log := bits.Len(uint(l.now))
	if l.now >= l.max || l.quiet <= lenControl*log {
		return false
	}
	l.quiet = 0
	if l.now += log; l.now > l.max {
		l.now = l.max
	}
	return true
}
