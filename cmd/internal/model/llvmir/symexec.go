package llvmir

import "maps"

import "parallax/cmd/internal/model/smt"

// value returns a scalar operand.
func (e *execution) value(f *activeFrame, v *Value) symbol { return e.values(f, v)[0] }

// values returns the scalars of an operand.
func (e *execution) values(f *activeFrame, v *Value) []symbol {
	switch v.Kind {
	case RegisterValue:
		if regs, ok := f.regs[v.Register]; ok {
			return regs
		}
		e.undefined(Uninitialized, "a register is read before it is written")
	case AggregateValue:
		var all []symbol
		for _, part := range v.Elems {
			all = append(all, e.values(f, part)...)
		}
		return all
	}
	leaves := v.Type.leaves()
	all := make([]symbol, len(leaves))
	for i, l := range leaves {
		all[i].width = l.typ.width()
		switch v.Kind {
		case UndefValue:
			all[i].bad = uninitialized
		case PoisonValue:
			all[i].bad = poisoned
		case BytesValue:
			all[i].n = uint64(v.Data[i])
		case ZeroValue:
		default:
			all[i].n = e.s.machine.constant(f.fn.File, v)
			if v.Kind != IntValue {
				all[i] = e.pointer(all[i])
			}
		}
	}
	return all
}

func (e *execution) set(f *activeFrame, in *Instr, v ...symbol) {
	if in.Dest >= 0 {
		f.regs[in.Dest] = v
	}
	f.at++
}

// instr executes the next instruction.
func (e *execution) instr() {
	f := e.top()
	in := f.block.Instrs[f.at]
	e.fn, e.in = f.fn, in
	if e.steps++; e.steps > e.s.MaxSteps {
		e.beyond("the path has more than %d instructions", e.s.MaxSteps)
	}
	switch in.Op {
	case OpPhi:
		f.at++ // they were set on the way
	case OpIcmp:
		e.set(f, in, e.compare(in.Pred, e.value(f, in.Args[0]), e.value(f, in.Args[1])))
	case OpTrunc, OpZext, OpSext, OpPtrToInt, OpIntToPtr, OpBitcast:
		v := e.value(f, in.Args[0])
		if in.Op == OpZext && in.Flags&NonNeg != 0 && v.bad == 0 {
			e.require(e.compare(SGE, v, known(0, v.width)), Poison, "")
		}
		w := e.extend(v, in.Type.width(), in.Op == OpSext)
		if in.Op == OpIntToPtr {
			w = e.pointer(w)
		}
		e.set(f, in, w)
	case OpFreeze:
		all := append([]symbol(nil), e.values(f, in.Args[0])...)
		for _, v := range all {
			if v.bad != 0 {
				e.beyond("a value that is none becomes any")
			}
		}
		e.set(f, in, all...)
	case OpSelect:
		e.set(f, in, e.selection(f, in)...)
	case OpExtractValue, OpInsertValue:
		e.set(f, in, e.part(f, in)...)
	case OpAlloca:
		e.alloca(f, in)
	case OpLoad:
		p := e.value(f, in.Args[0])
		var all []symbol
		for _, l := range in.Type.leaves() {
			v := e.load(e.plus(p, l.offset), l.typ.width())
			if l.typ.Kind == PtrType {
				v = e.pointer(v)
			}
			all = append(all, v)
		}
		e.set(f, in, all...)
	case OpStore:
		p, values := e.value(f, in.Args[1]), e.values(f, in.Args[0])
		for i, l := range in.Args[0].Type.leaves() {
			e.store(e.plus(p, l.offset), values[i])
		}
		f.at++
	case OpGetElementPtr:
		e.set(f, in, e.step(in, f))
	case OpCall:
		e.call(f, in)
	case OpBr, OpSwitch:
		e.branch(f, in)
	case OpRet:
		e.leave(f, in)
	case OpUnreachable:
		e.undefined(Unreachable, "")
	default:
		e.set(f, in, e.arithmetic(in.Op, in.Flags, e.value(f, in.Args[0]), e.value(f, in.Args[1])))
	}
}

// plus returns a pointer advanced by some bytes.
func (e *execution) plus(p symbol, offset int) symbol {
	if offset == 0 {
		return p
	}
	return e.arithmetic(OpAdd, 0, p, known(uint64(offset), 64))
}

func (e *execution) selection(f *activeFrame, in *Instr) []symbol {
	c := e.value(f, in.Args[0])
	yes, no := e.values(f, in.Args[1]), e.values(f, in.Args[2])
	all := make([]symbol, len(yes))
	for i := range all {
		a, b := yes[i], no[i]
		switch {
		case c.known() && c.n != 0:
			all[i] = a
		case c.known():
			all[i] = b
		case a.object != b.object:
			e.beyond("a pointer depends on a condition without a branch")
		default:
			object := a.object
			a.object, b.object = 0, 0
			all[i] = e.ite(c.term, a, b)
			all[i].object = object
		}
		all[i].bad |= c.bad
	}
	return all
}

