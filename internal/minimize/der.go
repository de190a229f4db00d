package minimize

// Passes on DER (ITU-T X.690), as certificates, keys and signed messages have it: each element begins with its type and the length
// of what follows, so that hardly any removal of bytes leaves something that can be read. Elements go whole, and the lengths of
// those around them become what they must be; so does a number in front of the outermost one that tells its length, as TLS has it.

const (
	// derLength bounds what is looked at.
	derLength = 64 << 10
	// derLeast is the shortest outermost element: shorter ones are mostly something else.
	derLeast = 8
	derDepth = 32
)

// element is where an element of DER lies: its type, its content from body on, its end.
type element struct {
	start, body, end int
	parent           int // index of the element around it; -1: it is an outermost one
	prefix           int // bytes in front of an outermost one that tell its length
}

// derElements removes elements, the outer ones first, and makes what stays shorter.
func (m *minimizer) derElements(i int) (changed bool) {
	if len(m.args[i]) > derLength || m.spent() {
		return false
	}
	all := derParse(m.args[i])
	for k := 0; k < len(all) && !m.spent(); {
		if m.derReplace(i, all, k, nil, true) {
			changed, all = true, derParse(m.args[i])
			continue // another one has its place
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

// derReplace tries argument i without an element, or with other content in it.
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

// derParse finds the elements of data, each after the one around it.
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

// derInside adds the elements that fill what stands from a place to the end of an element. It reports whether they do.
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
		case tag == octetString: // extensions hold DER in one
			all, _ = derInside(data, all, k, e.body, depth-1)
		case tag == bitString && e.body < e.end && data[e.body] == 0: // and keys in one, after the number of bits that do not count
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

// derHeader is a type and a length, as short as it can be.
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

// derPrefix is how many bytes in front of an element tell its length, the most significant first: 2, 3 or 4, or none.
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
