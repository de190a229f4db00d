package main

import "slices"

// change makes one change: in the list of certificates, or in one of them.
func (m *mutator) change(list *[][]byte) {
	if n := len(*list); n == 0 || m.rng.IntN(8) == 0 {
		switch at := m.rng.IntN(n + 1); {
		case n > 1 && at < n && m.rng.IntN(2) == 0:
			*list = slices.Delete(*list, at, at+1)
		case n < 8:
			*list = slices.Insert(*list, at, m.other())
		}
		return
	}
	at := m.rng.IntN(len(*list))
	if made, ok := m.certificate((*list)[at]); ok {
		(*list)[at] = made
	}
}

// other is a certificate of the seeds.
func (m *mutator) other() []byte { return append([]byte{}, m.corpus[m.rng.IntN(len(m.corpus))]...) }

// certificate changes a field of the part that is signed. ok is false if the certificate has not
// the form that this needs.
func (m *mutator) certificate(der []byte) (made []byte, ok bool) {
	outer, rest, ok := element(der)
	if !ok || len(rest) > 0 || outer.tag != sequence {
		return nil, false
	}
	parts, ok := children(outer.body)
	if !ok || len(parts) != 3 || parts[0].tag != sequence {
		return nil, false
	}
	fields, ok := children(parts[0].body)
	if !ok || len(fields) < 6 {
		return nil, false
	}
	at := m.rng.IntN(len(fields))
	if last := len(fields) - 1; fields[last].tag == extensions && m.rng.IntN(2) == 0 {
		fields[last] = m.extensions(fields[last])
	} else if from, ok := m.fieldLike(fields[at].tag, at); ok && m.rng.IntN(3) > 0 {
		fields[at] = from
	} else if m.rng.IntN(4) == 0 && fields[at].tag != sequence {
		fields = slices.Delete(fields, at, at+1)
	} else {
		fields[at] = m.bytes(fields[at])
	}
	parts[0] = node{sequence, encode(fields)}
	return encode([]node{{sequence, encode(parts)}}), true
}

// fieldLike is a field of another certificate: with the same tag, at the same place or near it.
func (m *mutator) fieldLike(tag byte, at int) (node, bool) {
	outer, _, ok := element(m.other())
	if !ok {
		return node{}, false
	}
	parts, ok := children(outer.body)
	if !ok || len(parts) == 0 {
		return node{}, false
	}
	fields, ok := children(parts[0].body)
	if !ok {
		return node{}, false
	}
	for _, i := range []int{at, at + 1, at - 1} {
		if i >= 0 && i < len(fields) && fields[i].tag == tag {
			return fields[i], true
		}
	}
	return node{}, false
}

// extensions adds an extension of another certificate, or takes one away, doubles it, turns its
// critical bit or changes its value.
func (m *mutator) extensions(field node) node {
	list, ok := children(field.body)
	if !ok || len(list) != 1 {
		return m.bytes(field)
	}
	all, ok := children(list[0].body)
	if !ok {
		return m.bytes(field)
	}
	choice := m.rng.IntN(5)
	if len(all) == 0 {
		choice = 0
	}
	at := m.rng.IntN(max(len(all), 1))
	switch choice {
	case 0:
		if more, ok := m.fieldLike(extensions, 7); ok {
			if inner, ok := children(more.body); ok && len(inner) == 1 {
				if theirs, ok := children(inner[0].body); ok && len(theirs) > 0 {
					all = slices.Insert(all, m.rng.IntN(len(all)+1), theirs[m.rng.IntN(len(theirs))])
				}
			}
		}
	case 1:
		all = slices.Delete(all, at, at+1)
	case 2:
		all = append(all, all[at])
	default:
		parts, ok := children(all[at].body)
		if !ok || len(parts) < 2 {
			all[at] = m.bytes(all[at])
			break
		}
		const boolean = 0x01
		if choice == 4 {
			parts[len(parts)-1] = m.bytes(parts[len(parts)-1])
		} else if parts[1].tag == boolean {
			parts = slices.Delete(parts, 1, 2)
		} else {
			parts = slices.Insert(parts, 1, node{boolean, []byte{0xff}})
		}
		all[at].body = encode(parts)
	}
	return node{field.tag, encode([]node{{list[0].tag, encode(all)}})}
}

// bytes changes a byte, takes one away or adds one, and keeps all lengths right around it.
func (m *mutator) bytes(n node) node {
	if inner, ok := children(n.body); ok && len(inner) > 0 && n.tag&0x20 != 0 {
		at := m.rng.IntN(len(inner))
		inner[at] = m.bytes(inner[at])
		return node{n.tag, encode(inner)}
	}
	body := append([]byte{}, n.body...)
	at := m.rng.IntN(len(body) + 1)
	switch m.rng.IntN(3) {
	case 0:
		body = slices.Insert(body, at, byte(m.rng.Uint32()))
	case 1:
		if at < len(body) {
			body = slices.Delete(body, at, at+1)
		}
	default:
		if at < len(body) {
			body[at] = byte(m.rng.Uint32())
		}
	}
	return node{n.tag, body}
}

// node is an element of DER, with a tag of one byte.
type node struct {
	tag  byte
	body []byte
}

const (
	sequence   = 0x30
	extensions = 0xa3
)

// element reads the first element.
func element(b []byte) (n node, rest []byte, ok bool) {
	if len(b) < 2 || b[0]&0x1f == 0x1f {
		return n, nil, false
	}
	size, at := int(b[1]), 2
	if size >= 0x80 {
		digits := size - 0x80
		if digits < 1 || digits > 3 || len(b) < 2+digits {
			return n, nil, false
		}
		size = 0
		for _, d := range b[2 : 2+digits] {
			size = size<<8 | int(d)
		}
		at += digits
	}
	if size > len(b)-at {
		return n, nil, false
	}
	return node{b[0], b[at : at+size]}, b[at+size:], true
}

// children reads all elements.
func children(b []byte) (all []node, ok bool) {
	for len(b) > 0 {
		n, rest, ok := element(b)
		if !ok {
			return nil, false
		}
		all, b = append(all, n), rest
	}
	return all, true
}

// encode writes elements.
func encode(all []node) (b []byte) {
	for _, n := range all {
		b = append(b, n.tag)
		switch size := len(n.body); {
		case size < 0x80:
			b = append(b, byte(size))
		case size < 0x100:
			b = append(b, 0x81, byte(size))
		case size < 0x10000:
			b = append(b, 0x82, byte(size>>8), byte(size))
		default:
			b = append(b, 0x83, byte(size>>16), byte(size>>8), byte(size))
		}
		b = append(b, n.body...)
	}
	return b
}
