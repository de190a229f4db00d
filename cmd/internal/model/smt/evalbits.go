package smt

import (
	"fmt"
	"math/big"
	"math/bits"
)

// narrow executes the rarer operations on bit vectors of up to 64 bits.
func (m *Machine) narrow(in *inst) {
	w := m.words
	a := w[in.a]
	var b uint64
	if in.b >= 0 {
		b = w[in.b]
	}
	width := int(in.width)
	full := mask(width)
	var r uint64
	switch Op(in.code) {
	case OpBvNand:
		r = ^(a & b)
	case OpBvNor:
		r = ^(a | b)
	case OpBvXnor:
		r = ^(a ^ b)
	case OpBvUdiv, OpBvUrem, OpBvSdiv, OpBvSrem, OpBvSmod:
		r = divide(Op(in.code), a, b, in.width)
	case OpBvShl:
		if b < uint64(width) {
			r = a << b
		}
	case OpBvLshr:
		if b < uint64(width) {
			r = a >> b
		}
	case OpBvAshr:
		r = uint64(signed(a, in.width) >> min(b, 63))
	case OpBvComp:
		r, full = truth(a == b), 1
	case OpRepeat:
		full = mask(int(in.result))
		for at := 0; at < int(in.result); at += width {
			r |= a << at
		}
	case OpRotateLeft:
		r = rotate(a, int(in.x)%width, width)
	case OpRotateRight:
		r = rotate(a, (width-int(in.x)%width)%width, width)
	}
	w[in.dst] = r & full
}

func rotate(a uint64, by, width int) uint64 {
	if width == 64 {
		return bits.RotateLeft64(a, by)
	}
	return a<<by | a>>(width-by)
}

// divide implements division by the rules of SMT-LIB. Division by zero gives a quotient of all ones
// and the dividend as remainder; signed division applies this to magnitudes. The remainder has the
// sign of the dividend in bvsrem, and of the divisor in bvsmod.
func divide(op Op, a, b uint64, width int32) uint64 {
	full := mask(int(width))
	switch op {
	case OpBvUdiv:
		if b == 0 {
			return full
		}
		return a / b
	case OpBvUrem:
		if b == 0 {
			return a
		}
		return a % b
	}
	negativeA, negativeB := signed(a, width) < 0, signed(b, width) < 0
	x, y := a, b
	if negativeA {
		x = -a & full
	}
	if negativeB {
		y = -b & full
	}
	if op == OpBvSdiv {
		q := divide(OpBvUdiv, x, y, width)
		if negativeA != negativeB {
			q = -q
		}
		return q
	}
	r := divide(OpBvUrem, x, y, width)
	signedR := r
	if negativeA {
		signedR = -r & full
	}
	if op == OpBvSmod && r != 0 && negativeA != negativeB {
		return signedR + b
	}
	return signedR
}

// bits returns a bit vector of any width as a number that must not be changed.
func (m *Machine) bits(slot, width int32) *big.Int {
	if width <= 64 {
		return new(big.Int).SetUint64(m.words[slot])
	}
	return m.big[slot]
}

