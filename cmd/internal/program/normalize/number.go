package normalize

import (
	"math"
	"strconv"
)

// number is a decimal number as written, in parts of the text.
type number struct {
	negative    bool
	whole, frac []byte // digits
	exponent    []byte // digits, without sign
	small       bool   // the exponent is negative
	size        int    // length of the whole text
}

// scanNumber reads -?digits(.digits)?([eE][+-]?digits)? at the beginning of b. As in JSON, only 0
// begins with 0.
func scanNumber(b []byte) (n number, ok bool) {
	i := 0
	if i < len(b) && b[i] == '-' {
		n.negative = true
		i++
	}
	n.whole = digits(b[i:])
	i += len(n.whole)
	if len(n.whole) == 0 || len(n.whole) > 1 && n.whole[0] == '0' {
		return n, false
	}
	if i < len(b) && b[i] == '.' {
		if n.frac = digits(b[i+1:]); len(n.frac) > 0 {
			i += 1 + len(n.frac)
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		j := i + 1
		if j < len(b) && (b[j] == '+' || b[j] == '-') {
			n.small = b[j] == '-'
			j++
		}
		if n.exponent = digits(b[j:]); len(n.exponent) > 0 {
			i = j + len(n.exponent)
		}
	}
	n.size = i
	return n, true
}

func digits(b []byte) []byte {
	i := 0
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return b[:i]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

const (
	// maxExponent is the maximum number of digits of an exponent. It keeps sums far from overflow.
	// Other numbers stay unchanged.
	maxExponent = 15
	// maxZeros and maxLeading are the numbers of zeros written out before a number gets an
	// exponent: 21 trailing ones as in ECMAScript, and 6 leading ones.
	maxZeros, maxLeading = 21, 6
)

// appendNumber appends the canonical spelling of a number, which depends only on its value: 1.0,
// 1e0, 10e-1 and 1 become 1, and -0 becomes 0. text is the scanned text.
func appendNumber(dst []byte, n number, text []byte) []byte {
	exponent := n.exponent
	for len(exponent) > 0 && exponent[0] == '0' {
		exponent = exponent[1:]
	}
	// The significant digits are those of whole and frac without outer zeros. The value is 0.digits
	// times ten to the power of point.
	whole, frac := n.whole, n.frac
	for len(whole) > 0 && whole[0] == '0' {
		whole = whole[1:]
	}
	point := len(whole)
	if point == 0 {
		for len(frac) > 0 && frac[0] == '0' {
			frac, point = frac[1:], point-1
		}
	}
	for len(frac) > 0 && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	if len(frac) == 0 {
		for len(whole) > 0 && whole[len(whole)-1] == '0' {
			whole = whole[:len(whole)-1]
		}
	}
	size := len(whole) + len(frac)
	if size == 0 {
		return append(dst, '0')
	}
	if len(exponent) > maxExponent {
		return append(dst, text...)
	}
	shift := 0
	for _, c := range exponent {
		shift = 10*shift + int(c-'0')
	}
	if n.small {
		shift = -shift
	}
	point += shift
	if n.negative {
		dst = append(dst, '-')
	}
	switch {
	case point >= size && point-size <= maxZeros: // 1200
		dst = append(append(dst, whole...), frac...)
		return zeros(dst, point-size)
	case 0 < point && point < size: // 1.2
		dst = digitsOf(dst, whole, frac, 0, point)
		return digitsOf(append(dst, '.'), whole, frac, point, size)
	case -maxLeading < point && point <= 0: // 0.0012
		dst = zeros(append(dst, '0', '.'), -point)
		return append(append(dst, whole...), frac...)
	}
	dst = digitsOf(dst, whole, frac, 0, 1)
	if size > 1 {
		dst = digitsOf(append(dst, '.'), whole, frac, 1, size)
	}
	return strconv.AppendInt(append(dst, 'e'), int64(point-1), 10)
}

func zeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// digitsOf appends the digits [from,to) of whole and frac together.
func digitsOf(dst, whole, frac []byte, from, to int) []byte {
	w := len(whole)
	if from < w {
		dst = append(dst, whole[from:min(to, w)]...)
	}
	if to > w {
		dst = append(dst, frac[max(from-w, 0):to-w]...)
	}
	return dst
}

// appendFloat appends the spelling of the float64 nearest to a number. Overflow becomes 1e999,
// because JSON has no infinity.
func appendFloat(dst []byte, n number, text []byte) []byte {
	// the only possible error is overflow, with the right infinity
	f, _ := strconv.ParseFloat(string(text), 64)
	if math.IsInf(f, 0) {
		if n.negative {
			dst = append(dst, '-')
		}
		return append(dst, "1e999"...)
	}
	var buffer [32]byte
	shortest := strconv.AppendFloat(buffer[:0], f, 'e', -1, 64)
	short, _ := scanNumber(shortest)
	return appendNumber(dst, short, shortest)
}

// numbers rewrites each separate number in a text. Numbers next to letters, digits, underscores or
// dots (v1.2.3, 127.0.0.1, 0x10, 5km) stay unchanged, and so do those that begin with 0 and a digit
// (007).
func numbers(dst, value []byte) []byte {
	plain := 0 // start of the bytes not appended yet
	for i := 0; i < len(value); {
		c := value[i]
		if !isDigit(c) && c != '-' {
			i++
			continue
		}
		if i > 0 && (inWord(value[i-1]) || value[i-1] == '.' || c == '-' && (value[i-1] == '-' || value[i-1] == '+')) {
			i = wordEnd(value, i+1, c)
			continue
		}
		n, ok := scanNumber(value[i:])
		end := i + n.size
		if !ok || end < len(value) && (inWord(value[end]) || value[end] == '.' && end+1 < len(value) && inWord(value[end+1])) {
			i = wordEnd(value, i+1, c)
			continue
		}
		dst = append(dst, value[plain:i]...)
		dst = appendNumber(dst, n, value[i:end])
		i, plain = end, end
	}
	return append(dst, value[plain:]...)
}

// wordEnd skips the rest of a run of digits that is not a number. After a minus sign a number may
// still begin.
func wordEnd(value []byte, i int, first byte) int {
	for first != '-' && i < len(value) && isDigit(value[i]) {
		i++
	}
	return i
}

// inWord reports whether a byte can be part of a word, in any alphabet.
func inWord(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
