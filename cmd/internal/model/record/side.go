package record

import (
	"context"
	"fmt"
	"time"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt/solver"
)

// Side is the model of a record, ready for evaluation. It must stay on one goroutine.
type Side struct {
	Formula  *formula.Model // nil for a model in code
	Evaluate func(context.Context, call.Call) (formula.Answer, error)
	// Branch returns the branch of the model that gives an answer, or 0 if it is not known.
	Branch func(call.Call, *formula.Answer) (uint64, error)
	String string // short description
	solver *solver.Solver
}

// Side opens the model. Errors about scripts contain name.
func (r *Record) Side(s *call.Signature, name string) (*Side, error) {
	code, err := r.Evaluator()
	if err != nil {
		return nil, err
	}
	if code != nil {
		taken := func(_ call.Call, a *formula.Answer) (uint64, error) { return a.Branch, nil }
		return &Side{Evaluate: code.Evaluate, Branch: taken, String: code.String()}, nil
	}
	m, err := formula.New(s, r.Paths, name)
	if err != nil {
		return nil, &ScriptError{err}
	}
	// the solver starts at its first question
	side := &Side{Formula: m, Branch: m.Branch, String: m.String(), solver: solver.New(solver.Z3, solver.Options{Timeout: question})}
	var patience patience
	side.Evaluate = func(ctx context.Context, c call.Call) (formula.Answer, error) {
		z3 := side.solver
		if patience.over() {
			z3 = nil
		}
		a, err := m.Evaluate(ctx, c, z3)
		if z3 == nil && a.Kind == formula.Unknown {
			a.Detail = fmt.Sprintf("z3 could not say what most of the calls before do, and is asked no more (%d of %d)", patience.unknown, patience.asked)
		} else if a.Asked && err == nil {
			patience.count(a.Kind)
		}
		return a, err
	}
	return side, nil
}

// question limits the time of a question to z3 about a call. There may be thousands.
const question = 2 * time.Second

// patience limits the unknown answers of a solver. After some, it gets no more questions. The limit
// counts calls and not time, so results repeat.
type patience struct{ asked, unknown int }

func (p *patience) count(k formula.Kind) {
	if p.asked++; k == formula.Unknown {
		p.unknown++
	}
}

func (p *patience) over() bool { return p.unknown >= 20 && 2*p.unknown > p.asked }

// ScriptError reports scripts that cannot be computed.
type ScriptError struct{ error }

// Unwrap returns the error of package formula.
func (e *ScriptError) Unwrap() error { return e.error }

// Close ends the solver.
func (s *Side) Close() error {
	if s.solver == nil {
		return nil
	}
	return s.solver.Close()
}
