// Package check prepares the campaign of a model. From an extraction, it writes the files for the
// kinds original and model to the folder of the campaign:
//
//	extraction.json  the engine's answer: package model/record
//	scope.json       which paths of the original are in scope, and why: package model/scope
//	seeds/           a call for each path that samples took
//	parallax.toml    the two programs
//
// The files are written each time. They are the same bytes for the same engine, options and version
// of parallax.
package check

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"parallax/cmd/internal/model/campaignfiles"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
)

// Names of the files.
const (
	extractionFile = "extraction.json"
	ScopeFile      = "scope.json"
)

// Options configure Prepare. Zero values mean the defaults.
type Options struct {
	Dir     string // folder of the files
	Target  string // name of the target
	Program string // name of the model's program
	Scope   scope.Options
	// how many questions solvers may get about paths of the original; 0 means no proofs
	Prove   int
	Explain bool // list the conditions of paths, also for a model in code
}

// Model is a model that is ready for its campaign. It must stay on one goroutine.
type Model struct {
	Record   *record.Record
	Original *original.Original
	Formula  *formula.Model // nil for a model in code
	Scope    *scope.Scope
	Evaluate scope.Model
	Config   string // path of the configuration

	side *record.Side
}

// Prepare finds the scope of a model and writes the files. The error is an *original.NoneError for
// a function without an original. A model that cannot be computed gives a *Refused, and one without
// any call a *Contradiction.
func Prepare(ctx context.Context, r *record.Record, o Options) (m *Model, err error) {
	m = &Model{Record: r, Config: filepath.Join(o.Dir, campaignfiles.Config)}
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
	o.Scope.Branch = side.Branch
	if o.Scope.Samples == 0 && m.NeedsSolver() {
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

// NeedsSolver reports whether each call of the model needs its own question to a solver.
func (m *Model) NeedsSolver() bool { return m.Formula != nil && m.Formula.NeedsSolver() }

// contradiction returns an error if the model has no call at all.
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

// Contradiction reports a model that no call and no result satisfy.
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

// Close releases the solver of the model.
func (m *Model) Close() { m.side.Close() }

// Refused reports a model that cannot be computed. It uses a theory that parallax lacks, or does
// not mention its arguments.
type Refused struct {
	Function string
	Err      error
}

func (r *Refused) Error() string { return fmt.Sprintf("the model of %s: %v", r.Function, r.Err) }
func (r *Refused) Unwrap() error { return r.Err }

func (m *Model) write(o Options) error {
	if err := campaignfiles.WriteSeeds(o.Dir, m.Scope.Inputs()); err != nil {
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
`, m.Record.Function, campaignfiles.Quoted(o.Target), campaignfiles.Quoted(extractionFile), campaignfiles.Quoted(string(m.Scope.Compare)), campaignfiles.Quoted(o.Program), campaignfiles.Quoted(ScopeFile))
	return campaignfiles.Write(o.Dir, campaignfiles.File{Name: extractionFile, Write: m.Record.Write}, campaignfiles.File{Name: ScopeFile, Write: m.Scope.Write},
		campaignfiles.Text(campaignfiles.Config, text))
}
