// Package generator makes inputs with a generator of the user's. That is a func(t *gen.T) V, a
// gen.Gen[V], or a function that returns one, where gen is the user's copy of the library. The
// campaign's input is then the tape of the generator's choices (package tape). The programs get the
// generated values.
//
// The user's copy of gen and this library's are different packages. So values that pass between
// them have types of the standard library (gen.T.Driven). Workers call this package, and so does
// package implementation for parallax.Diff, also under go test.
//
// Programs that take []byte, string, numbers and the like get an input in flat form, as without a
// generator. Other programs get the values themselves. These are drawn again for each program,
// since a program may modify them.
package generator

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"parallax/internal/input"
	"parallax/internal/tape"
)

// driven is the interface of gen.T.Driven's result.
type driven interface {
	T() any
	Draw(data []byte, draw func() []any) (end, text string)
	AppendDrawn(b []byte) []byte
	Choices() int
	Show(on bool)
	Shown() []string
	Guide(choose func(site uint32, state, bound uint64) (uint64, bool), chosen func(site uint32, state, value uint64))
}

// invalid is the end of a draw that gives no input.
const invalid = "invalid"

// Generator makes inputs. It belongs to one goroutine at a time.
type Generator struct {
	name  string // for messages
	fn    reflect.Value
	types []reflect.Type // types of the drawn values
	in    []reflect.Value
	by    driven
	shape input.Shape // shape of the inputs; nil means that programs get the values
	call  func() []any

	refused string // why it cannot be used; empty means it can

	values []any // values of the latest draw
	flat   input.Builder
	tape   []byte // of the latest draw, for Check
	again  []byte
}

// Open is New for generated code. Check reports its errors. make returns the generator. shape is
// the shape of the inputs. Nil means that programs get the values.
func Open(name string, make func() any, shape input.Shape) *Generator {
	g, err := open(name, make)
	switch {
	case err != nil:
		return &Generator{name: name, refused: fmt.Sprintf("the generator %s cannot be used: %v", name, err)}
	case shape != nil && !g.Flat(shape):
		g.refused = fmt.Sprintf("the generator %s draws %v, and the programs take %v", name, g.types, shape)
	}
	return g
}

func open(name string, make func() any) (g *Generator, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s", oneLine(fmt.Sprint(v)))
		}
	}()
	return New(name, make())
}

// New returns a Generator for a generator of the user's. name is for messages.
func New(name string, generator any) (*Generator, error) {
	g := &Generator{name: name, fn: reflect.ValueOf(generator)}
	if !g.fn.IsValid() {
		return nil, errors.New("it is nil, and no generator" + wanted)
	}
	said := g.fn.Type()
	if f := g.fn; f.Kind() == reflect.Func && !f.IsNil() && f.Type().NumIn() == 0 && f.Type().NumOut() == 1 && !f.Type().IsVariadic() {
		if _, ok := f.Type().Out(0).MethodByName("Draw"); ok { // a function that returns a generator
			g.fn = f.Call(nil)[0]
		}
	}
	labeled := false
	if m := g.fn; m.Kind() != reflect.Func {
		if g.fn = m.MethodByName("Draw"); !g.fn.IsValid() {
			return nil, fmt.Errorf("it is a %v"+wanted, said)
		}
		labeled = true
	}
	if g.fn.IsNil() {
		return nil, fmt.Errorf("it is a nil %v"+wanted, said)
	}
	t := g.fn.Type()
	n := 1
	if labeled {
		n = 2
	}
	if t.NumIn() != n || t.NumOut() == 0 || t.IsVariadic() || t.In(0).Kind() != reflect.Pointer || labeled && t.In(1).Kind() != reflect.String {
		return nil, fmt.Errorf("it is a %v"+wanted, said)
	}
	of, ok := reflect.New(t.In(0).Elem()).Interface().(interface{ Driven() any })
	if !ok {
		return nil, fmt.Errorf("it is a %v"+wanted, said)
	}
	if g.by, ok = of.Driven().(driven); !ok {
		return nil, fmt.Errorf("it draws from a %v of another version of the library: bring that up to date with parallax init", t.In(0))
	}
	g.in = []reflect.Value{reflect.ValueOf(g.by.T())}
	if labeled {
		g.in = append(g.in, reflect.ValueOf("input").Convert(t.In(1)))
	}
	for i := 0; i < t.NumOut(); i++ {
		g.types = append(g.types, t.Out(i))
	}
	g.call = g.draw
	return g, nil
}

