package llvmir

import "parallax/cmd/internal/model/smt"

var termOps = map[Op]smt.Op{OpAdd: smt.OpBvAdd, OpSub: smt.OpBvSub, OpMul: smt.OpBvMul, OpUdiv: smt.OpBvUdiv, OpSdiv: smt.OpBvSdiv,
	OpUrem: smt.OpBvUrem, OpSrem: smt.OpBvSrem, OpShl: smt.OpBvShl, OpLshr: smt.OpBvLshr, OpAshr: smt.OpBvAshr, OpAnd: smt.OpBvAnd,
	OpOr: smt.OpBvOr, OpXor: smt.OpBvXor}

// arithmetic executes an instruction on two numbers, or on a pointer as a number.
func (e *execution) arithmetic(op Op, flags Flags, a, b symbol) symbol {
	bad := a.bad | b.bad
	if a.object != 0 || b.object != 0 {
		return e.address(op, flags, a, b)
	}
	if op >= OpUdiv && op <= OpSrem {
		e.use(b, "it divides")
	}
	if a.known() && b.known() {
		v, broken, out := operate(codes[op], flags, uint8(a.width), a.n, b.n)
		if out != 0 && a.bad == 0 {
			e.undefined(out, "")
		}
		return symbol{width: a.width, n: v, bad: bad | broken}
	}
	if a.width == 1 {
		return e.logic(op, a, b)
	}
	if v, ok := neutral(op, a, b); ok {
		return v
	}
	x, y := e.termOf(a), e.termOf(b)
	if bad == 0 {
		e.promises(op, flags, a, b)
	}
	return e.made(e.app(termOps[op], x, y), a.width, bad)
}

// neutral simplifies operations that keep a number, or make it 0.
func neutral(op Op, a, b symbol) (symbol, bool) {
	if a.known() && (op == OpAdd || op == OpMul || op == OpAnd || op == OpOr || op == OpXor) {
		a, b = b, a
	}
	if !b.known() || b.bad != 0 {
		return symbol{}, false
	}
	switch {
	case b.n == 0 && (op == OpAdd || op == OpSub || op == OpOr || op == OpXor || op == OpShl || op == OpLshr || op == OpAshr):
		return a, true
	case b.n == 0 && (op == OpMul || op == OpAnd):
		return symbol{width: a.width, bad: a.bad}, true
	case b.n == 1 && op == OpMul, b.n == mask(uint8(a.width)) && op == OpAnd:
		return a, true
	}
	return symbol{}, false
}

// logic executes an instruction on truth values.
func (e *execution) logic(op Op, a, b symbol) symbol {
	x, y := e.termOf(a), e.termOf(b)
	var t *smt.Term
	switch op {
	case OpAnd, OpMul:
		t = e.app(smt.OpAnd, x, y)
	case OpOr:
		t = e.app(smt.OpOr, x, y)
	case OpXor, OpAdd, OpSub:
		t = e.app(smt.OpXor, x, y)
	default:
		e.beyond("it is of truth values")
	}
	return symbol{width: 1, term: t, bad: a.bad | b.bad}
}

// promises requires the promises of an instruction on terms, and the conditions for its
// definedness.
func (e *execution) promises(op Op, flags Flags, a, b symbol) {
	x, y, w := e.termOf(a), e.termOf(b), a.width
	truthOf := func(t *smt.Term) symbol { return e.made(t, 1, 0) }
	switch op {
	case OpAdd, OpSub, OpMul:
		if flags&NSW != 0 {
			e.require(truthOf(e.fits(op, a, b, true)), Poison, "")
		}
		if flags&NUW != 0 {
			e.require(truthOf(e.fits(op, a, b, false)), Poison, "")
		}
	case OpUdiv, OpUrem, OpSdiv, OpSrem:
		e.require(truthOf(e.not(e.app(smt.OpEqual, y, e.literal(0, w)))), DivisionByZero, "")
		if op == OpSdiv || op == OpSrem {
			least := e.app(smt.OpEqual, x, e.literal(1<<(w-1), w))
			minus := e.app(smt.OpEqual, y, e.literal(mask(uint8(w)), w))
			e.require(truthOf(e.not(e.app(smt.OpAnd, least, minus))), Poison, "")
		}
		if flags&Exact != 0 && (op == OpUdiv || op == OpSdiv) {
			rest := map[Op]smt.Op{OpUdiv: smt.OpBvUrem, OpSdiv: smt.OpBvSrem}[op]
			e.require(truthOf(e.app(smt.OpEqual, e.app(rest, x, y), e.literal(0, w))), Poison, "")
		}
	case OpShl, OpLshr, OpAshr:
		e.require(e.below(b, uint64(w)), Poison, "")
		back := func(with smt.Op, forth smt.Op) symbol {
			return truthOf(e.app(smt.OpEqual, e.app(with, e.app(forth, x, y), y), x))
		}
		if op == OpShl && flags&NUW != 0 {
			e.require(back(smt.OpBvLshr, smt.OpBvShl), Poison, "")
		}
		if op == OpShl && flags&NSW != 0 {
			e.require(back(smt.OpBvAshr, smt.OpBvShl), Poison, "")
		}
		if op != OpShl && flags&Exact != 0 {
			e.require(back(smt.OpBvShl, termOps[op]), Poison, "")
		}
	case OpOr:
		if flags&Disjoint != 0 {
			e.require(truthOf(e.app(smt.OpEqual, e.app(smt.OpBvAnd, x, y), e.literal(0, w))), Poison, "")
		}
	}
}

