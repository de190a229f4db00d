package smt

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"
)

// MaxChar is the largest code point of a string. SMT-LIB's characters are 0 to 0x2FFFF, surrogates included.
const MaxChar = 0x2FFFF

// Value is a value of any sort but RegLan. The zero Value is none.
type Value struct {
	sort  *Sort
	word  uint64   // Bool, a narrow bit vector, or an integer that fits int64
	big   *big.Int // a wide bit vector, or an integer that does not fit
	text  []rune
	array *Array
}

// BoolValue is true or false.
func BoolValue(b bool) Value { return Value{sort: Bool, word: truth(b)} }

// Int64Value is an integer.
func Int64Value(n int64) Value { return Value{sort: Int, word: uint64(n)} }

// IntValue is an integer of any size, which the caller does not change.
func IntValue(n *big.Int) Value {
	if n.IsInt64() {
		return Int64Value(n.Int64())
	}
	return Value{sort: Int, big: n}
}

// WordValue is a bit vector of up to 64 bits.
func WordValue(n uint64, width int) Value {
	if width > 64 {
		return BitsValue(new(big.Int).SetUint64(n), width)
	}
	return Value{sort: BitVec(width), word: n & mask(width)}
}

// BitsValue is the bit vector with the lowest bits of a number, which may be negative and is not changed by the caller.
func BitsValue(n *big.Int, width int) Value {
	n = wrap(n, width)
	if width <= 64 {
		return Value{sort: BitVec(width), word: n.Uint64()}
	}
	return Value{sort: BitVec(width), big: n}
}

// TextValue is a string of code points, which the caller does not change.
func TextValue(text []rune) Value { return Value{sort: String, text: text} }

// StringValue is a string of the code points of a Go string.
func StringValue(s string) Value { return TextValue([]rune(s)) }

// ArrayValue is an array.
func ArrayValue(a *Array) Value { return Value{sort: a.sort, array: a} }

// Sort is the value's type, and nil for none.
func (v Value) Sort() *Sort { return v.sort }

// Bool is a truth value.
func (v Value) Bool() bool { return v.word != 0 }

// Word is the bits of a bit vector of up to 64.
func (v Value) Word() uint64 { return v.word }

// Int64 is an integer, or a bit vector read without a sign, and whether it fits.
func (v Value) Int64() (int64, bool) {
	if v.big != nil {
		return v.big.Int64(), v.big.IsInt64()
	}
	return int64(v.word), v.sort == Int || int64(v.word) >= 0
}

// Big is an integer, or a bit vector read without a sign.
func (v Value) Big() *big.Int {
	switch {
	case v.big != nil:
		return new(big.Int).Set(v.big)
	case v.sort == Int:
		return big.NewInt(int64(v.word))
	}
	return new(big.Int).SetUint64(v.word)
}

// Text is the code points of a string.
func (v Value) Text() []rune { return v.text }

// Array is an array.
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

// String is the value as SMT-LIB writes it.
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

// ValueTerm is the term that writes a value out.
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

// Zero is the value of a sort that has nothing in it: false, 0, the empty string, an array of such.
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

// wrap is a number modulo 2^width, and the number itself where it is that already.
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

// The sums of 64 bits that overflow are left to big integers.
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
