package llvmir

import "math/bits"

// mask returns a number with the n lowest bits set, for n from 1 to 64.
func mask(n uint8) uint64 { return ^uint64(0) >> (64 - n) }

// sext interprets a number of n bits as signed.
func sext(v uint64, n uint8) int64 { return int64(v<<(64-n)) >> (64 - n) }

// operate executes an arithmetic instruction on two numbers of n bits. bad is poisoned if a promise
// of the flags is broken. out is set if the operation is undefined at once.
func operate(code opcode, flags Flags, n uint8, a, b uint64) (v uint64, bad uint8, out Outcome) {
	broken := false
	m := mask(n)
	switch code {
	case opAdd:
		v = (a + b) & m
		broken = flags&NUW != 0 && v < a || flags&NSW != 0 && sext((a^v)&(b^v), n) < 0
	case opSub:
		v = (a - b) & m
		broken = flags&NUW != 0 && a < b || flags&NSW != 0 && sext((a^b)&(a^v), n) < 0
	case opMul:
		v = a * b & m
		high, low := bits.Mul64(a, b)
		broken = flags&NUW != 0 && (high != 0 || low > m) || flags&NSW != 0 && mulOverflows(sext(a, n), sext(b, n), n)
	case opUdiv, opUrem, opSdiv, opSrem:
		return divide(code, flags, n, a, b)
	case opShl, opLshr, opAshr:
		return shift(code, flags, n, a, b)
	case opAnd:
		v = a & b
	case opOr:
		v = a | b
		broken = flags&Disjoint != 0 && a&b != 0
	case opXor:
		v = a ^ b
	}
	if broken {
		bad = poisoned
	}
	return v, bad, 0
}

// mulOverflows reports whether a signed product needs more than n bits.
func mulOverflows(a, b int64, n uint8) bool {
	neg := (a < 0) != (b < 0)
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	limit := uint64(1) << (n - 1)
	if !neg {
		limit--
	}
	return high != 0 || low > limit
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func divide(code opcode, flags Flags, n uint8, a, b uint64) (v uint64, bad uint8, out Outcome) {
	if b == 0 {
		return 0, 0, DivisionByZero
	}
	m := mask(n)
	var rest uint64
	if code == opUdiv || code == opUrem {
		v, rest = a/b, a%b
	} else {
		x, y := sext(a, n), sext(b, n)
		if y == -1 {
			if uint64(x)&m == uint64(1)<<(n-1) {
				return 0, 0, Poison // the quotient does not fit
			}
			v, rest = uint64(-x)&m, 0
		} else {
			v, rest = uint64(x/y)&m, uint64(x%y)&m
		}
	}
	if code == opUrem || code == opSrem {
		return rest, 0, 0
	}
	if flags&Exact != 0 && rest != 0 {
		bad = poisoned
	}
	return v, bad, 0
}

func shift(code opcode, flags Flags, n uint8, a, b uint64) (v uint64, bad uint8, out Outcome) {
	if b >= uint64(n) {
		return 0, poisoned, 0
	}
	m := mask(n)
	broken := false
	switch code {
	case opShl:
		v = a << b & m
		broken = flags&NUW != 0 && v>>b != a || flags&NSW != 0 && sext(v, n)>>b != sext(a, n)
	case opLshr:
		v = a >> b
		broken = flags&Exact != 0 && v<<b != a
	default:
		v = uint64(sext(a, n)>>b) & m
		broken = flags&Exact != 0 && v<<b&m != a
	}
	if broken {
		bad = poisoned
	}
	return v, bad, 0
}

// compare executes icmp.
func compare(p Pred, n uint8, a, b uint64) bool {
	switch p {
	case EQ:
		return a == b
	case NE:
		return a != b
	case UGT:
		return a > b
	case UGE:
		return a >= b
	case ULT:
		return a < b
	case ULE:
		return a <= b
	case SGT:
		return sext(a, n) > sext(b, n)
	case SGE:
		return sext(a, n) >= sext(b, n)
	case SLT:
		return sext(a, n) < sext(b, n)
	}
	return sext(a, n) <= sext(b, n)
}

// truth returns 1 for true.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
