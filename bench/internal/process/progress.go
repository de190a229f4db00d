package process

import (
	"cmp"
	"slices"
	"time"
)

// Progress holds the CPU time of a command at moments of its run.
type Progress []Moment

// Moment is a moment of a run.
type Moment struct {
	At  time.Time
	CPU time.Duration
}

// CPUAt returns the CPU time at a moment, interpolated between the two next to it. Before the first
// moment and after the last one it is theirs.
func (p Progress) CPUAt(at time.Time) time.Duration {
	i, found := slices.BinarySearchFunc(p, at, func(m Moment, at time.Time) int { return m.At.Compare(at) })
	switch {
	case len(p) == 0:
		return 0
	case found || i == 0:
		return p[min(i, len(p)-1)].CPU
	case i == len(p):
		return p[i-1].CPU
	}
	a, b := p[i-1], p[i]
	part := float64(at.Sub(a.At)) / float64(b.At.Sub(a.At))
	return a.CPU + time.Duration(part*float64(b.CPU-a.CPU))
}

// Kept is something that was kept at a moment.
type Kept[T any] struct {
	What T
	At   time.Time
}

// Seconds groups what was kept by the CPU second of it, the first in group 0. Groups of seconds
// without any are empty.
func Seconds[T any](p Progress, all []Kept[T]) (groups [][]T) {
	slices.SortStableFunc(all, func(a, b Kept[T]) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	for _, one := range all {
		second := int(max(0, p.CPUAt(one.At)) / time.Second)
		for len(groups) <= second {
			groups = append(groups, nil)
		}
		groups[second] = append(groups[second], one.What)
	}
	return groups
}

// Series has the number of blocks that were covered at the end of each CPU second in which it grew.
type Series struct {
	Seconds []int `json:"cpu_seconds"`
	Blocks  []int `json:"blocks"`
}

// Add adds a second, unless the number is that of the one before.
func (s *Series) Add(second, blocks int) {
	if n := len(s.Blocks); n == 0 || s.Blocks[n-1] != blocks {
		s.Seconds, s.Blocks = append(s.Seconds, second), append(s.Blocks, blocks)
	}
}
