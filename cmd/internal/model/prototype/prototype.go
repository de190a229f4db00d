// Package prototype parses the C prototypes that users write for models. For example, `int
// clamp(int x, const char *s, size_t n)` becomes a signature of calls.
//
// The parser is strict: unknown constructs are errors with a column, since a guessed type would
// make the comparison meaningless. Types are those of x86-64: char is signed, and long has 64 bits.
// The type of a parameter decides its form, as in package extract:
//
//	integers, _Bool              a number
//	size_t                       a number; where there are buffers, at most as many as the smallest of them has elements
//	char *, wchar_t *            a string: elements, and a final zero
//	void *, unsigned char *, uint8_t *, signed char *, int8_t *   bytes
//	other integers *             one integer; with Parameter.Elements, as many in a row
//	T **                         one pointer, null before the call
//
// Parameters, by name, add further properties.
package prototype

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
)

// Parameter has the properties of a parameter that a prototype does not express. The zero value
// adds none.
type Parameter struct {
	// length of the buffer, without the zero of a string; 0 means extract.DefaultBuffer, or one
	// integer
	Elements int
	Null     bool   // may be a null pointer
	As       string // "string" or "bytes", to override the type
	AtMost   int    // maximum of a number; 0 means none
	Value    string // fixed value of a number
}

// Error is a mistake in a prototype or in the properties of its parameters.
type Error struct {
	Prototype string
	Column    int // from 1; 0 if the mistake is not in the text
	What      string
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("prototype %q: %s", e.Prototype, e.What)
	}
	return fmt.Sprintf("prototype %q, column %d: %s", e.Prototype, e.Column, e.What)
}

// MaxElements limits the elements of a buffer.
const MaxElements = 4096

// before is the number of guard bytes before a buffer. After it, there are as many plus the length
// of the buffer. Adapters of engines use the same layout.
const before = 8

// Read parses a prototype. parameters maps its parameter names to properties.
func Read(text string, parameters map[string]Parameter) (*call.Signature, error) {
	p := &parser{text: text}
	d, err := p.read()
	if err != nil {
		return nil, err
	}
	s := &call.Signature{Function: d.name, Prototype: text}
	if s.Result, err = result(p, d); err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for i, q := range d.params {
		option, given := parameters[q.name]
		given = given && q.name != ""
		if q.name == "" {
			q.name = fmt.Sprintf("arg_%d", i)
		}
		if names[q.name] {
			return nil, p.fail(q.column, "a second parameter is called %s", q.name)
		}
		names[q.name] = true
		if !given {
			option = Parameter{}
		}
		a, err := argument(p, q, option)
		if err != nil {
			return nil, err
		}
		s.Arguments = append(s.Arguments, a)
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if !slices.ContainsFunc(d.params, func(q declared) bool { return q.name == name }) {
			return nil, p.fail(0, "there is no parameter called %s", name)
		}
	}
	assume(s)
	return s, nil
}

// result returns the form of the function's result.
func result(p *parser, d declared) (extract.Result, error) {
	switch {
	case d.depth > 0:
		return extract.Result{Name: "ret", Kind: "address", Bits: 64}, nil
	case d.base.kind == void:
		return extract.Result{Name: "ret", Kind: "void"}, nil
	case d.base.kind == other:
		return extract.Result{}, p.fail(d.base.column, "the result is %s, which is not supported", d.base.what)
	}
	return extract.Result{Name: "ret", Kind: "scalar", Bits: d.base.bits, Signed: d.base.signed}, nil
}

// argument returns the form of a parameter.
func argument(p *parser, q declared, o Parameter) (extract.Argument, error) {
	fail := func(format string, args ...any) (extract.Argument, error) {
		return extract.Argument{}, p.fail(q.column, "parameter %s: %s", q.name, fmt.Sprintf(format, args...))
	}
	a := extract.Argument{Name: q.name, Bits: q.base.bits, Signed: q.base.signed}
	if q.base.kind == other && q.depth < 2 {
		return extract.Argument{}, p.fail(q.base.column, "parameter %s is %s%s, which is not supported", q.name, []string{"", "a pointer to "}[min(q.depth, 1)], q.base.what)
	}
	if q.depth == 0 {
		switch {
		case q.base.kind == void:
			return extract.Argument{}, p.fail(q.base.column, "parameter %s is void", q.name)
		case o.Null || o.Elements != 0 || o.As != "":
			return fail("it is a number: null, elements and as are for pointers")
		case o.AtMost != 0 && o.Value != "":
			return fail("one of at_most and value is enough")
		case o.AtMost < 0 || q.base.bits < 63 && int64(o.AtMost) >= 1<<q.base.bits:
			return fail("at_most = %d is no number of %d bits above 0", o.AtMost, q.base.bits)
		case o.Value != "" && !fits(o.Value, q.base):
			return fail("value = %q is no %s number of %d bits", o.Value, map[bool]string{true: "signed", false: "unsigned"}[q.base.signed], q.base.bits)
		}
		a.Kind, a.Size, a.Assumed, a.Held = "scalar", q.base.size, o.AtMost, o.Value
		return a, nil
	}
	count := o.Elements
	if count == 0 {
		count = q.elements
	}
	switch {
	case o.AtMost != 0 || o.Value != "":
		return fail("it is a pointer: at_most and value are for numbers")
	case count < 0 || count > MaxElements:
		return fail("elements = %d is none of 1 to %d", count, MaxElements)
	case q.depth == 1 && q.base.bits == 1:
		return fail("a pointer to bool is not supported: not every byte is a value of it")
	case q.depth > 2:
		return fail("a pointer to pointers to pointers is not supported")
	case q.depth == 2 && (o.As != "" || count > 1):
		return fail("it is one pointer to a pointer: elements and as are not for it")
	case o.As != "" && o.As != "string" && o.As != "bytes":
		return fail("as = %q is none of string and bytes", o.As)
	}
	zero := 0
	switch {
	case q.depth == 2:
		a.Kind, a.Bits, a.Signed, count = "pointer", 64, false, 1
	case o.As != "":
		a.Kind = o.As
	case q.base.kind == character:
		a.Kind = "string"
	case q.base.kind == void || q.base.bits == 8:
		a.Kind = "bytes"
	case count > 0:
		a.Kind = "bytes"
	default:
		a.Kind, count = "cell", 1
	}
	if q.base.kind == void && q.depth == 1 {
		a.Bits = 8
	}
	if a.Kind == "string" {
		zero = 1
	}
	if count == 0 {
		count = extract.DefaultBuffer
	}
	if a.Kind != "cell" {
		a.Signed = false
	}
	a.Nullable = o.Null
	a.Bytes, a.Before, a.Behind = (count+zero)*(a.Bits/8), before, before+count*(a.Bits/8)
	return a, nil
}

func fits(value string, t base) bool {
	if t.signed {
		_, err := strconv.ParseInt(value, 10, t.bits)
		return err == nil
	}
	_, err := strconv.ParseUint(value, 10, t.bits)
	return err == nil
}

// assume limits sizes to the smallest buffer, since larger ones would overrun it.
func assume(s *call.Signature) {
	least := 0
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Kind == "string" || a.Kind == "bytes" {
			n := (a.Behind - a.Before) / (a.Bits / 8)
			if least == 0 || n < least {
				least = n
			}
		}
	}
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Size && a.Assumed == 0 && a.Held == "" {
			a.Assumed = least
		}
	}
}
