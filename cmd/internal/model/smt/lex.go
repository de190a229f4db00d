package smt

import (
	"fmt"
	"strings"
)

// Position is a place in a text, counted from 1; columns count bytes.
type Position struct{ Line, Column int }

func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// SyntaxError describes a mistake in a script, with its place.
type SyntaxError struct {
	Name string // of the file, where the caller gave one
	Position
	Message string
	cause   error
}

func (e *SyntaxError) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("%v: %s", e.Position, e.Message)
	}
	return fmt.Sprintf("%s:%v: %s", e.Name, e.Position, e.Message)
}

// Unwrap returns ErrUnsupported or ErrTooLarge if that is the cause.
func (e *SyntaxError) Unwrap() error { return e.cause }

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endToken tokenKind = iota
	openToken
	closeToken
	symbolToken
	keywordToken
	numeralToken
	decimalToken
	hexToken
	binaryToken
	stringToken
)

var tokenNames = [...]string{
	endToken: "the end of the script", openToken: "(", closeToken: ")", symbolToken: "a symbol", keywordToken: "a keyword",
	numeralToken: "a number", decimalToken: "a decimal", hexToken: "a hexadecimal", binaryToken: "a binary", stringToken: "a string",
}

// token is a token of a script. Its text excludes bars, quotes, # and :, and has "" replaced by one
// quote.
type token struct {
	kind   tokenKind
	text   string
	quoted bool // a symbol in bars, which is never a reserved word
	at     int  // offset
}

// describe returns the name of the token for errors.
func (t token) describe() string {
	switch t.kind {
	case symbolToken, numeralToken, decimalToken:
		return clip(t.text)
	case keywordToken:
		return ":" + clip(t.text)
	case stringToken:
		return "the string \"" + clip(t.text) + "\""
	case hexToken:
		return "#x" + clip(t.text)
	case binaryToken:
		return "#b" + clip(t.text)
	}
	return tokenNames[t.kind]
}

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "..."
	}
	return s
}

// lexer takes a script apart.
type lexer struct {
	text string
	at   int
	old  bool // \" within a string does not end it
}

const symbolChars = "~!@$%^&*_-+=<>.?/"

func symbolByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || strings.IndexByte(symbolChars, c) >= 0
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// next reads a token. The error's place is its offset.
func (l *lexer) next() (token, *lexError) {
	l.blank()
	start := l.at
	if l.at >= len(l.text) {
		return token{kind: endToken, at: start}, nil
	}
	switch c := l.text[l.at]; {
	case c == '(':
		l.at++
		return token{kind: openToken, at: start}, nil
	case c == ')':
		l.at++
		return token{kind: closeToken, at: start}, nil
	case c == '|':
		end := strings.IndexByte(l.text[l.at+1:], '|')
		if end < 0 {
			return token{}, &lexError{start, "the symbol in bars has no end; expected |"}
		}
		l.at += end + 2
		return token{kind: symbolToken, text: l.text[start+1 : l.at-1], quoted: true, at: start}, nil
	case c == '"':
		return l.str(start)
	case c == ':':
		l.at++
		text := l.run(symbolByte)
		if text == "" {
			return token{}, &lexError{start, "expected the name of a keyword after the colon"}
		}
		return token{kind: keywordToken, text: text, at: start}, nil
	case c == '#':
		return l.hash(start)
	case digit(c):
		return l.number(start)
	case symbolByte(c):
		return token{kind: symbolToken, text: l.run(symbolByte), at: start}, nil
	default:
		return token{}, &lexError{start, fmt.Sprintf("the character %q begins nothing in SMT-LIB", c)}
	}
}

type lexError struct {
	at      int
	message string
}

// blank skips white space and comments.
func (l *lexer) blank() {
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			l.at++
		case ';':
			end := strings.IndexByte(l.text[l.at:], '\n')
			if end < 0 {
				l.at = len(l.text)
				return
			}
			l.at += end + 1
		default:
			return
		}
	}
}

func (l *lexer) run(part func(byte) bool) string {
	start := l.at
	for l.at < len(l.text) && part(l.text[l.at]) {
		l.at++
	}
	return l.text[start:l.at]
}

func (l *lexer) number(start int) (token, *lexError) {
	l.run(digit)
	kind := numeralToken
	if l.at+1 < len(l.text) && l.text[l.at] == '.' && digit(l.text[l.at+1]) {
		kind = decimalToken
		l.at++
		l.run(digit)
	}
	if l.at < len(l.text) && symbolByte(l.text[l.at]) {
		l.run(symbolByte)
		return token{}, &lexError{start, fmt.Sprintf("%s is neither a number nor a symbol: symbols do not begin with a digit", clip(l.text[start:l.at]))}
	}
	return token{kind: kind, text: l.text[start:l.at], at: start}, nil
}

func (l *lexer) hash(start int) (token, *lexError) {
	l.at++
	kind, part := endToken, func(c byte) bool { return c == '0' || c == '1' }
	if l.at < len(l.text) {
		switch l.text[l.at] {
		case 'b':
			kind = binaryToken
		case 'x':
			kind = hexToken
			part = func(c byte) bool { return digit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
		}
	}
	if kind == endToken {
		return token{}, &lexError{start, "expected #x or #b and digits"}
	}
	l.at++
	text := l.run(part)
	if text == "" || l.at < len(l.text) && symbolByte(l.text[l.at]) {
		return token{}, &lexError{start, "expected digits of a bit vector, as in #x1f and #b101"}
	}
	return token{kind: kind, text: text, at: start}, nil
}

// str reads a string to its quote: one that is not doubled and, in the old dialect, has no
// backslash before it.
func (l *lexer) str(start int) (token, *lexError) {
	var b strings.Builder
	from := start + 1
	for i := from; i < len(l.text); i++ {
		switch {
		case l.old && l.text[i] == '\\' && i+1 < len(l.text):
			i++
		case l.text[i] == '"' && i+1 < len(l.text) && l.text[i+1] == '"':
			b.WriteString(l.text[from : i+1])
			i++
			from = i + 1
		case l.text[i] == '"':
			b.WriteString(l.text[from:i])
			l.at = i + 1
			return token{kind: stringToken, text: b.String(), at: start}, nil
		}
	}
	return token{}, &lexError{start, "the string has no end; expected \""}
}
