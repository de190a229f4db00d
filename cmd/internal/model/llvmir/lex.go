package llvmir

import (
	"fmt"
	"strings"
)

// kind is the kind of a token.
type kind uint8

const (
	endToken    kind = iota
	wordToken        // define, i32, nsw, 15: is a word and a colon
	localToken       // %name, text without %
	globalToken      // @name, text without @
	metaToken        // !name, !15, or ! before { and "
	groupToken       // #0, #dbg_value
	stringToken      // "text", with escapes replaced
	bytesToken       // c"text"
	numberToken      // 15, -1, 0x3FF0000000000000
	markToken        // one of = , ( ) [ ] { } < > * : | and ...
)

// token is one word of the text. line counts from 1.
type token struct {
	kind kind
	text string
	line int
}

func (t token) String() string {
	switch t.kind {
	case endToken:
		return "the end of the file"
	case localToken:
		return "%" + t.text
	case globalToken:
		return "@" + t.text
	case metaToken:
		return "!" + t.text
	case groupToken:
		return "#" + t.text
	}
	return t.text
}

// lexer splits text into tokens.
type lexer struct {
	text string
	at   int
	line int
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '-'
}

// next reads a token.
func (l *lexer) next() (token, error) {
	l.blank()
	if l.at == len(l.text) {
		return token{line: l.line}, nil
	}
	c := l.text[l.at]
	switch c {
	case '%', '@', '!', '#':
		l.at++
		k := map[byte]kind{'%': localToken, '@': globalToken, '!': metaToken, '#': groupToken}[c]
		if c != '!' && l.at < len(l.text) && l.text[l.at] == '"' {
			text, err := l.quoted()
			return token{k, text, l.line}, err
		}
		return token{k, l.word(), l.line}, nil
	case '"':
		text, err := l.quoted()
		return token{stringToken, text, l.line}, err
	case 'c':
		if strings.HasPrefix(l.text[l.at:], `c"`) {
			l.at++
			text, err := l.quoted()
			return token{bytesToken, text, l.line}, err
		}
	case '.':
		if strings.HasPrefix(l.text[l.at:], "...") {
			l.at += 3
			return token{markToken, "...", l.line}, nil
		}
	}
	if wordByte(c) {
		word := l.word()
		if c >= '0' && c <= '9' || c == '-' {
			if l.at < len(l.text) && l.text[l.at] == '+' { // 1.000000e+00
				l.at++
				word += "+" + l.word()
			}
			return token{numberToken, word, l.line}, nil
		}
		return token{wordToken, word, l.line}, nil
	}
	if strings.IndexByte("=,()[]{}<>*:|", c) < 0 {
		return token{}, fmt.Errorf("line %d: %q is not part of LLVM's text IR", l.line, c)
	}
	l.at++
	return token{markToken, string(c), l.line}, nil
}

// blank skips blanks and comments.
func (l *lexer) blank() {
	for ; l.at < len(l.text); l.at++ {
		switch l.text[l.at] {
		case '\n':
			l.line++
		case ' ', '\t', '\r':
		case ';':
			for l.at+1 < len(l.text) && l.text[l.at+1] != '\n' {
				l.at++
			}
		default:
			return
		}
	}
}

func (l *lexer) word() string {
	start := l.at
	for l.at < len(l.text) && wordByte(l.text[l.at]) {
		l.at++
	}
	return l.text[start:l.at]
}

// quoted reads a string, in which \5C is a byte by its hexadecimal number.
func (l *lexer) quoted() (string, error) {
	end := strings.IndexByte(l.text[l.at+1:], '"')
	if end < 0 || strings.IndexByte(l.text[l.at+1:l.at+1+end], '\n') >= 0 {
		return "", fmt.Errorf("line %d: a string does not end", l.line)
	}
	raw := l.text[l.at+1 : l.at+1+end]
	l.at += end + 2
	if strings.IndexByte(raw, '\\') < 0 {
		return raw, nil
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+2 < len(raw) {
			high, low := digit(raw[i+1]), digit(raw[i+2])
			if high < 16 && low < 16 {
				b.WriteByte(high<<4 | low)
				i += 2
				continue
			}
		}
		if raw[i] == '\\' && i+1 < len(raw) && raw[i+1] == '\\' {
			i++
		}
		b.WriteByte(raw[i])
	}
	return b.String(), nil
}

func digit(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// skipLine goes to the end of the line that the lexer is on.
func (l *lexer) skipLine() {
	for l.at < len(l.text) && l.text[l.at] != '\n' {
		l.at++
	}
}

// skipBody goes behind the brace that ends a function: LLVM writes it at the beginning of a line.
func (l *lexer) skipBody() bool {
	for l.at < len(l.text) {
		l.skipLine()
		if l.at == len(l.text) {
			return false
		}
		l.at++
		l.line++
		if l.at < len(l.text) && l.text[l.at] == '}' {
			l.at++
			return true
		}
	}
	return false
}
