package parallax

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parallax/gen"
	"parallax/internal/implementation"
)

// ErrDeclined is returned, alone or wrapped, by an implementation that does not want an input. It then takes no part in
// the comparison of this input.
var ErrDeclined = errors.New("parallax: input declined")

// A Part says one thing about a comparison: see [Impl], [Layers], [Normalize], [Ignore], [Accepts], [Rejects],
// [Precondition], [Repair] and [Generate].
type Part struct {
	add func(*harness) error
}

// harness is a Harness being put together.
type harness struct {
	Harness
	ignores []ignore
}

type ignore struct {
	reason string
	known  func(Difference) bool
}

// Impl names an implementation, a function.
func Impl(name string, fn any) Part {
	return part(func(h *harness) {
		h.Names = append(h.Names, name)
		h.Functions = append(h.Functions, reflect.ValueOf(fn))
	})
}

// Layers chooses what is compared: "verdict", "value", "class". Without it verdicts are, and values as far as their types
// allow.
func Layers(names ...string) Part {
	return Part{func(h *harness) error {
		if len(names) == 0 {
			return errors.New("Layers names none: use verdict, value or class")
		}
		h.Layers = append(h.Layers, names...)
		return nil
	}}
}

// Normalize replaces values before they are compared: fn is a func(T) U, and applies to results of type T, and to those of
// an interface type that hold a T. There can be several, for several types.
func Normalize(fn any) Part {
	return part(func(h *harness) { h.Normalizers = append(h.Normalizers, reflect.ValueOf(fn)) })
}

// Precondition leaves out inputs that are of no interest: fn takes what the implementations take and returns a bool. Where
// it returns false, every implementation declines the input.
func Precondition(fn any) Part {
	return part(func(h *harness) { h.Preconditions = append(h.Preconditions, reflect.ValueOf(fn)) })
}

// Repair makes mutants valid before they are run: fn takes what the implementations take and returns the same, with length
// fields and checksums, say, put right. What is compared, kept and reported is what fn returned, so that findings hold without
// it. It works under parallax, and not under go test. Package parallax/repair has such functions.
func Repair(fn any) Part {
	return part(func(h *harness) { h.Repairs = append(h.Repairs, reflect.ValueOf(fn)) })
}

// Generate has inputs drawn by a generator of package gen, in the place of bytes: a func(t *gen.T) that returns what the implementations take, a gen.Gen, or
// a function that returns one. The FuzzXxx is then one of a single []byte, an encoded tape of the generator's choices, as with gen.Fuzz: seeds of f.Add are such, and
// any other bytes are choices one after another. Control seeds are what the implementations take.
func Generate(generator any) Part {
	return part(func(h *harness) { h.Generators = append(h.Generators, reflect.ValueOf(generator)) })
}

// Ignore names a difference that is known and intended, and why. It is asked only about inputs on which implementations
// disagree.
func Ignore(reason string, known func(Difference) bool) Part {
	return Part{func(h *harness) error {
		switch {
		case strings.TrimSpace(reason) == "":
			return errors.New("Ignore has no reason: say why the difference is intended")
		case known == nil:
			return fmt.Errorf("Ignore(%q): the function is nil", reason)
		}
		h.ignores = append(h.ignores, ignore{reason, known})
		return nil
	}}
}

// Accepts is a control seed: an input that every implementation must accept. An implementation that does not shows that
// the harness is wrong, which is worth knowing before its findings are believed. []byte and string stand for each other,
// and untyped constants for every kind of number that holds them.
func Accepts(args ...any) Part {
	return part(func(h *harness) { h.Accepts = append(h.Accepts, args) })
}

// Rejects is a control seed that every implementation must reject.
func Rejects(args ...any) Part {
	return part(func(h *harness) { h.Rejects = append(h.Rejects, args) })
}

func part(add func(*harness)) Part {
	return Part{func(h *harness) error { add(h); return nil }}
}

// Diff fuzzes implementations against each other. It is the last call of a FuzzXxx, after f.Add, whose arguments have the
// types that the first implementation takes, or are tapes: see [Generate].
func Diff(f *testing.F, parts ...Part) {
	f.Helper()
	h, set, err := assemble(parts)
	if err != nil {
		f.Fatalf("parallax.Diff: %v", err)
	}
	drawn := set.Generator() != nil
	if !drawn { // else they are no inputs of the FuzzXxx
		for _, c := range set.Controls() {
			f.Add(c.Args...)
		}
	}
	if Driver != nil {
		Driver(f, h)
		return
	}
	for _, note := range set.Notes() {
		f.Logf("parallax.Diff: %s", note)
	}
	if !drawn {
		f.Fuzz(h.Target)
		return
	}
	for _, unmet := range set.CheckControls() {
		f.Error(unmet)
	}
	gen.Fuzz(f, property(set))
}