const wanted = ": a generator is a func(t *gen.T) that returns what the programs take, a gen.Gen, or a function without parameters that returns one"

// Types returns the types of the drawn values.
func (g *Generator) Types() []reflect.Type { return g.types }

// Flat makes inputs of the shape from the drawn values. It reports false if values of these types
// do not fit. Programs then get the values.
func (g *Generator) Flat(shape input.Shape) bool {
	if len(shape) != len(g.types) {
		return false
	}
	for i, t := range g.types {
		k, ok := KindOf(t)
		if !ok || k != shape[i] && !(text(k) && text(shape[i])) {
			return false
		}
	}
	g.shape = shape
	return true
}

// Shape returns the shape of Make's inputs. Nil means that Make returns none and Value returns the
// drawn values.
func (g *Generator) Shape() input.Shape { return g.shape }

func text(k input.Kind) bool { return k == input.Bytes || k == input.String }

// KindOf returns the kind of input for values of a type.
func KindOf(t reflect.Type) (input.Kind, bool) {
	switch t.Kind() {
	case reflect.Slice:
		return input.Bytes, t.Elem().Kind() == reflect.Uint8
	case reflect.Uintptr, reflect.Complex64, reflect.Complex128:
		return 0, false
	}
	return input.ParseKind(t.Kind().String())
}

// draw calls the user's function.
func (g *Generator) draw() []any {
	return g.collect(g.fn.Call(g.in))
}

func (g *Generator) collect(out []reflect.Value) []any {
	g.values = g.values[:0]
	for _, v := range out {
		g.values = append(g.values, v.Interface())
	}
	return g.values
}

// encode returns the values as a flat input.
func (g *Generator) encode() []byte {
	g.flat.Reset(g.shape)
	for i, k := range g.shape {
		g.flat.Value(k, reflect.ValueOf(g.values[i]))
	}
	flat, _ := g.flat.Flat()
	return flat
}

// Make draws from a tape, which may be any bytes. It returns the input in flat form, which is valid
// until the next call. An empty end means that the generator returned. Otherwise there is no input,
// and text gives the reason. The generator may end the goroutine.
func (g *Generator) Make(tape []byte) (flat []byte, end, text string) {
	if end, text = g.by.Draw(tape, g.call); end != "" {
		g.values = g.values[:0]
		return nil, end, text
	}
	if g.shape == nil {
		return nil, "", ""
	}
	return g.encode(), "", ""
}

// Redraw draws the values of the latest tape again, since a program may have modified them. It
// reports whether that gave values.
func (g *Generator) Redraw() bool {
	if g.shape != nil {
		return true
	}
	g.again = g.by.AppendDrawn(g.again[:0])
	_, end, _ := g.Make(g.again)
	return end == ""
}

// Latest returns the input of the latest Make, or nil if it made none.
func (g *Generator) Latest() []byte {
	if g.shape == nil || len(g.values) == 0 {
		return nil
	}
	flat, _ := g.flat.Flat()
	return flat
}

// DrawsFrom reports whether the generator draws from values of t's type, a *gen.T. A program may
// contain several copies of package gen.
func (g *Generator) DrawsFrom(t any) bool { return reflect.TypeOf(t) == g.fn.Type().In(0) }

// Input draws an input from t, within a property. It is valid until the next call. It is nil if
// programs get the values.
func (g *Generator) Input(t any) []byte {
	in := append([]reflect.Value{reflect.ValueOf(t)}, g.in[1:]...)
	draw := func() { g.collect(g.fn.Call(in)) }
	if t, ok := t.(interface{ Within(draw func()) }); ok {
		t.Within(draw)
	} else {
		draw()
	}
	if g.shape == nil {
		return nil
	}
	return g.encode()
}

