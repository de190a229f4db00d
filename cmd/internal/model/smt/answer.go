package smt

import "fmt"

// ReadValues reads a solver's answer to get-value of n terms: a list of pairs of the term, which is
// skipped, and its value. A value that is not written out, as z3's functions in the place of
// arrays, is the zero Value.
func ReadValues(text string, n int) (values []Value, err error) {
	p, err := newParser(NewContext(), text, Options{Name: "the solver's answer", Dialect: SMTLIB})
	if err != nil {
		return nil, err
	}
	defer p.recover(&err)
	p.expect(openToken, "pairs of terms and values")
	for p.tok.kind == openToken {
		p.advance()
		p.skip()
		value := p.skip()
		p.expect(closeToken, "the ) of the pair")
		values = append(values, valueOf(value))
	}
	p.expect(closeToken, "another pair or )")
	p.expect(endToken, "the end of the answer")
	if len(values) != n {
		return nil, fmt.Errorf("the solver gave %d values of %d", len(values), n)
	}
	return values, nil
}

// valueOf returns the value of a term without constants, or none.
func valueOf(text string) Value {
	t, err := ReadTerm(NewContext(), text, nil, Options{Dialect: SMTLIB})
	if err != nil {
		return Value{}
	}
	v, err := Eval(t, nil)
	if err != nil {
		return Value{}
	}
	return v
}

// skip skips one expression and returns its text.
func (p *parser) skip() string {
	start, end := p.tok.at, 0
	for depth := 0; ; {
		switch p.tok.kind {
		case openToken:
			depth++
		case closeToken:
			if depth--; depth < 0 {
				p.fail("expected an expression, not )")
			}
		case endToken:
			p.fail("expected an expression, not the end")
		}
		end = p.lex.at
		p.advance()
		if depth == 0 {
			return p.lex.text[start:end]
		}
	}
}
