// Package check makes a campaign of a model: from an extraction to the files by which the kinds original and model run, in the folder of the campaign.
//
//	extraction.json  what the engine answered: package model/record
//	scope.json       which paths of the original are in scope, and why: package model/scope
//	seeds/           a call for each path that samples took
//	parallax.toml    the two programs
//
// The files are made anew each time. They are the same bytes as long as engine, options and parallax are.
package check

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/smt/solver"
	"parallax/internal/atomicfile"
)

// The files.
const (
	ConfigFile     = "parallax.toml"
	extractionFile = "extraction.json"
	ScopeFile      = "scope.json"
	seedsDir       = "seeds"
)

// Options say how a model is checked. Zeros mean the defaults.
type Options struct {
	Dir     string // of the files
	Target  string // name of the target
	Program string // name of the model's program
	Scope   scope.Options
}

// Model is a model that is ready to be checked.
type Model struct {
	Answer   *extract.Answer
	Original *original.Original
	Formula  *formula.Model
	Scope    *scope.Scope
	Config   string // path of the configuration
}

// Prepare finds the scope of a model and writes the files. A function without an original is an *original.NoneError; a model that cannot be computed
// is a *Refused.
func Prepare(ctx context.Context, a *extract.Answer, o Options) (*Model, error) {
	m := &Model{Answer: a, Config: filepath.Join(o.Dir, ConfigFile)}
	sig := call.Of(a)
	var err error
	if m.Original, err = original.Musl(sig); err != nil {
		return nil, err
	}
	if m.Formula, err = formula.New(sig, a.Paths, a.Function); err != nil {
		return nil, &Refused{a.Function, err}
	}
	var z3 *solver.Solver
	if !m.Formula.Ground() {
		z3 = solver.New(solver.Z3, solver.Options{})
		defer z3.Close()
	}
	evaluate := func(ctx context.Context, c call.Call) (formula.Answer, error) { return m.Formula.Evaluate(ctx, c, z3) }
	if m.Scope, err = scope.Find(ctx, m.Original, evaluate, o.Scope); err != nil {
		return nil, err
	}
	return m, m.write(o)
}

// Refused is why a model cannot be computed: it is of a theory that parallax lacks, or says nothing of its arguments.
type Refused struct {
	Function string
	Err      error
}

func (r *Refused) Error() string { return fmt.Sprintf("the model of %s: %v", r.Function, r.Err) }
func (r *Refused) Unwrap() error { return r.Err }

func (m *Model) write(o Options) error {
	seeds := filepath.Join(o.Dir, seedsDir)
	if err := os.RemoveAll(seeds); err != nil { // of other samples
		return exit.Infra("%w", atomicfile.Explain("remove", seeds, err))
	}
	if err := os.MkdirAll(seeds, 0o755); err != nil {
		return exit.Infra("%w", atomicfile.Explain("create", seeds, err))
	}
	for i, flat := range m.Scope.Inputs() {
		name := filepath.Join(seeds, fmt.Sprintf("%03d", i))
		if err := atomicfile.Write(atomicfile.OS, name, flat); err != nil {
			return exit.Infra("%w", atomicfile.Explain("write", name, err))
		}
	}
	text := fmt.Sprintf(`# Made by parallax model. Compare two programs on calls of %[1]s: what a C library does, and what the model says.
version = 1
name = %[2]s

[input]
seeds = ["seeds"]

[[program]]
name = "original"
kind = "original"
extraction = %[3]s
compare = %[4]s

[[program]]
name = %[5]s
kind = "model"
extraction = %[3]s
scope = %[6]s
compare = %[4]s
`, m.Answer.Function, quoted(o.Target), quoted(extractionFile), quoted(string(m.Scope.Compare)), quoted(o.Program), quoted(ScopeFile))
	for _, file := range []struct {
		name  string
		write func(path string) error
	}{
		{extractionFile, func(path string) error { return record.Write(path, m.Answer) }},
		{ScopeFile, m.Scope.Write},
		{ConfigFile, func(path string) error { return atomicfile.Write(atomicfile.OS, path, []byte(text)) }},
	} {
		path := filepath.Join(o.Dir, file.name)
		if err := file.write(path); err != nil {
			return exit.Infra("%w", atomicfile.Explain("write", path, err))
		}
	}
	return nil
}

// quoted is a string of TOML.
func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}
