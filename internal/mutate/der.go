package mutate

import (
	"bytes"

	"parallax/internal/der"
)

// Operators on elements of DER. They keep the tree of types and lengths readable, so that programs
// get past the first checks. The set "der" has them besides the full set. On data that is not DER
// they do not apply.

// derTypes are types that decoders distinguish.
var derTypes = []byte{
	0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x09, 0x0a, 0x0c, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1c, 0x1e,
	0x30, 0x31, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5,
}

// Universal types with operators of their own.
const (
	derBoolean         = 0x01
	derInteger         = 0x02
	derIdentifier      = 0x06
	derUTCTime         = 0x17
	derGeneralizedTime = 0x18
)

// derElement parses the data and chooses an element. It reports false if there is none.
func (m *Mutator) derElement(r *Rand, b []byte) (k int, ok bool) {
	m.elements = m.elements[:0]
	if len(b) <= der.MaxLen {
		m.elements = der.Parse(m.elements, b)
	}
	if len(m.elements) == 0 {
		return 0, false
	}
	return r.Intn(len(m.elements)), true
}

// derReplace replaces b[from:to], of element k, by scratch, if the limit admits.
func (m *Mutator) derReplace(b []byte, k, from, to int) ([]byte, bool) {
	m.edited = der.Replace(m.edited, b, m.elements, k, from, to, m.scratch)
	return m.derEdited(b)
}

// derInsert inserts scratch before element k or behind it, if the limit admits.
func (m *Mutator) derInsert(r *Rand, b []byte, k int) ([]byte, bool) {
	m.edited = der.Insert(m.edited, b, m.elements, k, r.Chance(1, 2), m.scratch)
	return m.derEdited(b)
}

func (m *Mutator) derEdited(b []byte) ([]byte, bool) {
	if len(m.edited) > m.limit {
		return b, false
	}
	return append(b[:0], m.edited...), true
}

// The likeness of two elements.
const (
	likeAny   = iota // they need not be
	likeType         // they have the same type
	likeRole         // so do the first elements in them, and all elements around them
	likeNamed        // and the same identifiers begin the elements around them
)

// derLikes are how like the replacement of an element is to be.
var derLikes = [...]int{likeAny, likeType, likeRole, likeRole, likeRole, likeNamed, likeNamed, likeNamed}

// derPiece sets scratch to another element, of the donor or of the data itself. The element is as
// like element k as given, or less if there is none. derPiece reports false if none has the type.
func (m *Mutator) derPiece(r *Rand, b []byte, k, like int) bool {
	from, list := b, m.elements
	if len(m.donor) > 0 && len(m.donor) <= der.MaxLen && r.Chance(3, 4) {
		if m.donated = der.Parse(m.donated, m.donor); len(m.donated) > 0 {
			from, list = m.donor, m.donated
		}
	}
	chosen := -1
	start := r.Intn(len(list))
	if like == likeAny {
		chosen = start
	}
	own := b[m.elements[k].Start:m.elements[k].End]
	for ; like > likeAny && chosen < 0; like-- {
		for i := 0; i < len(list) && chosen < 0; i++ {
			at := (start + i) % len(list)
			if derLike(b, m.elements, k, from, list, at, like) && !bytes.Equal(from[list[at].Start:list[at].End], own) {
				chosen = at
			}
		}
	}
	if chosen < 0 {
		return false
	}
	m.scratch = append(m.scratch[:0], from[list[chosen].Start:list[chosen].End]...)
	return true
}

// derLike reports whether element i of a and element j of b are as like as given.
func derLike(a []byte, of []der.Element, i int, b []byte, in []der.Element, j, like int) bool {
	if a[of[i].Start] != b[in[j].Start] || like > likeType && derInner(a, of, i) != derInner(b, in, j) {
		return false
	}
	for like > likeType {
		up, other := of[i].Parent, in[j].Parent
		switch {
		case up < 0 || other < 0:
			return up == other
		case a[of[up].Start] != b[in[other].Start]:
			return false
		case like == likeNamed && der.First(of, up) != i && !bytes.Equal(derName(a, of, up), derName(b, in, other)):
			return false
		}
		i, j = up, other
	}
	return true
}

