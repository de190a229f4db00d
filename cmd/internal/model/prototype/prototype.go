// Package prototype reads the C prototypes that users write for models: `int clamp(int x, const char *s, size_t n)` becomes a signature of calls.
//
// It is strict: what it does not know is an error with the column, since a type that is guessed would make a comparison of other things. The
// types are those of x86-64: char is signed, long has 64 bits. What a parameter is follows from its type, as package extract has it:
//
//	integers, _Bool              a number
//	size_t                       a number; where there are buffers, at most as many as the smallest of them has elements
//	char *, wchar_t *            a string: elements, of which the last is zero
//	void *, unsigned char *, uint8_t *, signed char *, int8_t *   bytes
//	other integers *             one integer; with Parameter.Elements, as many in a row
//	T **                         one pointer, null before the call
//
// Parameters, by name, say the rest.
package prototype

import (
	"fmt"
	"slices"
	"strconv"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
)

// Parameter is what a prototype does not say of a parameter. The zero value says nothing.
type Parameter struct {
	Elements int    // of what is pointed to, without the zero of a string; 0 is extract.DefaultBuffer, or one integer
	Null     bool   // it may be a null pointer
	As       string // "string" or "bytes", instead of what the type says
	AtMost   int    // a number is at most this; 0 says nothing
	Value    string // a number is this in all calls
}

// Error is a mistake in a prototype, or in what is said of its parameters.
type Error struct {
	Prototype string
	Column    int // the first is 1; 0 if it is none of the text's
	What      string
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("prototype %q: %s", e.Prototype, e.What)
	}
	return fmt.Sprintf("prototype %q, column %d: %s", e.Prototype, e.Column, e.What)
}

// MaxElements is how many elements a buffer has at most.
const MaxElements = 4096

// before is how many guard bytes lie before a buffer; behind it are as many and as many as it has elements. Adapters of engines have it too.
const before = 8

// Read reads a prototype. parameters are by the names that it gives them.
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
	for _, name := range sorted(parameters) {
		if !slices.ContainsFunc(d.params, func(q declared) bool { return q.name == name }) {
			return nil, p.fail(0, "there is no parameter called %s", name)
		}
	}
	assume(s)
	return s, nil
}

func sorted(parameters map[string]Parameter) (names []string) {
	for name := range parameters {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// result is what the function returns.
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

// argument is what a parameter is.
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

// assume bounds sizes by the smallest buffer: more would be outside of it.
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
