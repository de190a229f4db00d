package prototype

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parser parses one prototype.
type parser struct {
	text   string
	at     int
	token  string // the next token; "" at the end
	column int    // column of token
}

// declared is a function or a parameter.
type declared struct {
	name     string
	column   int // of the name, or where it is missing
	base     base
	depth    int // number of pointers
	elements int // length of an array
	params   []declared
}

type kind uint8

const (
	integer   kind = iota
	character      // char and wchar_t: arrays of them are strings
	void
	other // not supported
)

// base is a type without its pointers.
type base struct {
	kind   kind
	bits   int
	signed bool
	size   bool
	what   string // name of an unsupported type
	column int
}

// typedefs lists the integer types that headers define.
var typedefs = map[string]base{
	"size_t": {bits: 64, size: true}, "ssize_t": {bits: 64, signed: true}, "ptrdiff_t": {bits: 64, signed: true}, "off_t": {bits: 64, signed: true},
	"int8_t": {bits: 8, signed: true}, "int16_t": {bits: 16, signed: true}, "int32_t": {bits: 32, signed: true}, "int64_t": {bits: 64, signed: true},
	"uint8_t": {bits: 8}, "uint16_t": {bits: 16}, "uint32_t": {bits: 32}, "uint64_t": {bits: 64},
	"intptr_t": {bits: 64, signed: true}, "uintptr_t": {bits: 64}, "intmax_t": {bits: 64, signed: true}, "uintmax_t": {bits: 64},
	"wchar_t": {kind: character, bits: 32, signed: true}, "wint_t": {bits: 32}, "bool": {bits: 1}, "_Bool": {bits: 1},
}

var (
	qualifiers = []string{"const", "volatile", "restrict", "__restrict", "__restrict__", "register"}
	storages   = []string{"extern", "static", "inline", "__inline", "__inline__"}
	keywords   = strings.Fields("auto break case continue default do else for goto if return sizeof switch typedef while struct union enum int char void")
	basics     = []string{"void", "char", "short", "int", "long", "signed", "unsigned", "float", "double"}
)

func (p *parser) fail(column int, format string, args ...any) error {
	return &Error{Prototype: p.text, Column: column, What: fmt.Sprintf(format, args...)}
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// next reads the next token: a word, a number, "..." or one character.
func (p *parser) next() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	from := p.at
	p.column = from + 1
	switch {
	case from == len(p.text):
	case letter(p.text[from]) || digit(p.text[from]):
		for p.at < len(p.text) && (letter(p.text[p.at]) || digit(p.text[p.at])) {
			p.at++
		}
	case strings.HasPrefix(p.text[from:], "..."):
		p.at += 3
	default:
		p.at++
	}
	p.token = p.text[from:p.at]
}

func (p *parser) word() bool { return p.token != "" && letter(p.token[0]) }

// seen renders the next token for a message.
func (p *parser) seen() string {
	if p.token == "" {
		return "the end"
	}
	return strconv.QuoteToGraphic(p.token)
}

