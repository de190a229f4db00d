package schedule

import (
	"math"
	"math/bits"

	"parallax/internal/mutate"
)

// lottery draws members by energies that are powers of the root of two. A member of class k has
// energy 2^(-k/2). A draw chooses a class from a table of fixed size, and then any of its members.
// Neither drawing nor moving a member allocates.
type lottery struct {
	members []member
	order   []int32      // members by class, ascending
	ends    [classes]int // per class: its end in order, where the next class begins
	lowest  int          // lower classes have no members
}

type member struct {
	class int
	place int // index in order
}

// classes is the number of classes.
const classes = 160

// energies holds 2^(-k/2) in units of 2^-40. Members of more than 64 classes above the lowest have
// none: less than 2^-32 of the lowest members' energy.
var energies = func() (e [64]uint64) {
	for k := range e {
		e[k] = uint64(math.Ldexp(math.Pow(2, -float64(k&1)/2), 40)) >> (k / 2)
	}
	return e
}()

// add adds a member. Its number is the number of members before. It enters at the end, and swaps
// with the first member of every class above its own.
func (l *lottery) add(class int) {
	m := member{class: classes - 1, place: len(l.order)}
	l.order = append(l.order, int32(len(l.members)))
	l.members = append(l.members, m)
	l.ends[classes-1]++
	i := len(l.members) - 1
	for k := classes - 1; k > class; k-- {
		l.swap(l.members[i].place, l.ends[k-1])
		l.ends[k-1]++
	}
	l.members[i].class = class
	l.lowest = min(l.lowest, class)
}

// raise moves a member up to a class. At every step it swaps with the last member of its class.
func (l *lottery) raise(i, class int) {
	for k := l.members[i].class; k < class; k++ {
		l.ends[k]--
		l.swap(l.members[i].place, l.ends[k])
	}
	l.members[i].class = class
}

func (l *lottery) swap(a, b int) {
	i, k := l.order[a], l.order[b]
	l.order[a], l.order[b] = k, i
	l.members[i].place, l.members[k].place = b, a
}

// draw draws a member. There must be one.
func (l *lottery) draw(r *mutate.Rand) int {
	for l.ends[l.lowest] == 0 {
		l.lowest++
	}
	span := l.ends[l.lowest:min(l.lowest+len(energies), classes)]
	total, begin := uint64(0), 0
	for k, end := range span {
		total += uint64(end-begin) * energies[k]
		begin = end
	}
	x, _ := bits.Mul64(r.Uint64(), total)
	k, begin := 0, 0
	for {
		part := uint64(span[k]-begin) * energies[k]
		if x < part {
			return int(l.order[begin+int(x/energies[k])])
		}
		x -= part
		begin = span[k]
		k++
	}
}

// accept reports whether a member drawn by the energy of class was may count as drawn by that of
// class is, which is not lower.
func accept(r *mutate.Rand, was, is int) bool {
	fall := is - was
	return fall == 0 || fall < len(energies) && r.Uint64()>>24 < energies[fall]
}
