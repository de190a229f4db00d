package scope

import (
	"cmp"
	"fmt"
	"strings"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
)

// Declared reports whether a call is in a declared scope, and why not. The error is an
// *EvaluationError.
type Declared func(call.Call) (in bool, why string, err error)

// EvaluationError reports that a declared scope cannot be computed for a call.
type EvaluationError struct {
	Call string // as C
	Err  error
}

func (e *EvaluationError) Error() string {
	return fmt.Sprintf("it cannot be computed for %s: %v", e.Call, e.Err)
}
func (e *EvaluationError) Unwrap() error { return e.Err }

// Declare reads the scope that the model's authors declare, as a term of SMT-LIB. The term holds
// for the calls on which the model is meant to be right. Its constants are the function's
// parameters, by name or as arg_0, arg_1 and so on. Numbers are bit vectors, and text of bytes is a
// String up to its first zero. Other buffers have no constant, since they may continue after a zero
// or have wider elements. A pointer that may be null also has its address as addr_0 and so on,
// which is 0 for null.
func Declare(s *call.Signature, text string) (Declared, error) {
	ctx := smt.NewContext()
	constants := map[string]*smt.Term{}
	var inputs []*smt.Term
	var others []string // arguments without a constant
	var addresses []int // arguments whose addresses follow the other inputs
	for i := range s.Arguments {
		a := &s.Arguments[i]
		sort := smt.String
		if a.Kind == "scalar" {
			sort = smt.BitVec(a.Bits)
		}
		c := ctx.Const(fmt.Sprintf("arg_%d", i), sort)
		inputs = append(inputs, c)
		if a.Kind != "scalar" && !formula.Text(a) {
			others = append(others, cmp.Or(a.Name, c.Name()))
			continue
		}
		constants[c.Name()] = c
		if a.Name != "" {
			constants[a.Name] = c
		}
	}
	for i := range s.Arguments {
		if a := &s.Arguments[i]; a.Nullable {
			c := ctx.Const(fmt.Sprintf("addr_%d", i), smt.BitVec(64))
			inputs, addresses = append(inputs, c), append(addresses, i)
			for _, name := range []string{c.Name(), "addr_" + a.Name} {
				if constants[name] == nil { // a parameter may have this name
					constants[name] = c
				}
			}
		}
	}
	t, err := smt.ReadTerm(ctx, text, constants, smt.Options{Name: "scope"})
	if err != nil && len(others) > 0 {
		return nil, fmt.Errorf("%w (a scope says nothing of %s, which points to what is no text)", err, strings.Join(others, " and "))
	}
	if err != nil {
		return nil, err
	}
	if t.Sort() != smt.Bool {
		return nil, fmt.Errorf("the scope is of sort %s: write a term that is true or false", t.Sort())
	}
	program, err := smt.Compile(inputs, t)
	if err != nil {
		return nil, err
	}
	m := program.Machine()
	holds := func(c call.Call) error {
		for i := range s.Arguments {
			v := smt.TextValue(runes(c[i].Data))
			if a := &s.Arguments[i]; a.Kind == "scalar" {
				v = smt.WordValue(c[i].Int, a.Bits)
			}
			if err := m.Set(i, v); err != nil {
				return err
			}
		}
		for k, i := range addresses {
			if err := m.Set(len(s.Arguments)+k, smt.WordValue(formula.Address(i, c[i]), 64)); err != nil {
				return err
			}
		}
		return m.Run()
	}
	return func(c call.Call) (bool, string, error) {
		err := holds(c)
		switch {
		case err != nil:
			return false, "", &EvaluationError{s.Quote(c), err}
		case !m.Defined(0):
			return false, "the declared scope divides by zero", nil
		case !m.Bool(0):
			return false, "declared out of scope", nil
		}
		return true, "", nil
	}, nil
}

// runes returns the characters of a string, up to its zero.
func runes(data []byte) (text []rune) {
	for _, b := range data {
		if b == 0 {
			break
		}
		text = append(text, rune(b))
	}
	return text
}
