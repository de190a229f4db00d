package dynamic

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// numeric matches PHP's numeric strings.
var numeric = lazyregexp.New(`^[ \t\n\r\v\f]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t\n\r\v\f]*$`)

// classPHP returns the class of an argument. Numeric strings have a class of their own, since PHP
// treats them as numbers.
func classPHP(v Value) string {
	switch v.Kind {
	case "bytes":
		switch {
		case v.Text == "":
			return "empty string"
		case numeric().MatchString(v.Text):
			return "numeric string"
		case ascii(v.Text):
			return "ASCII string"
		}
		return "string of bytes"
	case "none":
		return "null"
	case "bool":
		return quotePHP(v)
	}
	return classPython(v)
}

// quotePHP renders a value as PHP source on one line.
func quotePHP(v Value) string {
	switch v.Kind {
	case "bytes", "str":
		var b strings.Builder
		b.WriteByte('"')
		for i := range len(v.Text) {
			switch c := v.Text[i]; {
			case c == '"' || c == '\\' || c == '$':
				b.WriteString(`\` + string(rune(c)))
			case c == '\n':
				b.WriteString(`\n`)
			case c == '\r':
				b.WriteString(`\r`)
			case c == '\t':
				b.WriteString(`\t`)
			case c < ' ' || c >= 0x7f:
				fmt.Fprintf(&b, `\x%02x`, c)
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('"')
		return b.String()
	case "int":
		if v.Int.IsInt64() && v.Int.Int64() == math.MinInt64 {
			return "PHP_INT_MIN"
		}
		return v.Int.String()
	case "float":
		switch {
		case math.IsInf(v.Float, 1):
			return "INF"
		case math.IsInf(v.Float, -1):
			return "-INF"
		case math.IsNaN(v.Float):
			return "NAN"
		}
		text := strconv.FormatFloat(v.Float, 'G', -1, 64)
		if !strings.ContainsAny(text, ".E") {
			text += ".0"
		}
		return text
	case "bool":
		if v.Bool {
			return "true"
		}
		return "false"
	}
	return "null"
}
