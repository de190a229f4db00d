// Package input defines inputs: the kinds of arguments, the flat form in memory, the file form on
// disk, and the decoded view for programs.
//
// An input has a Shape: the kinds of the arguments of the programs under test. In memory and
// between processes, it is one []byte, the flat form:
//
//   - a raw shape (exactly one []byte or string): the value itself;
//   - any other shape: the arguments in order; scalars little-endian in their width, []byte and
//     string as a 4-byte little-endian length followed by the data.
//
// On disk, it is the file form. For raw shapes this is the bytes themselves, and otherwise the "go
// test fuzz v1" text of Go's own corpus files. testdata/fuzz and a campaign's corpus are therefore
// interchangeable.
//
// The mutators use Spans, the worker Args, and the corpus, the minimizer and the tool Encode,
// Decode, Import and Hash.
//
// A flat form that passes Check survives Decode(Encode(flat)) bit for bit, including NaN payloads.
// Args never returns or writes memory again that it has passed to programs.
package input

import (
	"fmt"
	"strings"
)

// Kind is the type of one argument. The type rune is Int32 and the type byte Uint8.
type Kind uint8

// The kinds of arguments, those of Go's native fuzzing.
const (
	Invalid Kind = iota
	Bytes
	String
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
)

// kinds holds the Go type and the width in the flat form of every kind. int and uint are 8 bytes
// wide on all machines, so that a corpus does not depend on the machine.
var kinds = [...]struct {
	name  string
	width int
}{
	Invalid: {"invalid", 0},
	Bytes:   {"[]byte", 0},
	String:  {"string", 0},
	Bool:    {"bool", 1},
	Int:     {"int", 8},
	Int8:    {"int8", 1},
	Int16:   {"int16", 2},
	Int32:   {"int32", 4},
	Int64:   {"int64", 8},
	Uint:    {"uint", 8},
	Uint8:   {"uint8", 1},
	Uint16:  {"uint16", 2},
	Uint32:  {"uint32", 4},
	Uint64:  {"uint64", 8},
	Float32: {"float32", 4},
	Float64: {"float64", 8},
}

// String returns the Go type: "[]byte", "string", "int", and so on.
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k].name
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind of a Go type. It accepts "byte", "rune" and "[]uint8", too.
func ParseKind(goType string) (Kind, bool) {
	switch goType {
	case "byte":
		return Uint8, true
	case "rune":
		return Int32, true
	case "[]uint8":
		return Bytes, true
	}
	for k := Bytes; int(k) < len(kinds); k++ {
		if kinds[k].name == goType {
			return k, true
		}
	}
	return Invalid, false
}

// Width returns the size of a scalar in the flat form in bytes, and 0 for Bytes and String.
func (k Kind) Width() int {
	if int(k) < len(kinds) {
		return kinds[k].width
	}
	return 0
}

// sized reports whether the flat form of the kind starts with a length.
func (k Kind) sized() bool { return k == Bytes || k == String }

// Shape lists the kinds of the arguments of an input, in order.
type Shape []Kind

// String returns the shape as a Go parameter list, "([]byte, int)".
func (s Shape) String() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, k := range s {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k.String())
	}
	b.WriteByte(')')
	return b.String()
}

// ParseShape parses the form of Shape.String, with every spelling of ParseKind.
func ParseShape(text string) (Shape, error) {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "(")
	if ok {
		inner, ok = strings.CutSuffix(inner, ")")
	}
	if !ok {
		return nil, fmt.Errorf("input shape %q: expected types in parentheses, such as ([]byte, int)", text)
	}
	var s Shape
	for _, name := range strings.Split(inner, ",") {
		k, ok := ParseKind(strings.TrimSpace(name))
		if !ok {
			return nil, fmt.Errorf("input shape %q: type %q is not supported: use []byte, string, bool, or an integer or float type", text, strings.TrimSpace(name))
		}
		s = append(s, k)
	}
	return s, nil
}

// Raw reports whether the shape is exactly one []byte or string, whose flat form is the value
// itself.
func (s Shape) Raw() bool { return len(s) == 1 && s[0].sized() }
