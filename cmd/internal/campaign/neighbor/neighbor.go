// Package neighbor edits inputs in one place. Triage compares an input with its neighbors. These
// show which places of the programs separate inputs with a disagreement from others.
package neighbor

import (
	"slices"

	"parallax/internal/input"
)

// Edits calls add with possible neighbors, also invalid ones, until add returns false. It yields at
// most about limit of them, at evenly spaced places.
func Edits(shape input.Shape, flat []byte, limit int, add func([]byte) bool) {
	spans := shape.Spans(nil, flat)
	places := 0
	for i, k := range shape {
		if k.Width() == 0 {
			places += spans[i].End - spans[i].Start
		}
	}
	const each = 6 // edits per place
	step := max(1, (places*each+limit-1)/limit)
	for i, k := range shape {
		ok := false
		if sp := spans[i]; k.Width() > 0 {
			ok = scalarEdits(flat, sp, add)
		} else {
			ok = textEdits(shape, flat, sp, step, add)
		}
		if !ok {
			return
		}
	}
}

func scalarEdits(flat []byte, sp input.Span, add func([]byte) bool) bool {
	for _, delta := range []int{1, -1} {
		b := slices.Clone(flat)
		for p, c := sp.Start, delta; p < sp.End && c != 0; p++ {
			v := int(b[p]) + c
			b[p], c = byte(v), v>>8
		}
		if !add(b) {
			return false
		}
	}
	b := slices.Clone(flat)
	clear(b[sp.Start:sp.End])
	return add(b)
}

func textEdits(shape input.Shape, flat []byte, sp input.Span, step int, add func([]byte) bool) bool {
	for p := sp.Start; p < sp.End; p += step {
		if !add(Splice(shape, flat, sp, p, p+1, nil)) {
			return false
		}
		for _, c := range replacements(flat[p]) {
			b := slices.Clone(flat)
			b[p] = c
			if !add(b) {
				return false
			}
		}
	}
	if !add(Splice(shape, flat, sp, sp.End, sp.End, []byte{'0'})) || !add(Splice(shape, flat, sp, sp.Start, sp.Start, []byte{' '})) {
		return false
	}
	half := sp.Start + (sp.End-sp.Start)/2
	return sp.End == sp.Start || add(Splice(shape, flat, sp, half, sp.End, nil)) &&
		add(Splice(shape, flat, sp, sp.Start, sp.Start+(sp.End-sp.Start+1)/2, nil))
}

// replacements returns three bytes of other classes than b, which make another number, a name and a
// break. It also returns the next byte, and the other case of a letter.
func replacements(b byte) []byte {
	r := []byte{'1', 'a', ' ', b + 1, b ^ 0x20}
	for i := range r[:3] {
		if r[i] == b {
			r[i] = "0b\x00"[i]
		}
	}
	return r
}

// Splice replaces flat[from:to] inside the argument at sp, and sets the argument's length.
func Splice(shape input.Shape, flat []byte, sp input.Span, from, to int, with []byte) []byte {
	b := slices.Concat(flat[:from], with, flat[to:])
	if !shape.Raw() {
		n := uint32(sp.End - sp.Start + len(with) - (to - from))
		p := sp.Start - 4
		b[p], b[p+1], b[p+2], b[p+3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	}
	return b
}
