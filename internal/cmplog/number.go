package cmplog

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"parallax/internal/input"
)

// form is the encoding of an operand in a view (Redqueen, section III.A.3).
type form uint8

const (
	asText       form = iota
	littleEndian      // width bytes
	bigEndian
	decimal // text, padded with zeros to width digits
	hexLower
	hexUpper
	octal
	uvarint // as encoding/binary and protocol buffers write it
	zigzag
	utf8Rune
	float32Bits
	float64Bits
	boolean
	padding // not an operand: bytes that extend the data
)

// number is an integer operand.
type number struct {
	value  uint64 // zero- or sign-extended
	width  uint8  // bytes of its type
	signed bool
}

func (n number) negative() bool { return n.signed && int64(n.value) < 0 }

// fits reports whether the low width bytes hold the number.
func (n number) fits(width int) bool {
	unused := 64 - 8*width
	return n.value<<unused>>unused == n.value || n.signed && uint64(int64(n.value<<unused)>>unused) == n.value
}

// findNumber returns the places of an integer in all forms, likelier forms first.
func (s *Solver) findNumber(n number) placeSet {
	set, known := s.numbers[n]
	if !known {
		set.lo = len(s.places)
		s.addScalars(n)
		s.addBinary(n)
		s.addDigits(n)
		s.addVariable(n)
		set.hi = len(s.places)
		sortPlaces(s.places[set.lo:set.hi], func(a, b *place) bool { return a.form < b.form || a.form == b.form && a.cost < b.cost })
		s.numbers[n] = set
	}
	return set
}

// addScalars adds the arguments that are equal to the number.
func (s *Solver) addScalars(n number) {
	unused := 64 - 8*int(n.width)
	for i := range s.hay.views {
		v := &s.hay.views[i]
		if !v.fixed {
			if v.codec != nil {
				return // arguments come first
			}
			continue
		}
		p := place{view: int32(i), to: int32(v.len()), form: littleEndian, width: uint8(v.len()), cost: 2}
		bits := s.scalar(v)
		switch v.kind {
		case input.Bool:
			p.form = boolean
		case input.Float32:
			p.form = float32Bits
			if float32(n.float()) != math.Float32frombits(uint32(bits)) {
				continue
			}
		case input.Float64:
			p.form = float64Bits
			if n.float() != math.Float64frombits(bits) {
				continue
			}
		}
		switch {
		case p.form == float32Bits || p.form == float64Bits:
		case bits == n.value:
			if n.value+256 > 512 {
				p.cost = 0
			}
		case p.form == littleEndian && (bits^n.value)<<unused == 0:
			p.width = min(p.width, n.width)
			p.to, p.cost = int32(p.width), 3 // its low bytes are equal
		default:
			continue
		}
		s.places = append(s.places, p)
	}
}

// scalar returns the bits of an argument, sign-extended for signed integers.
func (s *Solver) scalar(v *view) uint64 {
	var b [8]byte
	copy(b[:], s.hay.text[v.start:v.end])
	bits := binary.LittleEndian.Uint64(b[:])
	if v.kind >= input.Int && v.kind <= input.Int64 {
		unused := 64 - 8*v.len()
		bits = uint64(int64(bits<<unused) >> unused)
	}
	return bits
}

// addBinary adds the places of the number's bytes in either order, in the widths up to its type's
// that hold it.
func (s *Solver) addBinary(n number) {
	for _, w := range [...]int{8, 4, 2, 3, 1} {
		if w > int(n.width) || !n.fits(w) && w != int(n.width) {
			continue
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], n.value)
		s.addBytes(n, b[:w], littleEndian, 0)
		if w > 1 {
			binary.BigEndian.PutUint64(b[:], n.value)
			s.addBytes(n, b[8-w:], bigEndian, 0)
		}
	}
	if n.width == 4 && n.value >= utf8.RuneSelf && n.value <= utf8.MaxRune && utf8.ValidRune(rune(n.value)) {
		s.addBytes(n, utf8.AppendRune(nil, rune(n.value)), utf8Rune, 0)
	}
}

// addVariable adds the places of the number in forms of variable length. One byte is the same as
// itself in binary.
func (s *Solver) addVariable(n number) {
	var b [binary.MaxVarintLen64]byte
	if n.width < 4 || n.value < 0x80 {
		return
	}
	if !n.negative() {
		s.addBytes(n, b[:binary.PutUvarint(b[:], n.value)], uvarint, 1)
	}
	if n.signed {
		s.addBytes(n, b[:binary.PutVarint(b[:], int64(n.value))], zigzag, 1)
	}
}

