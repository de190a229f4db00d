package triage

import (
	"bytes"
	"iter"

	"parallax/cmd/internal/campaign/neighbor"
	"parallax/internal/input"
)

// Neighbors yields at most limit inputs that differ from flat in one place, always the same ones.
// Every byte is deleted and replaced, and scalars change by one or become zero. In long inputs, the
// places are evenly spaced. Each neighbor is a copy that is made on request.
func Neighbors(shape input.Shape, flat []byte, limit int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if isTape(shape, flat) {
			tapeNeighbors(flat, limit, yield)
			return
		}
		var last []byte
		left := limit
		neighbor.Edits(shape, flat, limit, func(b []byte) bool {
			if left <= 0 {
				return false
			}
			if bytes.Equal(b, flat) || last != nil && bytes.Equal(b, last) || shape.Check(b) != nil {
				return true
			}
			left--
			last = b
			return yield(b)
		})
	}
}

// neighbors yields the inputs to compare flat with: extra ones, and its neighbors.
func (s *Replayer) neighbors(shape input.Shape, flat []byte, extra [][]byte, limit int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, b := range extra {
			if !yield(b) {
				return
			}
		}
		for _, b := range s.repaired(Neighbors(shape, flat, limit), flat) {
			if !yield(b) {
				return
			}
		}
	}
}
