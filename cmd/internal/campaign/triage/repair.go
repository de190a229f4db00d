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

// Inputs that triage makes of an input (smaller ones, neighbors, those with other bytes in holes) are repaired as the
// mutants are that the campaign makes: else all of them would only show that a checksum is wrong. What is executed, and is the
// result, is the repaired input.

// maxRepairDeaths is how many processes the repair function may end before the replayer does without it.
const maxRepairDeaths = 3

// Repair returns the input as the target's repair function makes it: as it is where there is none or it fails.
func (s *Replayer) Repair(flat []byte) []byte { return s.RepairAll([][]byte{flat})[0] }

// RepairAll returns inputs as the target's repair function makes them.
func (s *Replayer) RepairAll(flats [][]byte) [][]byte {
	repaired := slices.Clone(flats)
	for done := 0; done < len(flats); done++ { // one that fails stays as it is
		if s.repairDeaths >= maxRepairDeaths || s.start() != nil || !s.worker.Hello.Repairs {
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
func (s *Replayer) repairs() bool { return s.start() == nil && s.worker.Hello.Repairs }

// repaired are the inputs as the repair function makes them.
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

// repairedOnce are the inputs as repair makes them, without those that become flat again, and each of them once: a part that a checksum
// covers is the same again whatever was done to the checksum, and would count as often.
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

// atOnce is how many inputs like this one are made at a time.
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

// Computed is what stands in a hole that the repair function fills.
const Computed = "computed"

// maxComputed is how many bytes of an input are looked at to find those that the repair function makes: it is called for each.
const maxComputed = 1 << 9

// computed returns which bytes of an input the repair function makes of the others: it puts back what is changed there.
func (s *Replayer) computed(shape input.Shape, flat []byte) map[int]bool {
	if !s.repairs() {
		return map[int]bool{}
	}
	return computed(shape, flat, s.RepairAll)
}

// computed looks at the bytes from both ends inwards, since checksums and lengths stand in headers and trailers.
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

// withComputed takes the bytes that are computed out of holes, and makes holes of their own of them.
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
