// Package quote writes inputs and messages on one line: inputs as Go values or expressions,
// messages of failures without their ends of lines.
package quote

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
	"parallax/internal/input"
	"parallax/internal/tape"
)

// Input renders an input on one line, with about limit bytes per argument at most. A single
// argument of bytes is a Go string. Other arguments are as Go would print them in a call.
func Input(shape input.Shape, flat []byte, limit int) string {
	values := Unpack(shape, flat)
	if values == nil {
		return escape.QuoteCut(string(flat), limit)
	}
	parts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case []byte:
			parts[i] = escape.QuoteCut(string(v), limit)
		case string:
			parts[i] = escape.QuoteCut(v, limit)
		default:
			parts[i] = fmt.Sprint(v)
		}
	}
	if shape.Raw() {
		if t := Tape(flat); t != nil && t.Rest != 0 {
			return fmt.Sprintf("a tape of %s and a seed for the rest", units.Plural(len(t.Choices), "choice"))
		} else if t != nil {
			return fmt.Sprintf("a tape of %s", units.Plural(len(t.Choices), "choice"))
		}
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Tape is the tape that a flat form encodes, nil if it is none.
func Tape(flat []byte) *tape.Tape {
	t := &tape.Tape{}
	if !tape.IsTape(flat) || t.Decode(flat) != nil {
		return nil
	}
	return t
}

// Unpack is nil for a flat form that is not of the shape: reports show damaged records too.
func Unpack(shape input.Shape, flat []byte) []any {
	if len(shape) == 0 || shape.Check(flat) != nil {
		return nil
	}
	values, err := shape.Unpack(flat)
	if err != nil {
		return nil
	}
	return values
}

// Literals are the arguments of an input as Go expressions of their exact types.
func Literals(shape input.Shape, flat []byte) []string {
	values := Unpack(shape, flat)
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = Literal(v)
	}
	return out
}

// Literal is a Go expression with v's type and value. Floats that no constant can be come from
// their bits.
func Literal(v any) string {
	switch v := v.(type) {
	case []byte:
		return "[]byte(" + escape.Quote(string(v)) + ")"
	case string:
		return escape.Quote(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) || (v == 0 && math.Signbit(v)) {
			return fmt.Sprintf("math.Float64frombits(%#x)", math.Float64bits(v))
		}
	case float32:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) || (v == 0 && math.Signbit(f)) {
			return fmt.Sprintf("math.Float32frombits(%#x)", math.Float32bits(v))
		}
	}
	return fmt.Sprintf("%T(%v)", v, v)
}

// Inner is Quote without the quotes.
func Inner(s string) string { q := escape.Quote(s); return q[1 : len(q)-1] }
