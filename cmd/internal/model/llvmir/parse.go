package llvmir

import (
	"errors"
	"fmt"
	"strconv"
)

// parser reads one file. Types may be used before they are defined.
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
		if err := p.top(); err != nil {
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

func (p *parser) expect(text string) error {
	if !p.mark(text) {
		return p.errorf("%v instead of %q", p.tok, text)
	}
	return nil
}

func (p *parser) errorf(format string, args ...any) error {
	if p.err != nil {
		return p.err
	}
	return malformed{p.tok.line, fmt.Sprintf(format, args...)}
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
func (p *parser) group() error {
	line, depth := p.tok.line, 0
	for {
		t := p.next()
		if t.kind == endToken {
			return fmt.Errorf("line %d: a bracket does not end", line)
		}
		if t.kind != markToken {
			continue
		}
		switch t.text {
		case "(", "[", "{", "<":
			depth++
		case ")", "]", "}", ">":
			if depth--; depth == 0 {
				return nil
			}
		}
	}
}

// top reads one entity of the file.
func (p *parser) top() error {
	switch t := p.tok; t.kind {
	case wordToken:
		switch t.text {
		case "define":
			return p.function(true)
		case "declare":
			return p.function(false)
		case "source_filename", "target", "module", "uselistorder":
			p.advance()
			p.restOfLine()
			return nil
		case "attributes":
			for p.tok.kind != endToken && !(p.tok.kind == markToken && p.tok.text == "{") {
				p.advance()
			}
			return p.group()
		}
	case localToken:
		return p.typeDefinition()
	case globalToken:
		return p.global()
	case metaToken:
		return p.metadataNode()
	case markToken, groupToken, stringToken, bytesToken, numberToken, endToken:
	}
	if p.tok.kind == markToken && p.tok.text == "$" || p.tok.kind == wordToken && p.tok.text[0] == '$' {
		p.advance()
		p.restOfLine()
		return nil
	}
	return p.errorf("%v does not begin anything that is known", p.tok)
}

func (p *parser) typeDefinition() error {
	name := p.next().text
	if err := p.expect("="); err != nil {
		return err
	}
	if err := p.expect("type"); err != nil {
		return err
	}
	t := p.named(name)
	if p.known[name] {
		return p.errorf("the type %%%s is defined twice", name)
	}
	p.known[name] = true
	if p.mark("opaque") {
		*t = Type{Kind: OtherType, Name: "%" + name}
		return nil
	}
	made, err := p.typ()
	if err != nil {
		return err
	}
	if made.contains(t, 0) {
		return p.errorf("the type %%%s contains itself", name)
	}
	*t = *made
	return nil
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
func (p *parser) typ() (*Type, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxNesting {
		return nil, p.errorf("types or values are nested too deep")
	}
	if !p.startsType() {
		return nil, p.errorf("%v instead of a type", p.tok)
	}
	t := p.next()
	switch {
	case t.kind == localToken:
		return p.named(t.text), nil
	case t.kind == wordToken:
		return p.simple(t.text)
	case t.text == "{":
		return p.structure(false)
	case t.text == "<" && p.mark("{"):
		s, err := p.structure(true)
		if err == nil {
			err = p.expect(">")
		}
		return s, err
	}
	n, err := p.count()
	if err != nil {
		return nil, err
	}
	if err := p.expect("x"); err != nil {
		return nil, err
	}
	elem, err := p.typ()
	if err != nil {
		return nil, err
	}
	if t.text == "<" {
		return &Type{Kind: VectorType, Len: n, Elem: elem}, p.expect(">")
	}
	return &Type{Kind: ArrayType, Len: n, Elem: elem}, p.expect("]")
}

func (p *parser) simple(word string) (*Type, error) {
	switch n := integerName(word); {
	case n == 1:
		return boolType, nil
	case n > 1:
		return intType(n), nil
	case word == "void":
		return voidType, nil
	case word == "ptr":
		if p.tok.kind == wordToken && p.tok.text == "addrspace" {
			return nil, p.errorf("pointers of another address space are not supported")
		}
		return ptrType, nil
	case floats[word] > 0:
		return &Type{Kind: FloatType, Name: word, bytes: floats[word]}, nil
	}
	return &Type{Kind: OtherType, Name: word}, nil
}

func (p *parser) structure(packed bool) (*Type, error) {
	s := &Type{Kind: StructType, Packed: packed}
	if p.mark("}") {
		return s, nil
	}
	for {
		f, err := p.typ()
		if err != nil {
			return nil, err
		}
		s.Fields = append(s.Fields, f)
		if p.mark("}") {
			return s, nil
		}
		if err := p.expect(","); err != nil {
			return nil, err
		}
	}
}

// maxObject limits the size of an object in bytes and the length of an array.
const maxObject = 1 << 28

func (p *parser) count() (int, error) {
	n, err := strconv.Atoi(p.tok.text)
	if p.tok.kind != numberToken || err != nil || n < 0 {
		return 0, p.errorf("%v instead of a number", p.tok)
	}
	p.advance()
	return n, nil
}

// linkages maps the relevant words before a symbol; other words have no effect here.
var linkages = map[string]Linkage{"internal": Internal, "private": Internal, "weak": Weak, "weak_odr": Weak, "linkonce": Weak,
	"linkonce_odr": Weak, "common": Weak, "extern_weak": External, "external": External, "available_externally": Weak}

// attribute skips an attribute, if one is next: a word with its arguments, a string, or the number
// of a group.
func (p *parser) attribute() (word string, ok bool, err error) {
	switch p.tok.kind {
	case stringToken:
		p.advance()
		if p.mark("=") {
			p.advance()
		}
		return "", true, nil
	case groupToken:
		p.advance()
		return "", true, nil
	case wordToken:
		word = p.next().text
		switch {
		case p.tok.kind == markToken && p.tok.text == "(" && p.tok.line == p.last:
			return word, true, p.group()
		case (word == "align" || word == "alignstack" || word == "cc") && p.tok.kind == numberToken:
			p.advance()
		case word == "align" && p.mark("="):
			p.advance()
		}
		return word, true, nil
	}
	return "", false, nil
}

// global reads a variable or an alias.
func (p *parser) global() error {
	g := &Global{Name: p.tok.text, Line: p.tok.line, File: p.file}
	p.advance()
	if err := p.expect("="); err != nil {
		return err
	}
	declared := false
	for {
		if p.tok.kind != wordToken {
			return p.errorf("%v instead of %q or %q", p.tok, "global", "constant")
		}
		word := p.tok.text
		if l, ok := linkages[word]; ok {
			g.Linkage = l
			declared = declared || word == "external" || word == "extern_weak"
		}
		if word == "alias" || word == "ifunc" {
			return p.alias(g.Name)
		}
		if _, _, err := p.attribute(); err != nil {
			return err
		}
		if word == "global" || word == "constant" {
			g.Constant = word == "constant"
			break
		}
	}
	typ, err := p.typ()
	if err != nil {
		return err
	}
	g.Type = typ
	if !declared {
		if g.Init, err = p.value(typ, nil); err != nil {
			if !errors.As(err, new(unsupported)) {
				return err
			}
			g.Unsupported = fmt.Errorf("%s: @%s: %w", p.file.Name, g.Name, err)
		}
	}
	p.file.Globals = append(p.file.Globals, g)
	p.restOfLine()
	return nil
}

// alias reads @name = alias TYPE, ptr @other.
func (p *parser) alias(name string) error {
	line := p.tok.line
	other := ""
	for p.tok.kind != endToken && p.tok.line == line {
		if t := p.next(); t.kind == globalToken {
			other = t.text
		}
	}
	if other == "" {
		return fmt.Errorf("line %d: the alias @%s names no symbol", line, name)
	}
	p.file.Aliases[name] = other
	return nil
}

// unsupported is the error for LLVM IR that is not supported here.
type unsupported struct {
	line int
	what string
}

func (u unsupported) Error() string {
	return fmt.Sprintf("line %d: %s is not supported", u.line, u.what)
}

func (p *parser) unsupported(format string, args ...any) error {
	return unsupported{p.tok.line, fmt.Sprintf(format, args...)}
}
