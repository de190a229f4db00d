package llvmir

import (
	"math/big"
)

// value reads an operand of a known type. f is the function whose registers the operand may name,
// or nil outside of functions.
func (p *parser) value(t *Type, f *Function) *Value {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		panic(p.errorf("types or values are nested too deep"))
	}
	tok := p.tok
	if t.Kind == OtherType && t.Name == "metadata" {
		return p.metadataOperand()
	}
	switch tok.kind {
	case localToken:
		if f == nil {
			panic(p.errorf("%v instead of a constant", tok))
		}
		p.advance()
		return &Value{Kind: RegisterValue, Type: t, Register: f.register(tok.text)}
	case globalToken:
		p.advance()
		if t.Kind != PtrType {
			panic(p.errorf("@%s is a pointer, and not of type %v", tok.text, t))
		}
		return &Value{Kind: SymbolValue, Type: t, Symbol: tok.text}
	case numberToken:
		if t.Kind == FloatType {
			panic(p.unsupported("a number of type %v", t))
		}
		n, ok := new(big.Int).SetString(tok.text, 10)
		if !ok || t.Kind != IntType {
			panic(p.errorf("%v is no value of type %v", tok, t))
		}
		p.advance()
		return intValue(t, n)
	case bytesToken:
		if t.Kind != ArrayType || t.Elem.Kind != IntType || t.Elem.Bits != 8 || t.Len != len(tok.text) {
			panic(p.errorf("a string of %d bytes is no value of type %v", len(tok.text), t))
		}
		p.advance()
		return &Value{Kind: BytesValue, Type: t, Data: tok.text}
	case wordToken:
		return p.worded(t, f)
	case markToken:
		return p.aggregate(t, f)
	}
	panic(p.errorf("%v instead of a value", tok))
}

// worded reads a value that begins with a word.
func (p *parser) worded(t *Type, f *Function) *Value {
	switch word := p.tok.text; word {
	case "true", "false":
		if t.Kind != IntType || t.Bits != 1 {
			panic(p.errorf("%s is no value of type %v", word, t))
		}
		p.advance()
		return intValue(t, big.NewInt(int64(len("false")-len(word))))
	case "null":
		if t.Kind != PtrType {
			panic(p.errorf("null is no value of type %v", t))
		}
		p.advance()
		return intValue(t, new(big.Int))
	case "undef", "poison", "zeroinitializer":
		p.advance()
		kinds := map[string]ValueKind{"undef": UndefValue, "poison": PoisonValue, "zeroinitializer": ZeroValue}
		return &Value{Kind: kinds[word], Type: t}
	default:
		if op, ok := opNames[word]; ok {
			return p.expression(op, t, f)
		}
		panic(p.unsupported("the constant %s", word))
	}
}

// expression reads a constant expression, as getelementptr inbounds (i8, ptr @table, i64 1).
func (p *parser) expression(op Op, t *Type, f *Function) *Value {
	in := &Instr{Op: op, Dest: -1, Type: t, Line: p.tok.line}
	p.advance()
	for {
		flag, ok := flagNames[p.tok.text]
		if p.tok.kind == wordToken && p.tok.text == "inrange" {
			p.advance()
			p.group()
			continue
		}
		if p.tok.kind != wordToken || !ok {
			break
		}
		in.Flags |= flag
		p.advance()
	}
	p.expect("(")
	switch op {
	case OpGetElementPtr:
		in.Source = p.typ()
		p.expect(",")
	case OpPtrToInt, OpIntToPtr, OpBitcast, OpTrunc, OpAdd, OpSub, OpXor:
	default:
		panic(p.unsupported("%v on constants", op))
	}
	for {
		in.Args = append(in.Args, p.typed(f))
		if !p.mark(",") {
			break
		}
	}
	if p.mark("to") {
		to := p.typ()
		if !to.Same(t) {
			panic(p.errorf("%v gives %v where %v is needed", op, to, t))
		}
	}
	want := 1
	if op == OpAdd || op == OpSub || op == OpXor {
		want = 2
	}
	if op != OpGetElementPtr && len(in.Args) != want {
		panic(p.errorf("%v takes %d operands, not %d", op, want, len(in.Args)))
	}
	p.expect(")")
	return &Value{Kind: ExprValue, Type: t, Expr: in}
}

// typed reads a type and a value.
func (p *parser) typed(f *Function) *Value {
	return p.value(p.typ(), f)
}

// aggregate reads [i8 1, i8 2], { i32 1, ptr null } or the packed form.
func (p *parser) aggregate(t *Type, f *Function) *Value {
	v := &Value{Kind: AggregateValue, Type: t}
	var end string
	want := len(t.Fields)
	switch {
	case t.Kind == VectorType || t.Kind == FloatType:
		panic(p.unsupported("a constant of type %v", t))
	case t.Kind == ArrayType && p.mark("["):
		end, want = "]", t.Len
	case t.Kind == StructType && t.Packed && p.mark("<"):
		p.expect("{")
		end = "}"
	case t.Kind == StructType && !t.Packed && p.mark("{"):
		end = "}"
	default:
		panic(p.errorf("%v begins no value of type %v", p.tok, t))
	}
	for !p.mark(end) {
		if len(v.Elems) > 0 {
			p.expect(",")
		}
		v.Elems = append(v.Elems, p.typed(f))
	}
	if len(v.Elems) != want {
		panic(p.errorf("%d values are given for %v", len(v.Elems), t))
	}
	if t.Packed {
		p.expect(">")
	}
	return v
}

// metadataOperand drops an operand such as metadata !5 or metadata ptr %1, of calls that only
// debuggers need.
func (p *parser) metadataOperand() *Value {
	v := &Value{Kind: MetadataValue, Type: &Type{Kind: OtherType, Name: "metadata"}}
	if p.tok.kind == metaToken {
		p.advance()
		if p.tok.kind == markToken && (p.tok.text == "(" || p.tok.text == "{") {
			p.group()
		}
		return v
	}
	for p.tok.kind != endToken && !(p.tok.kind == markToken && (p.tok.text == "," || p.tok.text == ")")) {
		p.advance()
	}
	return v
}
