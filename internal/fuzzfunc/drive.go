package fuzzfunc

import (
	"fmt"
	"os"
	"testing"

	"parallax/internal/implementation"
	"parallax/internal/input"
	"parallax/internal/oracle"
	"parallax/internal/worker"
)

// compared is the configuration of the running parallax.Diff, or nil in other FuzzXxx.
var compared *implementation.Config

// Differential reports whether the process compares implementations. It does under parallax diff.
// Under parallax fuzz, a FuzzXxx that calls parallax.Diff is an ordinary one.
func Differential() bool { return worker.Wanted() && os.Getenv("PARALLAX_MODE") == "diff" }

// Drive is the driver of parallax.Diff: each implementation becomes a program. It calls f.Fuzz,
// which calls the hook with the seeds.
func Drive(f *testing.F, c implementation.Config) {
	compared = &c
	f.Fuzz(c.Target)
}

// Generator is the property of a gen.Fuzz, with the functions of package gen's Harness.
type Generator struct {
	Run   func(t *testing.T, data []byte)
	Drawn func(b []byte) []byte
	Show  func(on bool)
	Shown func() string
	Guide func(choose func(site uint32, state, bound uint64) (value uint64, ok bool), chosen func(site uint32, state, value uint64))
}

// Guided implements worker.Guided.
func (g *Generator) Guided(choose func(site uint32, state, bound uint64) (uint64, bool), chosen func(site uint32, state, value uint64)) {
	g.Guide(choose, chosen)
}

// AppendDrawn implements worker.Generator.
func (g *Generator) AppendDrawn(b []byte) []byte { return g.Drawn(b) }

// Text implements worker.Generator.
func (g *Generator) Text() string { return g.Shown() }

// generator is the property of the running gen.Fuzz, or nil in other FuzzXxx.
var generator *Generator

// Generate is the driver of gen.Fuzz. It calls f.Fuzz, which calls the hook.
func Generate(f *testing.F, g Generator) {
	generator = &g
	f.Fuzz(g.Run)
}

// Wanted reports whether the process is a worker.
func Wanted() bool { return worker.Wanted() }

// compare makes the implementations programs of the worker.
func compare(w *worker.Target) {
	set, err := implementation.New(*compared)
	if err != nil {
		w.Problems = append(w.Problems, err.Error())
		return
	}
	w.Shape = set.Shape()
	w.CompareValues = set.CompareValues()
	w.Layers = set.Layers()
	w.Notes = set.Notes()
	w.Problems = append(w.Problems, set.CheckControls()...)
	for i, name := range set.Names() {
		w.Programs = append(w.Programs, worker.Program{
			Name: name, Run: func(a *input.Args, r *oracle.Result) { set.Run(i, a, r) },
		})
	}
	w.Repair = set.Repair()
	g := set.Generator()
	if g != nil {
		w.Shape, w.Generator = input.Shape{input.Bytes}, g
	}
	if compared.Ignore != nil {
		w.Ignored = func(flat []byte, ended uint64) bool {
			switch { // it is asked about the latest input
			case g == nil:
			case set.Shape() == nil:
				flat = g.AppendDrawn(nil)
			default:
				flat = append([]byte{}, g.Latest()...)
			}
			_, ignored := set.Ignored(flat, ended)
			return ignored
		}
	}
	if len(w.Programs) == 0 {
		fail(fmt.Errorf("nothing to compare"))
	}
}
