package llvmir

import (
	"fmt"
	"sort"
)

// opcode is the operation of a machine instruction. Those up to opIcmp have two operands of one
// width.
type opcode uint8

const (
	opAdd opcode = iota
	opSub
	opMul
	opUdiv
	opSdiv
	opUrem
	opSrem
	opShl
	opLshr
	opAshr
	opAnd
	opOr
	opXor
	opIcmp
	opTrunc
	opZext
	opSext
	opMove
	opSelect
	opFreeze
	opAlloca
	opLoad
	opStore
	opOffset   // a pointer and a fixed number of bytes
	opIndex    // a pointer and an index times a scale
	opInBounds // checks that a pointer of several steps stayed within the object of the first
	opIntrinsic
	opCall
	opExternal
	opJump
	opBranch
	opSwitch
	opRet
	opUnreachable
)

// op is an instruction of the machine. Operands are indices in the frame.
type op struct {
	code  opcode
	bits  uint8 // width of the operands
	wide  uint8 // width of the result, if different; bytes for load and store
	flags Flags
	pred  Pred
	ext   int32 // place in a table of the code
	dst   int32
	a     int32
	b     int32
	c     int32
	imm   uint64
}

// slot is a scalar in a frame: a number of up to 64 bits, whose other bits are 0.
type slot struct {
	v   uint64
	bad uint8 // uninitialized, poisoned
}

// edge is a step from one block to another, with the copies for phi.
type edge struct {
	pc     int32
	block  int32 // number in the module
	cost   int32 // instructions of the block
	copies []copied
	parts  bool // a copy reads the target of another one
}

type copied struct{ dst, src int32 }

// table is the jump table of a switch.
type table struct {
	values   []uint64 // ascending
	edges    []int32
	fallback int32
}

// site is a call site.
type site struct {
	callee *Function
	name   string // of an intrinsic or external function
	args   []int32
	result int32
	count  int32 // of scalars in the result
	bits   []int // of the scalars in the result
	fn     intrinsic
}

// code is a function in the machine's form.
type code struct {
	f      *Function
	ops    []op
	instrs []*Instr // of each op
	consts []slot   // behind the registers
	first  int32    // of the constants
	frame  int32
	edges  []edge
	tables []table
	sites  []site
	params []int32
	entry  edge
}

// lowering makes the code of a function.
type lowering struct {
	m      *Machine
	c      *code
	base   []int32 // first slots of registers
	known  map[slot]int32
	starts []int32
	costs  []int32
}

func (m *Machine) lower(f *Function) *code {
	l := &lowering{m: m, c: &code{f: f}, base: make([]int32, f.registers), known: map[slot]int32{}}
	for r, t := range f.types {
		l.base[r] = l.c.first
		if t != nil {
			l.c.first += int32(t.countLeaves())
		}
	}
	for i := range f.Params {
		l.c.params = append(l.c.params, l.base[i])
	}
	for _, b := range f.Blocks {
		l.starts = append(l.starts, int32(len(l.c.ops)))
		for _, in := range b.Instrs {
			if in.Op != OpPhi {
				l.instr(b, in)
			}
		}
		l.costs = append(l.costs, int32(len(l.c.ops))-l.starts[b.Index])
	}
	for i := range l.c.edges {
		e := &l.c.edges[i]
		index := e.block - int32(f.first)
		e.pc, e.cost = l.starts[index], l.costs[index]
	}
	l.c.entry = edge{pc: 0, block: int32(f.first), cost: l.costs[0]}
	l.c.frame = l.c.first + int32(len(l.c.consts))
	return l.c
}

func (l *lowering) emit(in *Instr, o op) *op {
	o.flags, o.pred = in.Flags, in.Pred
	l.c.ops = append(l.c.ops, o)
	l.c.instrs = append(l.c.instrs, in)
	return &l.c.ops[len(l.c.ops)-1]
}

// constant returns the index of a constant.
func (l *lowering) constant(s slot) int32 {
	at, ok := l.known[s]
	if !ok {
		at = l.c.first + int32(len(l.c.consts))
		l.c.consts = append(l.c.consts, s)
		l.known[s] = at
	}
	return at
}

