package repair

import "slices"

// resized corrects the lengths of a certificate after a mutation has inserted or removed bytes. The
// bytes belong to the element in which they lie, and to all elements around it. Their number is the
// difference from the outermost length. Lengths that are wrong for other reasons stay, and so do
// elements that are invalid either way.
func resized(der []byte) []byte {
	outer, ok := read(der, 0)
	if outer.end == 0 || ok && outer.end == len(der) || len(der) < outer.body {
		return der
	}
	return grown(der, len(der)-outer.end, 0)
}

// maxDepth is deeper than any certificate goes.
const maxDepth = 16

// grown corrects the lengths in a region into which bytes were inserted, or from which they were
// removed if by is negative. The lengths then lead from one element to the next.
func grown(b []byte, by, depth int) []byte {
	for at := 0; at < len(b); {
		e, ok := read(b, at)
		if e.end == 0 {
			break // no header
		}
		if end := e.end + by; end >= e.body && end <= len(b) && leads(b, end) {
			content := b[e.body:end]
			if (e.tag&0x20 != 0 || e.tag == 0x04) && depth < maxDepth {
				content = grown(content, by, depth+1)
			}
			return slices.Concat(b[:at], header(e.tag, len(content), e.body-e.start-1), content, b[end:])
		}
		if !ok {
			break // it ends behind the region
		}
		at = e.end
	}
	return b
}

// leads reports whether lengths lead from a place to the end, element by element.
func leads(b []byte, at int) bool {
	for at < len(b) {
		e, ok := read(b, at)
		if !ok {
			return false
		}
		at = e.end
	}
	return true
}
