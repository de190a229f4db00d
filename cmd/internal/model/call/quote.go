package call

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parallax/cmd/internal/model/extract"
)

// Quote renders a call as C source. A buffer is a string literal of its bytes, without the zeros at
// its end. A buffer that is not a string has its size written out if the literal is shorter.
func (s *Signature) Quote(c Call) string {
	var args []string
	for i := range s.Arguments {
		args = append(args, quoteArgument(&s.Arguments[i], c[i]))
	}
	return s.Function + "(" + strings.Join(args, ", ") + ")"
}

func quoteArgument(a *extract.Argument, v Value) string {
	switch {
	case a.Kind == "scalar":
		return constant(v.Int, a.Bits, a.Signed)
	case v.Data == nil:
		return "NULL"
	case a.Kind == "pointer":
		return "&end"
	case a.Kind == "cell":
		return "&(" + integer(a) + "){" + constant(word(v.Data), a.Bits, a.Signed) + "}"
	case a.Bits > 8:
		var elements []string
		for rest := trimmed(v.Data, a.Bits/8); len(rest) > 0; rest = rest[a.Bits/8:] {
			elements = append(elements, constant(word(rest[:a.Bits/8]), a.Bits, a.Signed))
		}
		return "(" + integer(a) + "[]){" + strings.Join(append(elements, "0"), ", ") + "}"
	}
	bytes := trimmed(v.Data, 1)
	if a.Kind == "bytes" && len(bytes)+1 < len(v.Data) {
		return fmt.Sprintf("(char[%d]){%s}", len(v.Data), Literal(bytes))
	}
	return Literal(bytes)
}

// integer returns the C type of an argument's elements.
func integer(a *extract.Argument) string {
	u := "u"
	if a.Signed {
		u = ""
	}
	return fmt.Sprintf("%sint%d_t", u, a.Bits)
}

// trimmed returns data without the zero elements at its end.
func trimmed(data []byte, size int) []byte {
	for len(data) >= size && word(data[len(data)-size:]) == 0 {
		data = data[:len(data)-size]
	}
	return data
}

func word(data []byte) (n uint64) {
	for k := min(len(data), 8) - 1; k >= 0; k-- {
		n = n<<8 | uint64(data[k])
	}
	return n
}

func number(n uint64, bits int, signed bool) string {
	if signed {
		return strconv.FormatInt(Signed(n, bits), 10)
	}
	return strconv.FormatUint(n, 10)
}

// constant renders a number as C source. The smallest 64-bit integer and integers above the largest
// signed one need special forms.
func constant(n uint64, bits int, signed bool) string {
	text := number(n, bits, signed)
	switch {
	case signed && Signed(n, bits) == math.MinInt64:
		return "(-9223372036854775807-1)"
	case !signed && n > math.MaxInt64:
		return text + "u"
	}
	return text
}

// Literal renders bytes as a C string literal, in one line of ASCII.
func Literal(data []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, x := range data {
		switch {
		case x == '"' || x == '\\':
			b.WriteByte('\\')
			b.WriteByte(x)
		case x == '?' && i > 0 && data[i-1] == '?': // avoids a trigraph
			b.WriteString(`\?`)
		case x >= ' ' && x < 0x7f:
			b.WriteByte(x)
		case x == '\n':
			b.WriteString(`\n`)
		case x == '\t':
			b.WriteString(`\t`)
		default: // at most three octal digits are read, unlike hexadecimal ones
			fmt.Fprintf(&b, `\%03o`, x)
		}
	}
	b.WriteByte('"')
	return b.String()
}