// mark consumes a token if it is the next one.
func (p *parser) mark(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(token, why string) error {
	if p.mark(token) {
		return nil
	}
	return p.fail(p.column, "%s instead of %q%s", p.seen(), token, why)
}

// read parses the whole text.
func (p *parser) read() (d declared, err error) {
	p.next()
	for slices.Contains(storages, p.token) {
		p.next()
	}
	if d.base, err = p.base(); err != nil {
		return d, err
	}
	p.pointers(&d)
	if !p.word() || slices.Contains(keywords, p.token) {
		return d, p.fail(p.column, "%s instead of the function's name", p.seen())
	}
	d.name, d.column = p.token, p.column
	p.next()
	if err := p.expect("(", ": a prototype looks like int f(const char *s, size_t n)"); err != nil {
		return d, err
	}
	if d.params, err = p.params(); err != nil {
		return d, err
	}
	p.mark(";")
	if p.token != "" {
		return d, p.fail(p.column, "%s follows the prototype", p.seen())
	}
	return d, nil
}

func (p *parser) params() (all []declared, err error) {
	if p.mark(")") {
		return nil, nil
	}
	for {
		if p.token == "..." {
			return nil, p.fail(p.column, "a variable number of arguments is not supported")
		}
		q := declared{}
		if q.base, err = p.base(); err != nil {
			return nil, err
		}
		p.pointers(&q)
		q.column = p.column
		if p.token == "(" {
			return nil, p.fail(p.column, "a pointer to a function or to an array is not supported")
		}
		if slices.Contains(keywords, p.token) {
			return nil, p.fail(p.column, "%s is no name of a parameter", p.seen())
		}
		if p.word() {
			q.name = p.token
			p.next()
		}
		if err := p.array(&q); err != nil {
			return nil, err
		}
		if q.base.kind == void && q.depth == 0 && q.name == "" && len(all) == 0 && p.token == ")" {
			p.next()
			return nil, nil
		}
		all = append(all, q)
		if p.mark(")") {
			return all, nil
		}
		if !p.mark(",") {
			return nil, p.fail(p.column, "%s instead of \",\" or \")\"", p.seen())
		}
	}
}

// array parses the [] or [4] of a parameter, which becomes a pointer.
func (p *parser) array(q *declared) error {
	if !p.mark("[") {
		return nil
	}
	q.depth++
	if p.mark("static") && p.token == "]" {
		return p.fail(p.column, "%s instead of a number", p.seen())
	}
	if p.token != "]" {
		n, err := strconv.Atoi(p.token)
		if err != nil || n <= 0 || !digit(p.token[0]) {
			return p.fail(p.column, "%s is no number of elements", p.seen())
		}
		q.elements = n
		p.next()
	}
	if err := p.expect("]", ""); err != nil {
		return err
	}
	if p.token == "[" {
		return p.fail(p.column, "a pointer to an array is not supported")
	}
	return nil
}

func (p *parser) pointers(d *declared) {
	for p.mark("*") {
		d.depth++
		for slices.Contains(qualifiers, p.token) {
			p.next()
		}
	}
}

// base parses the words of a type.
func (p *parser) base() (base, error) {
	words := map[string]int{}
	named, column := "", 0
	for p.word() {
		word := p.token
		switch {
		case slices.Contains(qualifiers, word):
			p.next()
			continue
		case word == "struct" || word == "union" || word == "enum":
			if named != "" || len(words) > 0 {
				return base{}, p.fail(p.column, "%s does not belong behind another type", word)
			}
			at := p.column
			p.next()
			if !p.word() {
				return base{}, p.fail(p.column, "%s instead of the name of the %s", p.seen(), word)
			}
			what := word + " " + p.token
			p.next()
			for slices.Contains(qualifiers, p.token) {
				p.next()
			}
			return base{kind: other, what: what, column: at}, nil
		case slices.Contains(basics, word):
			if named != "" {
				return base{}, p.fail(p.column, "%s does not belong behind %s", word, named)
			}
			words[word]++
		default:
			_, known := typedefs[word]
			switch behind := named != "" || len(words) > 0; {
			case behind && !known: // the declared name
				return p.meaning(words, named, column)
			case behind:
				return base{}, p.fail(p.column, "%s does not belong behind another type", word)
			case !known:
				return base{}, p.fail(p.column, "the type %s is not known: write the type that it names", word)
			}
			named = word
		}
		if column == 0 {
			column = p.column
		}
		p.next()
	}
	if named == "" && len(words) == 0 {
		return base{}, p.fail(p.column, "%s instead of a type", p.seen())
	}
	return p.meaning(words, named, column)
}

// meaning returns the type that words name.
func (p *parser) meaning(words map[string]int, named string, column int) (base, error) {
	if named != "" {
		b := typedefs[named]
		b.column = column
		return b, nil
	}
	total := 0
	for _, n := range words {
		total += n
	}
	only := func(allowed ...string) bool {
		n := 0
		for _, w := range allowed {
			n += words[w]
		}
		return n == total && words["int"] <= 1 && words["signed"]+words["unsigned"] <= 1
	}
	b := base{signed: words["unsigned"] == 0, column: column}
	switch {
	case words["float"] == 1 && total == 1, words["double"] == 1 && (total == 1 || total == 2 && words["long"] == 1):
		b.kind, b.what = other, "floating point"
	case words["void"] == 1 && total == 1:
		b.kind = void
	case words["char"] == 1 && only("char", "signed", "unsigned"):
		b.bits = 8
		if total == 1 {
			b.kind = character
		}
	case words["short"] == 1 && only("short", "int", "signed", "unsigned"):
		b.bits = 16
	case words["long"] > 0 && words["long"] <= 2 && only("long", "int", "signed", "unsigned"):
		b.bits = 64
	case words["short"]+words["long"] == 0 && only("int", "signed", "unsigned"):
		b.bits = 32
	default:
		return b, p.fail(column, "these words together are no type")
	}
	return b, nil
}
