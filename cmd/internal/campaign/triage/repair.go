package triage

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"iter"
	"slices"

	"parallax/cmd/internal/base/minimize"
	"parallax/cmd/internal/process/execute"
	"parallax/internal/input"
)

// Inputs that triage derives from others are repaired like mutants. Otherwise all of them would
// only show wrong checksums. The repaired input is executed, and is the result.

// maxRepairDeaths bounds the deaths in the repair function before the replayer omits it.
const maxRepairDeaths = 3

// Repair returns the input as repaired by the target. Without repair, or if it fails, it stays.
func (s *Replayer) Repair(flat []byte) []byte { return s.RepairAll([][]byte{flat})[0] }

// RepairAll repairs inputs like Repair.
func (s *Replayer) RepairAll(flats [][]byte) [][]byte {
	repaired := slices.Clone(flats)
	for done := 0; done < len(flats); done++ { // an input on which repair fails stays
		if s.repairDeaths >= maxRepairDeaths || s.Start() != nil || !s.worker.Hello.Repairs {
			break
		}
		var made [][]byte
		err := s.order(func() (err error) {
			made, err = s.worker.RepairAll(flats[done:])
			return err
		})
		done += copy(repaired[done:], made)
		if err != nil {
			var death *execute.Death
			if errors.As(err, &death) {
				s.Deaths++
				s.repairDeaths++
			}
			s.Fresh()
		}
	}
	return repaired
}

// repairs reports whether the target's mutants are repaired.
func (s *Replayer) repairs() bool { return s.Start() == nil && s.worker.Hello.Repairs }

// repaired yields the repaired inputs, numbered.
func (s *Replayer) repaired(list iter.Seq[[]byte], flat []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		if s.repairs() {
			list = repairedOnce(list, flat, s.RepairAll)
		}
		n := 0
		for b := range list {
			if !yield(n, b) {
				return
			}
			n++
		}
	}
}

// repairedOnce yields each repaired input once, and never flat: repairs undo many changes.
func repairedOnce(list iter.Seq[[]byte], flat []byte, repair func([][]byte) [][]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		seen := map[[sha256.Size]byte]bool{sha256.Sum256(flat): true}
		for some := range chunks(list, atOnce(flat)) {
			for _, made := range repair(some) {
				if sum := sha256.Sum256(made); !seen[sum] {
					seen[sum] = true
					if !yield(made) {
						return
					}
				}
			}
		}
	}
}

// atOnce returns the number of inputs of this size that are repaired at a time.
func atOnce(flat []byte) int { return max(1, min(batch, batchBytes/max(len(flat), 1))) }

// chunks yields n of a list at a time.
func chunks(list iter.Seq[[]byte], n int) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		var some [][]byte
		for b := range list {
			if some = append(some, b); len(some) == n {
				if !yield(some) {
					return
				}
				some = nil
			}
		}
		if len(some) > 0 {
			yield(some)
		}
	}
}

// Computed is the content of a hole that the repair function fills.
const Computed = "computed"

// maxComputed bounds the bytes of an input that computed tests, with a repair for each.
const maxComputed = 1 << 9

// computed returns the bytes of an input that the repair function computes: it restores them.
func (s *Replayer) computed(shape input.Shape, flat []byte) map[int]bool {
	if !s.repairs() {
		return map[int]bool{}
	}
	return computed(shape, flat, s.RepairAll)
}

// computed tests bytes from both ends inwards, since checksums are in headers and trailers.
func computed(shape input.Shape, flat []byte, repair func([][]byte) [][]byte) map[int]bool {
	made := map[int]bool{}
	if !bytes.Equal(repair([][]byte{flat})[0], flat) {
		return made
	}
	var places []int
	for i, sp := range shape.Spans(nil, flat) {
		for at := sp.Start; at < sp.End && shape[i].Width() == 0; at++ {
			places = append(places, at)
		}
	}
	if n := len(places); n > maxComputed {
		places = slices.Delete(places, maxComputed/2, n-maxComputed/2)
	}
	for some := range slices.Chunk(places, atOnce(flat)) {
		var changed [][]byte
		for _, at := range some {
			b := slices.Clone(flat)
			b[at] ^= 0xff
			changed = append(changed, b)
		}
		for i, b := range repair(changed) {
			if bytes.Equal(b, flat) {
				made[some[i]] = true
			}
		}
	}
	return made
}

// withComputed removes computed bytes from holes and adds holes for them.
func withComputed(list []minimize.Hole, made map[int]bool) []minimize.Hole {
	var out []minimize.Hole
	add := func(at int, of string) {
		if last := len(out) - 1; last >= 0 && out[last].End == at && out[last].Of == of {
			out[last].End++
			return
		}
		out = append(out, minimize.Hole{Start: at, End: at + 1, Of: of})
	}
	for at := range made {
		covered := slices.ContainsFunc(list, func(h minimize.Hole) bool { return h.Start <= at && at < h.End })
		if !covered {
			list = append(list, minimize.Hole{Start: at, End: at + 1, Of: Computed})
		}
	}
	slices.SortFunc(list, func(a, b minimize.Hole) int { return a.Start - b.Start })
	for _, h := range list {
		if h.Of == "value" {
			out = append(out, h)
			continue
		}
		for at := h.Start; at < h.End; at++ {
			if made[at] {
				add(at, Computed)
			} else {
				add(at, h.Of)
			}
		}
	}
	return out
}
