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

// ErrDeclined is the error of an implementation that declines an input. It may be wrapped. The
// implementation then takes no part in the comparison of this input.
var ErrDeclined = errors.New("parallax: input declined")

// A Part configures one aspect of a comparison: see [Impl], [Layers], [Normalize], [Ignore],
// [Accepts], [Rejects], [Precondition], [Repair] and [Generate].
type Part struct {
	add func(*harness) error
}

// harness collects the parts of a Harness.
type harness struct {
	Harness
	ignores []ignore
}

type ignore struct {
	reason string
	known  func(Difference) bool
}

// Impl adds an implementation, which is a function.
func Impl(name string, fn any) Part {
	return part(func(h *harness) {
		h.Names = append(h.Names, name)
		h.Functions = append(h.Functions, reflect.ValueOf(fn))
	})
}

// Layers chooses the layers that are compared: "verdict", "value", "class". By default, verdicts
// are compared, and values if their types allow it.
func Layers(names ...string) Part {
	return Part{func(h *harness) error {
		if len(names) == 0 {
			return errors.New("Layers names none: use verdict, value or class")
		}
		h.Layers = append(h.Layers, names...)
		return nil
	}}
}

// Normalize converts values before they are compared. fn is a func(T) U. It applies to results of
// type T, and to interface values that hold a T. A comparison can have one for each of several
// types.
func Normalize(fn any) Part {
	return part(func(h *harness) { h.Normalizers = append(h.Normalizers, reflect.ValueOf(fn)) })
}

// Precondition excludes uninteresting inputs. fn takes the parameters of the implementations and
// returns a bool. If it returns false, every implementation declines the input.
func Precondition(fn any) Part {
	return part(func(h *harness) { h.Preconditions = append(h.Preconditions, reflect.ValueOf(fn)) })
}

// Repair makes mutants valid before they run. fn takes the parameters of the implementations and
// returns the same types, for example with corrected length fields and checksums. The repaired
// input is compared, kept and reported, so that findings hold without the repair. Repair has an
// effect under parallax only, not under go test. Package parallax/repair has such functions.
func Repair(fn any) Part {
	return part(func(h *harness) { h.Repairs = append(h.Repairs, reflect.ValueOf(fn)) })
}

// Generate draws inputs from a generator of package gen. The generator is a gen.Gen, a function
// that returns one, or a func(t *gen.T) that returns the implementations' arguments. The FuzzXxx
// then takes a single []byte: an encoded tape of the generator's choices, as with gen.Fuzz. Seeds
// of f.Add are tapes; any other bytes are read as consecutive choices. Control seeds are the
// implementations' arguments.
func Generate(generator any) Part {
	return part(func(h *harness) { h.Generators = append(h.Generators, reflect.ValueOf(generator)) })
}

// Ignore accepts a known and intended difference, for the given reason. known is called only for
// inputs on which implementations disagree.
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

// Accepts adds a control seed: an input that every implementation must accept. An implementation
// that does not accept it shows a mistake in the harness, before its findings mislead. []byte and
// string are interchangeable, and untyped constants fit every kind of number that can hold them.
func Accepts(args ...any) Part {
	return part(func(h *harness) { h.Accepts = append(h.Accepts, args) })
}

// Rejects adds a control seed that every implementation must reject.
func Rejects(args ...any) Part {
	return part(func(h *harness) { h.Rejects = append(h.Rejects, args) })
}

func part(add func(*harness)) Part {
	return Part{func(h *harness) error { add(h); return nil }}
}

// Diff fuzzes implementations against each other. It is the last call of a FuzzXxx, after f.Add.
// The arguments of f.Add have the types that the first implementation takes, or are tapes: see
// [Generate].
func Diff(f *testing.F, parts ...Part) {
	f.Helper()
	h, set, err := assemble(parts)
	if err != nil {
		f.Fatalf("parallax.Diff: %v", err)
	}
	drawn := set.Generator() != nil
	if !drawn { // drawn harnesses take tapes, and control seeds are arguments
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

// property compares the implementations on the generator's values. It draws as the tool does,
// without an enclosing label, so that a tape means the same input to both.
func property(set *implementation.Set) func(*gen.T) {
	return func(t *gen.T) {
		input := append([]byte{}, set.Generator().Input(t)...)
		if set.Shape() == nil { // each implementation then draws the values itself
			input = set.Generator().Tape(t)
		}
		check(t, set, input)
	}
}

// assemble builds a harness from parts and checks it.
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
	} else if h.Target = func(*testing.T, []byte) {}; !g.DrawsFrom((*gen.T)(nil)) {
		// under the tool only, where the generator makes the inputs itself
		return nil, nil, errors.New("the generator of Generate draws from another copy of the library: import package gen of the one whose Diff this is")
	}
	return &h.Harness, set, nil
}

// derive adds a generator by type if the harness has none and the implementations take types
// without an encoding in bytes, such as structs.
func (h *harness) derive() (err error) {
	if len(h.Generators) > 0 || len(h.Functions) == 0 {
		return nil
	}
	index := 0
	types, flat := implementation.Takes(h.Functions[0])
	// one function without a byte form decides the types
	for i := 1; flat && i < len(h.Functions); i++ {
		if t, ok := implementation.Takes(h.Functions[i]); t != nil && !ok {
			types, flat, index = t, false, i
		}
	}
	if types == nil || flat {
		return nil
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("Impl(%q): it is a %v, and values for it cannot be drawn by their types: %v. Say how with parallax.Generate", h.Names[index], h.Functions[index].Type(), v)
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

// ignored asks the Ignore functions about a difference.
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

// target returns the fuzz target for f.Fuzz, a func(*testing.T, ...).
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

// check runs one input and fails the test on a crash, a disagreement or an unmet control seed.
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
