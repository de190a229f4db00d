// Package model is the program kind of function models: SMT-LIB scripts (package model/formula) or
// C functions (model/csource). The lockstep process computes them.
//
// An input is a call. If its path of the original is out of the model's scope, the model declines
// it, since there is nothing to compare. A call in scope without a path of the model is rejected.
//
// The features of a model are the steps of the original's paths that are in scope, with their
// counts. This is SEDiff's model coverage, in addition to the coverage of the original.
package model

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	originals "parallax/cmd/internal/model/kind/original"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/verdict"
	"parallax/cmd/internal/program"
	"parallax/internal/oracle"
)

// Kind is the entry in the table of program kinds.
var Kind = program.Kind{
	Name: "model", Keys: []string{"extraction", "compare", "scope"},
	Parse: func(t *tomldoc.Table, c *program.Common) program.Settings {
		s := &Settings{}
		s.Extraction, s.Compare = originals.Keys(t, c)
		if s.Scope = t.Text("scope"); s.Scope != "" && !filepath.IsAbs(s.Scope) {
			s.Scope = filepath.Join(c.Dir, s.Scope)
		}
		return s
	},
	Open: program.Opener(func(_ context.Context, s Settings) (*executor, error) { return open(&s) }),
}

// Settings holds the configuration of a program.
type Settings struct {
	Extraction string
	Scope      string // file; empty means that every call is in scope
	Compare    call.Comparator

	shown    string
	covered  *finding.Scope
	identity string
}

// Runs implements program.Settings.
func (s *Settings) Runs() string { return "model" }

// Traits implements program.Settings.
func (s *Settings) Traits() program.Traits { return program.Traits{} }

// Prepare implements program.Settings.
func (s *Settings) Prepare(*program.Common, *program.Preparation) (program.Prepared, error) {
	e, err := open(s)
	if err != nil {
		return nil, err
	}
	s.shown = fmt.Sprintf("model of %s (%s)", e.original.Signature.Function, e.side.String)
	s.covered = &finding.Scope{Models: 1, Extracted: 1, Outside: map[string]int{}}
	if e.scope != nil {
		verdict.Covers(e.scope, s.covered)
		s.shown = fmt.Sprintf("model of %s (%s, scope: %d of %d paths)", e.original.Signature.Function, e.side.String, e.scope.InScope(), len(e.scope.Paths))
	}
	return s, e.Close()
}

// Identity implements program.Identified. It covers the model and its original, but not the
// engine's times.
func (s *Settings) Identity() string { return s.identity }

// Covers implements program.Scoped.
func (s *Settings) Covers() *finding.Scope { return s.covered }

// Shown implements program.Prepared.
func (s *Settings) Shown() string { return s.shown }

// Line implements program.Prepared.
func (s *Settings) Line() string { return s.shown }

func open(s *Settings) (*executor, error) {
	o, a, err := originals.Load(s.Extraction)
	if err != nil {
		return nil, err
	}
	e := &executor{settings: s, original: o}
	if s.identity, err = a.Identity(); err != nil {
		return nil, err
	}
	if s.Compare == "" {
		s.Compare = o.Signature.Comparator()
	}
	if e.side, err = a.Side(o.Signature, s.Extraction); err != nil {
		return nil, err
	}
	if e.side.Formula != nil {
		e.side.Formula.Compare = s.Compare
	}
	if s.Scope != "" {
		if e.scope, err = scope.Read(s.Scope); err != nil {
			return nil, err
		}
		if e.scope.Function != o.Signature.Function {
			return nil, fmt.Errorf("%s is the scope of %s, and the model is of %s", s.Scope, e.scope.Function, o.Signature.Function)
		}
	}
	if e.scope != nil && e.scope.Declared != "" {
		if e.declared, err = scope.Declare(o.Signature, e.scope.Declared); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// executor computes a model.
type executor struct {
	settings *Settings
	original *original.Original
	side     *record.Side
	scope    *scope.Scope   // nil means all paths
	declared scope.Declared // nil means all calls
	counts   []byte
}

// Features implements program.Executor.
func (e *executor) Features() int {
	if e.scope == nil {
		return 0
	}
	return len(e.scope.Steps)
}

func (e *executor) Batch() int { return 256 }

func (e *executor) Close() error { return e.side.Close() }

func (e *executor) Execute(ctx context.Context, inputs [][]byte, obs []program.Observation) error {
	sig := e.original.Signature
	for i, in := range inputs {
		c, o := sig.Decode(in), &obs[i]
		run, err := e.original.Run(c)
		if err != nil {
			return err
		}
		if run.Undefined != "" {
			o.Outcome, o.Message = oracle.Declined, "C does not define what the call does"
			continue
		}
		if e.declared != nil {
			in, why, err := e.declared(c)
			if err != nil {
				why = "the declared scope: " + err.Error()
			}
			if !in {
				o.Outcome, o.Message = oracle.Declined, why
				continue
			}
		}
		if e.scope != nil {
			// nil if too few samples took the path; the judge of findings decides about it
			p := e.scope.Decided(run.Path)
			if p != nil && !p.InScope {
				o.Outcome, o.Message = oracle.Declined, "out of scope: "+p.Why
				continue
			}
			e.cover(run.Trace, o)
		}
		answer, err := e.side.Evaluate(ctx, c)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return err
		}
		switch answer.Kind {
		case formula.Returned:
			o.Outcome = oracle.Accepted
			o.Value = append(o.Value[:0], sig.Text(c, &answer.Effect, e.settings.Compare)...)
		case formula.Dropped:
			o.Outcome, o.Message = oracle.Rejected, "the model has no path for this call"
		case formula.Declined:
			o.Outcome, o.Message = oracle.Declined, "out of scope by the model itself: "+answer.Detail
		case formula.Crashed:
			o.Outcome, o.Message = oracle.Rejected, failure(answer.Detail)
		default: // the model makes no wrong claim
			o.Outcome, o.Message = oracle.Declined, "the model's answer is "+answer.Kind.String()
		}
	}
	return nil
}

// failure describes a model that does something undefined in C, or does not end.
func failure(detail string) string {
	if strings.HasPrefix(detail, llvmir.StepLimit.String()+" in ") {
		return "the model does not end: " + detail
	}
	return "the model crashes: " + detail
}

// cover counts the steps of a run that are in scope.
func (e *executor) cover(trace []int, o *program.Observation) {
	if e.counts == nil {
		e.counts = make([]byte, len(e.scope.Steps))
	}
	step := original.Step{From: -1}
	for _, step.To = range trace {
		if k, there := slices.BinarySearchFunc(e.scope.Steps, step, original.Step.Compare); there && e.counts[k] < 255 {
			e.counts[k]++
		}
		step.From = step.To
	}
	for k, n := range e.counts {
		if n > 0 {
			o.Features, o.Counts = append(o.Features, uint32(k)), append(o.Counts, n)
		}
	}
	clear(e.counts)
}

// Quote implements program.Quoter.
func (e *executor) Quote(input []byte) string {
	sig := e.original.Signature
	return sig.Quote(sig.Decode(input))
}