func (e *execution) part(f *activeFrame, in *Instr) []symbol {
	whole := append([]symbol(nil), e.values(f, in.Args[0])...)
	_, before, err := in.Args[0].Type.part(in.Indices)
	if err != nil {
		e.beyond("%v", err)
	}
	if in.Op == OpExtractValue {
		return whole[before : before+in.Type.countLeaves()]
	}
	copy(whole[before:], e.values(f, in.Args[1]))
	return whole
}

func (e *execution) alloca(f *activeFrame, in *Instr) {
	n := known(1, 64)
	if len(in.Args) > 0 {
		n = e.extend(e.use(e.value(f, in.Args[0]), "it is a size"), 64, false)
	}
	size := in.Source.Size()
	if !n.number() || size > 1<<16 || n.n > 1<<16 || n.n*uint64(size) > 1<<16 {
		e.beyond("a local variable is larger than %d bytes, or of a size that depends on the input", 1<<16)
	}
	r := &region{name: "a local variable", cells: make([]cell, int(n.n)*size), local: true}
	for i := range r.cells {
		r.cells[i] = cell{v: symbol{width: 8, bad: uninitialized}}
	}
	e.set(f, in, symbol{width: 64, object: e.add(r, 0)})
}

// branch continues with the next block of the path, and assumes the condition.
func (e *execution) branch(f *activeFrame, in *Instr) {
	to := e.path[0] - f.fn.first
	e.path = e.path[1:]
	if len(in.Args) > 0 {
		e.assume(e.leads(f, in, to))
	}
	from := f.block.Index
	next := f.fn.Blocks[to]
	news := map[int][]symbol{}
	for _, phi := range next.Instrs {
		if phi.Op != OpPhi {
			break
		}
		for i, p := range phi.Blocks {
			if p == from {
				news[phi.Dest] = e.values(f, phi.Args[i])
				break
			}
		}
	}
	maps.Copy(f.regs, news)
	f.block, f.at = next, 0
}

// leads returns the condition under which a branch or switch continues with a block.
func (e *execution) leads(f *activeFrame, in *Instr, to int) symbol {
	v := e.use(e.value(f, in.Args[0]), "a branch depends on it")
	if in.Op == OpBr {
		switch {
		case in.Blocks[0] == in.Blocks[1]:
			return known(1, 1)
		case in.Blocks[0] == to:
			return v
		}
		return e.negate(v)
	}
	here, other := known(0, 1), known(0, 1) // whether a case goes there, or elsewhere
	for i, c := range in.Args[1:] {
		same := e.equal(v, known(c.bits(), v.width))
		if in.Blocks[i+1] == to {
			here = e.either(here, same)
		} else {
			other = e.either(other, same)
		}
	}
	if in.Blocks[0] == to {
		return e.negate(other) // the default, or one of the cases that go there
	}
	return here
}

func (e *execution) either(a, b symbol) symbol {
	switch {
	case a.known() && a.n == 1, b.known() && b.n == 0:
		return a
	case b.known() && b.n == 1, a.known() && a.n == 0:
		return b
	}
	return symbol{width: 1, term: e.app(smt.OpOr, a.term, b.term)}
}

func (e *execution) call(f *activeFrame, in *Instr) {
	callee, name := e.s.module.callee(f.fn, in)
	args := make([]symbol, len(in.Args))
	for i, a := range in.Args {
		args[i] = e.value(f, a)
	}
	switch {
	case callee != nil:
		e.begin(callee, args)
	case isIntrinsic(name):
		fn, _ := findIntrinsic(name)
		e.set(f, in, e.intrinsic(fn, args)...)
	default:
		a, ok := e.s.Externals[name]
		if !ok {
			e.beyond("nobody supplies @%s", name)
		}
		if in.Dest >= 0 {
			e.set(f, in, e.argument(a, in.Type.width()))
		} else {
			f.at++
		}
	}
}

func (e *execution) leave(f *activeFrame, in *Instr) {
	var values []symbol
	if len(in.Args) > 0 {
		values = e.values(f, in.Args[0])
	}
	for _, r := range e.regions[f.first:] {
		r.freed = r.freed || r.local
	}
	e.frames = e.frames[:len(e.frames)-1]
	if len(e.frames) > 0 {
		caller := e.top()
		e.set(caller, caller.block.Instrs[caller.at], values...)
		return
	}
	e.frames = nil
	for _, v := range values {
		e.result.Results = append(e.result.Results, e.output(e.use(v, "it is the result")))
	}
	if len(e.result.Results) == 1 {
		e.result.Result = &e.result.Results[0]
	}
}