// value returns the indices of an operand's scalars.
func (l *lowering) value(v *Value) []int32 {
	if v.Kind == AggregateValue {
		var all []int32
		for _, e := range v.Elems {
			all = append(all, l.value(e)...)
		}
		return all
	}
	n := v.Type.countLeaves()
	all := make([]int32, n)
	for i := range all {
		switch v.Kind {
		case RegisterValue:
			all[i] = l.base[v.Register] + int32(i)
		case UndefValue:
			all[i] = l.constant(slot{0, uninitialized})
		case PoisonValue:
			all[i] = l.constant(slot{0, poisoned})
		case ZeroValue:
			all[i] = l.constant(slot{})
		case BytesValue:
			all[i] = l.constant(slot{v: uint64(v.Data[i])})
		default:
			all[i] = l.constant(slot{v: l.m.constant(l.c.f.File, v)})
		}
	}
	return all
}

func (l *lowering) scalar(v *Value) int32 { return l.value(v)[0] }

// edge returns the index of the edge from one block to another.
func (l *lowering) edge(from, to int) int32 {
	e := edge{block: int32(l.c.f.first + to)}
	written := map[int32]bool{}
	for _, in := range l.c.f.Blocks[to].Instrs {
		if in.Op != OpPhi {
			break
		}
		for i, p := range in.Blocks {
			if p != from {
				continue
			}
			for j, src := range l.value(in.Args[i]) {
				dst := l.base[in.Dest] + int32(j)
				e.parts = e.parts || written[src]
				written[dst] = true
				if src != dst {
					e.copies = append(e.copies, copied{dst, src})
				}
			}
			break
		}
	}
	l.c.edges = append(l.c.edges, e)
	return int32(len(l.c.edges) - 1)
}

var codes = map[Op]opcode{OpAdd: opAdd, OpSub: opSub, OpMul: opMul, OpUdiv: opUdiv, OpSdiv: opSdiv, OpUrem: opUrem, OpSrem: opSrem,
	OpShl: opShl, OpLshr: opLshr, OpAshr: opAshr, OpAnd: opAnd, OpOr: opOr, OpXor: opXor, OpIcmp: opIcmp, OpTrunc: opTrunc, OpZext: opZext,
	OpSext: opSext, OpFreeze: opFreeze}

func (l *lowering) instr(b *Block, in *Instr) {
	var dst int32
	if in.Dest >= 0 {
		dst = l.base[in.Dest]
	}
	switch in.Op {
	case OpAdd, OpSub, OpMul, OpUdiv, OpSdiv, OpUrem, OpSrem, OpShl, OpLshr, OpAshr, OpAnd, OpOr, OpXor, OpIcmp:
		l.emit(in, op{code: codes[in.Op], bits: uint8(in.Args[0].Type.width()), dst: dst, a: l.scalar(in.Args[0]), b: l.scalar(in.Args[1])})
	case OpTrunc, OpZext, OpSext:
		l.emit(in, op{code: codes[in.Op], bits: uint8(in.Args[0].Type.Bits), wide: uint8(in.Type.Bits), dst: dst, a: l.scalar(in.Args[0])})
	case OpPtrToInt, OpIntToPtr, OpBitcast:
		l.emit(in, op{code: opTrunc, bits: 64, wide: uint8(in.Type.width()), dst: dst, a: l.scalar(in.Args[0])})
	case OpFreeze:
		for i, a := range l.value(in.Args[0]) {
			l.emit(in, op{code: opFreeze, dst: dst + int32(i), a: a})
		}
	case OpSelect:
		yes, no := l.value(in.Args[1]), l.value(in.Args[2])
		for i := range yes {
			l.emit(in, op{code: opSelect, dst: dst + int32(i), a: l.scalar(in.Args[0]), b: yes[i], c: no[i]})
		}
	case OpExtractValue, OpInsertValue:
		l.part(in, dst)
	case OpAlloca:
		o := op{code: opAlloca, dst: dst, a: -1, imm: uint64(in.Source.Size())}
		if len(in.Args) > 0 {
			o.a = l.scalar(in.Args[0])
		}
		l.emit(in, o)
	case OpLoad:
		for i, leaf := range in.Type.leaves() {
			l.emit(in, op{code: opLoad, bits: uint8(leaf.typ.width()), wide: uint8((leaf.typ.width() + 7) / 8), dst: dst + int32(i),
				a: l.scalar(in.Args[0]), imm: uint64(leaf.offset)})
		}
	case OpStore:
		values := l.value(in.Args[0])
		for i, leaf := range in.Args[0].Type.leaves() {
			l.emit(in, op{code: opStore, wide: uint8((leaf.typ.width() + 7) / 8), a: values[i], b: l.scalar(in.Args[1]), imm: uint64(leaf.offset)})
		}
	case OpGetElementPtr:
		l.pointer(in, dst)
	case OpCall:
		l.call(in, dst)
	default:
		l.terminator(b, in)
	}
}

