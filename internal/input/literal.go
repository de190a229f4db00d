package input

import (
	"fmt"
	"go/scanner"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// reason is an error whose text includes the expectation.
type reason string

func (r reason) Error() string { return string(r) }

func expected(format string, args ...any) error {
	return reason("expected " + fmt.Sprintf(format, args...))
}

// lexeme is one token of a line.
type lexeme struct {
	tok token.Token
	lit string
}

func (l lexeme) String() string {
	switch {
	case l.tok == token.EOF || l.tok == token.SEMICOLON && l.lit == "\n":
		return "the end of the line"
	case l.lit != "":
		return excerpt([]byte(l.lit))
	}
	return strconv.Quote(l.tok.String())
}

// line is the remaining tokens of a line, followed by endless EOF.
type line []lexeme

func (l *line) peek() lexeme {
	if len(*l) == 0 {
		return lexeme{tok: token.EOF}
	}
	return (*l)[0]
}

func (l *line) next() lexeme {
	t := l.peek()
	if len(*l) > 0 {
		*l = (*l)[1:]
	}
	return t
}

func (l *line) expect(tok token.Token) error {
	if t := l.next(); t.tok != tok {
		return expected("%q, have %v", tok.String(), t)
	}
	return nil
}

// scan splits a line into Go tokens, without comments.
func scan(src []byte) (line, error) {
	var s scanner.Scanner
	var failure error
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, func(pos token.Position, msg string) {
		if failure == nil {
			failure = fmt.Errorf("column %d: %s", pos.Column, msg)
		}
	}, 0)
	var l line
	for {
		_, tok, lit := s.Scan()
		if failure != nil {
			return nil, failure
		}
		if tok == token.EOF {
			return l, nil
		}
		l = append(l, lexeme{tok, lit})
	}
}

// parseValue parses one line of a corpus file, a conversion such as int(-5), []byte("x") or
// math.Float64frombits(0x1). It tokenizes as Go does, so that comments, raw strings, and all
// literals that Go accepts there are accepted.
func parseValue(src []byte) (any, error) {
	l, err := scan(src)
	if err != nil {
		return nil, err
	}
	typ, err := l.typeName()
	if err != nil {
		return nil, err
	}
	if err := l.expect(token.LPAREN); err != nil {
		return nil, err
	}
	v, err := l.operand(typ)
	if err != nil {
		return nil, err
	}
	if l.peek().tok == token.COMMA {
		l.next()
	}
	if err := l.expect(token.RPAREN); err != nil {
		return nil, err
	}
	if t := l.peek(); t.tok == token.SEMICOLON && t.lit == "\n" {
		l.next()
	}
	if t := l.next(); t.tok != token.EOF {
		return nil, expected("the end of the line, have %v", t)
	}
	return v, nil
}

// typeName reads the type or function of the conversion.
func (l *line) typeName() (string, error) {
	switch t := l.next(); {
	case t.tok == token.LBRACK:
		if err := l.expect(token.RBRACK); err != nil {
			return "", err
		}
		if t := l.next(); t.tok != token.IDENT || t.lit != "byte" {
			return "", expected("[]byte, have []%v", t)
		}
		return "[]byte", nil
	case t.tok == token.IDENT && t.lit == "math":
		if err := l.expect(token.PERIOD); err != nil {
			return "", err
		}
		t := l.next()
		if t.lit != "Float32frombits" && t.lit != "Float64frombits" {
			return "", expected("math.Float32frombits or math.Float64frombits, have math.%v", t)
		}
		return "math." + t.lit, nil
	case t.tok == token.IDENT:
		return t.lit, nil
	default:
		return "", expected("[]byte or a basic type, have %v", t)
	}
}

// operand reads the operand of a conversion to typ.
func (l *line) operand(typ string) (any, error) {
	sign := ""
	t := l.next()
	if t.tok == token.SUB || t.tok == token.ADD && l.peek().lit == "Inf" {
		sign = t.tok.String()
		t = l.next()
	}
	lit, tok := sign+t.lit, t.tok
	if tok == token.IDENT {
		switch {
		case typ == "bool" && (lit == "true" || lit == "false"):
			return lit == "true", nil
		case lit == "NaN" || lit == "+Inf" || lit == "-Inf":
			tok = token.FLOAT
		}
	}
	switch typ {
	case "[]byte", "string":
		if tok != token.STRING || sign != "" {
			return nil, expected("a string literal in %s(...), have %s%v", typ, sign, t)
		}
		text, err := strconv.Unquote(lit)
		if err != nil {
			return nil, fmt.Errorf("string literal: %w", err)
		}
		if typ == "[]byte" {
			return []byte(text), nil
		}
		return text, nil
	case "bool":
		return nil, expected("true or false in bool(...), have %s%v", sign, t)
	case "byte", "rune":
		if tok == token.CHAR && sign == "" {
			return character(typ, lit)
		}
	}
	if k, ok := ParseKind(typ); ok {
		return number(k, typ, lit, tok)
	}
	switch {
	case typ == "math.Float32frombits" && tok == token.INT:
		bits, err := strconv.ParseUint(lit, 0, 32)
		return math.Float32frombits(uint32(bits)), err
	case typ == "math.Float64frombits" && tok == token.INT:
		bits, err := strconv.ParseUint(lit, 0, 64)
		return math.Float64frombits(bits), err
	case strings.HasPrefix(typ, "math."):
		return nil, expected("an integer literal in %s(...), have %s%v", typ, sign, t)
	}
	return nil, expected("[]byte or a basic type, have %q", typ)
}

// character converts a character literal. A byte holds the characters up to 255.
func character(typ, lit string) (any, error) {
	r, _, _, err := strconv.UnquoteChar(lit[1:len(lit)-1], '\'')
	if err != nil {
		return nil, fmt.Errorf("character literal %s: %w", lit, err)
	}
	if typ == "rune" {
		return r, nil
	}
	if r > math.MaxUint8 {
		return nil, expected("a character up to '\\u00ff' in byte(...), have %s", lit)
	}
	return byte(r), nil
}

// number converts a number literal to kind k, whose spelling in the file is typ.
func number(k Kind, typ, lit string, tok token.Token) (any, error) {
	if k == Float32 || k == Float64 {
		if tok != token.INT && tok != token.FLOAT {
			return nil, expected("a number in %s(...), have %q", typ, lit)
		}
		f, err := strconv.ParseFloat(lit, k.Width()*8)
		if k == Float32 {
			return float32(f), err
		}
		return f, err
	}
	if tok != token.INT {
		what := "an integer"
		if typ == "byte" || typ == "rune" {
			what = "a character or an integer"
		}
		return nil, expected("%s in %s(...), have %q", what, typ, lit)
	}
	if k <= Int64 {
		i, err := strconv.ParseInt(lit, 0, k.Width()*8)
		return packInt(k, uint64(i)), err
	}
	u, err := strconv.ParseUint(lit, 0, k.Width()*8)
	return packInt(k, u), err
}

// packInt returns bits as a Go value of an integer kind.
func packInt(k Kind, bits uint64) any {
	var data [8]byte
	for i := range data {
		data[i] = byte(bits >> (8 * i))
	}
	return value(k, data[:k.Width()])
}
