package minimize

// Passes on DER (ITU-T X.690), the encoding of certificates, keys and signed messages. An element
// begins with its type and the length of its content, so that removing single bytes hardly ever
// leaves readable data. These passes remove whole elements and correct the lengths of the elements
// around them. They also correct a length in front of the outermost element, as in TLS.

const (
	// derLength bounds the length of an argument that is parsed as DER.
	derLength = 64 << 10
	// derLeast is the length of the shortest outermost element. Shorter matches are mostly
	// something else.
	derLeast = 8
	derDepth = 32
)

// element holds the position of one DER element: its header, its content and its end.
type element struct {
	start, body, end int
	parent           int // index of the enclosing element, -1 for an outermost one
	prefix           int // bytes in front of an outermost element that hold its length
}

// derElements removes elements, the outer ones first, and shortens the content of the rest.
func (m *minimizer) derElements(i int) (changed bool) {
	if len(m.args[i]) > derLength || m.spent() {
		return false
	}
	all := derParse(m.args[i])
	for k := 0; k < len(all) && !m.spent(); {
		if m.derReplace(i, all, k, nil, true) {
			changed, all = true, derParse(m.args[i])
			continue // another element has this index now
		}
		e := all[k]
		for _, left := range []int{0, 1} { // bytes of its content
			if e.body+left < e.end && m.derReplace(i, all, k, m.args[i][e.body:e.body+left], false) {
				changed, all = true, derParse(m.args[i])
				break
			}
		}
		k++
	}
	return changed
}

// derReplace tries argument i without element k, or with other content in it.
func (m *minimizer) derReplace(i int, all []element, k int, content []byte, remove bool) bool {
	data, e := m.args[i], &all[k]
	var piece []byte
	if !remove {
		piece = append(derHeader(data[e.start], len(content)), content...)
	}
	for e.parent >= 0 {
		around := &all[e.parent]
		inner := append(append(append([]byte{}, data[around.body:e.start]...), piece...), data[e.end:around.end]...)
		piece = append(derHeader(data[around.start], len(inner)), inner...)
		e, remove = around, false
	}
	next := append([]byte{}, data[:e.start-e.prefix]...)
	if !remove {
		for p := e.prefix - 1; p >= 0; p-- {
			next = append(next, byte(len(piece)>>(8*p)))
		}
	}
	next = append(append(next, piece...), data[e.end:]...)
	return len(next) < len(data) && m.try(i, next)
}

// derParse finds the elements of data. Each one follows the element around it.
func derParse(data []byte) (all []element) {
	for at := 0; at+derLeast <= len(data); at++ {
		const constructed = 0x20
		e, ok := derRead(data, at, len(data))
		if !ok || data[at]&constructed == 0 || e.end-e.start < derLeast {
			continue
		}
		e.parent = -1
		from := len(all)
		all = append(all, e)
		if all, ok = derInside(data, all, from, e.body, derDepth); !ok {
			all = all[:from]
			continue
		}
		all[from].prefix = derPrefix(data, e)
		at = e.end - 1
	}
	return all
}

// derInside adds the elements that fill all[parent] from offset at to its end. It reports whether
// they fill it exactly.
func derInside(data []byte, all []element, parent, at, depth int) ([]element, bool) {
	from, end := len(all), all[parent].end
	if at == end || depth == 0 {
		return all, at == end
	}
	for at < end {
		e, ok := derRead(data, at, end)
		if !ok {
			return all[:from], false
		}
		e.parent = parent
		k := len(all)
		all = append(all, e)
		const constructed, bitString, octetString = 0x20, 0x03, 0x04
		switch tag := data[e.start]; {
		case tag&constructed != 0:
			all, ok = derInside(data, all, k, e.body, depth-1)
			if !ok {
				return all[:from], false
			}
		case tag == octetString: // extensions hold DER in an octet string
			all, _ = derInside(data, all, k, e.body, depth-1)
		case tag == bitString && e.body < e.end && data[e.body] == 0: // keys hold DER in a bit string, after the number of unused bits
			all, _ = derInside(data, all, k, e.body+1, depth-1)
		}
		at = e.end
	}
	return all, true
}

// derRead reads an element's type and length.
func derRead(data []byte, at, limit int) (e element, ok bool) {
	if at+2 > limit || data[at] == 0 || data[at]&0x1f == 0x1f {
		return e, false
	}
	e = element{start: at, body: at + 2}
	n := int(data[at+1])
	if n >= 0x80 {
		count := n & 0x7f
		if count == 0 || count > 3 || e.body+count > limit {
			return e, false
		}
		n = 0
		for _, c := range data[e.body : e.body+count] {
			n = n<<8 | int(c)
		}
		e.body += count
	}
	e.end = e.body + n
	return e, e.end <= limit
}

// derHeader returns a type and a length in the shortest encoding.
func derHeader(tag byte, n int) []byte {
	switch {
	case n < 0x80:
		return []byte{tag, byte(n)}
	case n < 1<<8:
		return []byte{tag, 0x81, byte(n)}
	case n < 1<<16:
		return []byte{tag, 0x82, byte(n >> 8), byte(n)}
	}
	return []byte{tag, 0x83, byte(n >> 16), byte(n >> 8), byte(n)}
}

// derPrefix returns how many bytes in front of an element hold its length, most significant byte
// first: 2, 3, 4, or 0 for none.
func derPrefix(data []byte, e element) int {
	for _, width := range []int{3, 2, 4} {
		if e.start < width {
			continue
		}
		n := 0
		for _, c := range data[e.start-width : e.start] {
			n = n<<8 | int(c)
		}
		if n == e.end-e.start {
			return width
		}
	}
	return 0
}