// Tape returns the encoded tape of Input's draws from t.
func (g *Generator) Tape(t any) []byte {
	by, ok := t.(interface{ Driven() any }).Driven().(driven)
	if !ok {
		return nil
	}
	return by.AppendDrawn(nil)
}

// Values returns the values of the latest draw. They are valid until the next draw.
func (g *Generator) Values() []any { return g.values }

// As returns the i-th value of the latest draw with a program's parameter type.
func As[V any](g *Generator, i int) V {
	v, _ := g.values[i].(V) // a nil interface is not a V
	return v
}

// AppendDrawn implements worker.Generator.
func (g *Generator) AppendDrawn(b []byte) []byte { return g.by.AppendDrawn(b) }

// Text implements worker.Generator.
func (g *Generator) Text() string { return strings.Join(g.by.Shown(), "\n") }

// Detail makes later draws record what they draw, for Text.
func (g *Generator) Detail(on bool) { g.by.Show(on) }

// Guided implements worker.Guided.
func (g *Generator) Guided(choose func(site uint32, state, bound uint64) (uint64, bool), chosen func(site uint32, state, value uint64)) {
	g.by.Guide(choose, chosen)
}

// Invalid reports whether an end means that there is no input: after Skip, Assume, or a filter that
// rejects everything.
func (g *Generator) Invalid(end string) bool { return end == invalid }

// Fault returns a one-line message about a failed draw, with advice.
func (g *Generator) Fault(end, text string) string {
	switch end {
	case "failed":
		return fmt.Sprintf("the generator %s fails (%s): what it cannot draw it should leave out, or skip with t.Assume", g.name, oneLine(text))
	case "endless":
		return fmt.Sprintf("the generator %s draws without bound (%s): a length, or how deep it goes, has no end. Use gen.Recursive, or a limit of your own", g.name, oneLine(text))
	case "timeout":
		return fmt.Sprintf("the generator %s does not end%s: a loop, a recursion or a size in it has no end", g.name, text)
	}
	return fmt.Sprintf("the generator %s panics (%s)", g.name, oneLine(text))
}

func oneLine(s string) string {
	const most = 200
	if s = strings.Join(strings.Fields(s), " "); len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// tries is the number of inputs that Check draws. repeats is the number of these that it draws
// twice.
const (
	tries   = 32
	repeats = 8
)

// Check draws some inputs and returns a one-line reason why the generator cannot be used. Empty
// means that it can. A generator may fail on some of its inputs. It may also not return, or end the
// goroutine.
func (g *Generator) Check() string {
	if g.refused != "" {
		return g.refused
	}
	g.Detail(true)
	defer g.Detail(false)
	choices, faults, drawn := 0, 0, 0
	fault := ""
	for i := uint64(0); i < tries && (drawn > 0 || faults < repeats); i++ {
		seed := tape.Tape{}
		seed.Reset()
		seed.Rest = i // the simplest input first
		flat, end, text := g.Make(seed.Append(nil))
		choices += g.by.Choices()
		switch end {
		case "":
		case invalid:
			continue
		default:
			faults++
			fault = g.Fault(end, text)
			continue
		}
		if drawn++; drawn > repeats {
			continue
		}
		first, shown := append([]byte{}, flat...), g.Text()
		g.tape = g.AppendDrawn(g.tape[:0])
		flat, end, _ = g.Make(g.tape)
		g.again = g.AppendDrawn(g.again[:0])
		if end != "" || !bytes.Equal(g.tape, g.again) || !bytes.Equal(flat, first) || g.Text() != shown {
			return fmt.Sprintf("the generator %s is not deterministic: with the same choices it draws something else. Does it use the clock, math/rand, the order of a map, or what an earlier input has left?", g.name)
		}
	}
	switch {
	case drawn == 0 && faults > 0:
		return fault + ". It did so on each of the first inputs"
	case choices == 0:
		return fmt.Sprintf("the generator %s draws nothing: all inputs would be the same. Draw from the *gen.T that it is given", g.name)
	}
	return ""
}
