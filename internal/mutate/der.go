package mutate

import "parallax/internal/der"

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
	if len(b) > der.MaxLen {
		return 0, false
	}
	if m.elements = der.Parse(m.elements, b); len(m.elements) == 0 {
		return 0, false
	}
	return r.Intn(len(m.elements)), true
}

// derReplace replaces b[from:to], of element k, by scratch, if the limit admits.
func (m *Mutator) derReplace(b []byte, k, from, to int) ([]byte, bool) {
	m.edited = der.Replace(m.edited, b, m.elements, k, from, to, m.scratch)
	if len(m.edited) > m.limit {
		return b, false
	}
	return append(b[:0], m.edited...), true
}

// derPiece sets scratch to another element, of the donor or of the data itself. Most of the time it
// has the given type.
func (m *Mutator) derPiece(r *Rand, b []byte, tag byte) {
	from, list := b, m.elements
	if len(m.donor) > 0 && len(m.donor) <= der.MaxLen && r.Chance(3, 4) {
		if m.donated = der.Parse(m.donated, m.donor); len(m.donated) > 0 {
			from, list = m.donor, m.donated
		}
	}
	k := r.Intn(len(list))
	if r.Chance(3, 4) {
		for i := range list {
			if at := (k + i) % len(list); from[list[at].Start] == tag {
				k = at
				break
			}
		}
	}
	e := &list[k]
	m.scratch = append(m.scratch[:0], from[e.Start:e.End]...)
}

// derMove removes, doubles, exchanges or replaces an element, inserts another one before or behind
// it, or adds or removes an element around it.
func derMove(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	k, ok := m.derElement(r, b)
	if !ok {
		return b, false
	}
	e := m.elements[k]
	switch r.Intn(8) {
	case 0:
		m.scratch = m.scratch[:0]
	case 1:
		m.scratch = append(append(m.scratch[:0], b[e.Start:e.End]...), b[e.Start:e.End]...)
	case 2: // an element around it
		m.scratch = der.AppendHeader(m.scratch[:0], derTypes[r.Intn(len(derTypes))]|der.Constructed, e.End-e.Start)
		m.scratch = append(m.scratch, b[e.Start:e.End]...)
	case 3: // its content in its place
		if b[e.Start]&der.Constructed == 0 {
			return b, false
		}
		m.scratch = append(m.scratch[:0], b[e.Body:e.End]...)
	case 4: // exchanged with the next one
		next := m.derNext(k)
		if next < 0 || e.Parent < 0 {
			return b, false
		}
		o := m.elements[next]
		m.scratch = append(append(m.scratch[:0], b[o.Start:o.End]...), b[e.Start:e.End]...)
		copy(b[e.Start:], m.scratch)
		return b, true
	case 5, 6:
		m.derPiece(r, b, b[e.Start])
	case 7:
		m.derPiece(r, b, b[e.Start])
		if r.Chance(1, 2) {
			m.scratch = append(m.scratch, b[e.Start:e.End]...)
		} else {
			m.scratch = replace(m.scratch, 0, 0, b[e.Start:e.End])
		}
	}
	return m.derReplace(b, k, e.Start, e.End)
}

// derNext returns the element behind element k with the same parent, or -1.
func (m *Mutator) derNext(k int) int {
	for i := k + 1; i < len(m.elements); i++ {
		if o := &m.elements[i]; o.Start >= m.elements[k].End {
			if o.Parent == m.elements[k].Parent && o.Start == m.elements[k].End {
				return i
			}
			break
		}
	}
	return -1
}

// derContent changes the content of an element that holds no others, by its type.
func derContent(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	k, ok := m.derElement(r, b)
	if !ok {
		return b, false
	}
	for i := range m.elements { // the next one without others in it
		at := (k + i) % len(m.elements)
		if at+1 == len(m.elements) || m.elements[at+1].Parent != at {
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