// fits returns whether a sum, difference or product fits the width of its operands.
func (e *execution) fits(op Op, a, b symbol, sign bool) *smt.Term {
	more := 1
	if op == OpMul {
		more = a.width
	}
	extend := smt.OpZeroExtend
	if sign {
		extend = smt.OpSignExtend
	}
	wide := func(t *smt.Term) *smt.Term { return e.indexed(extend, []int{more}, t) }
	x, y := e.termOf(a), e.termOf(b)
	return e.app(smt.OpEqual, e.app(termOps[op], wide(x), wide(y)), wide(e.app(termOps[op], x, y)))
}

// address executes arithmetic on pointers as numbers. Distances within one object, and steps of
// bytes, do not need the address itself.
func (e *execution) address(op Op, flags Flags, a, b symbol) symbol {
	offset := func(v symbol) symbol { return symbol{width: 64, n: v.n, term: v.term, bad: v.bad} }
	switch {
	case op == OpSub && a.object == b.object:
		return e.arithmetic(OpSub, 0, offset(a), offset(b))
	case op == OpSub && b.object == 0, op == OpAdd && (a.object == 0) != (b.object == 0):
		if a.object == 0 {
			a, b = b, a
		}
		v := e.arithmetic(op, 0, offset(a), b)
		v.object = a.object
		return v
	}
	return e.arithmetic(op, flags, e.numeric(a), e.numeric(b))
}

var predOps = map[Pred]smt.Op{UGT: smt.OpBvUgt, UGE: smt.OpBvUge, ULT: smt.OpBvUlt, ULE: smt.OpBvUle, SGT: smt.OpBvSgt, SGE: smt.OpBvSge,
	SLT: smt.OpBvSlt, SLE: smt.OpBvSle}

// compare executes icmp.
func (e *execution) compare(p Pred, a, b symbol) symbol {
	bad := a.bad | b.bad
	if a.object != 0 || b.object != 0 {
		v := e.comparePointers(p, a, b)
		v.bad = bad
		return v
	}
	if a.known() && b.known() {
		return symbol{width: 1, n: truth(compare(p, uint8(a.width), a.n, b.n)), bad: bad}
	}
	var v symbol
	switch {
	case p == EQ:
		v = e.equal(a, b)
	case p == NE:
		v = e.negate(e.equal(a, b))
	case a.width == 1:
		e.beyond("truth values are compared by size")
	default:
		v = e.made(e.app(predOps[p], e.termOf(a), e.termOf(b)), 1, 0)
	}
	v.bad = bad
	return v
}

func (e *execution) negate(v symbol) symbol {
	if v.number() {
		return symbol{width: 1, n: 1 - v.n, bad: v.bad}
	}
	return e.made(e.not(v.term), 1, v.bad)
}

// comparePointers compares offsets within one object. Different objects have different addresses,
// and none is null or another known number.
func (e *execution) comparePointers(p Pred, a, b symbol) symbol {
	if a.object == b.object {
		// an offset may be negative
		signedOnes := map[Pred]Pred{UGT: SGT, UGE: SGE, ULT: SLT, ULE: SLE}
		if s, ok := signedOnes[p]; ok {
			p = s
		}
		a.object, b.object = 0, 0
		return e.compare(p, a, b)
	}
	unlike := a.object != 0 && b.object != 0 || a.number() || b.number()
	if unlike && (p == EQ || p == NE) {
		return known(truth(p == NE), 1)
	}
	return e.compare(p, e.numeric(a), e.numeric(b))
}

// step executes getelementptr.
func (e *execution) step(in *Instr, f *activeFrame) symbol {
	steps, err := in.steps()
	if err != nil {
		e.beyond("%v", err)
	}
	p := e.value(f, in.Args[0])
	at := symbol{width: 64, n: p.n, term: p.term, bad: p.bad}
	for _, s := range steps {
		by := known(uint64(s.offset), 64)
		if s.index != nil {
			i := e.extend(e.value(f, s.index), 64, true)
			by = e.numeric(e.arithmetic(OpMul, 0, i, known(uint64(s.scale), 64)))
		}
		at = e.arithmetic(OpAdd, 0, at, by)
	}
	at.object = p.object
	if in.Flags&InBounds == 0 || at.bad != 0 {
		return at
	}
	if p.object == 0 {
		if p.known() && at.known() && p.n != at.n {
			at.bad |= poisoned
		}
		return at
	}
	size := uint64(len(e.regions[p.object-1].cells))
	if at.known() {
		if at.n > size {
			at.bad |= poisoned
		}
		return at
	}
	e.require(e.below(symbol{width: 64, term: at.term}, size+1), Poison, "a pointer leaves its object")
	return at
}
