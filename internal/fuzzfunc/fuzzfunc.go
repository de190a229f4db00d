// Package fuzzfunc makes a worker of a test binary. It takes over the unchanged fuzz target of a
// FuzzXxx, through the hook that the tool inserts into package testing
// (cmd/internal/gobuild/golang/testinghook). The target is then the only program of the
// supervisor, or the implementations of its parallax.Diff are the programs.
//
// The tool adds a file to the test package that calls Install. It also enables link.go in its copy
// of this package, which links hook to testing's variable. In a process that was not started as a
// worker, nothing happens.
//
// One execution calls the target on the goroutine that drives the engine. t.Skip and t.Fatal end
// that goroutine, as under go test, and the engine continues in a new one.
package fuzzfunc

import (
	"fmt"
	"os"
	"reflect"
	"syscall"
	"testing"

	made "parallax/internal/generator"
	"parallax/internal/implementation"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/worker"
)

// target is the hook's argument: one fuzz target, as package testing knows it.
type target = interface {
	Name() string
	Func() any
	Types() []reflect.Type
	Seeds() [][]any
	Begin(detail bool) *testing.T
	End()
	Status() (finished, skipped, failed bool)
	Failure() (pcs []uintptr, message, output string)
	Reset()
}

// hook points to testing's hook. link.go sets it at initialization.
var hook *func(target)

// Install takes over fuzz targets if the process is a worker.
func Install() {
	if !worker.Wanted() {
		return
	}
	if hook == nil {
		fmt.Fprintln(os.Stderr, "parallax worker: built without its link to package testing")
		os.Exit(120)
	}
	*hook = serve
}

// repair is the user's function that repairs mutants; nil means none.
var repair any

// Repair sets the function that repairs mutants, instead of that of a parallax.Diff.
func Repair(fn any) { repair = fn }

// drawn is the user's generator for the inputs of the FuzzXxx.
var drawn struct {
	name string
	make func() any // nil means none
}

// Draw sets a generator for the inputs of FuzzXxx, which make returns.
func Draw(name string, make func() any) { drawn.name, drawn.make = name, make }

// draw makes the inputs of a FuzzXxx of the shape tapes. It drops the test's seeds, which are no
// tapes.
func draw(w *worker.Target) {
	if generator != nil {
		w.Refused = "--generator: it ends with gen.Fuzz, and so draws its inputs itself. Leave the flag out"
		return
	}
	w.Generator = made.Open(drawn.name, drawn.make, w.Shape)
	if n := len(w.Seeds); n > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("the seeds of f.Add (%d) are left out: inputs are drawn by %s, and parallax does not know the choices from which it would draw them", n, drawn.name))
	}
	w.Shape, w.Seeds = input.Shape{input.Bytes}, nil
}

// serve runs the worker until its supervisor has no more orders. The test then passes, so that
// TestMain and cleanup functions run.
func serve(t target) {
	w := worker.Target{}
	for _, typ := range t.Types() {
		k, ok := input.ParseKind(typ.String())
		if !ok {
			fail(fmt.Errorf("the fuzz target takes %v, which this version of parallax does not know", typ))
		}
		w.Shape = append(w.Shape, k)
	}
	for i, values := range t.Seeds() {
		flat, err := w.Shape.Pack(values...)
		if err != nil {
			w.Problems = append(w.Problems, fmt.Sprintf("seed %d of f.Add does not fit the fuzz target, which takes %s: %v", i+1, w.Shape, err))
			continue
		}
		w.Seeds = append(w.Seeds, flat)
	}
	if compared != nil {
		compare(&w)
	} else {
		if Differential() {
			w.Problems = append(w.Problems, "it compares nothing: it calls f.Fuzz itself, and not parallax.Diff; parallax fuzz runs it")
		}
		p := &program{target: t, calls: wantedCalls()}
		p.call = caller(t.Func(), w.Shape)
		w.Programs = []worker.Program{{Name: t.Name(), Run: p.run, Test: p}}
		if p.calls != nil {
			w.Programs[0].Calls, w.CompareValues = p, true
		}
		w.Sites = tables
		if generator != nil {
			w.Generator = generator
		}
	}
	if drawn.make != nil && compared == nil {
		draw(&w)
	}
	if _, makes := w.Generator.(worker.Maker); makes && repair != nil && drawn.make != nil {
		w.Refused = "--repair, and --generator: a generator makes the input itself. Repair it there, and leave --repair out"
	} else if makes && repair != nil {
		w.Refused = "--repair, and parallax.Generate: a generator makes the input itself. Repair it there, and leave --repair out"
	} else if repair != nil {
		var err error
		if w.Repair, err = implementation.NewRepair(w.Shape, reflect.ValueOf(repair)); err != nil {
			w.Refused = "--repair: " + err.Error()
		}
	}
	silence()
	worker.Serve(w)
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "parallax worker: %v\n", err)
	os.Exit(120)
}

