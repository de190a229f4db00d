package smt

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// MaxChar is the largest code point of a string. SMT-LIB's characters are 0 to 0x2FFFF, including
// surrogates.
const MaxChar = 0x2FFFF

// Value is a value of any sort except RegLan. The zero Value means none.
type Value struct {
	sort  *Sort
	word  uint64   // Bool, a narrow bit vector, or an integer that fits int64
	big   *big.Int // a wide bit vector, or an integer that does not fit
	text  []rune
	array *Array
}

// BoolValue returns true or false as a value.
func BoolValue(b bool) Value { return Value{sort: Bool, word: truth(b)} }

// Int64Value returns an integer.
func Int64Value(n int64) Value { return Value{sort: Int, word: uint64(n)} }

// IntValue returns an integer of any size. The caller must not change n.
func IntValue(n *big.Int) Value {
	if n.IsInt64() {
		return Int64Value(n.Int64())
	}
	return Value{sort: Int, big: n}
}

// WordValue returns a bit vector of up to 64 bits.
func WordValue(n uint64, width int) Value {
	if width > 64 {
		return BitsValue(new(big.Int).SetUint64(n), width)
	}
	return Value{sort: BitVec(width), word: n & mask(width)}
}

// BitsValue returns the bit vector with the lowest bits of a number, which may be negative. The
// caller must not change n.
func BitsValue(n *big.Int, width int) Value {
	n = wrap(n, width)
	if width <= 64 {
		return Value{sort: BitVec(width), word: n.Uint64()}
	}
	return Value{sort: BitVec(width), big: n}
}

// TextValue returns a string of code points. The caller must not change text.
func TextValue(text []rune) Value { return Value{sort: String, text: text} }

// StringValue returns a string with the code points of a Go string.
func StringValue(s string) Value { return TextValue([]rune(s)) }

// ArrayValue returns an array.
func ArrayValue(a *Array) Value { return Value{sort: a.sort, array: a} }

// Sort returns the value's type, or nil for none.
func (v Value) Sort() *Sort { return v.sort }

// Bool returns a truth value.
func (v Value) Bool() bool { return v.word != 0 }

// Word returns the bits of a bit vector of up to 64 bits.
func (v Value) Word() uint64 { return v.word }

// Int64 returns an integer or an unsigned bit vector, and whether it fits.
func (v Value) Int64() (int64, bool) {
	if v.big != nil {
		return v.big.Int64(), v.big.IsInt64()
	}
	return int64(v.word), v.sort == Int || int64(v.word) >= 0
}

// Big returns an integer or an unsigned bit vector.
func (v Value) Big() *big.Int {
	switch {
	case v.big != nil:
		return new(big.Int).Set(v.big)
	case v.sort == Int:
		return big.NewInt(int64(v.word))
	}
	return new(big.Int).SetUint64(v.word)
}

// Text returns the code points of a string.
func (v Value) Text() []rune { return v.text }

// Array returns an array.
func (v Value) Array() *Array { return v.array }

// Equal reports whether two values are the same value of one sort.
func (v Value) Equal(o Value) bool {
	if v.sort != o.sort {
		return false
	}
	switch {
	case v.sort == nil:
		return true
	case v.sort.Kind == StringKind:
		return slices.Equal(v.text, o.text)
	case v.sort.Kind == ArrayKind:
		return v.array.Equal(o.array)
	case v.big != nil && o.big != nil:
		return v.big.Cmp(o.big) == 0
	}
	return v.big == nil && o.big == nil && v.word == o.word
}

// String returns the value in SMT-LIB syntax.
func (v Value) String() string {
	if v.sort == nil {
		return "none"
	}
	var b strings.Builder
	v.write(&b)
	return b.String()
}

func (v Value) write(b *strings.Builder) {
	switch v.sort.Kind {
	case BoolKind:
		fmt.Fprint(b, v.word != 0)
	case IntKind:
		writeInt(b, v.Big())
	case BitVecKind:
		writeBits(b, v.Big(), v.sort.Width)
	case StringKind:
		writeText(b, v.text)
	case ArrayKind:
		entries := v.array.Entries()
		b.WriteString(strings.Repeat("(store ", len(entries)))
		fmt.Fprintf(b, "((as const %v) ", v.sort)
		v.array.Default().write(b)
		b.WriteByte(')')
		for _, e := range entries {
			b.WriteByte(' ')
			e.Index.write(b)
			b.WriteByte(' ')
			e.Element.write(b)
			b.WriteByte(')')
		}
	}
}

// ValueTerm returns a literal term for a value.
func (c *Context) ValueTerm(v Value) *Term {
	switch v.sort.Kind {
	case BoolKind:
		return c.BoolTerm(v.Bool())
	case IntKind:
		return c.BigNumeral(v.Big())
	case BitVecKind:
		return c.BigBits(v.Big(), v.sort.Width)
	case StringKind:
		return c.Text(v.text)
	}
	t := c.intern(Term{op: OpConstArray, sort: v.sort, args: []*Term{c.ValueTerm(v.array.Default())}})
	for _, e := range v.array.Entries() {
		t = c.intern(Term{op: OpStore, sort: v.sort, args: []*Term{t, c.ValueTerm(e.Index), c.ValueTerm(e.Element)}})
	}
	return t
}

// Zero returns the zero value of a sort: false, 0, the empty string, or an array of zero values.
func Zero(s *Sort) Value {
	switch s.Kind {
	case ArrayKind:
		return ArrayValue(NewArray(s, Zero(s.Element)))
	case BitVecKind:
		return BitsValue(new(big.Int), s.Width)
	}
	return Value{sort: s}
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func mask(width int) uint64 { return ^uint64(0) >> (uint(64-width) & 63) }

// signed reads a bit vector as two's complement.
func signed(w uint64, width int32) int64 {
	by := uint32(64-width) & 63
	return int64(w<<by) >> by
}

// wrap returns a number modulo 2^width. It returns n itself if that is equal.
func wrap(n *big.Int, width int) *big.Int {
	if n.Sign() >= 0 && n.BitLen() <= width {
		return n
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	m.Sub(m, big.NewInt(1))
	return m.And(m, n) // And reads negative numbers as two's complement
}

// signedBig reads a bit vector as two's complement.
func signedBig(n *big.Int, width int) *big.Int {
	if n.Bit(width-1) == 0 {
		return n
	}
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return m.Sub(n, m)
}

// addInt64 returns the sum, and false if it overflows 64 bits. Such sums are computed with big
// integers.
func addInt64(a, b int64) (int64, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

func subInt64(a, b int64) (int64, bool) {
	d := a - b
	return d, (a^b)&(a^d) >= 0
}

func mulInt64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// The signed high word, from the unsigned one.
	if a < 0 {
		hi -= uint64(b)
	}
	if b < 0 {
		hi -= uint64(a)
	}
	return int64(lo), hi == uint64(int64(lo)>>63)
}
