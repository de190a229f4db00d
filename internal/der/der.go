// Package der reads and edits DER (ITU-T X.690), the encoding of certificates, keys and signed
// messages.
//
// An element begins with its type and the length of its content, so that changes of single bytes
// hardly ever leave readable data. Parse finds the elements of an input, also between other data.
// Replace and Insert change it and correct the lengths of the elements around it. The mutator makes
// inputs with them, and the minimizer removes what a finding does not need.
//
// Invariants: an element lies behind the one around it in the list. Elements of one parent are in
// the order of the data. Replace and Insert change nothing but the element and the lengths around
// it.
package der

const (
	// MaxLen is the length of the longest data that is worth parsing.
	MaxLen = 64 << 10
	// least is the length of the shortest outermost element. Shorter matches are mostly something
	// else.
	least    = 8
	maxDepth = 32
)

// Parts of a type, and types.
const (
	Constructed = 0x20
	BitString   = 0x03
	OctetString = 0x04
	Sequence    = 0x30
)

// Element holds the position of an element: its header, its content and its end.
type Element struct {
	Start, Body, End int
	Parent           int // index of the element around it, -1 for an outermost one
	prefix           int // bytes in front of an outermost element that hold its length, as in TLS
}

// Parse appends the elements of data to all[:0]. Each one follows the element around it.
func Parse(all []Element, data []byte) []Element {
	all = all[:0]
	for at := 0; at+least <= len(data); at++ {
		e, ok := read(data, at, len(data))
		if !ok || data[at]&Constructed == 0 || e.End-e.Start < least {
			continue
		}
		e.Parent = -1
		from := len(all)
		all = append(all, e)
		if all, ok = inside(data, all, from, e.Body, maxDepth); !ok {
			all = all[:from]
			continue
		}
		all[from].prefix = prefix(data, e)
		at = e.End - 1
	}
	return all
}

// inside adds the elements that fill all[parent] from offset at to its end. It reports whether they
// fill it exactly.
func inside(data []byte, all []Element, parent, at, depth int) ([]Element, bool) {
	from, end := len(all), all[parent].End
	if at == end || depth == 0 {
		return all, at == end
	}
	for at < end {
		e, ok := read(data, at, end)
		if !ok {
			return all[:from], false
		}
		e.Parent = parent
		k := len(all)
		all = append(all, e)
		switch tag := data[e.Start]; {
		case tag&Constructed != 0:
			all, ok = inside(data, all, k, e.Body, depth-1)
			if !ok {
				return all[:from], false
			}
		case tag == OctetString: // extensions hold DER in an octet string
			all, _ = inside(data, all, k, e.Body, depth-1)
		case tag == BitString && e.Body < e.End && data[e.Body] == 0: // keys hold DER in a bit string, after the number of unused bits
			all, _ = inside(data, all, k, e.Body+1, depth-1)
		}
		at = e.End
	}
	return all, true
}

// read reads an element's type and length.
func read(data []byte, at, limit int) (e Element, ok bool) {
	if at+2 > limit || data[at] == 0 || data[at]&0x1f == 0x1f {
		return e, false
	}
	e = Element{Start: at, Body: at + 2}
	n := int(data[at+1])
	if n >= 0x80 {
		count := n & 0x7f
		if count == 0 || count > 3 || e.Body+count > limit {
			return e, false
		}
		n = 0
		for _, c := range data[e.Body : e.Body+count] {
			n = n<<8 | int(c)
		}
		e.Body += count
	}
	e.End = e.Body + n
	return e, e.End <= limit
}

// AppendHeader appends a type and a length in the shortest encoding.
func AppendHeader(dst []byte, tag byte, n int) []byte {
	switch {
	case n < 0x80:
		return append(dst, tag, byte(n))
	case n < 1<<8:
		return append(dst, tag, 0x81, byte(n))
	case n < 1<<16:
		return append(dst, tag, 0x82, byte(n>>8), byte(n))
	}
	return append(dst, tag, 0x83, byte(n>>16), byte(n>>8), byte(n))
}

