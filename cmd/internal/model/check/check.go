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
	"errors"
	"fmt"
	"path/filepath"

	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/model/prepared"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
)

// The files.
const (
	extractionFile = "extraction.json"
	ScopeFile      = "scope.json"
)

// Options say how a model is checked. Zeros mean the defaults.
type Options struct {
	Dir     string // of the files
	Target  string // name of the target
	Program string // name of the model's program
	Scope   scope.Options
	Prove   int  // questions for solvers about paths of the original; 0: nothing is proved
	Explain bool // the paths are to be listed: what takes them is wanted of a model that is code, too
}

// Model is a model that is ready to be checked. It is for one goroutine.
type Model struct {
	Record   *record.Record
	Original *original.Original
	Formula  *formula.Model // nil: the model is code
	Scope    *scope.Scope
	Evaluate scope.Model
	Config   string // path of the configuration

	side *record.Side
}

// Prepare finds the scope of a model and writes the files. A function without an original is an *original.NoneError; a model that cannot be computed
// is a *Refused, and one that has no call at all a *Contradiction.
func Prepare(ctx context.Context, r *record.Record, o Options) (m *Model, err error) {
	m = &Model{Record: r, Config: filepath.Join(o.Dir, prepared.Config)}
	var not *csource.RefusedError
	if m.Original, err = r.Original(); errors.As(err, &not) {
		return nil, &original.NoneError{Function: r.Function, Why: not.Why}
	} else if err != nil {
		return nil, err
	}
	var script *record.ScriptError
	side, err := r.Side(m.Original.Signature, r.Function)
	if errors.As(err, &not) || errors.As(err, &script) {
		return nil, &Refused{r.Function, err}
	} else if err != nil {
		return nil, err
	}
	m.side, m.Formula, m.Evaluate = side, side.Formula, side.Evaluate
	if m.Formula != nil && o.Scope.Compare != "" {
		m.Formula.Compare = o.Scope.Compare
	}
	if o.Scope.Samples == 0 && m.Asks() {
		o.Scope.Samples = scope.RelationalSamples
	}
	if m.Formula != nil && o.Prove > 0 {
		err = m.prove(ctx, &o)
	}
	if m.Formula == nil && o.Explain && o.Prove > 0 {
		err = m.describe(ctx, &o)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	if m.Scope, err = scope.Find(ctx, m.Original, m.Evaluate, o.Scope); err == nil {
		err = m.contradiction(ctx)
	}
	if err == nil {
		err = m.write(o)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Asks reports whether the model is one that a solver has to be asked about, for each call.
func (m *Model) Asks() bool { return m.Formula != nil && m.Formula.Asks() }

// contradiction is the error of a model that has no call at all.
func (m *Model) contradiction(ctx context.Context) error {
	if m.Formula == nil || !m.Scope.Drops() {
		return nil
	}
	z3 := solver.New(solver.Z3, solver.Options{Timeout: paths.Question})
	defer z3.Close()
	none, err := m.Formula.Contradicts(ctx, z3)
	if err != nil || !none {
		return err
	}
	return &Contradiction{m.Record.Function, len(m.Formula.Paths)}
}

// Contradiction is a model that no call and no result satisfy.
type Contradiction struct {
	Function string
	Paths    int
}

func (c *Contradiction) Error() string {
	if c.Paths == 1 {
		return "the model contradicts itself: no call and no result satisfy what it asserts (unsat)"
	}
	return fmt.Sprintf("the model contradicts itself: no call and no result satisfy what one of its %d paths asserts (unsat)", c.Paths)
}

// Close ends what computes the model.
func (m *Model) Close() { m.side.Close() }

// Refused is why a model cannot be computed: it is of a theory that parallax lacks, or says nothing of its arguments.
type Refused struct {
	Function string
	Err      error
}

func (r *Refused) Error() string { return fmt.Sprintf("the model of %s: %v", r.Function, r.Err) }
func (r *Refused) Unwrap() error { return r.Err }

func (m *Model) write(o Options) error {
	if err := prepared.WriteSeeds(o.Dir, m.Scope.Inputs()); err != nil {
		return err
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
`, m.Record.Function, prepared.Quoted(o.Target), prepared.Quoted(extractionFile), prepared.Quoted(string(m.Scope.Compare)), prepared.Quoted(o.Program), prepared.Quoted(ScopeFile))
	return prepared.Write(o.Dir, prepared.File{Name: extractionFile, Write: m.Record.Write}, prepared.File{Name: ScopeFile, Write: m.Scope.Write},
		prepared.Text(prepared.Config, text))
}