// silence discards the standard output of targets, which would slow the supervisor. Standard error
// stays, since it has the cause of the process's death.
func silence() {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err == nil {
		syscall.Dup3(int(null.Fd()), 1, 0)
	}
}

// program is the fuzz target as a program of the worker.
type program struct {
	target
	t     *testing.T
	call  func(t *testing.T, a *input.Args)
	calls *calls // recorded calls; nil means that none are compared
}

// Begin implements worker.Test.
func (p *program) Begin(detail bool) {
	p.t = p.target.Begin(detail)
	if generator != nil {
		generator.Show(detail)
	}
	if p.calls != nil {
		p.calls.begin(detail)
	}
}

// Digest implements worker.Calls.
func (p *program) Digest() uint64 { return p.calls.end().Digest() }

// Failures implements worker.Calls.
func (p *program) Failures() uint64 { return p.calls.record.Failures() }

// Parts implements worker.Calls.
func (p *program) Parts() oracle.Parts { return p.calls.record.Parts() }

// Text implements worker.Calls.
func (p *program) Text(limit int) (text string, truncated bool) { return p.calls.record.Text(limit) }

func (p *program) run(a *input.Args, _ *oracle.Result) { p.call(p.t, a) }

// caller returns a function that calls the target, without reflection for common types.
func caller(fn any, shape input.Shape) func(*testing.T, *input.Args) {
	switch fn := fn.(type) {
	case func(*testing.T, []byte):
		return func(t *testing.T, a *input.Args) { fn(t, a.Bytes(0)) }
	case func(*testing.T, string):
		return func(t *testing.T, a *input.Args) { fn(t, a.String(0)) }
	case func(*testing.T, string, string):
		return func(t *testing.T, a *input.Args) { fn(t, a.String(0), a.String(1)) }
	case func(*testing.T, []byte, []byte):
		return func(t *testing.T, a *input.Args) { fn(t, a.Bytes(0), a.Bytes(1)) }
	case func(*testing.T, []byte, bool):
		return func(t *testing.T, a *input.Args) { fn(t, a.Bytes(0), a.Bool(1)) }
	case func(*testing.T, []byte, int):
		return func(t *testing.T, a *input.Args) { fn(t, a.Bytes(0), int(a.Int(1))) }
	case func(*testing.T, string, int):
		return func(t *testing.T, a *input.Args) { fn(t, a.String(0), int(a.Int(1))) }
	}
	f := reflect.ValueOf(fn)
	args := make([]reflect.Value, len(shape)+1)
	return func(t *testing.T, a *input.Args) {
		args[0] = reflect.ValueOf(t)
		for i, k := range shape {
			args[i+1] = argument(a, i, k, f.Type().In(i+1))
		}
		f.Call(args)
	}
}

// argument returns the i-th argument in the target's type.
func argument(a *input.Args, i int, k input.Kind, typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	a.Set(v, k, i)
	return v
}
