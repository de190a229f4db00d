package llvmir

import "strings"

// memory reads load, store, alloca and getelementptr.
func (p *parser) memory(in *Instr, f *Function) error {
	for p.tok.kind == wordToken && (p.tok.text == "atomic" || p.tok.text == "inalloca" || flagNames[p.tok.text] != 0 || p.tok.text == "nusw") {
		if p.tok.text == "atomic" || p.tok.text == "inalloca" {
			return p.unsupported("%s", p.tok.text)
		}
		in.Flags |= flagNames[p.next().text]
	}
	switch in.Op {
	case OpLoad:
		t, err := p.typ()
		if err != nil {
			return err
		}
		in.Type = t
		if err := p.expect(","); err != nil {
			return err
		}
		return p.pointer(in, f)
	case OpStore:
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		in.Args = append(in.Args, v)
		if err := p.expect(","); err != nil {
			return err
		}
		if v.Type.countLeaves() > maxLeaves {
			return p.unsupported("a value of type %v", v.Type)
		}
		for _, l := range v.Type.leaves() {
			if !l.typ.scalar() {
				return p.unsupported("a value of type %v", l.typ)
			}
		}
		return p.pointer(in, f)
	case OpAlloca:
		t, err := p.typ()
		if err != nil {
			return err
		}
		in.Source, in.Type = t, ptrType
		if p.mark(",") && p.startsType() {
			n, err := p.typed(f)
			if err != nil {
				return err
			}
			in.Args = append(in.Args, n)
		}
		return nil
	}
	t, err := p.typ()
	if err != nil {
		return err
	}
	in.Source, in.Type = t, ptrType
	if err := p.expect(","); err != nil {
		return err
	}
	if err := p.pointer(in, f); err != nil {
		return err
	}
	for p.mark(",") {
		if p.tok.kind == metaToken {
			break
		}
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		if v.Type.Kind != IntType {
			return p.unsupported("an index of type %v", v.Type)
		}
		in.Args = append(in.Args, v)
	}
	_, err = in.steps()
	if err != nil {
		return p.errorf("%v", err)
	}
	return nil
}

// pointer reads an operand that has to be a pointer.
func (p *parser) pointer(in *Instr, f *Function) error {
	v, err := p.typed(f)
	if err != nil {
		return err
	}
	if v.Type.Kind != PtrType {
		return p.unsupported("a pointer of type %v", v.Type)
	}
	in.Args = append(in.Args, v)
	return nil
}

func (p *parser) terminatorOf(in *Instr, f *Function) error {
	switch in.Op {
	case OpRet:
		if p.mark("void") {
			return nil
		}
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		if !v.Type.Same(f.Result) {
			return p.errorf("%v is returned by a function of type %v", v.Type, f.Result)
		}
		in.Args = append(in.Args, v)
	case OpBr:
		if p.tok.kind == wordToken && p.tok.text == "label" {
			return p.target(in, f)
		}
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		if v.Type.Kind != IntType || v.Type.Bits != 1 {
			return p.errorf("a condition of type %v", v.Type)
		}
		in.Args = append(in.Args, v)
		for range 2 {
			if err := p.expect(","); err != nil {
				return err
			}
			if err := p.target(in, f); err != nil {
				return err
			}
		}
	case OpSwitch:
		v, err := p.typed(f)
		if err != nil {
			return err
		}
		in.Args = append(in.Args, v)
		if err := p.expect(","); err != nil {
			return err
		}
		if err := p.target(in, f); err != nil {
			return err
		}
		if err := p.expect("["); err != nil {
			return err
		}
		for !p.mark("]") {
			c, err := p.typed(nil)
			if err != nil {
				return err
			}
			if c.Kind != IntValue || !c.Type.Same(v.Type) {
				return p.errorf("a case that is no number of type %v", v.Type)
			}
			in.Args = append(in.Args, c)
			if err := p.expect(","); err != nil {
				return err
			}
			if err := p.target(in, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *parser) target(in *Instr, f *Function) error {
	if err := p.expect("label"); err != nil {
		return err
	}
	if p.tok.kind != localToken {
		return p.errorf("%v instead of a block", p.tok)
	}
	in.Blocks = append(in.Blocks, f.block(p.next().text))
	return nil
}

// call reads a call. debug reports that only debuggers need it.
func (p *parser) call(in *Instr, f *Function) (debug bool, err error) {
	for !p.startsType() {
		if _, ok, err := p.attribute(); err != nil || !ok {
			return false, firstError(err, p.errorf("%v instead of the result of a call", p.tok))
		}
	}
	if in.Type, err = p.typ(); err != nil {
		return false, err
	}
	// the whole type of a function with a variable number of arguments
	if p.tok.kind == markToken && p.tok.text == "(" {
		if err := p.group(); err != nil {
			return false, err
		}
	}
	switch {
	case p.tok.kind == globalToken:
		in.Callee = &Value{Kind: SymbolValue, Type: ptrType, Symbol: p.next().text}
	case p.tok.kind == localToken:
		return false, p.unsupported("a call through the pointer %v", p.tok)
	default:
		return false, p.unsupported("a call of %v", p.tok)
	}
	if err := p.expect("("); err != nil {
		return false, err
	}
	for n := 0; !p.mark(")"); n++ {
		if n > 0 {
			if err := p.expect(","); err != nil {
				return false, err
			}
		}
		t, err := p.typ()
		if err != nil {
			return false, err
		}
		for p.tok.kind == wordToken && !p.startsValue() {
			if _, _, err := p.attribute(); err != nil {
				return false, err
			}
		}
		v, err := p.value(t, f)
		if err != nil {
			return false, err
		}
		if v.Kind == MetadataValue {
			continue
		}
		if !t.scalar() {
			return false, p.unsupported("an argument of type %v", t)
		}
		in.Args = append(in.Args, v)
	}
	return strings.HasPrefix(in.Callee.Symbol, "llvm.dbg."), nil
}

// startsValue reports whether the next word is a value, and not an attribute of one.
func (p *parser) startsValue() bool {
	switch w := p.tok.text; w {
	case "true", "false", "null", "undef", "poison", "zeroinitializer", "blockaddress", "asm", "none", "splat":
		return true
	default:
		_, ok := opNames[w]
		return ok
	}
}
