package cmplog

import (
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"parallax/internal/input"
)

// formFor returns the form in which n is written in a place where old was written in the form of p.
// It reports false if the place cannot hold n, or if a narrower place has the same effect.
func (s *Solver) formFor(p place, old, n number) (form, bool) {
	v := &s.hay.views[p.view]
	switch p.form {
	case littleEndian, bigEndian:
		w := int(p.width)
		if v.fixed && w == v.len() && w <= int(n.width) {
			return p.form, fitsKind(v.kind, n)
		}
		if w >= int(n.width) || n.fits(w) && (old.negative() == n.negative() || n.fitsSigned(w) && old.fitsSigned(w)) {
			return p.form, true
		}
		// One byte of UTF-8 or of a variable-length integer may become several.
		if w == 1 && old.value < utf8.RuneSelf && !v.fixed && n.width >= 4 && !n.negative() {
			if n.width == 4 && n.signed && utf8.ValidRune(rune(n.value)) {
				return utf8Rune, n.value <= utf8.MaxRune
			}
			return uvarint, true
		}
		return 0, false
	case utf8Rune:
		return p.form, n.value <= utf8.MaxRune && utf8.ValidRune(rune(n.value))
	case hexLower, hexUpper, octal, uvarint:
		return p.form, !n.negative()
	case boolean:
		return p.form, n.value <= 1
	}
	return p.form, true
}

// fitsSigned reports whether width bytes of two's complement hold the number.
func (n number) fitsSigned(width int) bool {
	unused := 64 - 8*width
	return uint64(int64(n.value<<unused)>>unused) == n.value
}

// fitsKind reports whether an argument of a kind can be the number.
func fitsKind(k input.Kind, n number) bool {
	unused := 64 - 8*k.Width()
	if k >= input.Int && k <= input.Int64 {
		return uint64(int64(n.value<<unused)>>unused) == n.value
	}
	return n.value<<unused>>unused == n.value
}

// render appends a number in a form.
func render(dst []byte, f form, width int, n number) []byte {
	var b [8]byte
	switch f {
	case littleEndian:
		binary.LittleEndian.PutUint64(b[:], n.value)
		return append(dst, b[:width]...)
	case bigEndian:
		binary.BigEndian.PutUint64(b[:], n.value)
		return append(dst, b[8-width:]...)
	case decimal:
		if n.negative() {
			return strconv.AppendInt(dst, int64(n.value), 10)
		}
		return appendDigits(dst, n.value, 10, width)
	case hexLower:
		return appendDigits(dst, n.value, 16, width)
	case hexUpper:
		at := len(dst)
		dst = appendDigits(dst, n.value, 16, width)
		for i := at; i < len(dst); i++ {
			if 'a' <= dst[i] {
				dst[i] -= 'a' - 'A'
			}
		}
		return dst
	case octal:
		return appendDigits(dst, n.value, 8, width)
	case uvarint:
		return binary.AppendUvarint(dst, n.value)
	case zigzag:
		return binary.AppendVarint(dst, int64(n.value))
	case utf8Rune:
		return utf8.AppendRune(dst, rune(n.value))
	case float32Bits:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(n.float())))
	case float64Bits:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(n.float()))
	case boolean:
		return append(dst, byte(n.value))
	case padding:
		return appendPadding(dst, int(n.value))
	}
	return dst
}

func (n number) float() float64 {
	if n.signed {
		return float64(int64(n.value))
	}
	return float64(n.value)
}

// appendDigits appends a number in a base, with zeros in front up to a width.
func appendDigits(dst []byte, v uint64, radix, width int) []byte {
	var b [64]byte
	text := strconv.AppendUint(b[:0], v, radix)
	for n := len(text); n < width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

// appendPadding appends n bytes in which no three in a row occur twice, for up to about a thousand
// bytes. Comparisons of the added data then have one place. Row r of the letters and digits is
// walked in steps of 2r+1.
func appendPadding(dst []byte, n int) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for i := 0; i < n; i++ {
		dst = append(dst, alphabet[i*(2*(i/len(alphabet))+1)%len(alphabet)])
	}
	return dst
}
