package triage

import (
	"bytes"
	"slices"

	"parallax/internal/input"
)

// Neighbours returns inputs that differ from flat in one place, at most limit of them, always the same: every byte
// deleted and replaced, scalars moved by one and set to zero. Of long inputs, evenly spaced places are taken.
func Neighbours(shape input.Shape, flat []byte, limit int) [][]byte {
	var out [][]byte
	add := func(b []byte) {
		repeated := bytes.Equal(b, flat) || len(out) > 0 && bytes.Equal(b, out[len(out)-1])
		if len(out) < limit && !repeated && shape.Check(b) == nil {
			out = append(out, b)
		}
	}
	spans := shape.Spans(nil, flat)
	places := 0
	for i, k := range shape {
		if k.Width() == 0 {
			places += spans[i].End - spans[i].Start
		}
	}
	const edits = 6
	step := max(1, (places*edits+limit-1)/limit)
	for i, k := range shape {
		sp := spans[i]
		if w := k.Width(); w > 0 {
			for _, delta := range []int{1, -1} {
				b := slices.Clone(flat)
				for p, c := sp.Start, delta; p < sp.End && c != 0; p++ {
					v := int(b[p]) + c
					b[p], c = byte(v), v>>8
				}
				add(b)
			}
			b := slices.Clone(flat)
			clear(b[sp.Start:sp.End])
			add(b)
			continue
		}
		for p := sp.Start; p < sp.End; p += step {
			add(splice(shape, flat, sp, p, p+1, nil))
			for _, c := range replacements(flat[p]) {
				b := slices.Clone(flat)
				b[p] = c
				add(b)
			}
		}
		add(splice(shape, flat, sp, sp.End, sp.End, []byte{'0'}))
		add(splice(shape, flat, sp, sp.Start, sp.Start, []byte{' '}))
		if sp.End > sp.Start {
			add(splice(shape, flat, sp, sp.Start+(sp.End-sp.Start)/2, sp.End, nil))
			add(splice(shape, flat, sp, sp.Start, sp.Start+(sp.End-sp.Start+1)/2, nil))
		}
	}
	return out
}

// replacements are three bytes of other classes than b, which make another number, a name and a break, and two that are like
// it: the next one, and a letter's other case.
func replacements(b byte) []byte {
	r := []byte{'1', 'a', ' ', b + 1, b ^ 0x20}
	for i := range r[:3] {
		if r[i] == b {
			r[i] = "0b\x00"[i]
		}
	}
	return r
}

// splice replaces flat[from:to], inside the argument at sp, by with, and sets the argument's length.
func splice(shape input.Shape, flat []byte, sp input.Span, from, to int, with []byte) []byte {
	b := slices.Concat(flat[:from], with, flat[to:])
	if !shape.Raw() {
		n := uint32(sp.End - sp.Start + len(with) - (to - from))
		p := sp.Start - 4
		b[p], b[p+1], b[p+2], b[p+3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	}
	return b
}
