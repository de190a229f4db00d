// Package calc computes sums and products of small numbers.
package calc

import "errors"

var (
	errSyntax = errors.New("no expression")
	errZero   = errors.New("division by zero")
	errLarge  = errors.New("number too large")
	errDepth  = errors.New("too many parentheses")
)

type parser struct {
	text  string
	depth int
	err   error
}

// Read returns the value.
func Read(text string) (int, error) {
	p := parser{text: text}
	n := p.sum()
	if p.err == nil && p.text != "" { // counterpart: rest
		return 0, errSyntax
	}
	return n, p.err
}

func (p *parser) fail(err error) int {
	if p.err == nil {
		p.err = err
	}
	p.text = ""
	return 0
}

func (p *parser) next() byte {
	for p.text != "" && p.text[0] == ' ' { // counterpart: blank
		p.text = p.text[1:]
	}
	if p.text == "" {
		return 0
	}
	return p.text[0]
}

func (p *parser) sum() int {
	n := p.product()
	for {
		switch p.next() {
		case '+':
			p.text = p.text[1:]
			n += p.product()
		case '-':
			p.text = p.text[1:]
			n -= p.product() // counterpart: minus
		default:
			return n
		}
	}
}

func (p *parser) product() int {
	n := p.factor()
	for {
		switch p.next() {
		case '*':
			p.text = p.text[1:]
			n *= p.factor()
		case '/':
			p.text = p.text[1:]
			d := p.factor()
			if d == 0 { // counterpart: zero
				return p.fail(errZero)
			}
			n /= d
		default:
			return n
		}
	}
}

func (p *parser) factor() int {
	switch c := p.next(); {
	case c == '-':
		p.text = p.text[1:]
		return -p.factor()
	case c == '(':
		p.depth++
		if p.depth > 1 { // counterpart: depth
			return p.fail(errDepth)
		}
		p.text = p.text[1:]
		n := p.sum()
		if p.next() != ')' {
			return p.fail(errSyntax)
		}
		p.text = p.text[1:]
		p.depth--
		return n
	case '0' <= c && c <= '9':
		return p.number()
	}
	return p.fail(errSyntax)
}

func (p *parser) number() (n int) {
	for p.text != "" && '0' <= p.text[0] && p.text[0] <= '9' {
		n = n*10 + int(p.text[0]-'0')
		p.text = p.text[1:]
		if n > 9999 {
			return p.fail(errLarge)
		}
	}
	return n
}