func (l *lowering) part(in *Instr, dst int32) {
	whole := l.value(in.Args[0])
	_, before, err := in.Args[0].Type.part(in.Indices)
	if err != nil {
		panic(fmt.Sprintf("llvmir: line %d: %v", in.Line, err)) // the parser has checked this
	}
	if in.Op == OpExtractValue {
		whole = whole[before : before+in.Type.countLeaves()]
	} else {
		copy(whole[before:], l.value(in.Args[1]))
	}
	for i, a := range whole {
		l.emit(in, op{code: opMove, dst: dst + int32(i), a: a})
	}
}

// pointer lowers getelementptr: one op for the usual single step.
func (l *lowering) pointer(in *Instr, dst int32) {
	steps, err := in.steps()
	if err != nil {
		panic(fmt.Sprintf("llvmir: line %d: %v", in.Line, err)) // the parser has checked this
	}
	a := l.scalar(in.Args[0])
	from := a
	var ops []op
	if steps[0].offset != 0 || len(steps) == 1 {
		ops = append(ops, op{code: opOffset, imm: uint64(steps[0].offset)})
	}
	for _, s := range steps[1:] {
		ops = append(ops, op{code: opIndex, bits: uint8(s.index.Type.Bits), b: l.scalar(s.index), imm: uint64(s.scale)})
	}
	for _, o := range ops {
		o.dst, o.a = dst, a
		e := l.emit(in, o)
		if len(ops) > 1 {
			e.flags &^= InBounds
		}
		a = dst
	}
	if len(ops) > 1 && in.Flags&InBounds != 0 {
		l.emit(in, op{code: opInBounds, dst: dst, a: a, b: from})
	}
}

func (l *lowering) call(in *Instr, dst int32) {
	callee, name := l.m.module.callee(l.c.f, in)
	s := site{callee: callee, name: name, result: dst, count: int32(in.Type.countLeaves())}
	for _, a := range in.Args {
		s.args = append(s.args, l.scalar(a))
	}
	for _, leaf := range in.Type.leaves() {
		s.bits = append(s.bits, leaf.typ.width())
	}
	o := op{code: opCall, ext: int32(len(l.c.sites)), dst: dst}
	switch {
	case callee != nil:
	case isIntrinsic(name):
		o.code = opIntrinsic
		s.fn, _ = findIntrinsic(name)
		if len(in.Args) > 0 {
			o.bits = uint8(in.Args[0].Type.width())
		}
	default:
		o.code = opExternal
	}
	if in.Dest < 0 {
		s.count = 0
		if callee == nil {
			s.count = -1 // the result is not used
		}
	}
	l.c.sites = append(l.c.sites, s)
	l.emit(in, o)
}

func (l *lowering) terminator(b *Block, in *Instr) {
	switch in.Op {
	case OpBr:
		if len(in.Args) == 0 {
			l.emit(in, op{code: opJump, ext: l.edge(b.Index, in.Blocks[0])})
			return
		}
		yes := l.edge(b.Index, in.Blocks[0])
		l.edge(b.Index, in.Blocks[1]) // the next one
		l.emit(in, op{code: opBranch, a: l.scalar(in.Args[0]), ext: yes})
	case OpSwitch:
		t := table{fallback: l.edge(b.Index, in.Blocks[0])}
		order := make([]int, len(in.Args)-1)
		for i := range order {
			order[i] = i + 1
		}
		sort.SliceStable(order, func(i, j int) bool { return in.Args[order[i]].bits() < in.Args[order[j]].bits() })
		for _, i := range order {
			t.values = append(t.values, in.Args[i].bits())
			t.edges = append(t.edges, l.edge(b.Index, in.Blocks[i]))
		}
		l.c.tables = append(l.c.tables, t)
		l.emit(in, op{code: opSwitch, a: l.scalar(in.Args[0]), ext: int32(len(l.c.tables) - 1)})
	case OpRet:
		o := op{code: opRet}
		if len(in.Args) > 0 {
			l.c.sites = append(l.c.sites, site{args: l.value(in.Args[0])})
			o.ext = int32(len(l.c.sites) - 1)
			o.imm = 1
		}
		l.emit(in, o)
	case OpUnreachable:
		l.emit(in, op{code: opUnreachable})
	}
}
