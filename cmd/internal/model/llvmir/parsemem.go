package llvmir

import "strings"

// memory reads load, store, alloca and getelementptr.
func (p *parser) memory(in *Instr, f *Function) {
	for p.tok.kind == wordToken && (p.tok.text == "atomic" || p.tok.text == "inalloca" || flagNames[p.tok.text] != 0 || p.tok.text == "nusw") {
		if p.tok.text == "atomic" || p.tok.text == "inalloca" {
			panic(p.unsupported("%s", p.tok.text))
		}
		in.Flags |= flagNames[p.next().text]
	}
	switch in.Op {
	case OpLoad:
		in.Type = p.typ()
		p.expect(",")
		p.pointer(in, f)
	case OpStore:
		v := p.typed(f)
		in.Args = append(in.Args, v)
		p.expect(",")
		if v.Type.countLeaves() > maxLeaves {
			panic(p.unsupported("a value of type %v", v.Type))
		}
		for _, l := range v.Type.leaves() {
			if !l.typ.scalar() {
				panic(p.unsupported("a value of type %v", l.typ))
			}
		}
		p.pointer(in, f)
	case OpAlloca:
		in.Source, in.Type = p.typ(), ptrType
		if p.mark(",") && p.startsType() {
			in.Args = append(in.Args, p.typed(f))
		}
	default:
		in.Source, in.Type = p.typ(), ptrType
		p.expect(",")
		p.pointer(in, f)
		p.indices(in, f)
	}
}

// indices reads the indices of getelementptr.
func (p *parser) indices(in *Instr, f *Function) {
	for p.mark(",") {
		if p.tok.kind == metaToken {
			break
		}
		v := p.typed(f)
		if v.Type.Kind != IntType {
			panic(p.unsupported("an index of type %v", v.Type))
		}
		in.Args = append(in.Args, v)
	}
	if _, err := in.steps(); err != nil {
		panic(p.errorf("%v", err))
	}
}

// pointer reads an operand that has to be a pointer.
func (p *parser) pointer(in *Instr, f *Function) {
	v := p.typed(f)
	if v.Type.Kind != PtrType {
		panic(p.unsupported("a pointer of type %v", v.Type))
	}
	in.Args = append(in.Args, v)
}

func (p *parser) terminatorOf(in *Instr, f *Function) {
	switch in.Op {
	case OpRet:
		if p.mark("void") {
			return
		}
		v := p.typed(f)
		if !v.Type.Same(f.Result) {
			panic(p.errorf("%v is returned by a function of type %v", v.Type, f.Result))
		}
		in.Args = append(in.Args, v)
	case OpBr:
		if p.tok.kind == wordToken && p.tok.text == "label" {
			p.target(in, f)
			return
		}
		v := p.typed(f)
		if v.Type.Kind != IntType || v.Type.Bits != 1 {
			panic(p.errorf("a condition of type %v", v.Type))
		}
		in.Args = append(in.Args, v)
		for range 2 {
			p.expect(",")
			p.target(in, f)
		}
	case OpSwitch:
		v := p.typed(f)
		in.Args = append(in.Args, v)
		p.expect(",")
		p.target(in, f)
		p.expect("[")
		for !p.mark("]") {
			c := p.typed(nil)
			if c.Kind != IntValue || !c.Type.Same(v.Type) {
				panic(p.errorf("a case that is no number of type %v", v.Type))
			}
			in.Args = append(in.Args, c)
			p.expect(",")
			p.target(in, f)
		}
	}
}

func (p *parser) target(in *Instr, f *Function) {
	p.expect("label")
	if p.tok.kind != localToken {
		panic(p.errorf("%v instead of a block", p.tok))
	}
	in.Blocks = append(in.Blocks, f.block(p.next().text))
}

// call reads a call. debug reports that only debuggers need it.
func (p *parser) call(in *Instr, f *Function) (debug bool) {
	for !p.startsType() {
		if _, ok := p.attribute(); !ok {
			panic(p.errorf("%v instead of the result of a call", p.tok))
		}
	}
	in.Type = p.typ()
	// the whole type of a function with a variable number of arguments
	if p.tok.kind == markToken && p.tok.text == "(" {
		p.group()
	}
	switch {
	case p.tok.kind == globalToken:
		in.Callee = &Value{Kind: SymbolValue, Type: ptrType, Symbol: p.next().text}
	case p.tok.kind == localToken:
		panic(p.unsupported("a call through the pointer %v", p.tok))
	default:
		panic(p.unsupported("a call of %v", p.tok))
	}
	p.expect("(")
	for n := 0; !p.mark(")"); n++ {
		if n > 0 {
			p.expect(",")
		}
		t := p.typ()
		for p.tok.kind == wordToken && !p.startsValue() {
			p.attribute()
		}
		v := p.value(t, f)
		if v.Kind == MetadataValue {
			continue
		}
		if !t.scalar() {
			panic(p.unsupported("an argument of type %v", t))
		}
		in.Args = append(in.Args, v)
	}
	return strings.HasPrefix(in.Callee.Symbol, "llvm.dbg.")
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
