package smt

import (
	"math/big"
	"strings"
)

// frame is a partially read term. A stack of frames replaces recursion, so that depth needs no Go
// stack.
type frame struct {
	kind frameKind
	at   int // of the parenthesis
	mark int // undo at the beginning

	head head    // of an application
	args []*Term // of an application; the values of a let

	names []string // of a let
}

type frameKind uint8

const (
	application frameKind = iota
	letBindings           // between (let ( and the ) of its bindings
	letBody
	annotation
)

// head is the applied function.
type head struct {
	name    string
	symbol  symbol // of the script's own
	op      Op
	indices []int
	dialect *dialect
	sort    *Sort // of (as const sort)
	special string
}

// term reads a term.
func (p *parser) term() *Term {
	p.named = ""
	var stack []frame
	for {
		var value *Term
		at := p.tok.at
		switch p.tok.kind {
		case openToken:
			if len(stack) >= p.o.MaxDepth {
				p.failAs(at, ErrTooLarge, "terms are nested more than %d deep", p.o.MaxDepth)
			}
			p.advance()
			if f, t := p.open(at); t != nil {
				value = t
			} else {
				stack = append(stack, f)
				continue
			}
		case closeToken:
			if len(stack) == 0 || stack[len(stack)-1].kind != application {
				p.fail("expected a term, not )")
			}
			p.advance()
			f := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			value = p.apply(f)
		case symbolToken:
			name := p.symbol("a term")
			value = p.constant(at, name)
		default:
			value = p.literal(p.tok)
			if value == nil {
				p.fail("expected a term, not %s", p.tok.describe())
			}
			p.advance()
		}
		// Pass the term to its parent, which may then be complete itself.
		for {
			if len(stack) == 0 {
				p.bindInner()
				return value
			}
			f := &stack[len(stack)-1]
			if f.kind == application {
				f.args = append(f.args, value)
				break
			}
			if f.kind == letBindings {
				f.args = append(f.args, value)
				p.expect(closeToken, "the ) of the binding of "+clip(f.names[len(f.names)-1]))
				p.binding(f)
				break
			}
			if f.kind == annotation {
				p.annotate(f.at, value, len(stack) == 1)
			} else {
				p.restore(f.mark)
				p.expect(closeToken, "the ) of let")
			}
			stack = stack[:len(stack)-1]
		}
	}
}

// open begins a parenthesis. It returns a frame or, for short terms such as (_ bv1 8), the whole
// term.
func (p *parser) open(at int) (frame, *Term) {
	tok := p.tok
	switch {
	case tok.kind == openToken:
		p.advance()
		return frame{at: at, head: p.compound()}, nil
	case tok.kind != symbolToken:
		p.fail("expected a function, not %s", tok.describe())
	case tok.quoted || !reserved[tok.text]:
		p.advance()
		if negative(tok.text) && p.tok.kind == closeToken && p.scope[tok.text] == (symbol{}) {
			p.failAt(tok.at, "%s is no function; a number has no parentheses, or as (- %s)", tok.text, tok.text[1:])
		}
		return frame{at: at, head: p.function(tok.at, tok.text)}, nil
	}
	p.advance()
	switch tok.text {
	case "let":
		f := frame{kind: letBindings, at: at, mark: len(p.undo)}
		p.expect(openToken, "the bindings in parentheses")
		if p.tok.kind == closeToken {
			p.fail("expected a binding, as (x 1), not )")
		}
		p.binding(&f)
		return f, nil
	case "!":
		return frame{kind: annotation, at: at}, nil
	case "_":
		return frame{}, p.indexedConstant(at)
	case "as":
		return frame{}, p.qualified(at)
	case "forall", "exists", "match":
		p.unsupported(tok.at, "%s are not supported (%s)", unsupported(tok.text), tok.text)
	}
	p.failAt(tok.at, "expected a function, not %s", tok.text)
	return frame{}, nil
}

// binding reads the name of the next binding of a let or, after the last one, enters them all.
func (p *parser) binding(f *frame) {
	if p.tok.kind == openToken {
		p.advance()
		f.names = append(f.names, p.symbol("the name of a variable of let"))
		return
	}
	p.expect(closeToken, "another binding of let or )")
	var seen map[string]bool // most bind one name
	for i, name := range f.names {
		if seen[name] {
			p.failAt(f.at, "let binds %s twice", clip(name))
		}
		if i+1 < len(f.names) {
			if seen == nil {
				seen = map[string]bool{}
			}
			seen[name] = true
		}
		p.shadow(name, symbol{term: f.args[i]})
	}
	f.kind, f.names, f.args = letBody, nil, nil
}

// annotate reads the attributes of an annotated term and its parenthesis. A name is one for the
// rest of the script.
func (p *parser) annotate(at int, t *Term, outermost bool) {
	if p.tok.kind != keywordToken {
		p.fail("expected an attribute, as :named, not %s", p.tok.describe())
	}
	for p.tok.kind == keywordToken {
		key := p.tok.text
		p.advance()
		nameAt := p.tok.at
		if key == "named" {
			name := p.symbol("a name")
			p.name(nameAt, name, t)
			if outermost {
				p.named = name
			}
			continue
		}
		p.skipValue()
	}
	p.expect(closeToken, "another attribute or )")
}

