package dynamic

import (
	"encoding/hex"
	"strconv"
	"strings"
)

// classPython returns the class of an argument: empty or not, the characters of a string, the sign
// of a number.
func classPython(v Value) string {
	switch v.Kind {
	case "str":
		switch {
		case v.Text == "":
			return "empty str"
		case ascii(v.Text):
			return "ASCII str"
		}
		return "Unicode str"
	case "bytes":
		switch {
		case v.Text == "":
			return "empty bytes"
		case ascii(v.Text):
			return "ASCII bytes"
		}
		return "bytes"
	case "int":
		switch v.Int.Sign() {
		case -1:
			return "negative int"
		case 0:
			return "0"
		}
		return "positive int"
	case "list":
		if len(v.List) == 0 {
			return "empty list"
		}
		return "list of " + classPython(v.List[0])
	case "float":
		return "float"
	case "bool":
		return "bool"
	}
	return "None"
}

// quotePython renders a value as Python source.
func quotePython(v Value) string {
	switch v.Kind {
	case "str":
		return quoted(v.Text)
	case "bytes":
		var b strings.Builder
		for i := range len(v.Text) {
			switch c := v.Text[i]; {
			case c == '\'' || c == '\\':
				b.WriteString(`\` + string(c))
			case c >= ' ' && c < 0x7f:
				b.WriteByte(c)
			default:
				b.WriteString(`\x` + hex.EncodeToString([]byte{c}))
			}
		}
		return "b'" + b.String() + "'"
	case "int":
		return v.Int.String()
	case "float":
		return strconv.FormatFloat(v.Float, 'g', -1, 64)
	case "bool":
		if v.Bool {
			return "True"
		}
		return "False"
	case "list":
		var all []string
		for _, e := range v.List {
			all = append(all, quotePython(e))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return "None"
}

// quoted renders a string as Python source. Invisible and confusing characters are escaped.
func quoted(s string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < 0x20, c == 0x7f, c > 0x7f && !strconv.IsPrint(c), c == 0x300, c == 0x345, c == 0x307:
			escape := strconv.QuoteRuneToASCII(c)
			escape = escape[1 : len(escape)-1]
			// escapes such as \a are less known than the number
			if len(escape) == 2 && !strings.ContainsAny(escape[1:], "nrt") {
				escape = `\x` + hex.EncodeToString([]byte{byte(c)})
			}
			b.WriteString(escape)
		default:
			b.WriteRune(c)
		}
	}
	return "'" + b.String() + "'"
}
