package normalize

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonScratch is the memory of one pass.
type jsonScratch struct {
	members []member // of all open objects, the innermost last
	buffer  []byte
}

// member is a part of the output: "key":value.
type member struct{ start, key, end int }

// maxDepth is that of encoding/json. Deeper values stay unchanged.
const maxDepth = 10_000

// canonicalJSON appends the canonical form of a JSON text (RFC 8259). It has no white space.
// Members of objects are sorted by the bytes of their keys, and the last of equal keys wins.
// Strings have no escapes except \" \\ \b \f \n \r \t, \u00XX for other control characters and
// \uXXXX for halves of surrogate pairs. Numbers have one spelling or, with float, that of the
// nearest float64. Invalid UTF-8 in strings stays. Text that is not JSON is appended unchanged.
func canonicalJSON(s *jsonScratch, dst, value []byte, float bool) []byte {
	start := len(dst)
	p := jsonParser{jsonScratch: s, in: value, out: dst, float: float}
	s.members = s.members[:0]
	p.space()
	if p.value(0) {
		if p.space(); p.at == len(p.in) {
			return p.out
		}
	}
	return append(p.out[:start], value...)
}

// jsonParser reads in and writes out in one pass. Its methods return false for invalid JSON.
type jsonParser struct {
	*jsonScratch
	in    []byte
	at    int
	out   []byte
	float bool
}

func (p *jsonParser) space() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// skip consumes the byte c.
func (p *jsonParser) skip(c byte) bool {
	if p.at < len(p.in) && p.in[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *jsonParser) value(depth int) bool {
	if p.at == len(p.in) || depth > maxDepth {
		return false
	}
	switch c := p.in[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.text()
	case c == '-' || isDigit(c):
		return p.number()
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(p.in[p.at:], []byte(word)) {
			p.at += len(word)
			p.out = append(p.out, word...)
			return true
		}
	}
	return false
}

func (p *jsonParser) number() bool {
	rest := p.in[p.at:]
	n, ok := scanNumber(rest)
	if !ok {
		return false
	}
	p.at += n.size
	// A point or exponent without digits remains, and is invalid after a number.
	if p.float {
		p.out = appendFloat(p.out, n, rest[:n.size])
	} else {
		p.out = appendNumber(p.out, n, rest[:n.size])
	}
	return true
}

func (p *jsonParser) array(depth int) bool {
	p.at++
	p.out = append(p.out, '[')
	for first := true; ; first = false {
		p.space()
		if first && p.skip(']') {
			break
		}
		if !p.value(depth + 1) {
			return false
		}
		p.space()
		if p.skip(']') {
			break
		}
		if !p.skip(',') {
			return false
		}
		p.out = append(p.out, ',')
	}
	p.out = append(p.out, ']')
	return true
}

func (p *jsonParser) object(depth int) bool {
	p.at++
	p.out = append(p.out, '{')
	base, ordered := len(p.members), true
	for first := true; ; first = false {
		p.space()
		if first && p.skip('}') {
			break
		}
		m := member{start: len(p.out)}
		if p.at == len(p.in) || p.in[p.at] != '"' || !p.text() {
			return false
		}
		m.key = len(p.out)
		if p.space(); !p.skip(':') {
			return false
		}
		p.out = append(p.out, ':')
		p.space()
		if !p.value(depth + 1) {
			return false
		}
		m.end = len(p.out)
		if n := len(p.members); n > base {
			last := p.members[n-1]
			ordered = ordered && bytes.Compare(p.out[last.start:last.key], p.out[m.start:m.key]) < 0
		}
		p.members = append(p.members, m)
		p.space()
		if p.skip('}') {
			break
		}
		if !p.skip(',') {
			return false
		}
		p.out = append(p.out, ',')
	}
	if !ordered {
		p.order(p.members[base:])
	}
	p.members = p.members[:base]
	p.out = append(p.out, '}')
	return true
}

// order rewrites the members of the object at the end of the output, sorted and each once.
func (p *jsonParser) order(members []member) {
	start := members[0].start
	out := p.out
	slices.SortStableFunc(members, func(a, b member) int {
		return bytes.Compare(out[a.start:a.key], out[b.start:b.key])
	})
	ordered := p.buffer[:0]
	for i, m := range members {
		if i+1 < len(members) && bytes.Equal(out[m.start:m.key], out[members[i+1].start:members[i+1].key]) {
			continue
		}
		if len(ordered) > 0 {
			ordered = append(ordered, ',')
		}
		ordered = append(ordered, out[m.start:m.end]...)
	}
	p.buffer = ordered
	p.out = append(p.out[:start], ordered...)
}

// text copies a string.
func (p *jsonParser) text() bool {
	p.at++
	p.out = append(p.out, '"')
	for p.at < len(p.in) {
		c := p.in[p.at]
		switch {
		case c == '"':
			p.at++
			p.out = append(p.out, '"')
			return true
		case c < 0x20:
			return false
		case c != '\\':
			end := p.at + 1
			for end < len(p.in) && p.in[end] >= 0x20 && p.in[end] != '"' && p.in[end] != '\\' {
				end++
			}
			p.out = append(p.out, p.in[p.at:end]...)
			p.at = end
		case !p.escape():
			return false
		}
	}
	return false
}

func (p *jsonParser) escape() bool {
	if p.at+1 >= len(p.in) {
		return false
	}
	c := p.in[p.at+1]
	p.at += 2
	switch c {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		p.out = append(p.out, '\\', c)
	case '/':
		p.out = append(p.out, '/')
	case 'u':
		u, ok := p.hex()
		if !ok {
			return false
		}
		p.character(u)
	default:
		return false
	}
	return true
}

// hex reads four hexadecimal digits.
func (p *jsonParser) hex() (rune, bool) {
	if p.at+4 > len(p.in) {
		return 0, false
	}
	var u rune
	for _, c := range p.in[p.at : p.at+4] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = (c | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	p.at += 4
	return u, true
}

// character writes a character escaped as \uXXXX, with the other half of a surrogate pair.
func (p *jsonParser) character(u rune) {
	switch {
	case u == '"' || u == '\\':
		p.out = append(p.out, '\\', byte(u))
	case u < 0x20:
		if i := bytes.IndexByte([]byte("\b\f\n\r\t"), byte(u)); i >= 0 {
			p.out = append(p.out, '\\', "bfnrt"[i])
			return
		}
		p.out = append(p.out, '\\', 'u', '0', '0')
		if u < 0x10 {
			p.out = append(p.out, '0')
		}
		p.out = strconv.AppendInt(p.out, int64(u), 16)
	case !utf16.IsSurrogate(u):
		p.out = utf8.AppendRune(p.out, u)
	default:
		if bytes.HasPrefix(p.in[p.at:], []byte(`\u`)) {
			before := p.at
			p.at += 2
			if low, ok := p.hex(); ok {
				if pair := utf16.DecodeRune(u, low); pair != utf8.RuneError {
					p.out = utf8.AppendRune(p.out, pair)
					return
				}
			}
			p.at = before // the next escape is separate
		}
		p.out = strconv.AppendInt(append(p.out, '\\', 'u'), int64(u), 16)
	}
}
