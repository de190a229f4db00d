package llvmir

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// intrinsic is one of LLVM's own functions.
type intrinsic uint8

const (
	_           intrinsic = iota
	inNothing             // of debuggers and optimizers: no effect here
	inConstantP           // is.constant: false, as where nothing is optimized
	inExpect              // its first argument
	inAssume
	inTrap
	inMemcpy
	inMemset
	inStart // lifetime
	inAbs
	inSmax
	inSmin
	inUmax
	inUmin
	inCtpop
	inCtlz
	inCttz
	inBswap
	inBitreverse
	inFshl
	inFshr
	inSaddO
	inUaddO
	inSsubO
	inUsubO
	inSmulO
	inUmulO
	inSaddSat
	inUaddSat
	inSsubSat
	inUsubSat
)

// intrinsics maps names, without llvm. and the types at the end, to intrinsics and the numbers of
// their arguments.
var intrinsics = map[string]struct {
	fn   intrinsic
	args int
}{
	"donothing": {inNothing, 0}, "lifetime.end": {inNothing, 2}, "experimental.noalias.scope.decl": {inNothing, 0},
	"stackrestore": {inNothing, 1}, "prefetch": {inNothing, 4}, "var.annotation": {inNothing, 5},
	"is.constant": {inConstantP, 1}, "expect": {inExpect, 2}, "expect.with.probability": {inExpect, 3}, "assume": {inAssume, 1}, "trap": {inTrap, 0},
	"memcpy": {inMemcpy, 4}, "memcpy.inline": {inMemcpy, 4}, "memmove": {inMemcpy, 4}, "memset": {inMemset, 4}, "memset.inline": {inMemset, 4},
	"lifetime.start": {inStart, 2}, "abs": {inAbs, 2}, "smax": {inSmax, 2}, "smin": {inSmin, 2}, "umax": {inUmax, 2}, "umin": {inUmin, 2},
	"ctpop": {inCtpop, 1}, "ctlz": {inCtlz, 2}, "cttz": {inCttz, 2}, "bswap": {inBswap, 1}, "bitreverse": {inBitreverse, 1},
	"fshl": {inFshl, 3}, "fshr": {inFshr, 3}, "sadd.with.overflow": {inSaddO, 2}, "uadd.with.overflow": {inUaddO, 2},
	"ssub.with.overflow": {inSsubO, 2}, "usub.with.overflow": {inUsubO, 2}, "smul.with.overflow": {inSmulO, 2},
	"umul.with.overflow": {inUmulO, 2}, "sadd.sat": {inSaddSat, 2}, "uadd.sat": {inUaddSat, 2}, "ssub.sat": {inSsubSat, 2}, "usub.sat": {inUsubSat, 2},
}

func isIntrinsic(name string) bool { return strings.HasPrefix(name, "llvm.") }

// findIntrinsic finds an intrinsic by its name, whose last parts are types: llvm.memcpy.p0.p0.i64.
func findIntrinsic(name string) (fn intrinsic, args int) {
	short := strings.TrimPrefix(name, "llvm.")
	for short != "" {
		if known, ok := intrinsics[short]; ok {
			return known.fn, known.args
		}
		last := strings.LastIndexByte(short, '.')
		if last < 0 {
			break
		}
		short = short[:last]
	}
	return 0, 0
}

// checkIntrinsic reports a mistake in a call of an intrinsic.
func checkIntrinsic(name string, in *Instr) error {
	fn, args := findIntrinsic(name)
	if fn == 0 {
		return fmt.Errorf("the intrinsic @%s is not supported", name)
	}
	if len(in.Args) != args {
		return fmt.Errorf("@%s has %d arguments, not %d", name, args, len(in.Args))
	}
	if fn == inBswap && in.Type.Bits%16 != 0 {
		return fmt.Errorf("@%s of %v is not supported", name, in.Type)
	}
	overflows := fn >= inSaddO && fn <= inUmulO
	if fn >= inAbs && !overflows && in.Type.Kind != IntType || overflows && len(in.Type.Fields) != 2 {
		return fmt.Errorf("@%s does not give %v", name, in.Type)
	}
	if fn == inMemcpy && in.Args[1].Type.Kind != PtrType || (fn == inMemcpy || fn == inMemset) && in.Args[0].Type.Kind != PtrType {
		return fmt.Errorf("@%s takes pointers", name)
	}
	return nil
}