// property compares the implementations on what the generator draws. It draws as the tool does, without a label around it, so that one tape is one input.
func property(set *implementation.Set) func(*gen.T) {
	return func(t *gen.T) {
		input := append([]byte{}, set.Generator().Input(t)...)
		if set.Shape() == nil { // each implementation has the values drawn anew
			input = set.Generator().Tape(t)
		}
		check(t, set, input)
	}
}

// assemble makes a harness of parts and checks it.
func assemble(parts []Part) (*Harness, *implementation.Set, error) {
	h := &harness{Harness: Harness{Version: Version, Declined: ErrDeclined}}
	for i, p := range parts {
		if p.add == nil {
			return nil, nil, fmt.Errorf("part %d is empty: use Impl, Layers, Normalize and so on", i+1)
		}
		if err := p.add(h); err != nil {
			return nil, nil, err
		}
	}
	if len(h.ignores) > 0 {
		h.Ignore = h.ignored
	}
	if err := h.derive(); err != nil {
		return nil, nil, err
	}
	set, err := implementation.New(h.Harness)
	if err != nil {
		return nil, nil, err
	}
	if g := set.Generator(); g == nil {
		h.Target = target(set)
	} else if h.Target = func(*testing.T, []byte) {}; !g.From((*gen.T)(nil)) { // under the tool alone, which has the generator make inputs itself
		return nil, nil, errors.New("the generator of Generate draws from another copy of the library: import package gen of the one whose Diff this is")
	}
	return &h.Harness, set, nil
}

// derive has values drawn by their types where implementations take what no input of bytes is, such as structs, and no generator is given.
func (h *harness) derive() (err error) {
	if len(h.Generators) > 0 || len(h.Functions) == 0 {
		return nil
	}
	of := 0
	types, flat := implementation.Takes(h.Functions[0])
	for i := 1; flat && i < len(h.Functions); i++ { // text may stand for what has no other form
		if t, ok := implementation.Takes(h.Functions[i]); t != nil && !ok {
			types, flat, of = t, false, i
		}
	}
	if types == nil || flat {
		return nil
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("Impl(%q): it is a %v, and values for it cannot be drawn by their types: %v. Say how with parallax.Generate", h.Names[of], h.Functions[of].Type(), v)
		}
	}()
	var draws []gen.Gen[any]
	for _, t := range types {
		draws = append(draws, gen.OfType(t))
	}
	draw := reflect.FuncOf([]reflect.Type{reflect.TypeOf((*gen.T)(nil))}, types, false)
	h.Generators = append(h.Generators, reflect.MakeFunc(draw, func(in []reflect.Value) (out []reflect.Value) {
		for i, g := range draws {
			out = append(out, reflect.ValueOf(g.Draw(in[0].Interface().(*gen.T), fmt.Sprintf("argument %d", i+1))))
		}
		return out
	}))
	return nil
}

// ignored asks the user about a difference.
func (h *harness) ignored(layer string, odd []int, args []any, outcomes []string, values [][]any, errs []error) (string, bool) {
	d := Difference{Layer: layer, Args: args}
	for i, name := range h.Names {
		d.Results = append(d.Results, Result{Name: name, Outcome: outcomes[i], Values: values[i], Err: errs[i]})
	}
	for _, i := range odd {
		d.Odd = append(d.Odd, h.Names[i])
	}
	for _, ig := range h.ignores {
		if ig.known(d) {
			return ig.reason, true
		}
	}
	return "", false
}

// target is the fuzz target that f.Fuzz is given, a func(*testing.T, ...).
func target(set *implementation.Set) any {
	in := append([]reflect.Type{reflect.TypeOf((*testing.T)(nil))}, implementation.GoTypes(set.Shape())...)
	return reflect.MakeFunc(reflect.FuncOf(in, nil, false), func(in []reflect.Value) []reflect.Value {
		t := in[0].Interface().(*testing.T)
		args := make([]any, 0, len(in)-1)
		for _, v := range in[1:] {
			args = append(args, v.Interface())
		}
		flat, err := set.Shape().Pack(args...)
		if err != nil {
			t.Fatalf("parallax: %v", err)
		}
		check(t, set, flat)
		return nil
	}).Interface()
}

// check runs one input and fails the test if there is something wrong with it.
func check(t testing.TB, set *implementation.Set, flat []byte) {
	trial, err := set.Try(flat)
	if err != nil {
		t.Fatalf("parallax: %v", err)
	}
	d := difference(set, trial)
	control := set.Control(flat)
	switch {
	case d.crashed():
		t.Fatal(d)
	case control != nil && !control.Met(trial):
		t.Fatalf("control seed not met: every implementation is to have it %v\n%s", control.Outcome, d.table())
	case trial.Ignored:
		if testing.Verbose() {
			t.Logf("ignored: %s\n%v", trial.Reason, d)
		}
	case trial.Layer != 0:
		t.Fatal(d)
	case d.declined():
		t.Skip("declined by every implementation")
	}
}