// derInner returns the type of the first element in element k, or 0.
func derInner(b []byte, all []der.Element, k int) byte {
	if first := der.First(all, k); first >= 0 {
		return b[all[first].Start]
	}
	return 0
}

// derName returns the identifier that begins element k, if one does.
func derName(b []byte, all []der.Element, k int) []byte {
	if first := der.First(all, k); first >= 0 && b[all[first].Start] == derIdentifier {
		return b[all[first].Body:all[first].End]
	}
	return nil
}

// derLoose returns an element from k on that a format probably permits to be missing or repeated.
// That is an outermost one, an item of a list, or a Boolean, which may have a default. It may also
// be one with a type that the format has numbered. If there is none, derLoose returns k.
func (m *Mutator) derLoose(b []byte, k int) int {
	for i := range m.elements {
		at := (k + i) % len(m.elements)
		if e := &m.elements[at]; e.Parent < 0 || b[e.Start]&0xc0 == 0x80 || b[e.Start] == derBoolean || m.derItem(b, at) {
			return at
		}
	}
	return k
}

// derItem reports whether the element before or behind element k has the same types.
func (m *Mutator) derItem(b []byte, k int) bool {
	same := func(other int) bool {
		return b[m.elements[other].Start] == b[m.elements[k].Start] && derInner(b, m.elements, other) == derInner(b, m.elements, k)
	}
	if next := der.Next(m.elements, k); next >= 0 && same(next) {
		return true
	}
	for i := k - 1; i > m.elements[k].Parent; i-- {
		if m.elements[i].End == m.elements[k].Start && m.elements[i].Parent == m.elements[k].Parent {
			return same(i)
		}
	}
	return false
}

// derMove removes, doubles, exchanges or replaces an element, inserts another one before or behind
// it, or adds or removes an element around it. Three of four elements that are removed, doubled or
// joined by another one are such that a format probably permits it.
func derMove(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	k, ok := m.derElement(r, b)
	if !ok {
		return b, false
	}
	move := r.Intn(16)
	if move < 7 && r.Chance(3, 4) {
		k = m.derLoose(b, k)
	}
	e := m.elements[k]
	switch {
	case move < 3:
		m.scratch = m.scratch[:0]
	case move < 4:
		m.scratch = append(m.scratch[:0], b[e.Start:e.End]...)
		return m.derInsert(r, b, k)
	case move < 7:
		if !m.derPiece(r, b, k, [...]int{likeAny, likeRole}[min(r.Intn(8), 1)]) {
			return b, false
		}
		return m.derInsert(r, b, k)
	case move < 8: // exchanged with the next one
		next := der.Next(m.elements, k)
		if next < 0 {
			return b, false
		}
		o := m.elements[next]
		m.scratch = append(append(m.scratch[:0], b[o.Start:o.End]...), b[e.Start:e.End]...)
		copy(b[e.Start:], m.scratch)
		return b, true
	case move < 9: // an element around it
		m.scratch = der.AppendHeader(m.scratch[:0], derTypes[r.Intn(len(derTypes))]|der.Constructed, e.End-e.Start)
		m.scratch = append(m.scratch, b[e.Start:e.End]...)
	case move < 10: // its content in its place
		if b[e.Start]&der.Constructed == 0 {
			return b, false
		}
		m.scratch = append(m.scratch[:0], b[e.Body:e.End]...)
	case !m.derPiece(r, b, k, derLikes[r.Intn(len(derLikes))]):
		return b, false
	}
	return m.derReplace(b, k, e.Start, e.End)
}

