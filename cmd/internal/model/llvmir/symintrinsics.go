package llvmir

import "parallax/cmd/internal/model/smt"

// intrinsic executes one of LLVM's own functions.
func (e *execution) intrinsic(fn intrinsic, args []symbol) []symbol {
	switch fn {
	case inNothing:
		return nil
	case inConstantP:
		return []symbol{known(0, 1)}
	case inTrap:
		e.undefined(Unreachable, "the program stops itself")
	case inAssume:
		e.require(e.use(args[0], "it is assumed"), BrokenAssumption, "")
		return nil
	case inExpect:
		return args[:1]
	case inStart:
		if args[1].object != 0 {
			r := e.regions[args[1].object-1]
			for i := range r.cells {
				r.cells[i] = cell{v: symbol{width: 8, bad: uninitialized}}
			}
		}
		return nil
	case inMemcpy, inMemset:
		n := e.use(args[2], "it is a length")
		if !n.number() {
			e.beyond("the length depends on the input")
		}
		if n.n > 1<<16 {
			e.beyond("the length is %d", n.n)
		}
		switch {
		case n.n == 0:
		case fn == inMemset:
			e.fill(args[0], args[1], int(n.n))
		default:
			e.move(args[0], args[1], int(n.n))
		}
		return nil
	}
	bad := uint8(0)
	for i, a := range args {
		bad |= a.bad
		args[i] = e.numeric(a)
	}
	if bad != 0 {
		e.beyond("it computes with what has no value")
	}
	return e.compute(fn, args)
}

// compute executes an intrinsic on numbers.
func (e *execution) compute(fn intrinsic, args []symbol) []symbol {
	all := true
	var a [3]uint64
	for i, v := range args {
		all = all && v.known()
		a[i] = v.n
	}
	w := args[0].width
	overflows := fn >= inSaddO && fn <= inUmulO
	if all {
		v, over, broken := compute(fn, uint8(w), a)
		r := known(v, w)
		if broken {
			r.bad = poisoned
		}
		if overflows {
			return []symbol{r, known(truth(over), 1)}
		}
		return []symbol{r}
	}
	if overflows {
		op := map[intrinsic]Op{inSaddO: OpAdd, inUaddO: OpAdd, inSsubO: OpSub, inUsubO: OpSub, inSmulO: OpMul, inUmulO: OpMul}[fn]
		sign := fn == inSaddO || fn == inSsubO || fn == inSmulO
		return []symbol{e.arithmetic(op, 0, args[0], args[1]), e.negate(e.made(e.fits(op, args[0], args[1], sign), 1, 0))}
	}
	choose := func(p Pred) []symbol {
		c := e.compare(p, args[0], args[1])
		if c.known() {
			return []symbol{args[1-c.n]}
		}
		return []symbol{e.ite(c.term, args[0], args[1])}
	}
	switch fn {
	case inAbs:
		least := known(1<<(w-1), w)
		if args[1].n != 0 {
			e.require(e.negate(e.equal(args[0], least)), Poison, "")
		}
		negative := e.compare(SLT, args[0], known(0, w))
		return []symbol{e.ite(e.termOf(negative), e.arithmetic(OpSub, 0, known(0, w), args[0]), args[0])}
	case inSmax:
		return choose(SGT)
	case inSmin:
		return choose(SLT)
	case inUmax:
		return choose(UGT)
	case inUmin:
		return choose(ULT)
	case inBswap:
		t := e.termOf(args[0])
		v := e.indexed(smt.OpExtract, []int{7, 0}, t)
		for at := 8; at < w; at += 8 {
			v = e.app(smt.OpConcat, v, e.indexed(smt.OpExtract, []int{at + 7, at}, t))
		}
		return []symbol{e.made(v, w, 0)}
	case inCtpop, inCtlz, inCttz:
		return []symbol{e.countBits(fn, args, w)}
	case inFshl, inFshr:
		return []symbol{e.funnel(fn, args, w)}
	}
	e.beyond("this intrinsic has no terms here")
	return nil
}

// countBits counts bits that are set, or zeros up to the first one.
func (e *execution) countBits(fn intrinsic, args []symbol, w int) symbol {
	bit := func(i int) *smt.Term {
		return e.app(smt.OpEqual, e.indexed(smt.OpExtract, []int{i, i}, e.termOf(args[0])), e.ctx.Bits(1, 1))
	}
	if fn == inCtpop {
		v := known(0, w)
		for i := range w {
			v = e.arithmetic(OpAdd, 0, v, e.ite(bit(i), known(1, w), known(0, w)))
		}
		return v
	}
	if args[1].n != 0 {
		e.require(e.negate(e.equal(args[0], known(0, w))), Poison, "")
	}
	v := known(uint64(w), w)
	for n := w - 1; n >= 0; n-- { // n zeros before the first one
		at := n
		if fn == inCtlz {
			at = w - 1 - n
		}
		v = e.ite(bit(at), known(uint64(n), w), v)
	}
	return v
}

// funnel shifts two numbers as one. The distance must be known.
func (e *execution) funnel(fn intrinsic, args []symbol, w int) symbol {
	if !args[2].known() {
		e.beyond("the distance of a shift depends on the input")
	}
	k := int(args[2].n % uint64(w))
	if fn == inFshr {
		k = w - k
	}
	both := e.app(smt.OpConcat, e.termOf(args[0]), e.termOf(args[1]))
	return e.made(e.indexed(smt.OpExtract, []int{2*w - 1 - k, w - k}, both), w, 0)
}
