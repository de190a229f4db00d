package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt"
)

// Declaration is the declared scope of a function's model. It must stay on one goroutine.
type Declaration struct {
	f       *Function
	of      []int // parameters that are inputs of the machine, in order
	machine *smt.Machine
}

// Declare reads the declared scope of an engine's model, Function.Scope, as a term of SMT-LIB. Its
// constants are required parameters with values of one sort, by name or as arg_0, arg_1 and so on.
// An int is an Int, a str or bytes a String, and a bool a Bool.
func Declare(f *Function) (*Declaration, error) {
	ctx := smt.NewContext()
	constants := map[string]*smt.Term{}
	var inputs []*smt.Term
	var of []int
	var others []string
	for i, p := range f.Parameters {
		sort := sortOf(p)
		if sort == nil {
			others = append(others, p.Name)
			continue
		}
		c := ctx.Const(fmt.Sprintf("arg_%d", i), sort)
		inputs, of = append(inputs, c), append(of, i)
		constants[c.Name()] = c
		constants[p.Name] = c
	}
	t, err := smt.ReadTerm(ctx, f.Scope, constants, smt.Options{Name: "scope"})
	if err == nil && t.Sort() != smt.Bool {
		err = fmt.Errorf("the scope is of sort %s: write a term that is true or false", t.Sort())
	}
	if err != nil && len(others) > 0 {
		err = fmt.Errorf("%w (a scope says nothing of %s: it may be left out, or has values of several types)", err, strings.Join(others, " and "))
	}
	if err != nil {
		return nil, err
	}
	program, err := smt.Compile(inputs, t)
	if err != nil {
		return nil, err
	}
	return &Declaration{f, of, program.Machine()}, nil
}

// sortOf returns the sort of a parameter in a declared scope, or nil if it has none.
func sortOf(p extract.Parameter) (sort *smt.Sort) {
	if p.Optional {
		return nil
	}
	for _, k := range p.Kinds {
		var one *smt.Sort
		switch {
		case k == "str", k == "bytes", strings.HasPrefix(k, "="):
			one = smt.String
		case k == "int":
			one = smt.Int
		case k == "bool":
			one = smt.Bool
		}
		if one == nil || sort != nil && sort != one {
			return nil
		}
		sort = one
	}
	return sort
}

// Meant returns why a call is not in the scope, or nil if it is. The error is a
// *scope.EvaluationError if the term cannot be computed for the call.
func (d *Declaration) Meant(c Call) error {
	for k, i := range d.of {
		var v smt.Value
		switch sortOf(d.f.Parameters[i]) {
		case smt.Int:
			v = smt.IntValue(c[i].Int)
		case smt.Bool:
			v = smt.BoolValue(c[i].Bool)
		default:
			v = smt.TextValue(elements(c[i]))
		}
		if err := d.machine.Set(k, v); err != nil {
			return &scope.EvaluationError{Call: d.f.Quote(c), Err: err}
		}
	}
	if err := d.machine.Run(); err != nil {
		return &scope.EvaluationError{Call: d.f.Quote(c), Err: err}
	}
	switch {
	case !d.machine.Defined(0):
		return errors.New("the declared scope divides by zero")
	case !d.machine.Bool(0):
		return errors.New("declared out of scope")
	}
	return nil
}

// elements returns the characters of a str, or the bytes of bytes.
func elements(v Value) (text []rune) {
	if v.Kind == "str" {
		return []rune(v.Text)
	}
	for i := range len(v.Text) {
		text = append(text, rune(v.Text[i]))
	}
	return text
}

// Within adds the user's options to an engine's Asker: the declared scope and the comparison of
// results. Without options, it returns the Asker itself.
func Within(f *Function, ask Asker) (Asker, error) {
	if f.Compare == Set {
		ask = unorderedAsker{ask}
	}
	if f.Scope == "" {
		return ask, nil
	}
	d, err := Declare(f)
	if err != nil {
		return nil, err
	}
	return within{ask, d}, nil
}

type within struct {
	Asker
	*Declaration
}

// Declared implements Declarer.
func (w within) Declared() string { return w.f.Scope }

// unorderedAsker returns lists in sorted order.
type unorderedAsker struct{ Asker }

// Calls implements Asker.
func (b unorderedAsker) Calls(ctx context.Context, function string, side extract.Side, list []json.RawMessage) ([]extract.Said, error) {
	said, err := b.Asker.Calls(ctx, function, side, list)
	for i := range said {
		said[i] = unordered(said[i])
	}
	return said, err
}
