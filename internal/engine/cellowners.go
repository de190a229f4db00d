package engine

import (
	"parallax/internal/feature"
	"parallax/internal/mutate"
	"parallax/internal/schedule"
)

// cellOwners lets small inputs replace large ones where cells guide (feature.Domain.CellOwners).
// Programs with ever new output would otherwise fill the corpus with long inputs. Each cell belongs
// to the input that showed it first. An input of at most half the length takes the cell, so that a
// cell changes its owner a bounded number of times. An input that was kept only for cells and has
// lost all of them is retired. The schedule may still draw it, and then the input that took its
// last cell is mutated instead. Files on disk stay.
type cellOwners struct {
	owners [][]int32   // by program and cell: index of the owner plus one; 0 means none
	inputs []cellOwner // by index in the corpus
	seeds  []int32     // inputs of the user
}

type cellOwner struct {
	size      int
	cells     int   // number of its cells
	permanent bool  // not kept for cells alone
	successor int32 // input to mutate instead; its own index means none
}

func newCellOwners(programs int) *cellOwners { return &cellOwners{owners: make([][]int32, programs)} }

// onlyForCells reports whether an input that was kept for these domains was kept for cells alone.
func onlyForCells(domains []string) bool {
	for _, name := range domains {
		if d := feature.Find(name); d == nil || !d.CellOwners {
			return false
		}
	}
	return len(domains) > 0
}

// smaller reports whether an input of that size takes a cell.
func (h *cellOwners) smaller(j *feature.Joint, size int) bool {
	for p := range j.Cells {
		for _, c := range j.Cells[p] {
			if h.owners[p] != nil && h.owners[p][c] != 0 && 2*size <= h.inputs[h.owners[p][c]-1].size {
				return true
			}
		}
	}
	return false
}

// add must be called for every input that joins the corpus, in order.
func (h *cellOwners) add(j *feature.Joint, size int, permanent, seed bool) {
	index := int32(len(h.inputs))
	if seed {
		h.seeds = append(h.seeds, index)
	}
	h.inputs = append(h.inputs, cellOwner{size: size, permanent: permanent, successor: index})
	for p := range j.Cells {
		if h.owners[p] == nil && len(j.Cells[p]) > 0 {
			h.owners[p] = make([]int32, feature.CellSpace)
		}
		for _, c := range j.Cells[p] {
			owner := &h.owners[p][c]
			if *owner == index+1 {
				continue // it shows the cell twice
			}
			if *owner != 0 {
				old := &h.inputs[*owner-1]
				if 2*size > old.size {
					continue
				}
				if old.cells--; old.cells == 0 && !old.permanent {
					old.successor = index
				}
			}
			*owner = index + 1
			h.inputs[index].cells++
		}
	}
}

// successor returns the input to mutate instead of input i.
func (h *cellOwners) successor(i int) int {
	for int(h.inputs[i].successor) != i {
		next := int(h.inputs[i].successor)
		h.inputs[i].successor = h.inputs[next].successor // halves the path for the next call
		i = next
	}
	return i
}

// cellSchedule is a schedule that replaces retired seeds. One mutant in four is of an input of the
// user's. Cells are a poor substitute for blocks, and the inputs kept for them must not displace
// the few known good inputs.
type cellSchedule struct {
	schedule.Schedule
	owners *cellOwners
	seed   bool // the last choice was an input of the user's
}

const seedShare = 4

func (s *cellSchedule) Next(r *mutate.Rand) int {
	next := s.Schedule.Next(r)
	seeds := s.owners.seeds
	if s.seed = len(seeds) > 0 && r.Chance(1, seedShare); s.seed {
		return int(seeds[r.Intn(len(seeds))])
	}
	return s.owners.successor(next)
}

// Arm implements schedule.Armed. No arm chose an input of the user's, and a schedule may have no
// arms.
func (s *cellSchedule) Arm() int {
	if a, ok := s.Schedule.(schedule.Armed); ok && !s.seed {
		return a.Arm()
	}
	return -1
}
