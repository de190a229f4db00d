package cmplog

import (
	"encoding/base64"
	"encoding/hex"
	"unicode/utf8"
)

// codec encodes text for its place in a view.
type codec interface {
	// encode encodes text for the place of data[from:to] of a view. It appends the encoded form to
	// dst, which overlaps nothing. It returns the part of the view's encoded form to replace,
	// relative to its start.
	encode(dst []byte, v *view, data []byte, from, to int, text []byte) (int, int, []byte, bool)
}

// quoted is the inside of a JSON string.
type quoted struct{}

func (quoted) encode(dst []byte, v *view, _ []byte, from, to int, text []byte) (int, int, []byte, bool) {
	return int(v.at[from]), int(v.at[to]), appendQuoted(dst, text), true
}

const hexDigits = "0123456789abcdef"

// appendQuoted appends text with the escapes of a JSON string. Invalid UTF-8 stays as it is, since
// some parsers accept it.
func appendQuoted[T []byte | string](dst []byte, text T) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// unquote appends the decoded inside of a JSON string to dst. It appends the offset of each decoded
// byte, and the end, to at.
func unquote(dst []byte, at []int32, text []byte) ([]byte, []int32, bool) {
	for i := 0; i < len(text); {
		start, n := i, len(dst)
		if text[i] != '\\' {
			dst = append(dst, text[i])
			i++
		} else {
			if i+1 == len(text) {
				return dst, at, false
			}
			c := text[i+1]
			i += 2
			switch c {
			case '"', '\\', '/':
				dst = append(dst, c)
			case 'b':
				dst = append(dst, '\b')
			case 'f':
				dst = append(dst, '\f')
			case 'n':
				dst = append(dst, '\n')
			case 'r':
				dst = append(dst, '\r')
			case 't':
				dst = append(dst, '\t')
			case 'u':
				r, ok := hex4(text, i)
				if !ok {
					return dst, at, false
				}
				i += 4
				if low, ok := hex4(text, i+2); ok && r&0xfc00 == 0xd800 && text[i] == '\\' && text[i+1] == 'u' && low&0xfc00 == 0xdc00 {
					r = 0x10000 + (r&0x3ff)<<10 + low&0x3ff
					i += 6
				}
				dst = utf8.AppendRune(dst, r)
			default:
				return dst, at, false
			}
		}
		for ; n < len(dst); n++ {
			at = append(at, int32(start))
		}
	}
	return dst, append(at, int32(len(text))), true
}

// hex4 reads four hex digits at an offset.
func hex4(text []byte, i int) (rune, bool) {
	if i+4 > len(text) {
		return 0, false
	}
	var b [2]byte
	_, err := hex.Decode(b[:], text[i:i+4])
	return rune(b[0])<<8 | rune(b[1]), err == nil
}

// percent is percent-encoding (RFC 3986).
type percent struct{}

func (percent) encode(dst []byte, v *view, _ []byte, from, to int, text []byte) (int, int, []byte, bool) {
	return int(v.at[from]), int(v.at[to]), appendPercent(dst, text), true
}

// appendPercent appends text and encodes the characters that have a meaning in URLs and forms.
func appendPercent[T []byte | string](dst []byte, text T) []byte {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if isPlainInURL(c) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return dst
}

func isPlainInURL(c byte) bool {
	return byteClass[c]&(digit|letter) != 0 || c == '-' || c == '.' || c == '_' || c == '~' || c == '/'
}

const upperHex = "0123456789ABCDEF"

// hexadecimal is two digits per byte.
type hexadecimal struct{ upper bool }

func (x hexadecimal) encode(dst []byte, _ *view, _ []byte, from, to int, text []byte) (int, int, []byte, bool) {
	digits := hexDigits
	if x.upper {
		digits = upperHex
	}
	for _, c := range text {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return 2 * from, 2 * to, dst, true
}

// base is base64, standard or for URLs.
type base struct {
	padded   bool
	encoding *base64.Encoding // without padding
}

// encode replaces whole groups: those of the place, or all from the place on if the following ones
// shift.
func (b base) encode(dst []byte, v *view, data []byte, from, to int, text []byte) (int, int, []byte, bool) {
	first, last := from/3, len(data)
	if len(text) == to-from {
		last = min((to+2)/3*3, len(data))
	}
	plain := append(append(append([]byte{}, data[3*first:from]...), text...), data[to:last]...)
	dst = append(dst, make([]byte, b.encoding.EncodedLen(len(plain)))...)
	b.encoding.Encode(dst[len(dst)-b.encoding.EncodedLen(len(plain)):], plain)
	if last < len(data) {
		return 4 * first, last / 3 * 4, dst, true
	}
	for b.padded && len(dst)%4 != 0 {
		dst = append(dst, '=')
	}
	return 4 * first, v.to - v.from, dst, true
}

// wide is UTF-16.
type wide struct{ bigEndian bool }

func (w wide) encode(dst []byte, _ *view, _ []byte, from, to int, text []byte) (int, int, []byte, bool) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		if r >= 0x10000 {
			r -= 0x10000
			dst = w.unit(dst, 0xd800+r>>10)
			r = 0xdc00 + r&0x3ff
		}
		dst = w.unit(dst, r)
	}
	return 2 * from, 2 * to, dst, true
}

func (w wide) unit(dst []byte, r rune) []byte {
	if w.bigEndian {
		return append(dst, byte(r>>8), byte(r))
	}
	return append(dst, byte(r), byte(r>>8))
}