// prefix returns how many bytes in front of an element hold its length, most significant byte
// first: 2, 3, 4, or 0 for none.
func prefix(data []byte, e Element) int {
	for _, width := range []int{3, 2, 4} {
		if e.Start < width {
			continue
		}
		n := 0
		for _, c := range data[e.Start-width : e.Start] {
			n = n<<8 | int(c)
		}
		if n == e.End-e.Start {
			return width
		}
	}
	return 0
}

// Replace appends data to dst[:0], with the bytes data[from:to] replaced by piece. They are all of
// element k, or lie in its content. The lengths of the elements around them are corrected, and so
// is a length in front of the outermost one. If nothing replaces an outermost element, its length
// goes too. dst must not overlap data and piece.
func Replace(dst, data []byte, all []Element, k, from, to int, piece []byte) []byte {
	around := all[k].Parent // of what changes its length
	if from > all[k].Start || to < all[k].End {
		around = k
	}
	grown := len(piece) - (to - from)
	var edits [maxDepth + 2]struct{ at, to, length int } // outermost last
	n, outermost, size := 0, k, 0
	for i := around; i >= 0; i = all[i].Parent {
		e := &all[i]
		outermost = i
		length := e.End - e.Body + grown
		if length < 0 || n == len(edits) {
			return append(dst[:0], data...)
		}
		edits[n].at, edits[n].to, edits[n].length = e.Start, e.Body, length
		n++
		grown += headerSize(length) - (e.Body - e.Start)
		size = headerSize(length) + length
	}
	if around < 0 {
		size = len(piece)
	}
	o := &all[outermost]
	start := o.Start - o.prefix
	dst = append(dst[:0], data[:start]...)
	if around >= 0 || len(piece) > 0 {
		for p := o.prefix - 1; p >= 0; p-- {
			dst = append(dst, byte(size>>(8*p)))
		}
	}
	at := o.Start
	for n--; n >= 0; n-- {
		dst = append(dst, data[at:edits[n].at]...)
		dst = AppendHeader(dst, data[edits[n].at], edits[n].length)
		at = edits[n].to
	}
	dst = append(dst, data[at:from]...)
	dst = append(dst, piece...)
	return append(dst, data[to:]...)
}

// Insert appends data to dst[:0], with piece as a further element before element k, or behind it.
// Lengths are corrected as by Replace. In front of a further outermost element is its own length if
// there is one in front of element k. dst must not overlap data and piece.
func Insert(dst, data []byte, all []Element, k int, behind bool, piece []byte) []byte {
	e := &all[k]
	at := e.Start
	if behind {
		at = e.End
	}
	if e.Parent >= 0 {
		return Replace(dst, data, all, e.Parent, at, at, piece)
	}
	if !behind {
		at -= e.prefix
	}
	dst = append(dst[:0], data[:at]...)
	for p := e.prefix - 1; p >= 0; p-- {
		dst = append(dst, byte(len(piece)>>(8*p)))
	}
	dst = append(dst, piece...)
	return append(dst, data[at:]...)
}

// First returns the index of the first element in element k, or -1.
func First(all []Element, k int) int {
	if k+1 < len(all) && all[k+1].Parent == k {
		return k + 1
	}
	return -1
}

// Next returns the index of the element behind element k with the same parent, or -1. Outermost
// elements have none.
func Next(all []Element, k int) int {
	for i := k + 1; i < len(all) && all[k].Parent >= 0; i++ {
		if all[i].Start >= all[k].End {
			if all[i].Parent == all[k].Parent {
				return i
			}
			break
		}
	}
	return -1
}

// headerSize returns the length of the header that AppendHeader makes.
func headerSize(n int) int {
	switch {
	case n < 0x80:
		return 2
	case n < 1<<8:
		return 3
	case n < 1<<16:
		return 4
	}
	return 5
}