// derContent changes the content of an element that holds no others, by its type.
func derContent(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	k, ok := m.derElement(r, b)
	if !ok {
		return b, false
	}
	for i := range m.elements { // the next one without others in it
		at := (k + i) % len(m.elements)
		if der.First(m.elements, at) < 0 {
			k = at
			break
		}
	}
	e := m.elements[k]
	m.scratch = append(m.scratch[:0], b[e.Body:e.End]...)
	switch tag := b[e.Start]; {
	case tag == derBoolean:
		m.scratch = append(m.scratch[:0], [...]byte{0, 0xff, 1, 0x80}[r.Intn(4)])
	case tag == derInteger && r.Chance(3, 4):
		m.derNumber(r)
	case tag == derIdentifier && len(m.scratch) > 0 && r.Chance(3, 4):
		i := len(m.scratch) - 1
		if r.Chance(1, 4) {
			i = r.Intn(len(m.scratch))
		}
		m.scratch[i] = m.scratch[i]&0x80 | byte(r.Intn(128))
	case (tag == derUTCTime || tag == derGeneralizedTime) && len(m.scratch) > 0 && r.Chance(3, 4):
		m.derTime(r)
	case tag == der.BitString && len(m.scratch) > 0 && r.Chance(1, 2):
		m.scratch[0] = byte(r.Intn(9))
	default:
		limit := m.limit
		m.limit = max(limit-len(b)+len(m.scratch), 0)
		piece := m.scratch
		op := derBytes[r.Intn(len(derBytes))]
		m.scratch = m.spare // operators use it
		piece, ok = op(m, r, piece)
		m.spare, m.scratch, m.limit = m.scratch, piece, limit
		if !ok {
			return b, false
		}
	}
	return m.derReplace(b, k, e.Body, e.End)
}

// derBytes are the operators for content without a known meaning.
var derBytes = []operator{splice, insertByte, insertByte, eraseByte, flipBit, randomByte, randomByte, interesting,
	deleteBlock, duplicateBlock, repeatBlock, letterCase, class, insertRune}

// derNumber sets scratch to the content of an integer: a boundary value, a changed one, or one with
// bytes that DER forbids in front.
func (m *Mutator) derNumber(r *Rand) {
	switch r.Intn(4) {
	case 0, 1:
		v := boundary(r, 64)
		n := 8
		for n > 1 && (v>>(8*n-9) == 0 || v>>(8*n-9) == 1<<(73-8*n)-1) { // the shortest form
			n--
		}
		m.scratch = m.scratch[:0]
		for n--; n >= 0; n-- {
			m.scratch = append(m.scratch, byte(v>>(8*n)))
		}
	case 2:
		first := byte(0)
		if r.Chance(1, 2) {
			first = 0xff
		}
		m.scratch = replace(m.scratch, 0, 0, []byte{first})
	case 3:
		if len(m.scratch) > 0 {
			m.scratch[len(m.scratch)-1] += byte(1 + r.Intn(3))
		}
	}
}

// derTime changes a time: a digit, the end, or the century.
func (m *Mutator) derTime(r *Rand) {
	i := r.Intn(len(m.scratch))
	switch {
	case r.Chance(1, 8): // a zone, fractions, or nothing
		ends := [...]string{"", "Z", "+0000", "-1200", ".5Z", "z"}
		for len(m.scratch) > 0 && m.scratch[len(m.scratch)-1] > '9' {
			m.scratch = m.scratch[:len(m.scratch)-1]
		}
		m.scratch = append(m.scratch, ends[r.Intn(len(ends))]...)
	case r.Chance(1, 2):
		i = r.Intn(min(len(m.scratch), 4)) // years make the largest difference
		fallthrough
	default:
		m.scratch[i] = byte('0' + r.Intn(10))
	}
}

// derType changes the type of an element.
func derType(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	k, ok := m.derElement(r, b)
	if !ok {
		return b, false
	}
	at := m.elements[k].Start
	switch r.Intn(4) {
	case 0:
		b[at] ^= 1 << r.Intn(8)
	case 1:
		b[at] ^= der.Constructed
	default:
		b[at] = derTypes[r.Intn(len(derTypes))]
	}
	return b, true
}

// derHeader writes the length of an element in a longer form than DER permits.
func derHeader(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	k, ok := m.derElement(r, b)
	if !ok {
		return b, false
	}
	e := m.elements[k]
	n := e.End - e.Body
	m.scratch = append(m.scratch[:0], b[e.Start])
	switch r.Intn(3) {
	case 0: // indefinite
		m.scratch = append(append(append(m.scratch, 0x80), b[e.Body:e.End]...), 0, 0)
	default:
		width := 1 + r.Intn(4)
		for n>>(8*width) != 0 {
			width++
		}
		m.scratch = append(m.scratch, 0x80|byte(width))
		for width--; width >= 0; width-- {
			m.scratch = append(m.scratch, byte(n>>(8*width)))
		}
		m.scratch = append(m.scratch, b[e.Body:e.End]...)
	}
	return m.derReplace(b, k, e.Start, e.End)
}
