package main

import (
	"fmt"
	"slices"
)

// node is a TLV of DER: a constructed one has children, any other one content.
type node struct {
	tag      byte
	content  []byte
	children []*node
}

const constructed = 0x20

// decode reads one TLV, which has to be all there is.
func decode(der []byte) (*node, error) {
	list, err := decodeAll(der)
	if err != nil || len(list) != 1 {
		return nil, fmt.Errorf("no DER of one element: %v", err)
	}
	return list[0], nil
}

func decodeAll(der []byte) ([]*node, error) {
	var list []*node
	for len(der) > 0 {
		if len(der) < 2 {
			return nil, fmt.Errorf("a header is cut off")
		}
		n, at := int(der[1]), 2
		if n >= 0x80 {
			count := n & 0x7f
			if count == 0 || count > 3 || at+count > len(der) {
				return nil, fmt.Errorf("a length that is none")
			}
			n = 0
			for _, b := range der[at : at+count] {
				n = n<<8 | int(b)
			}
			at += count
		}
		if at+n > len(der) {
			return nil, fmt.Errorf("an element is cut off")
		}
		e := &node{tag: der[0]}
		if e.tag&constructed != 0 {
			var err error
			if e.children, err = decodeAll(der[at : at+n]); err != nil {
				return nil, err
			}
		} else {
			e.content = slices.Clone(der[at : at+n])
		}
		list = append(list, e)
		der = der[at+n:]
	}
	return list, nil
}

// encode is the TLV in DER.
func (n *node) encode() []byte {
	content := n.content
	if n.tag&constructed != 0 {
		content = nil
		for _, child := range n.children {
			content = append(content, child.encode()...)
		}
	}
	return append(head(n.tag, len(content)), content...)
}

func head(tag byte, n int) []byte {
	switch {
	case n < 0x80:
		return []byte{tag, byte(n)}
	case n < 0x100:
		return []byte{tag, 0x81, byte(n)}
	case n < 0x10000:
		return []byte{tag, 0x82, byte(n >> 8), byte(n)}
	}
	return []byte{tag, 0x83, byte(n >> 16), byte(n >> 8), byte(n)}
}

// raw returns the decoded node of der.
func raw(der []byte) *node {
	n, err := decode(der)
	if err != nil {
		panic(err)
	}
	return n
}

func leafNode(tag byte, content ...byte) *node { return &node{tag: tag, content: content} }

// cert is a certificate as a tree.
type cert struct{ *node }

func parseCert(der []byte) (cert, error) {
	n, err := decode(der)
	if err != nil {
		return cert{}, err
	}
	if len(n.children) != 3 || len(n.children[0].children) < 6 {
		return cert{}, fmt.Errorf("no certificate")
	}
	return cert{n}, nil
}

func (c cert) tbs() *node { return c.children[0] }

// The fields of a TBSCertificate, counted without the version.
const (
	serial = iota
	sigalg
	issuer
	validity
	subject
	spki
)

// at is where a field is among the children: a version comes before it unless it is version 1.
func (c cert) at(field int) int {
	if c.tbs().children[0].tag == 0xa0 {
		field++
	}
	return field
}

func (c cert) field(field int) *node       { return c.tbs().children[c.at(field)] }
func (c cert) setField(field int, n *node) { c.tbs().children[c.at(field)] = n }

// setAlgorithm sets the algorithm in both places.
func (c cert) setAlgorithm(der []byte) {
	c.setField(sigalg, raw(der))
	c.children[1] = raw(der)
}

// extensions is the list of them, nil if there is none.
func (c cert) extensions() *node {
	if last := c.tbs().children[len(c.tbs().children)-1]; last.tag == 0xa3 {
		return last.children[0]
	}
	return nil
}