// intrinsic executes a call of one.
func (m *Machine) intrinsic(c *code, pc int32, s []slot, o *op) bool {
	st := &c.sites[o.ext]
	switch st.fn {
	case inNothing, inStart:
		if st.fn == inStart {
			m.blank(s[st.args[1]].v)
		}
		return true
	case inTrap:
		m.stop(c, pc, Unreachable, "the program stops itself")
		return false
	case inAssume:
		cond := s[st.args[0]]
		if cond.bad != 0 {
			m.used(c, pc, cond.bad, "it is assumed")
			return false
		}
		if cond.v == 0 {
			m.stop(c, pc, BrokenAssumption, "")
			return false
		}
		return true
	case inMemcpy, inMemset:
		return m.block(c, pc, s, st)
	}
	if st.count <= 0 {
		return true
	}
	if st.fn == inConstantP {
		s[st.result] = slot{}
		return true
	}
	var a [3]uint64
	var bad uint8
	for i, at := range st.args {
		a[i] = s[at].v
		bad |= s[at].bad
	}
	v, over, broken := compute(st.fn, o.bits, a)
	if broken {
		bad |= poisoned
	}
	if st.fn == inExpect {
		bad = s[st.args[0]].bad
	}
	s[st.result] = slot{v, bad}
	if st.count == 2 {
		s[st.result+1] = slot{truth(over), bad}
	}
	return true
}

// blank takes the values of a local variable away.
func (m *Machine) blank(address uint64) {
	if o := m.mem.find(address); o != nil {
		for i := range o.shadow {
			o.shadow[i] = uninitialized
		}
	}
}

// block executes memcpy, memmove or memset.
func (m *Machine) block(c *code, pc int32, s []slot, st *site) bool {
	for _, at := range []int32{st.args[0], st.args[2]} {
		if s[at].bad != 0 {
			m.used(c, pc, s[at].bad, "it is an address or a length")
			return false
		}
	}
	to, from, n := s[st.args[0]].v, s[st.args[1]], s[st.args[2]].v
	if n == 0 {
		return true
	}
	size := int(min(n, maxObject+1))
	m.steps -= size / 8
	var out Outcome
	at := to
	if st.fn == inMemset {
		out = m.mem.fill(to, byte(from.v), from.bad, size)
	} else {
		if from.bad != 0 {
			m.used(c, pc, from.bad, "it is an address")
			return false
		}
		out, at = m.mem.copy(to, from.v, size)
	}
	if out != 0 {
		m.stop(c, pc, out, m.mem.describe(at, size))
		return false
	}
	return true
}

// compute executes an intrinsic on numbers of n bits. over is the second result of those with
// overflow.
func compute(fn intrinsic, n uint8, a [3]uint64) (v uint64, over, broken bool) {
	x, y := a[0], a[1]
	m := mask(n)
	pick := func(first bool) uint64 {
		if first {
			return x
		}
		return y
	}
	switch fn {
	case inExpect:
		return x, false, false
	case inAbs:
		broken = y != 0 && x == uint64(1)<<(n-1)
		return magnitude(sext(x, n)) & m, false, broken
	case inSmax:
		return pick(sext(x, n) > sext(y, n)), false, false
	case inSmin:
		return pick(sext(x, n) < sext(y, n)), false, false
	case inUmax:
		return max(x, y), false, false
	case inUmin:
		return min(x, y), false, false
	case inCtpop:
		return uint64(bits.OnesCount64(x)), false, false
	case inCtlz:
		return uint64(bits.LeadingZeros64(x)-64+int(n)) & m, false, x == 0 && y != 0
	case inCttz:
		return uint64(min(bits.TrailingZeros64(x), int(n))) & m, false, x == 0 && y != 0
	case inBswap:
		return bits.ReverseBytes64(x) >> (64 - n), false, false
	case inBitreverse:
		return bits.Reverse64(x) >> (64 - n), false, false
	case inFshl, inFshr:
		k := a[2] % uint64(n)
		if fn == inFshr {
			k = uint64(n) - k
		}
		return (x<<k | y>>(uint64(n)-k)) & m, false, false
	}
	return arithmetic(fn, n, x, y)
}

// arithmetic executes intrinsics that detect overflow or saturate.
func arithmetic(fn intrinsic, n uint8, x, y uint64) (v uint64, over, broken bool) {
	signedOnes := []intrinsic{inSaddO, inSsubO, inSmulO, inSaddSat, inSsubSat}
	code, flag := opAdd, NUW
	switch fn {
	case inSsubO, inUsubO, inSsubSat, inUsubSat:
		code = opSub
	case inSmulO, inUmulO:
		code = opMul
	}
	sign := slices.Contains(signedOnes, fn)
	if sign {
		flag = NSW
	}
	v, bad, _ := operate(code, flag, n, x, y)
	over = bad != 0
	if fn < inSaddSat || !over {
		return v, over, false
	}
	top := mask(n)
	switch {
	case sign && sext(x, n) < 0:
		return uint64(1) << (n - 1), false, false
	case sign:
		return top >> 1, false, false
	case fn == inUsubSat:
		return 0, false, false
	}
	return top, false, false
}
