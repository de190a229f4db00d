package cmplog

import (
	"encoding/binary"
	"slices"

	"parallax/internal/input"
)

// edit replaces the bytes from to to of an argument's data by text.
type edit struct {
	arg, from, to int32
	text          []byte
}

// Patch is a replacement at one or more places of an input. The zero Patch changes nothing.
type Patch struct {
	edits []edit // sorted, disjoint, each changes something
}

// prefix is the size of the length before a []byte or string in the flat form of a tuple.
const prefix = 4

// sized reports whether a kind is data of any length.
func sized(k input.Kind) bool { return k == input.Bytes || k == input.String }

// Apply returns the mutant of the patch's input in dst[:0], which must not overlap flat. For other
// inputs of the shape, the mutant is arbitrary but valid: edits are cut to the data's length.
func (s *Solver) Apply(dst, flat []byte, p Patch) []byte {
	dst = dst[:0]
	s.spans = s.shape.Spans(s.spans[:0], flat)
	rest := p.edits
	for i, k := range s.shape {
		n := 0
		for n < len(rest) && int(rest[n].arg) == i {
			n++
		}
		data := flat[s.spans[i].Start:s.spans[i].End]
		if !sized(k) {
			dst = append(dst, data...)
			for _, e := range rest[:n] {
				copy(dst[len(dst)-len(data)+int(e.from):], e.text)
			}
		} else {
			start := len(dst)
			if !s.shape.Raw() {
				start += prefix
				dst = append(dst, 0, 0, 0, 0)
			}
			dst = appendEdited(dst, data, rest[:n])
			dst = dst[:min(len(dst), start+s.limit(len(data)))]
			if !s.shape.Raw() {
				binary.LittleEndian.PutUint32(dst[start-prefix:], uint32(len(dst)-start))
			}
		}
		rest = rest[n:]
	}
	return dst
}

func appendEdited(dst, data []byte, edits []edit) []byte {
	at := 0
	for _, e := range edits {
		from, to := min(int(e.from), len(data)), min(int(e.to), len(data))
		dst = append(append(dst, data[at:from]...), e.text...)
		at = to
	}
	return append(dst, data[at:]...)
}

// limit returns the length to which an argument of n bytes may grow.
func (s *Solver) limit(n int) int { return max(s.maxLen, n) }

// trim removes from an edit the bytes that it does not change. It moves a pure insertion or
// deletion to the first place with the same effect, so that equal mutants have equal edits. It
// reports false if nothing is left.
func (e *edit) trim(data []byte) bool {
	old := data[e.from:e.to]
	n := 0
	for n < len(old) && n < len(e.text) && old[n] == e.text[n] {
		n++
	}
	old, e.text, e.from = old[n:], e.text[n:], e.from+int32(n)
	n = 0
	for n < len(old) && n < len(e.text) && old[len(old)-1-n] == e.text[len(e.text)-1-n] {
		n++
	}
	e.text, e.to = e.text[:len(e.text)-n], e.to-int32(n)
	switch {
	case len(e.text) == 0:
		for e.from < e.to && e.from > 0 && data[e.from-1] == data[e.to-1] {
			e.from, e.to = e.from-1, e.to-1
		}
	case e.from == e.to:
		for last := len(e.text) - 1; e.from > 0 && data[e.from-1] == e.text[last]; {
			copy(e.text[1:], e.text[:last])
			e.text[0] = data[e.from-1]
			e.from, e.to = e.from-1, e.to-1
		}
	}
	return e.from < e.to || len(e.text) > 0
}

// compare orders edits by place.
func (e *edit) compare(f edit) int {
	if e.arg != f.arg {
		return int(e.arg - f.arg)
	}
	if e.from != f.from {
		return int(e.from - f.from)
	}
	return int(e.to - f.to)
}

// disjoint sorts edits and drops those that touch the previous one, since their result would be
// unclear.
func disjoint(edits []edit) []edit {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.compare(b) })
	kept := edits[:0]
	for _, e := range edits {
		if n := len(kept); n > 0 && kept[n-1].arg == e.arg && (e.from < kept[n-1].to || e.from == kept[n-1].from) {
			continue
		}
		kept = append(kept, e)
	}
	return kept
}
