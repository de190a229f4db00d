package smt

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// symbol is the meaning of a name.
type symbol struct {
	term  *Term // a constant, a let variable, or a definition without arguments
	fn    *Func
	macro *macro
}

// macro is a defined function. Its body has params in place of its arguments.
type macro struct {
	name   string
	params []*Term
	body   *Term
}

// change is a name with its previous meaning.
type change struct {
	name string
	old  symbol
	had  bool
}

// parser reads a script. Its methods panic with a *SyntaxError, which recover turns into an error
// of the package's functions.
type parser struct {
	ctx    *Context
	lex    lexer
	tok    token // the next one
	o      Options
	scope  map[string]symbol
	undo   []change // how to get back to outer scopes
	levels []int    // of push: lengths of undo
	named  string   // of the annotation around the term read last
	inner  []inner  // names of annotations in the current term
	depth  int      // of the nesting of sorts
	placed placed
}

// placed caches an offset with the number of line breaks before it, and the begin of its line.
type placed struct{ at, lines, begin int }

// inner is a name from an annotation of a part of a term.
type inner struct {
	at   int
	name string
	term *Term
}

func newParser(ctx *Context, text string, o Options) (p *parser, err error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultBytes
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = defaultDepth
	}
	if len(text) > o.MaxBytes {
		return nil, &SyntaxError{Name: o.Name, Position: Position{1, 1}, cause: ErrTooLarge,
			Message: fmt.Sprintf("the script has %d bytes, and %d is the limit", len(text), o.MaxBytes)}
	}
	if o.Dialect == DetectDialect {
		o.Dialect = detect(text)
	}
	p = &parser{ctx: ctx, lex: lexer{text: text, old: o.Dialect == Z3Str}, o: o, scope: map[string]symbol{}}
	defer p.recover(&err)
	p.advance()
	return p, nil
}

// detect searches for a call of a Z3-str function.
func detect(text string) Dialect {
	l := lexer{text: text}
	for last := endToken; ; {
		tok, err := l.next()
		if err != nil || tok.kind == endToken {
			return SMTLIB
		}
		if _, ok := dialects[tok.text]; ok && last == openToken && tok.kind == symbolToken || tok.kind == symbolToken && tok.text == "declare-variable" {
			return Z3Str
		}
		last = tok.kind
	}
}

func (p *parser) recover(err *error) {
	switch r := recover().(type) {
	case nil:
	case *SyntaxError:
		*err = r
	default:
		panic(r)
	}
}

// position returns the line and column of an offset. It counts from the previous offset, since
// commands ask in ascending order.
func (p *parser) position(at int) Position {
	if at < p.placed.at {
		p.placed = placed{}
	}
	between := p.lex.text[p.placed.at:min(at, len(p.lex.text))]
	if lines := strings.Count(between, "\n"); lines > 0 {
		p.placed.lines += lines
		p.placed.begin = p.placed.at + strings.LastIndexByte(between, '\n') + 1
	}
	p.placed.at += len(between)
	return Position{Line: 1 + p.placed.lines, Column: 1 + p.placed.at - p.placed.begin}
}

func (p *parser) failAs(at int, cause error, format string, args ...any) {
	panic(&SyntaxError{Name: p.o.Name, Position: p.position(at), Message: fmt.Sprintf(format, args...), cause: cause})
}

func (p *parser) failAt(at int, format string, args ...any) { p.failAs(at, nil, format, args...) }
func (p *parser) fail(format string, args ...any)           { p.failAs(p.tok.at, nil, format, args...) }

func (p *parser) unsupported(at int, format string, args ...any) {
	p.failAs(at, ErrUnsupported, "unsupported theory: "+format, args...)
}

func (p *parser) advance() {
	tok, err := p.lex.next()
	if err != nil {
		p.failAt(err.at, "%s", err.message)
	}
	p.tok = tok
}

func (p *parser) expect(kind tokenKind, what string) {
	if p.tok.kind != kind {
		p.fail("expected %s, not %s", what, p.tok.describe())
	}
	if kind != endToken {
		p.advance()
	}
}

// symbol reads a name. A reserved word is one only in bars.
func (p *parser) symbol(what string) string {
	if p.tok.kind != symbolToken || reserved[p.tok.text] && !p.tok.quoted {
		p.fail("expected %s, not %s", what, p.tok.describe())
	}
	name := p.tok.text
	p.advance()
	return name
}

func (p *parser) shadow(name string, s symbol) {
	old, had := p.scope[name]
	p.undo = append(p.undo, change{name, old, had})
	p.scope[name] = s
}

// restore leaves scopes that were entered since a mark.
func (p *parser) restore(mark int) {
	for len(p.undo) > mark {
		c := p.undo[len(p.undo)-1]
		p.undo = p.undo[:len(p.undo)-1]
		if c.had {
			p.scope[c.name] = c.old
		} else {
			delete(p.scope, c.name)
		}
	}
}