// wide executes operations on bit vectors if one has more than 64 bits.
func (m *Machine) wide(in *inst) {
	op := Op(in.code - codeWide)
	width := int(in.width)
	a := new(big.Int)
	if op != OpIntToBv {
		a = m.bits(in.a, in.width)
	}
	b := a
	if op == OpConcat {
		b = m.bits(in.b, in.x)
	} else if in.b >= 0 {
		b = m.bits(in.b, in.width)
	}
	if holds, ok := compareWide(op, a, b, width); ok {
		m.words[in.dst] = truth(holds)
		return
	}
	r := new(big.Int)
	switch op {
	case OpBvNot:
		r.Not(a)
	case OpBvNeg:
		r.Neg(a)
	case OpBvAnd:
		r.And(a, b)
	case OpBvOr:
		r.Or(a, b)
	case OpBvXor:
		r.Xor(a, b)
	case OpBvNand:
		r.Not(r.And(a, b))
	case OpBvNor:
		r.Not(r.Or(a, b))
	case OpBvXnor:
		r.Not(r.Xor(a, b))
	case OpBvAdd:
		r.Add(a, b)
	case OpBvSub:
		r.Sub(a, b)
	case OpBvMul:
		r.Mul(a, b)
	case OpBvUdiv, OpBvUrem, OpBvSdiv, OpBvSrem, OpBvSmod:
		r = divideWide(op, a, b, width)
	case OpBvShl, OpBvLshr, OpBvAshr:
		r = shiftWide(op, a, b, width)
	case OpConcat:
		r.Or(r.Lsh(a, uint(in.x)), b)
	case OpExtract:
		r.Rsh(a, uint(in.y))
	case OpZeroExtend:
		r = a
	case OpSignExtend:
		r = signedBig(a, width)
	case OpRepeat:
		r = repeat(a, uint(width), uint(int(in.result)/width))
	case OpRotateLeft, OpRotateRight:
		by := uint(int(in.x) % width)
		if op == OpRotateRight {
			by = (uint(width) - by) % uint(width)
		}
		r.Or(new(big.Int).Lsh(a, by), new(big.Int).Rsh(a, uint(width)-by))
	case OpBvToNat:
		m.setInt(in.dst, a)
		return
	case OpIntToBv:
		r = m.int(in.a)
	default:
		m.err = fmt.Errorf("%v of bit vectors of %d bits is not computed", op, width)
	}
	r = wrap(r, int(in.result))
	if in.result <= 64 {
		m.words[in.dst] = r.Uint64()
		return
	}
	m.big[in.dst] = r
}

// repeat repeats a bit vector n times, by doubling.
func repeat(a *big.Int, width, n uint) *big.Int {
	r := new(big.Int)
	done := uint(0)
	for i := bits.Len(n) - 1; i >= 0; i-- {
		r.Or(new(big.Int).Lsh(r, done*width), r)
		if done *= 2; n>>i&1 == 1 {
			r.Or(new(big.Int).Lsh(r, width), a)
			done++
		}
	}
	return r
}

// compareWide executes the operations that return a truth value or a bit.
func compareWide(op Op, a, b *big.Int, width int) (holds, ok bool) {
	if op >= OpBvSlt && op <= OpBvSge {
		a, b = signedBig(a, width), signedBig(b, width)
	}
	switch c := a.Cmp(b); op {
	case OpBvComp:
		return c == 0, true
	case OpBvUlt, OpBvSlt:
		return c < 0, true
	case OpBvUle, OpBvSle:
		return c <= 0, true
	case OpBvUgt, OpBvSgt:
		return c > 0, true
	case OpBvUge, OpBvSge:
		return c >= 0, true
	}
	return false, false
}

// divideWide is divide for any width. The caller must wrap the results.
func divideWide(op Op, a, b *big.Int, width int) *big.Int {
	if op == OpBvUdiv || op == OpBvUrem {
		switch {
		case b.Sign() != 0 && op == OpBvUdiv:
			return new(big.Int).Quo(a, b)
		case b.Sign() != 0:
			return new(big.Int).Rem(a, b)
		case op == OpBvUdiv:
			return big.NewInt(-1)
		}
		return a
	}
	x, y := signedBig(a, width), signedBig(b, width)
	if y.Sign() == 0 {
		switch {
		case op != OpBvSdiv:
			return x
		case x.Sign() < 0:
			return big.NewInt(1)
		}
		return big.NewInt(-1)
	}
	if op == OpBvSdiv {
		return new(big.Int).Quo(x, y) // truncates, as SMT-LIB does
	}
	r := new(big.Int).Rem(x, y)
	if op == OpBvSmod && r.Sign() != 0 && r.Sign() != y.Sign() {
		r.Add(r, y)
	}
	return r
}

func shiftWide(op Op, a, b *big.Int, width int) *big.Int {
	by := uint(width)
	if b.IsUint64() && b.Uint64() < uint64(width) {
		by = uint(b.Uint64())
	}
	switch op {
	case OpBvShl:
		return new(big.Int).Lsh(a, by)
	case OpBvLshr:
		return new(big.Int).Rsh(a, by)
	}
	return new(big.Int).Rsh(signedBig(a, width), by)
}
