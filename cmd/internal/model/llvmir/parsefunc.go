package llvmir

import "fmt"

// function reads a definition or declaration. An error within a body concerns that function alone.
func (p *parser) function(defined bool) {
	f := &Function{Line: p.tok.line, File: p.file, names: map[string]int{}, blocks: map[string]int{}}
	p.advance()
	for !p.startsType() {
		word := p.tok.text
		if l, ok := linkages[word]; ok && p.tok.kind == wordToken {
			f.Linkage = l
		}
		if _, ok := p.attribute(); !ok {
			panic(p.errorf("%v instead of the result of a function", p.tok))
		}
	}
	f.Result = p.typ()
	if p.tok.kind != globalToken {
		panic(p.errorf("%v instead of the name of a function", p.tok))
	}
	f.Name = p.next().text
	var odd error
	if err := try(func() { odd = p.parameters(f) }); err != nil {
		panic(failure{fmt.Errorf("@%s: %w", f.Name, err)})
	}
	node := ""
	for p.tok.kind != endToken && !(p.tok.kind == markToken && p.tok.text == "{") && p.tok.line == p.last {
		if p.tok.kind == metaToken {
			name := p.next().text
			if name == "dbg" && p.tok.kind == metaToken {
				node = p.tok.text
			}
			p.advance()
			continue
		}
		if _, ok := p.attribute(); !ok {
			panic(p.errorf("%v is no attribute of a function", p.tok))
		}
	}
	p.file.Functions = append(p.file.Functions, f)
	if !defined {
		return
	}
	p.dbg = append(p.dbg, located{&f.Place, node})
	err := odd
	if err == nil {
		err = try(func() {
			p.expect("{")
			p.body(f)
		})
	}
	if err == nil {
		return
	}
	f.Unsupported = fmt.Errorf("@%s: %w", f.Name, err)
	f.Blocks = nil
	if !p.closes() && !p.lex.skipBody() {
		panic(failure{fmt.Errorf("line %d: the body of @%s does not end", f.Line, f.Name)})
	}
	p.err = nil
	p.advance()
}

// parameters reads (ptr noundef %0, i32 %1, ...). odd is the reason why the function is
// unsupported.
func (p *parser) parameters(f *Function) (odd error) {
	p.expect("(")
	for !p.mark(")") {
		if len(f.Params) > 0 {
			p.expect(",")
		}
		if p.mark("...") {
			odd = p.unsupported("a variable number of arguments").error
			p.expect(")")
			break
		}
		t := p.typ()
		for p.tok.kind == wordToken || p.tok.kind == stringToken {
			word, _ := p.attribute()
			if word == "byval" || word == "inalloca" || word == "preallocated" || word == "swifterror" {
				odd = p.unsupported("a parameter with %s", word).error
			}
		}
		name := fmt.Sprint(len(f.Params))
		if p.tok.kind == localToken {
			name = p.next().text
		}
		f.Params = append(f.Params, Param{t, name})
		f.register(name)
		if t.Kind != IntType && t.Kind != PtrType && odd == nil {
			odd = p.unsupported("a parameter of type %v", t).error
		}
	}
	return odd
}

// register returns the number of a register's name.
func (f *Function) register(name string) int {
	r, ok := f.names[name]
	if !ok {
		r = f.registers
		f.names[name] = r
		f.registers++
	}
	return r
}

// block returns the number of a label, which may come later.
func (f *Function) block(name string) int {
	b, ok := f.blocks[name]
	if !ok {
		b = len(f.blocks)
		f.blocks[name] = b
	}
	return b
}

// body reads blocks up to the closing brace. It numbers them in the order of the text, regardless
// of earlier references.
func (p *parser) body(f *Function) {
	var written []*Block
	current := (*Block)(nil)
	for !p.mark("}") {
		if p.tok.kind == endToken {
			panic(p.errorf("the body does not end"))
		}
		if label, ok := p.label(); ok {
			current = &Block{Name: label}
			written = append(written, current)
			continue
		}
		if p.tok.kind == groupToken { // #dbg_value(...) and its sisters
			p.advance()
			p.group()
			continue
		}
		if current == nil {
			if len(written) > 0 {
				panic(p.errorf("an instruction follows the end of a block"))
			}
			// LLVM numbers the entry behind the parameters
			current = &Block{Name: fmt.Sprint(len(f.Params))}
			written = append(written, current)
		}
		in := p.instruction(f)
		if in == nil {
			continue
		}
		current.Instrs = append(current.Instrs, in)
		if in.Op.ends() {
			current = nil
		}
	}
	if err := f.number(written); err != nil {
		f.Unsupported = fmt.Errorf("@%s: %w", f.Name, err)
		f.Blocks = nil
	}
}

// closes reports whether the next token is the closing brace of a body, which is at the begin of a
// line.
func (p *parser) closes() bool {
	at := p.lex.at
	return p.err == nil && p.tok.kind == markToken && p.tok.text == "}" && at >= 2 && p.lex.text[at-2] == '\n'
}

// label takes a label with its colon.
func (p *parser) label() (string, bool) {
	t := p.tok
	if t.kind != wordToken && t.kind != numberToken && t.kind != stringToken {
		return "", false
	}
	if p.lex.at < len(p.lex.text) && p.lex.text[p.lex.at] == ':' {
		p.advance()
		p.advance()
		return t.text, true
	}
	return "", false
}

// number assigns indices to the blocks, and replaces the targets of terminators by indices.
func (f *Function) number(written []*Block) error {
	at := make([]int, len(f.blocks)) // from the number of a label to the index
	for i := range at {
		at[i] = -1
	}
	seen := map[string]bool{}
	for i, b := range written {
		b.Index = i
		if seen[b.Name] {
			return fmt.Errorf("the block %%%s is there twice", b.Name)
		}
		seen[b.Name] = true
		if len(b.Instrs) == 0 || !b.terminator().Op.ends() {
			return fmt.Errorf("line %d: the block %%%s does not end with a branch or a return", f.Line, b.Name)
		}
		if n, ok := f.blocks[b.Name]; ok {
			at[n] = i
		}
	}
	if len(written) == 0 {
		return fmt.Errorf("line %d: the body has no block", f.Line)
	}
	for _, b := range written {
		for _, in := range b.Instrs {
			for i, t := range in.Blocks {
				if at[t] < 0 {
					return fmt.Errorf("line %d: %v names a block that is not there", in.Line, in.Op)
				}
				if in.Op != OpPhi && at[t] == 0 {
					return fmt.Errorf("line %d: %v goes to the entry", in.Line, in.Op)
				}
				in.Blocks[i] = at[t]
			}
		}
	}
	f.Blocks = written
	return nil
}
