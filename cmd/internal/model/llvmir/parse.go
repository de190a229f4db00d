package llvmir

import (
	"errors"
	"fmt"
	"strconv"
)

// parser reads one file. Types may be used before they are defined. Its methods panic with a
// failure for text that they do not accept.
type parser struct {
	lex   lexer
	tok   token // the next one
	last  int   // line of the one before
	file  *File
	types map[string]*Type
	known map[string]bool // types that are defined
	meta  metadata
	dbg   []located // instructions with places to resolve at the end
	err   error     // of the lexer
	depth int       // of types and values within others
}

// located is a place with the number of its debug location.
type located struct {
	place *SourceLine
	node  string
}

// maxText limits the text. All of libc has a tenth of it.
const maxText = 256 << 20

// Parse parses a file of text IR. name is used in errors. An error means that the whole file is
// malformed. A function with an unsupported construct has Function.Unsupported instead.
func Parse(name, text string) (*File, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%s has more than %d MB", name, maxText>>20)
	}
	p := &parser{lex: lexer{text: text, line: 1}, file: &File{Name: name, Aliases: map[string]string{}}, types: map[string]*Type{},
		known: map[string]bool{}, meta: metadata{}}
	p.advance()
	for p.tok.kind != endToken && p.err == nil {
		if err := try(p.top); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if p.err != nil {
		return nil, fmt.Errorf("%s: %w", name, p.err)
	}
	for _, d := range p.dbg {
		*d.place = p.meta.place(d.node)
	}
	for _, g := range p.file.Globals {
		if g.Type.Size() > maxObject && g.Init != nil {
			g.Unsupported = fmt.Errorf("%s: line %d: @%s has more than %d MB", name, g.Line, g.Name, maxObject>>20)
		}
	}
	for _, f := range p.file.Functions {
		if f.Unsupported == nil && len(f.Blocks) > 0 {
			f.Unsupported = finish(f)
		}
		if f.Unsupported != nil {
			f.Unsupported = p.refusal(f, text)
		}
	}
	return p.file, nil
}

func (p *parser) advance() {
	p.last = p.tok.line
	if p.err != nil {
		p.tok = token{}
		return
	}
	p.tok, p.err = p.lex.next()
	if p.err != nil {
		p.tok = token{}
	}
}

// next returns the current token and advances.
func (p *parser) next() token {
	t := p.tok
	p.advance()
	return t
}

// mark takes a mark or word if it is the next token.
func (p *parser) mark(text string) bool {
	if (p.tok.kind == markToken || p.tok.kind == wordToken) && p.tok.text == text {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.mark(text) {
		panic(p.errorf("%v instead of %q", p.tok, text))
	}
}

// failure is the panic that ends a part of the parser. Function try turns it into an error.
type failure struct{ error }

// try runs a part of the parser, and returns the error that ended it.
func try(part func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.error
		default:
			panic(r)
		}
	}()
	part()
	return nil
}

func (p *parser) errorf(format string, args ...any) failure {
	if p.err != nil {
		return failure{p.err}
	}
	return failure{malformed{p.tok.line, fmt.Sprintf(format, args...)}}
}

// malformed is the error for text that is not LLVM IR.
type malformed struct {
	line int
	what string
}

func (m malformed) Error() string { return fmt.Sprintf("line %d: %s", m.line, m.what) }

// restOfLine skips the rest of the line of the last token.
func (p *parser) restOfLine() {
	if p.tok.kind != endToken && p.tok.line == p.last {
		p.lex.skipLine()
		p.advance()
	}
}

