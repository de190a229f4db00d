package smt

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// decodeText decodes the escapes of a string: \u{...} and \uXXXX of SMT-LIB 2.6 and, in the old
// dialect, also those of C. A backslash without an escape is kept.
func decodeText(s string, old bool) []rune {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] == '\\' {
			r, n := unicodeEscape(s[i:])
			if n == 0 && old {
				r, n = oldEscape(s[i:])
			}
			if n > 0 {
				out = append(out, r)
				i += n
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r > MaxChar {
			r, n = rune(s[i]), 1 // invalid bytes represent themselves
		}
		out = append(out, r)
		i += n
	}
	return out
}

// unicodeEscape reads \u{1 to 5 digits} or \uXXXX, and how long it is.
func unicodeEscape(s string) (rune, int) {
	if len(s) < 2 || s[1] != 'u' {
		return 0, 0
	}
	if len(s) > 2 && s[2] == '{' {
		r, n := hexDigits(s[3:], 5)
		if n > 0 && 3+n < len(s) && s[3+n] == '}' && r <= MaxChar {
			return r, n + 4
		}
		return 0, 0
	}
	if r, n := hexDigits(s[2:], 4); n == 4 {
		return r, 6
	}
	return 0, 0
}

// oldEscape reads an escape of C, as z3 wrote strings before SMT-LIB had any.
func oldEscape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(`abfnrtve\"'`, s[1]); i >= 0 {
		return rune("\a\b\f\n\r\t\v\x1b\\\"'"[i]), 2
	}
	if s[1] == 'x' {
		if r, n := hexDigits(s[2:], 2); n == 2 {
			return r, 4
		}
		return 0, 0
	}
	var r rune
	n := 1
	for n < len(s) && n <= 3 && s[n] >= '0' && s[n] <= '7' {
		r = r<<3 | rune(s[n]-'0')
		n++
	}
	if n == 1 || r > 255 {
		return 0, 0
	}
	return r, n
}

func hexDigits(s string, most int) (r rune, n int) {
	for n < len(s) && n < most {
		i := strings.IndexByte("0123456789abcdef", s[n]|0x20)
		if i < 0 || s[n] < '0' {
			break
		}
		r = r<<4 | rune(i)
		n++
	}
	return r, n
}

// writeText writes a string in printable ASCII.
func writeText(b *strings.Builder, text []rune) {
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"':
			b.WriteString(`""`)
		case r < ' ' || r > '~' || r == '\\':
			fmt.Fprintf(b, `\u{%x}`, r)
		default:
			b.WriteByte(byte(r))
		}
	}
	b.WriteByte('"')
}

func writeInt(b *strings.Builder, n *big.Int) {
	if n.Sign() < 0 {
		fmt.Fprintf(b, "(- %v)", new(big.Int).Neg(n))
		return
	}
	b.WriteString(n.String())
}

func writeBits(b *strings.Builder, n *big.Int, width int) {
	if width%4 == 0 {
		fmt.Fprintf(b, "#x%0*s", width/4, n.Text(16))
		return
	}
	fmt.Fprintf(b, "#b%0*s", width, n.Text(2))
}

// reserved holds the words that are no symbols unless quoted in bars.
var reserved = map[string]bool{
	"_": true, "!": true, "as": true, "let": true, "forall": true, "exists": true, "match": true, "par": true,
	"BINARY": true, "DECIMAL": true, "HEXADECIMAL": true, "NUMERAL": true, "STRING": true,
}

// writeSymbol writes a symbol, in bars where it has to be.
func writeSymbol(b *strings.Builder, name string) {
	plain := name != "" && !digit(name[0]) && !reserved[name] && commands[name] == nil && !negative(name)
	for i := 0; plain && i < len(name); i++ {
		plain = name[i] < 0x80 && symbolByte(name[i])
	}
	if plain {
		b.WriteString(name)
		return
	}
	b.WriteByte('|')
	b.WriteString(name)
	b.WriteByte('|')
}

// negative reports whether a symbol looks like a negative number of other languages. In SMT-LIB it
// is a symbol, which may be declared.
func negative(name string) bool {
	return len(name) > 1 && name[0] == '-' && strings.Trim(name[1:], "0123456789") == ""
}
