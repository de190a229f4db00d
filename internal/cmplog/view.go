package cmplog

import (
	"sort"

	"parallax/internal/input"
)

// An input is searched through views: the data of each argument, its decoded parts (JSON strings
// with escapes, hex, base64, percent-encoding, UTF-16), and their decoded parts in turn. To replace
// text in a view, it is encoded like the text it replaces. A keyword in JSON in base64, at any
// alignment, therefore needs no pattern of its own.

const (
	maxSearched = 256 << 10 // of an input, in bytes
	maxViews    = 128
	maxDepth    = 3 // nested encodings
	maxLiterals = 512
)

// view is a part of haystack.text: the data of an argument, or decoded from a part of another view.
type view struct {
	start, end int // in haystack.text
	arg        int
	kind       input.Kind // of the argument
	fixed      bool       // a scalar, whose length cannot change
	depth      int
	codec      codec // encoding in its parent; nil for arguments
	parent     int
	from, to   int // the encoded form, relative to the parent's start
	// for codecs without a fixed ratio: the offset of each byte in the encoded form, and its end
	at   []int32
	full int // length of an argument's data, including the part that is not searched
}

func (v *view) len() int { return v.end - v.start }

// literal is the inside of a text in double quotes without escapes, in haystack.text.
type literal struct{ start, end int }

// haystack is the text in which operands are searched.
type haystack struct {
	index
	flat     []byte
	spans    []input.Span
	text     []byte // of all views
	views    []view
	literals []literal // ascending
	lengths  [256]bool // of literals, modulo 256
	scratch  [2][]byte // of lift
}

// load sets the input and creates its views.
func (h *haystack) load(shape input.Shape, flat []byte) {
	h.flat, h.spans = flat, shape.Spans(h.spans[:0], flat)
	h.text, h.views, h.literals = h.text[:0], h.views[:0], h.literals[:0]
	for i, s := range h.spans {
		data := flat[s.Start:s.End]
		n := min(len(data), maxSearched-len(h.text))
		if !sized(shape[i]) {
			n = len(data) // few and short
		}
		start := len(h.text)
		h.text = append(h.text, data[:n]...)
		h.views = append(h.views, view{start: start, end: start + n, arg: i, kind: shape[i], fixed: !sized(shape[i]), full: len(data)})
	}
	h.lengths = [256]bool{}
	bound := 3*len(h.text) + 1024
	for i := 0; i < len(h.views); i++ {
		if !h.views[i].fixed && h.views[i].depth < maxDepth && h.views[i].len() > 0 {
			h.decode(i, bound)
		}
	}
	h.build(h.text)
}

// add appends a decoded view of a part of a parent, unless there are too many.
func (h *haystack) add(parent, from, to int, c codec, data []byte, at []int32, bound int) {
	p := &h.views[parent]
	if len(data) == 0 || len(h.views) >= maxViews || len(h.text)+len(data) > bound {
		return
	}
	start := len(h.text)
	h.text = append(h.text, data...)
	h.views = append(h.views, view{
		start: start, end: len(h.text), arg: p.arg, kind: p.kind, depth: p.depth + 1, codec: c, parent: parent, from: from, to: to, at: at,
	})
}

// viewAt returns the view that holds text[i:j], or -1 if it spans several.
func (h *haystack) viewAt(i, j int) int {
	// Views are consecutive. The last non-empty one that starts at or before i holds it.
	n := sort.Search(len(h.views), func(k int) bool { return h.views[k].start > i }) - 1
	if n < 0 || j > h.views[n].end {
		return -1
	}
	return n
}

// inLiteral reports whether text[i:j] is inside a literal.
func (h *haystack) inLiteral(i, j int) bool {
	n := sort.Search(len(h.literals), func(k int) bool { return h.literals[k].start > i }) - 1
	return n >= 0 && j <= h.literals[n].end
}

// lift returns the edit of an argument that replaces the bytes from to to by text, relative to the
// view's start. The edit's text is valid until the next call.
func (h *haystack) lift(n, from, to int, text []byte) (edit, bool) {
	for turn := 0; h.views[n].codec != nil; turn ^= 1 {
		v := &h.views[n]
		var ok bool
		from, to, text, ok = v.codec.encode(h.scratch[turn][:0], v, h.text[v.start:v.end], from, to, text)
		if !ok {
			return edit{}, false
		}
		h.scratch[turn] = text
		from, to, n = v.from+from, v.from+to, v.parent
	}
	v := &h.views[n]
	if v.fixed && len(text) != to-from || v.kind == input.Bool && (len(text) != 1 || text[0] > 1) {
		return edit{}, false
	}
	return edit{arg: int32(v.arg), from: int32(from), to: int32(to), text: text}, true
}

// decode adds the views of encoded parts of a view, and its literals.
func (h *haystack) decode(n, bound int) {
	h.decodeLiterals(n, bound)
	h.decodeRuns(n, bound)
	h.decodePercent(n, bound)
	h.decodeWide(n, bound)
}