// group drops tokens up to the mark that closes the one that is next.
func (p *parser) group() {
	line, depth := p.tok.line, 0
	for {
		t := p.next()
		if t.kind == endToken {
			panic(failure{fmt.Errorf("line %d: a bracket does not end", line)})
		}
		if t.kind != markToken {
			continue
		}
		switch t.text {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// top reads one entity of the file.
func (p *parser) top() {
	switch t := p.tok; t.kind {
	case wordToken:
		switch t.text {
		case "define":
			p.function(true)
			return
		case "declare":
			p.function(false)
			return
		case "source_filename", "target", "module", "uselistorder":
			p.advance()
			p.restOfLine()
			return
		case "attributes":
			for p.tok.kind != endToken && !(p.tok.kind == markToken && p.tok.text == "{") {
				p.advance()
			}
			p.group()
			return
		}
	case localToken:
		p.typeDefinition()
		return
	case globalToken:
		p.global()
		return
	case metaToken:
		p.metadataNode()
		return
	case markToken, groupToken, stringToken, bytesToken, numberToken, endToken:
	}
	if p.tok.kind == markToken && p.tok.text == "$" || p.tok.kind == wordToken && p.tok.text[0] == '$' {
		p.advance()
		p.restOfLine()
		return
	}
	panic(p.errorf("%v does not begin anything that is known", p.tok))
}

func (p *parser) typeDefinition() {
	name := p.next().text
	p.expect("=")
	p.expect("type")
	t := p.named(name)
	if p.known[name] {
		panic(p.errorf("the type %%%s is defined twice", name))
	}
	p.known[name] = true
	if p.mark("opaque") {
		*t = Type{Kind: OtherType, Name: "%" + name}
		return
	}
	made := p.typ()
	if made.contains(t, 0) {
		panic(p.errorf("the type %%%s contains itself", name))
	}
	*t = *made
}

// contains reports whether a type holds another by value. Deep nesting counts as that.
func (t *Type) contains(o *Type, depth int) bool {
	if t == o || depth > 100 {
		return true
	}
	if t.Elem != nil && t.Elem.contains(o, depth+1) {
		return true
	}
	for _, f := range t.Fields {
		if f.contains(o, depth+1) {
			return true
		}
	}
	return false
}

// named returns the type of a name, which may be defined later.
func (p *parser) named(name string) *Type {
	t := p.types[name]
	if t == nil {
		t = &Type{Kind: OtherType, Name: "%" + name}
		p.types[name] = t
	}
	return t
}

// startsType reports whether the next token begins a type.
func (p *parser) startsType() bool {
	t := p.tok
	switch t.kind {
	case localToken:
		return true
	case markToken:
		return t.text == "[" || t.text == "{" || t.text == "<"
	case wordToken:
		if floats[t.text] > 0 {
			return true
		}
		switch t.text {
		case "void", "ptr", "label", "metadata", "token", "x86_amx":
			return true
		}
		return integerName(t.text) > 0
	}
	return false
}

// integerName returns the width of iN, or 0 for other words.
func integerName(word string) int {
	if len(word) < 2 || word[0] != 'i' || word[1] < '1' || word[1] > '9' {
		return 0
	}
	n, err := strconv.Atoi(word[1:])
	if err != nil || n > maxBits {
		return 0
	}
	return n
}

// maxNesting limits the depth of types and values.
const maxNesting = 100

// typ reads a type.
func (p *parser) typ() *Type {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		panic(p.errorf("types or values are nested too deep"))
	}
	if !p.startsType() {
		panic(p.errorf("%v instead of a type", p.tok))
	}
	t := p.next()
	switch {
	case t.kind == localToken:
		return p.named(t.text)
	case t.kind == wordToken:
		return p.simple(t.text)
	case t.text == "{":
		return p.structure(false)
	case t.text == "<" && p.mark("{"):
		s := p.structure(true)
		p.expect(">")
		return s
	}
	n := p.count()
	p.expect("x")
	elem := p.typ()
	if t.text == "<" {
		p.expect(">")
		return &Type{Kind: VectorType, Len: n, Elem: elem}
	}
	p.expect("]")
	return &Type{Kind: ArrayType, Len: n, Elem: elem}
}

func (p *parser) simple(word string) *Type {
	switch n := integerName(word); {
	case n == 1:
		return boolType
	case n > 1:
		return intType(n)
	case word == "void":
		return voidType
	case word == "ptr":
		if p.tok.kind == wordToken && p.tok.text == "addrspace" {
			panic(p.errorf("pointers of another address space are not supported"))
		}
		return ptrType
	case floats[word] > 0:
		return &Type{Kind: FloatType, Name: word, bytes: floats[word]}
	}
	return &Type{Kind: OtherType, Name: word}
}

func (p *parser) structure(packed bool) *Type {
	s := &Type{Kind: StructType, Packed: packed}
	if p.mark("}") {
		return s
	}
	for {
		s.Fields = append(s.Fields, p.typ())
		if p.mark("}") {
			return s
		}
		p.expect(",")
	}
}

// maxObject limits the size of an object in bytes and the length of an array.
const maxObject = 1 << 28

func (p *parser) count() int {
	n, err := strconv.Atoi(p.tok.text)
	if p.tok.kind != numberToken || err != nil || n < 0 {
		panic(p.errorf("%v instead of a number", p.tok))
	}
	p.advance()
	return n
}

// linkages maps the relevant words before a symbol; other words have no effect here.
var linkages = map[string]Linkage{"internal": Internal, "private": Internal, "weak": Weak, "weak_odr": Weak, "linkonce": Weak,
	"linkonce_odr": Weak, "common": Weak, "extern_weak": External, "external": External, "available_externally": Weak}

// attribute skips an attribute, if one is next: a word with its arguments, a string, or the number
// of a group.
func (p *parser) attribute() (word string, ok bool) {
	switch p.tok.kind {
	case stringToken:
		p.advance()
		if p.mark("=") {
			p.advance()
		}
		return "", true
	case groupToken:
		p.advance()
		return "", true
	case wordToken:
		word = p.next().text
		switch {
		case p.tok.kind == markToken && p.tok.text == "(" && p.tok.line == p.last:
			p.group()
		case (word == "align" || word == "alignstack" || word == "cc") && p.tok.kind == numberToken:
			p.advance()
		case word == "align" && p.mark("="):
			p.advance()
		}
		return word, true
	}
	return "", false
}

// global reads a variable or an alias.
func (p *parser) global() {
	g := &Global{Name: p.tok.text, Line: p.tok.line, File: p.file}
	p.advance()
	p.expect("=")
	declared := false
	for {
		if p.tok.kind != wordToken {
			panic(p.errorf("%v instead of %q or %q", p.tok, "global", "constant"))
		}
		word := p.tok.text
		if l, ok := linkages[word]; ok {
			g.Linkage = l
			declared = declared || word == "external" || word == "extern_weak"
		}
		if word == "alias" || word == "ifunc" {
			p.alias(g.Name)
			return
		}
		p.attribute()
		if word == "global" || word == "constant" {
			g.Constant = word == "constant"
			break
		}
	}
	g.Type = p.typ()
	if !declared {
		if err := try(func() { g.Init = p.value(g.Type, nil) }); err != nil {
			if !errors.As(err, new(unsupported)) {
				panic(failure{err})
			}
			g.Unsupported = fmt.Errorf("%s: @%s: %w", p.file.Name, g.Name, err)
		}
	}
	p.file.Globals = append(p.file.Globals, g)
	p.restOfLine()
}

// alias reads @name = alias TYPE, ptr @other.
func (p *parser) alias(name string) {
	line := p.tok.line
	other := ""
	for p.tok.kind != endToken && p.tok.line == line {
		if t := p.next(); t.kind == globalToken {
			other = t.text
		}
	}
	if other == "" {
		panic(failure{fmt.Errorf("line %d: the alias @%s names no symbol", line, name)})
	}
	p.file.Aliases[name] = other
}

// unsupported is the error for LLVM IR that is not supported here.
type unsupported struct {
	line int
	what string
}

func (u unsupported) Error() string {
	return fmt.Sprintf("line %d: %s is not supported", u.line, u.what)
}

func (p *parser) unsupported(format string, args ...any) failure {
	return failure{unsupported{p.tok.line, fmt.Sprintf(format, args...)}}
}
