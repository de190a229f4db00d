package engine

import (
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/schedule"
)

// heirs let small inputs take the place of large ones, where cells guide (feature.Domain.Heirs): programs that say something else each time
// would fill the corpus with long inputs otherwise. Each cell is held by the input that showed it first. One of at most half its length
// takes the cell over, so that a cell is taken over a bounded number of times. An input that was kept for cells alone and holds none
// any more is retired: the schedule may go on drawing it, and the one that took its last cell is mutated in its place. What is on disk
// stays.
type heirs struct {
	holders [][]int32 // by program and cell, one more than the index of the input that holds it; 0: nobody does
	inputs  []heir    // by index in the corpus
	given   []int32   // those that the user gave
}

type heir struct {
	size  int
	holds int   // cells
	bound bool  // it was not kept for cells alone, and stays
	next  int32 // the input that is mutated in its place; its own index: none
}

func newHeirs(programs int) *heirs { return &heirs{holders: make([][]int32, programs)} }

// inherited reports whether an input that was kept for these domains is kept only as long as it holds a cell.
func inherited(domains []string) bool {
	for _, name := range domains {
		if d := feature.Find(name); d == nil || !d.CellOwners {
			return false
		}
	}
	return len(domains) > 0
}

// smaller reports whether an input of that size takes a cell over.
func (h *heirs) smaller(j *feature.Joint, size int) bool {
	for p := range j.Cells {
		for _, c := range j.Cells[p] {
			if h.holders[p] != nil && h.holders[p][c] != 0 && 2*size <= h.inputs[h.holders[p][c]-1].size {
				return true
			}
		}
	}
	return false
}

// add is called for every input that joins the corpus, in order.
func (h *heirs) add(j *feature.Joint, size int, bound, given bool) {
	index := int32(len(h.inputs))
	if given {
		h.given = append(h.given, index)
	}
	h.inputs = append(h.inputs, heir{size: size, bound: bound, next: index})
	for p := range j.Cells {
		if h.holders[p] == nil && len(j.Cells[p]) > 0 {
			h.holders[p] = make([]int32, feature.CellSpace)
		}
		for _, c := range j.Cells[p] {
			holder := &h.holders[p][c]
			if *holder == index+1 {
				continue // it shows the cell twice
			}
			if *holder != 0 {
				old := &h.inputs[*holder-1]
				if 2*size > old.size {
					continue
				}
				if old.holds--; old.holds == 0 && !old.bound {
					old.next = index
				}
			}
			*holder = index + 1
			h.inputs[index].holds++
		}
	}
}

// of is the input that is mutated in the place of one.
func (h *heirs) of(i int) int {
	for int(h.inputs[i].next) != i {
		next := int(h.inputs[i].next)
		h.inputs[i].next = h.inputs[next].next // the way is half as long the next time
		i = next
	}
	return i
}

// succession is a schedule whose seeds have heirs. One mutant in four is of an input that the user gave: cells are a poor stand-in for
// blocks, and what is kept for them must not crowd out the few inputs that are known to be good.
type succession struct {
	schedule.Schedule
	heirs *heirs
	given bool // the last choice was of these
}

const givenShare = 4

func (s *succession) Next(r *mutate.Rand) int {
	next := s.Schedule.Next(r)
	given := s.heirs.given
	if s.given = len(given) > 0 && r.Chance(1, givenShare); s.given {
		return int(given[r.Intn(len(given))])
	}
	return s.heirs.of(next)
}

// Arm implements schedule.Armed: no arm has chosen an input that the user gave, and there is none if the schedule has none.
func (s *succession) Arm() int {
	if a, ok := s.Schedule.(schedule.Armed); ok && !s.given {
		return a.Arm()
	}
	return -1
}