// addBytes adds the places of a pattern.
func (s *Solver) addBytes(n number, pattern []byte, f form, extra int) {
	found := s.hay.search(pattern, false, maxPlaces)
	if len(found) == 0 {
		if len(pattern) != 1 || byteClass[pattern[0]]&letter == 0 || f != littleEndian {
			return
		}
		// Programs often change the case of letters before a comparison.
		found, extra = s.hay.search(pattern, true, maxPlaces), extra+1
	}
	if len(found) == 0 {
		return
	}
	cost := uint8(bytesCost(pattern) + log2(len(found)) + extra)
	for _, i := range found {
		k := s.hay.viewAt(int(i), int(i)+len(pattern))
		if k < 0 {
			continue
		}
		v := &s.hay.views[k]
		if v.fixed && len(pattern) == 1 {
			continue // found by addScalars, or a byte inside a scalar
		}
		from := i - int32(v.start)
		c := cost
		if v.codec != nil && len(pattern) < 3 {
			c += 2 // guessed views may be wrong
		}
		s.places = append(s.places, place{
			view: int32(k), from: from, to: from + int32(len(pattern)), form: f, width: uint8(len(pattern)), cost: c,
		})
	}
}

// bytesCost rates the likelihood of a coincidence. Bytes 0 and 0xff, which are frequent in inputs,
// count half.
func bytesCost(b []byte) int {
	halves, plain := 0, true
	for _, c := range b {
		halves += 2
		if c == 0 || c == 0xff {
			halves--
		} else {
			plain = false
		}
	}
	cost := 6
	switch {
	case halves >= 8:
		cost = 0
	case halves >= 6:
		cost = 1
	case halves >= 4:
		cost = 2
	case halves == 3:
		cost = 3
	case halves == 2:
		cost = 5
	}
	if plain && len(b) > 1 {
		cost += 4
	}
	return cost
}

// addDigits adds the places of the number as text, in the bases 10, 16 and 8.
func (s *Solver) addDigits(n number) {
	var b [24]byte
	var text []byte
	if n.negative() {
		text = strconv.AppendInt(b[:0], int64(n.value), 10)
	} else {
		text = strconv.AppendUint(b[:0], n.value, 10)
	}
	s.addDigitsOf(text, decimal, 10)
	if n.negative() {
		return
	}
	s.addDigitsOf(strconv.AppendUint(b[:0], n.value, 16), hexLower, 16)
	s.addDigitsOf(strconv.AppendUint(b[:0], n.value, 8), octal, 8)
}

func (s *Solver) addDigitsOf(text []byte, f form, radix int) {
	found := s.hay.search(text, true, maxPlaces)
	if len(found) == 0 {
		return
	}
	h := &s.hay
	for _, at := range found {
		i, j := int(at), int(at)+len(text)
		k := h.viewAt(i, j)
		if k < 0 || h.views[k].fixed {
			continue
		}
		v := &h.views[k]
		start := i
		for start > v.start && h.text[start-1] == '0' && text[0] != '-' {
			start--
		}
		before := start > v.start && isDigitOf(h.text[start-1], radix)
		after := j < v.end && isDigitOf(h.text[j], radix)
		c := digitsCost(j-start) + log2(len(found))
		p := place{view: int32(k), from: int32(i - v.start), to: int32(j - v.start), form: f, cost: uint8(c)}
		alone := !(start > v.start && isWord(h.text[start-1])) && !(j < v.end && isWord(h.text[j]))
		switch {
		case before || after:
			p.cost += 3 // a part of another number
		case alone && c >= 2:
			p.cost -= 2
		}
		if start < i && !before && !after {
			p.from, p.width = int32(start-v.start), uint8(min(j-start, 255))
		}
		if f == hexLower {
			p.form = caseOf(h.text[start:j])
			if !(start > v.start && lower[h.text[start-1]] == 'x') {
				p.cost += 2
			}
		}
		if f == octal {
			if len(text) < 2 && p.width == 0 {
				continue
			}
			p.cost += 2
		}
		s.places = append(s.places, p)
	}
}

// digitsCost rates the likelihood that n digits are a coincidence. One digit is less than a byte:
// parsers of text, where it occurs most, hardly ever compare it.
func digitsCost(n int) int {
	if n == 1 {
		return 6
	}
	return max(5-n, 0)
}

func isDigitOf(c byte, radix int) bool {
	switch radix {
	case 16:
		return byteClass[c]&(digit|hexLetter) != 0
	case 8:
		return '0' <= c && c < '8'
	}
	return byteClass[c]&digit != 0
}

// caseOf returns the form of some hex digits.
func caseOf(digits []byte) form {
	for _, c := range digits {
		if 'A' <= c && c <= 'F' {
			return hexUpper
		}
	}
	return hexLower
}
