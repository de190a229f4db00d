package smt

import (
	"fmt"
	"math/big"
)

// int returns an integer as a number that must not be changed.
func (m *Machine) int(slot int32) *big.Int {
	if m.big[slot] != nil {
		return m.big[slot]
	}
	return big.NewInt(int64(m.words[slot]))
}

// setInt keeps an integer in a word if it fits.
func (m *Machine) setInt(slot int32, n *big.Int) {
	m.words[slot], m.big[slot] = 0, nil
	switch {
	case n.IsInt64():
		m.words[slot] = uint64(n.Int64())
	case n.BitLen() > maxBits:
		m.err = fmt.Errorf("an integer of %d bits: %w", n.BitLen(), ErrTooLarge)
	default:
		m.big[slot] = n
	}
}

// integer executes operations on integers: on words as long as operands and results fit.
func (m *Machine) integer(in *inst) {
	op := Op(in.code)
	switch op {
	case OpBvToNat:
		if w := m.words[in.a]; int64(w) >= 0 {
			m.words[in.dst], m.big[in.dst] = w, nil
		} else {
			m.setInt(in.dst, new(big.Int).SetUint64(w))
		}
		return
	case OpIntToBv: // to a narrow one
		if n := m.big[in.a]; n != nil {
			m.words[in.dst] = wrap(n, int(in.result)).Uint64()
		} else {
			m.words[in.dst] = m.words[in.a] & mask(int(in.result))
		}
		return
	}
	b := in.a
	if in.b >= 0 {
		b = in.b
	}
	if m.big[in.a] == nil && m.big[b] == nil && m.small(op, in, int64(m.words[in.a]), int64(m.words[b])) {
		return
	}
	m.large(op, in, m.int(in.a), m.int(b))
}

// small tries an operation on words.
func (m *Machine) small(op Op, in *inst, a, b int64) bool {
	r, ok := int64(0), true
	switch op {
	case OpAdd:
		r, ok = addInt64(a, b)
	case OpSub:
		r, ok = subInt64(a, b)
	case OpMul:
		r, ok = mulInt64(a, b)
	case OpNeg:
		r, ok = subInt64(0, a)
	case OpAbs:
		if r = a; a < 0 {
			r, ok = subInt64(0, a)
		}
	case OpDiv, OpMod:
		if b == 0 || b == -1 {
			return false
		}
		// Boute's Euclidean division: the remainder is never negative.
		q, rest := a/b, a%b
		if rest < 0 {
			if b > 0 {
				q, rest = q-1, rest+b
			} else {
				q, rest = q+1, rest-b
			}
		}
		if r = q; op == OpMod {
			r = rest
		}
	case OpLe:
		m.words[in.dst] = truth(a <= b)
		return true
	case OpLt:
		m.words[in.dst] = truth(a < b)
		return true
	case OpGe:
		m.words[in.dst] = truth(a >= b)
		return true
	case OpGt:
		m.words[in.dst] = truth(a > b)
		return true
	default:
		return false
	}
	if ok {
		m.words[in.dst], m.big[in.dst] = uint64(r), nil
	}
	return ok
}

// large executes an operation on numbers of any size.
func (m *Machine) large(op Op, in *inst, a, b *big.Int) {
	r := new(big.Int)
	switch op {
	case OpAdd:
		r.Add(a, b)
	case OpSub:
		r.Sub(a, b)
	case OpMul:
		if a.BitLen()+b.BitLen() > maxBits+1 {
			m.err = fmt.Errorf("an integer of %d bits: %w", a.BitLen()+b.BitLen(), ErrTooLarge)
			return
		}
		r.Mul(a, b)
	case OpNeg:
		r.Neg(a)
	case OpAbs:
		r.Abs(a)
	case OpDiv, OpMod:
		switch {
		case b.Sign() == 0:
			m.divided = true
		case op == OpDiv:
			r.Div(a, b) // Euclidean, as SMT-LIB's
		default:
			r.Mod(a, b)
		}
	case OpLe, OpLt, OpGe, OpGt:
		c := a.Cmp(b)
		m.words[in.dst] = truth(op == OpLe && c <= 0 || op == OpLt && c < 0 || op == OpGe && c >= 0 || op == OpGt && c > 0)
		return
	}
	m.setInt(in.dst, r)
}
