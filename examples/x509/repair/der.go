package repair

// element is where a TLV of DER lies: from its tag to its end, its content from body on.
type element struct {
	tag              byte
	start, body, end int
}

// read reads the element at a place. It takes lengths in more bytes than needed, as mutants have
// them, and no indefinite ones.
func read(b []byte, at int) (e element, ok bool) {
	if at < 0 || at+2 > len(b) {
		return e, false
	}
	e = element{tag: b[at], start: at, body: at + 2}
	n := int(b[at+1])
	if n >= 0x80 {
		count := n & 0x7f
		if count == 0 || count > 4 || e.body+count > len(b) {
			return e, false
		}
		n = 0
		for _, c := range b[e.body : e.body+count] {
			n = n<<8 | int(c)
		}
		e.body += count
	}
	e.end = e.body + n
	return e, e.end >= e.body && e.end <= len(b)
}

// header writes a tag and a length. The length has width bytes, or more if it needs them. One byte
// holds up to 127, and the first of several has the number of the others.
func header(tag byte, n, width int) []byte {
	need := 1
	if n >= 0x80 {
		for rest := n; rest > 0; rest >>= 8 {
			need++
		}
	}
	width = max(width, need)
	if width == 1 {
		return []byte{tag, byte(n)}
	}
	h := []byte{tag, byte(0x80 | (width - 1))}
	for i := width - 2; i >= 0; i-- {
		h = append(h, byte(n>>(8*i)))
	}
	return h
}

// certificate is where the parts of a certificate lie, RFC 5280, section 4.1.
type certificate struct {
	outer, tbs, algorithm, signature element
	issuer, subject, key             element // of tbs; ok says whether they were found
	fields                           bool
}

// parse finds them as far as a signature needs it: what is around them, and what is in them, may be
// anything.
func parse(der []byte) (c certificate, ok bool) {
	// The outer length may be wrong: where the parts lie does not depend on it.
	if len(der) < 2 || der[0] != 0x30 {
		return c, false
	}
	if c.outer, ok = read(der, 0); !ok && c.outer.end == 0 {
		return c, false // not even a length
	}
	if c.tbs, ok = read(der, c.outer.body); !ok || c.tbs.tag != 0x30 {
		return c, false
	}
	if c.algorithm, ok = read(der, c.tbs.end); !ok || c.algorithm.tag != 0x30 {
		return c, false
	}
	if c.signature, ok = read(der, c.algorithm.end); !ok || c.signature.tag != 0x03 {
		return c, false
	}
	c.fields = c.parseFields(der)
	return c, true
}

func (c *certificate) parseFields(der []byte) bool {
	at := c.tbs.body
	version, ok := read(der, at)
	if !ok {
		return false
	}
	if version.tag == 0xa0 {
		at = version.end
	}
	// Serial number, algorithm, issuer, validity, subject, key.
	var fields [6]element
	for i := range fields {
		if fields[i], ok = read(der, at); !ok || fields[i].end > c.tbs.end {
			return false
		}
		at = fields[i].end
	}
	c.issuer, c.subject, c.key = fields[2], fields[4], fields[5]
	return true
}