// integer reads a numeral that is an index.
func (p *parser) integer(what string) int {
	if p.tok.kind != numeralToken {
		p.fail("expected %s, not %s", what, p.tok.describe())
	}
	n, err := strconv.Atoi(p.tok.text)
	if err != nil || n > MaxWidth {
		p.failAs(p.tok.at, ErrTooLarge, "%s is not between 0 and %d", clip(p.tok.text), MaxWidth)
	}
	p.advance()
	return n
}

// maxSortDepth bounds arrays within arrays.
const maxSortDepth = 100

func (p *parser) sort() *Sort {
	at := p.tok.at
	if p.depth++; p.depth > maxSortDepth {
		p.failAs(at, ErrTooLarge, "sorts are nested more than %d deep", maxSortDepth)
	}
	defer func() { p.depth-- }()
	if p.tok.kind == symbolToken {
		name := p.symbol("a sort")
		switch name {
		case "Bool":
			return Bool
		case "Int":
			return Int
		case "String":
			return String
		case "RegLan":
			return RegLan
		}
		p.noSort(at, name)
	}
	p.expect(openToken, "a sort, as Int or (_ BitVec 8)")
	head := p.tok
	if head.kind == symbolToken && head.text == "_" && !head.quoted {
		p.advance()
		inner := p.tok
		if p.symbolText() != "BitVec" {
			p.noSort(inner.at, inner.text)
		}
		p.advance()
		widthAt := p.tok.at
		n := p.integer("the width of the bit vector")
		if n == 0 {
			p.failAt(widthAt, "a bit vector has at least one bit")
		}
		p.expect(closeToken, "the ) of (_ BitVec n)")
		return BitVec(n)
	}
	switch p.symbolText() {
	case "Array":
		p.advance()
		index, element := p.sort(), p.sort()
		p.expect(closeToken, "the ) of (Array index element)")
		if index.Kind == ArrayKind || index == RegLan || element == RegLan {
			p.unsupported(at, "arrays of %v to %v", index, element)
		}
		return ArrayOf(index, element)
	case "RegEx": // z3's name
		p.advance()
		if p.sort() != String {
			p.unsupported(at, "regular expressions of other than String")
		}
		p.expect(closeToken, "the ) of (RegEx String)")
		return RegLan
	}
	p.noSort(head.at, head.text)
	return nil
}

func (p *parser) symbolText() string {
	if p.tok.kind != symbolToken {
		return ""
	}
	return p.tok.text
}

func (p *parser) noSort(at int, name string) {
	if theory := unsupported(name); theory != "" {
		p.unsupported(at, "%s are not supported (%s)", theory, name)
	}
	p.failAt(at, "%s is no sort; expected Bool, Int, String, RegLan, (_ BitVec n) or (Array index element)", clip(name))
}

// literal returns the term of a token that is a value, or nil.
func (p *parser) literal(tok token) *Term {
	switch tok.kind {
	case numeralToken:
		return p.numeral(tok.at, tok.text)
	case hexToken, binaryToken:
		base, each := 2, 1
		if tok.kind == hexToken {
			base, each = 16, 4
		}
		if len(tok.text)*each > MaxWidth {
			p.failAs(tok.at, ErrTooLarge, "a bit vector of %d bits, and %d is the limit", len(tok.text)*each, MaxWidth)
		}
		n, _ := new(big.Int).SetString(tok.text, base)
		return p.ctx.BigBits(n, len(tok.text)*each)
	case stringToken:
		return p.ctx.Text(decodeText(tok.text, p.lex.old))
	case decimalToken:
		p.unsupported(tok.at, "reals are not supported (%s)", clip(tok.text))
	}
	return nil
}

// maxDigits limits the length of a number, whose parsing takes superlinear time.
const maxDigits = maxBits / 4

func (p *parser) numeral(at int, text string) *Term {
	if len(text) > maxDigits {
		p.failAs(at, ErrTooLarge, "a number of %d digits, and %d is the limit", len(text), maxDigits)
	}
	n, _ := new(big.Int).SetString(text, 10)
	return p.ctx.BigNumeral(n)
}

// made returns a term, or reports an error at a place.
func (p *parser) made(at int, t *Term, err error) *Term {
	if err != nil {
		var cause error
		if errors.Is(err, ErrTooLarge) {
			cause = ErrTooLarge
		}
		p.failAs(at, cause, "%v", err)
	}
	return t
}

// constant returns the term of a name without arguments.
func (p *parser) constant(at int, name string) *Term {
	s, ok := p.scope[name]
	switch {
	case ok && s.term != nil:
		return s.term
	case ok:
		p.failAt(at, "%s is a function and wants arguments", clip(name))
	}
	switch op := opNames[name]; {
	case name == "true" || name == "false":
		return p.ctx.BoolTerm(name == "true")
	case op == OpReNone || op == OpReAll || op == OpReAnyOne:
		t, err := p.ctx.App(op)
		return p.made(at, t, err)
	case op != 0:
		p.failAt(at, "%s is a function and wants arguments", name)
	case negative(name):
		return p.numeral(at, name)
	}
	if theory := unsupported(name); theory != "" {
		p.unsupported(at, "%s are not supported (%s)", theory, name)
	}
	p.failAt(at, "%s is not declared; expected a constant that was declared before, as by (declare-const %s Int)", clip(name), clip(name))
	return nil
}