// name records a name for a term, which is bound at the end of the enclosing lets.
func (p *parser) name(at int, name string, t *Term) {
	if _, ok := opNames[name]; ok {
		p.failAt(at, "%s is a function of SMT-LIB's theories and cannot be a name", name)
	}
	p.inner = append(p.inner, inner{at, name, t})
}

// bindInner binds the names from annotations within a term.
func (p *parser) bindInner() {
	for _, n := range p.inner {
		p.bind(n.at, n.name, symbol{term: n.term})
	}
	p.inner = p.inner[:0]
}

// skipValue skips the value of an attribute, if there is one.
func (p *parser) skipValue() {
	for depth := 0; ; p.advance() {
		switch p.tok.kind {
		case openToken:
			depth++
			continue
		case closeToken:
			if depth == 0 {
				return
			}
			depth--
		case keywordToken, endToken:
			if depth == 0 || p.tok.kind == endToken {
				return
			}
		}
		if depth == 0 {
			p.advance()
			return
		}
	}
}

// indexedConstant reads (_ bv5 8) and (_ char #x41) behind the underscore.
func (p *parser) indexedConstant(at int) *Term {
	tok := p.tok
	name := p.symbol("bv and a number, or the name of an indexed function")
	if name == "char" || name == "Char" {
		digits := p.tok
		p.advance()
		r, n := hexDigits(digits.text, 5)
		if digits.kind != hexToken || n != len(digits.text) || r > MaxChar {
			p.failAt(digits.at, "expected the number of a character, as #x41, not %s", digits.describe())
		}
		p.expect(closeToken, "the ) of (_ char #x41)")
		return p.ctx.Text([]rune{r})
	}
	digits, ok := strings.CutPrefix(name, "bv")
	n, number := new(big.Int).SetString(digits, 10)
	if !ok || !number || !digit(digits[0]) {
		if theory := unsupported(name); theory != "" {
			p.unsupported(tok.at, "%s are not supported (%s)", theory, name)
		}
		p.failAt(tok.at, "(_ %s ...) is no constant; expected (_ bvN width), or ((_ %s ...) argument)", clip(name), clip(name))
	}
	widthAt := p.tok.at
	width := p.integer("the width of the bit vector")
	p.expect(closeToken, "the ) of (_ bvN width)")
	if width == 0 || n.BitLen() > width {
		p.failAt(widthAt, "%s does not fit %s", clip(name), plural(width, "bit", "bits"))
	}
	return p.ctx.BigBits(n, width)
}

// qualified reads (as x Int) behind the as.
func (p *parser) qualified(at int) *Term {
	nameAt := p.tok.at
	name := p.symbol("the name of a constant")
	if name == "const" {
		p.failAt(nameAt, "(as const ...) wants an element: ((as const (Array Int Int)) 0)")
	}
	t := p.constant(nameAt, name)
	sort := p.sort()
	if t.sort != sort {
		p.failAt(at, "%s is %v, not %v", clip(name), t.sort, sort)
	}
	p.expect(closeToken, "the ) of as")
	return t
}

// compound reads a head in parentheses: (_ extract 7 0) or (as const (Array Int Int)).
func (p *parser) compound() head {
	tok := p.tok
	if tok.kind == symbolToken && !tok.quoted && tok.text == "as" {
		p.advance()
		nameAt := p.tok.at
		name := p.symbol("const")
		if name != "const" {
			h := p.function(nameAt, name)
			p.sort()
			p.expect(closeToken, "the ) of as")
			return h
		}
		sort := p.sort()
		if sort.Kind != ArrayKind {
			p.failAt(nameAt, "(as const %v) is no array", sort)
		}
		p.expect(closeToken, "the ) of (as const sort)")
		return head{name: name, op: OpConstArray, sort: sort}
	}
	if tok.kind != symbolToken || tok.quoted || tok.text != "_" {
		p.fail("expected (_ function indices) or (as const sort), not %s", tok.describe())
	}
	p.advance()
	nameAt := p.tok.at
	name := p.symbol("the name of an indexed function")
	h := head{name: name, op: opNames[name]}
	if name == "divisible" {
		h.special, h.indices = name, []int{p.integer("a number to divide by")}
		if h.indices[0] == 0 {
			p.failAt(nameAt, "nothing is (_ divisible 0); expected a positive number")
		}
		p.expect(closeToken, "the ) of (_ divisible n)")
		return h
	}
	if h.op == 0 || rows[h.op].indices == 0 {
		if theory := unsupported(name); theory != "" {
			p.unsupported(nameAt, "%s are not supported (%s)", theory, name)
		}
		p.failAt(nameAt, "%s is no indexed function; expected one as extract, zero_extend, sign_extend, rotate_left, repeat, int2bv", clip(name))
	}
	for p.tok.kind != closeToken {
		h.indices = append(h.indices, p.integer("an index"))
	}
	p.advance()
	return h
}
