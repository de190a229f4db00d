package llvmir

import "fmt"

// instruction reads one instruction. It is nil for one that only debuggers need.
func (p *parser) instruction(f *Function) *Instr {
	in := &Instr{Dest: -1, Line: p.tok.line, Type: voidType}
	name := ""
	if p.tok.kind == localToken {
		name = p.next().text
		p.expect("=")
	}
	word := p.tok.text
	if p.tok.kind != wordToken {
		panic(p.errorf("%v instead of an instruction", p.tok))
	}
	if word == "tail" || word == "musttail" || word == "notail" {
		p.advance()
		word = p.tok.text
	}
	op, ok := opNames[word]
	if !ok {
		panic(p.unsupported("the instruction %s", word))
	}
	in.Op = op
	p.advance()
	skip := false
	err := try(func() {
		switch op {
		case OpCall:
			skip = p.call(in, f)
		case OpBr, OpSwitch, OpRet, OpUnreachable:
			p.terminatorOf(in, f)
		case OpLoad, OpStore, OpAlloca, OpGetElementPtr:
			p.memory(in, f)
		default:
			p.computation(in, f)
		}
		p.attached(in)
	})
	if err != nil {
		panic(failure{in.named(err)})
	}
	if skip {
		return nil
	}
	if name != "" {
		if in.Type.Kind == VoidType {
			panic(failure{fmt.Errorf("line %d: %v gives no result for %%%s", in.Line, op, name)})
		}
		in.Dest = f.register(name)
	}
	if t := in.Type; t.countLeaves() > maxLeaves {
		panic(failure{unsupported{in.Line, fmt.Sprintf("%v of a value of type %v", op, t)}})
	}
	for _, l := range in.Type.leaves() {
		if !l.typ.scalar() {
			panic(failure{unsupported{in.Line, fmt.Sprintf("%v of type %v", op, l.typ)}})
		}
	}
	return in
}

// named puts the instruction's name and line into an error.
func (in *Instr) named(err error) error {
	switch e := err.(type) {
	case unsupported:
		return unsupported{in.Line, fmt.Sprintf("%v: %s", in.Op, e.what)}
	case malformed:
		return malformed{in.Line, fmt.Sprintf("%v: %s", in.Op, e.what)}
	}
	return fmt.Errorf("line %d: %v: %w", in.Line, in.Op, err)
}

// attached reads the rest of the line: attributes of calls, alignment, metadata.
func (p *parser) attached(in *Instr) {
	for p.tok.kind != endToken && p.tok.line == p.last {
		if p.tok.kind == metaToken {
			name := p.next().text
			if p.tok.kind == metaToken {
				if name == "dbg" {
					p.dbg = append(p.dbg, located{&in.Place, p.tok.text})
				}
				p.advance()
			}
			if p.tok.kind == markToken && (p.tok.text == "{" || p.tok.text == "(") {
				p.group()
			}
			continue
		}
		if p.mark(",") {
			continue
		}
		// operand bundles, which assume has
		if in.Op == OpCall && p.tok.kind == markToken && p.tok.text == "[" {
			p.group()
			continue
		}
		switch word := p.tok.text; {
		case p.tok.kind == wordToken && (word == "align" || in.Op == OpCall), in.Op == OpCall && p.tok.kind == groupToken:
			p.attribute()
		default:
			panic(p.errorf("%v follows the instruction", p.tok))
		}
	}
}

// flags reads nsw and its sisters.
func (p *parser) flags(in *Instr) {
	for p.tok.kind == wordToken {
		flag, ok := flagNames[p.tok.text]
		if !ok {
			return
		}
		in.Flags |= flag
		p.advance()
	}
}

// operands reads n values behind one type: add i32 %1, %2.
func (p *parser) operands(in *Instr, f *Function, n int) {
	t := p.typ()
	for i := range n {
		if i > 0 {
			p.expect(",")
		}
		in.Args = append(in.Args, p.value(t, f))
	}
	in.Type = t
}

