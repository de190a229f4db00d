package mutate

import (
	"math/bits"
	"strconv"
)

// numbers holds spellings that number parsers treat differently. They are the limits of integer
// types of all widths and the values beyond, those of float64, and forms that only some grammars
// have.
var numbers = [...]string{
	"0", "-0", "1", "-1", "9", "10", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768", "-32769",
	"65535", "65536", "999999", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
	"9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
	"-9223372036854775809", "18446744073709551615", "18446744073709551616", "99999999999999999999",
	"340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
	"1e400", "-1e400", "1e-400", "1e308", "1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "2e-324", "1e23",
	"1e999999999999", "1e5", "1E5", "1e+5", "1e-5", "0.1", "0.0", "-0.0", "1.0", "1.", ".5", "0.30000000000000004",
	"00", "01", "-01", "+1", "0x10", "0X1F", "0b1", "0o7", "0x1p-2", "1_000", "1,000", "1e", "--1", "NaN", "Infinity", "-inf",
}

var (
	isSign     = members("+-")
	isFraction = members(digitBytes + ".eE+-")
)

// number changes a decimal integer in the text: by a little, to a boundary, or to another spelling.
// In data without digits it inserts a number half of the time.
func number(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	at := find(r, b, isDigit)
	if at < 0 {
		if len(b) >= m.limit || r.Chance(1, 2) {
			return b, false
		}
		i := position(r, len(b))
		return m.replaceWithin(b, i, i, m.someNumber(r)), true
	}
	start, end := run(b, at, isDigit)
	switch r.Intn(8) {
	case 0, 1, 2:
		m.nearby(r, b[start:end])
	case 3, 4, 5:
		m.someNumber(r)
		// The sign, and one time in four the fraction and exponent, are replaced too.
		if start > 0 && isSign[b[start-1]] && r.Chance(3, 4) {
			start--
		}
		if r.Chance(1, 4) {
			_, end = run(b, end, isFraction)
		}
	default:
		return m.respell(r, b, start, end)
	}
	if len(b)-(end-start)+len(m.scratch) > m.limit {
		return b, false
	}
	return replace(b, start, end, m.scratch), true
}

// nearby sets scratch to a number near that of the digits: plus or minus a little, or times or over
// 2 or 10.
func (m *Mutator) nearby(r *Rand, text []byte) {
	v := uint64(0)
	for _, c := range text {
		hi, lo := bits.Mul64(v, 10)
		d := uint64(c - '0')
		if hi != 0 || lo+d < d {
			// Too large for arithmetic: change the last digit.
			m.scratch = append(m.scratch[:0], text...)
			m.scratch[len(text)-1] = '0' + byte(r.Intn(10))
			return
		}
		v = lo + d
	}
	switch x := r.Uint64(); x & 7 {
	case 0, 1:
		v++
	case 2, 3:
		v--
	case 4:
		v += uint64(1 + scale(x, maxDelta))
	case 5:
		v *= 2
	case 6:
		v *= 10
	default:
		v /= 10
	}
	negative := int64(v) < 0 && len(text) < 19
	m.scratch = m.scratch[:0]
	if negative {
		m.scratch = strconv.AppendInt(m.scratch, int64(v), 10)
	} else {
		m.scratch = strconv.AppendUint(m.scratch, v, 10)
	}
}

// someNumber sets scratch to a number: from the table, at a power of two or ten, or random.
func (m *Mutator) someNumber(r *Rand) []byte {
	m.scratch = m.scratch[:0]
	x := r.Uint64()
	switch x & 7 {
	case 0:
		m.scratch = strconv.AppendUint(m.scratch, boundary(r, 64), 10)
	case 1:
		m.scratch = strconv.AppendInt(m.scratch, int64(boundary(r, 64)), 10)
	case 2:
		m.scratch = append(m.scratch, '1')
		for n := extent(r, 32); n > 0; n-- {
			m.scratch = append(m.scratch, '0')
		}
	case 3:
		for n := extent(r, 32); n > 0; n-- {
			m.scratch = append(m.scratch, '0'+byte(r.Intn(10)))
		}
	case 4:
		// A float of any magnitude: float64 overflows above 308 and underflows below -324.
		m.scratch = strconv.AppendUint(m.scratch, uint64(scale(x, 100)), 10)
		m.scratch = append(m.scratch, 'e')
		m.scratch = strconv.AppendInt(m.scratch, int64(r.Intn(801)-400), 10)
	default:
		m.scratch = append(m.scratch, numbers[scale(x, len(numbers))]...)
	}
	return m.scratch
}

// respell changes the form of the number b[start:end], and mostly not its value.
func (m *Mutator) respell(r *Rand, b []byte, start, end int) ([]byte, bool) {
	forms := [...]struct {
		text  string
		after bool
	}{
		{"-", false}, {"+", false}, {"0", false}, {"00000000", false}, {"0x", false}, {"0.", false}, {"1", false}, {" ", false},
		{".0", true}, {".", true}, {"e0", true}, {"E+1", true}, {"e-1", true}, {"0", true}, {"_0", true}, {".5", true}, {"e400", true},
	}
	f := forms[r.Intn(len(forms))]
	if len(b)+len(f.text) > m.limit {
		return b, false
	}
	at := start
	if f.after {
		at = end
	}
	b = open(b, at, len(f.text))
	copy(b[at:], f.text)
	return b, true
}
