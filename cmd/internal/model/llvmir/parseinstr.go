package llvmir

import "fmt"

// instruction reads one instruction. It is nil for one that only debuggers need.
func (p *parser) instruction(f *Function) (*Instr, error) {
	in := &Instr{Dest: -1, Line: p.tok.line, Type: voidType}
	name := ""
	if p.tok.kind == localToken {
		name = p.next().text
		if err := p.expect("="); err != nil {
			return nil, err
		}
	}
	word := p.tok.text
	if p.tok.kind != wordToken {
		return nil, p.errorf("%v instead of an instruction", p.tok)
	}
	if word == "tail" || word == "musttail" || word == "notail" {
		p.advance()
		word = p.tok.text
	}
	op, ok := opNames[word]
	if !ok {
		return nil, p.unsupported("the instruction %s", word)
	}
	in.Op = op
	p.advance()
	skip := false
	var err error
	switch op {
	case OpCall:
		skip, err = p.call(in, f)
	case OpBr, OpSwitch, OpRet, OpUnreachable:
		err = p.terminatorOf(in, f)
	case OpLoad, OpStore, OpAlloca, OpGetElementPtr:
		err = p.memory(in, f)
	default:
		err = p.computation(in, f)
	}
	if err == nil {
		err = p.attached(in)
	}
	if err != nil {
		return nil, in.named(err)
	}
	if skip {
		return nil, nil
	}
	if name != "" {
		if in.Type.Kind == VoidType {
			return nil, fmt.Errorf("line %d: %v gives no result for %%%s", in.Line, op, name)
		}
		in.Dest = f.register(name)
	}
	if t := in.Type; t.countLeaves() > maxLeaves {
		return nil, unsupported{in.Line, fmt.Sprintf("%v of a value of type %v", op, t)}
	}
	for _, l := range in.Type.leaves() {
		if !l.typ.scalar() {
			return nil, unsupported{in.Line, fmt.Sprintf("%v of type %v", op, l.typ)}
		}
	}
	return in, nil
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
func (p *parser) attached(in *Instr) error {
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
				if err := p.group(); err != nil {
					return err
				}
			}
			continue
		}
		if p.mark(",") {
			continue
		}
		// operand bundles, which assume has
		if in.Op == OpCall && p.tok.kind == markToken && p.tok.text == "[" {
			if err := p.group(); err != nil {
				return err
			}
			continue
		}
		switch word := p.tok.text; {
		case p.tok.kind == wordToken && (word == "align" || in.Op == OpCall), in.Op == OpCall && p.tok.kind == groupToken:
			if _, _, err := p.attribute(); err != nil {
				return err
			}
		default:
			return p.errorf("%v follows the instruction", p.tok)
		}
	}
	return nil
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
func (p *parser) operands(in *Instr, f *Function, n int) error {
	t, err := p.typ()
	if err != nil {
		return err
	}
	for i := range n {
		if i > 0 {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		v, err := p.value(t, f)
		if err != nil {
			return err
		}
		in.Args = append(in.Args, v)
	}
	in.Type = t
	return nil
}

// computation reads an instruction that computes a value from values.
func (p *parser) computation(in *Instr, f *Function) error {
	p.flags(in)
	switch in.Op {
	case OpIcmp:
		pred, ok := predNames[p.tok.text]
		if !ok {
			return p.unsupported("the comparison %v", p.tok)
		}
		in.Pred = pred
		p.advance()
		if err := p.operands(in, f, 2); err != nil {
			return err
		}
		if !in.Type.scalar() {
			return p.unsupported("a comparison of %v", in.Type)
		}
		in.Type = boolType
		return nil
	case OpTrunc, OpZext, OpSext, OpPtrToInt, OpIntToPtr, OpBitcast:
		if err := p.operands(in, f, 1); err != nil {
			return err
		}
		if err := p.expect("to"); err != nil {
			return err
		}
		from := in.Type
		to, err := p.typ()
		in.Type = to
		if err == nil {
			err = p.checkCast(in.Op, from, to)
		}
		return err
	case OpFreeze:
		return p.operands(in, f, 1)
	case OpSelect:
		return p.selection(in, f)
	case OpPhi:
		return p.phi(in, f)
	case OpExtractValue, OpInsertValue:
		return p.part(in, f)
	}
	if err := p.operands(in, f, 2); err != nil {
		return err
	}
	if in.Type.Kind != IntType {
		return p.unsupported("arithmetic on %v", in.Type)
	}
	return nil
}

func (p *parser) checkCast(op Op, from, to *Type) error {
	if !from.scalar() || !to.scalar() {
		return p.unsupported("a conversion from %v to %v", from, to)
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
		return p.errorf("no conversion from %v to %v", from, to)
	}
	return nil
}

func (p *parser) selection(in *Instr, f *Function) error {
	for i := range 3 {
		if i > 0 {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		in.Args = append(in.Args, v)
	}
	in.Type = in.Args[1].Type
	if c := in.Args[0].Type; c.Kind != IntType || c.Bits != 1 {
		return p.unsupported("a condition of type %v", c)
	}
	if !in.Type.Same(in.Args[2].Type) {
		return p.errorf("the values are %v and %v, and have to be of one type", in.Type, in.Args[2].Type)
	}
	return nil
}

func (p *parser) phi(in *Instr, f *Function) error {
	t, err := p.typ()
	if err != nil {
		return err
	}
	in.Type = t
	for {
		if err := p.expect("["); err != nil {
			return err
		}
		v, err := p.value(t, f)
		if err != nil {
			return err
		}
		if err := p.expect(","); err != nil {
			return err
		}
		if p.tok.kind != localToken {
			return p.errorf("%v instead of a block", p.tok)
		}
		in.Args = append(in.Args, v)
		in.Blocks = append(in.Blocks, f.block(p.next().text))
		if err := p.expect("]"); err != nil {
			return err
		}
		if !(p.tok.kind == markToken && p.tok.text == ",") {
			return nil
		}
		p.advance()
		if p.tok.kind == metaToken {
			return nil
		}
	}
}

// part reads extractvalue and insertvalue.
func (p *parser) part(in *Instr, f *Function) error {
	whole, err := p.typed(f)
	if err != nil {
		return err
	}
	in.Args = append(in.Args, whole)
	if in.Op == OpInsertValue {
		if err := p.expect(","); err != nil {
			return err
		}
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		in.Args = append(in.Args, v)
	}
	for p.mark(",") {
		if p.tok.kind == metaToken {
			break
		}
		n, err := p.count()
		if err != nil {
			return err
		}
		in.Indices = append(in.Indices, n)
	}
	t, _, err := whole.Type.part(in.Indices)
	if err != nil {
		return p.errorf("%v", err)
	}
	in.Type = t
	if in.Op == OpInsertValue {
		if !t.Same(in.Args[1].Type) {
			return p.errorf("%v is put into the place of %v", in.Args[1].Type, t)
		}
		in.Type = whole.Type
	}
	return nil
}