// computation reads an instruction that computes a value from values.
func (p *parser) computation(in *Instr, f *Function) {
	p.flags(in)
	switch in.Op {
	case OpIcmp:
		pred, ok := predNames[p.tok.text]
		if !ok {
			panic(p.unsupported("the comparison %v", p.tok))
		}
		in.Pred = pred
		p.advance()
		p.operands(in, f, 2)
		if !in.Type.scalar() {
			panic(p.unsupported("a comparison of %v", in.Type))
		}
		in.Type = boolType
	case OpTrunc, OpZext, OpSext, OpPtrToInt, OpIntToPtr, OpBitcast:
		p.operands(in, f, 1)
		p.expect("to")
		from := in.Type
		in.Type = p.typ()
		p.checkCast(in.Op, from, in.Type)
	case OpFreeze:
		p.operands(in, f, 1)
	case OpSelect:
		p.selection(in, f)
	case OpPhi:
		p.phi(in, f)
	case OpExtractValue, OpInsertValue:
		p.part(in, f)
	default:
		p.operands(in, f, 2)
		if in.Type.Kind != IntType {
			panic(p.unsupported("arithmetic on %v", in.Type))
		}
	}
}

func (p *parser) checkCast(op Op, from, to *Type) {
	if !from.scalar() || !to.scalar() {
		panic(p.unsupported("a conversion from %v to %v", from, to))
	}
	wrong := false
	switch op {
	case OpTrunc:
		wrong = from.Kind != IntType || to.Kind != IntType || from.Bits <= to.Bits
	case OpZext, OpSext:
		wrong = from.Kind != IntType || to.Kind != IntType || from.Bits >= to.Bits
	case OpPtrToInt:
		wrong = from.Kind != PtrType || to.Kind != IntType
	case OpIntToPtr:
		wrong = from.Kind != IntType || to.Kind != PtrType
	case OpBitcast:
		wrong = from.Kind != to.Kind || from.width() != to.width()
	}
	if wrong {
		panic(p.errorf("no conversion from %v to %v", from, to))
	}
}

func (p *parser) selection(in *Instr, f *Function) {
	for i := range 3 {
		if i > 0 {
			p.expect(",")
		}
		in.Args = append(in.Args, p.typed(f))
	}
	in.Type = in.Args[1].Type
	if c := in.Args[0].Type; c.Kind != IntType || c.Bits != 1 {
		panic(p.unsupported("a condition of type %v", c))
	}
	if !in.Type.Same(in.Args[2].Type) {
		panic(p.errorf("the values are %v and %v, and have to be of one type", in.Type, in.Args[2].Type))
	}
}

func (p *parser) phi(in *Instr, f *Function) {
	in.Type = p.typ()
	for {
		p.expect("[")
		v := p.value(in.Type, f)
		p.expect(",")
		if p.tok.kind != localToken {
			panic(p.errorf("%v instead of a block", p.tok))
		}
		in.Args = append(in.Args, v)
		in.Blocks = append(in.Blocks, f.block(p.next().text))
		p.expect("]")
		if !(p.tok.kind == markToken && p.tok.text == ",") {
			return
		}
		p.advance()
		if p.tok.kind == metaToken {
			return
		}
	}
}

// part reads extractvalue and insertvalue.
func (p *parser) part(in *Instr, f *Function) {
	whole := p.typed(f)
	in.Args = append(in.Args, whole)
	if in.Op == OpInsertValue {
		p.expect(",")
		in.Args = append(in.Args, p.typed(f))
	}
	for p.mark(",") {
		if p.tok.kind == metaToken {
			break
		}
		in.Indices = append(in.Indices, p.count())
	}
	t, _, err := whole.Type.part(in.Indices)
	if err != nil {
		panic(p.errorf("%v", err))
	}
	in.Type = t
	if in.Op == OpInsertValue {
		if !t.Same(in.Args[1].Type) {
			panic(p.errorf("%v is put into the place of %v", in.Args[1].Type, t))
		}
		in.Type = whole.Type
	}
}
