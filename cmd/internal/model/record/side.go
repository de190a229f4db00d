package record

import (
	"context"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/smt/solver"
)

// Side is the model of a record, ready to be computed, whether it is scripts or code. It is for one goroutine.
type Side struct {
	Formula  *formula.Model // nil: it is code
	Evaluate func(context.Context, call.Call) (formula.Answer, error)
	String   string // what it is, in a few words
	solver   *solver.Solver
}

// Side opens the model. name stands in errors about scripts.
func (r *Record) Side(s *call.Signature, name string) (*Side, error) {
	code, err := r.Evaluator()
	if err != nil {
		return nil, err
	}
	if code != nil {
		return &Side{Evaluate: code.Evaluate, String: code.String()}, nil
	}
	m, err := formula.New(s, r.Paths, name)
	if err != nil {
		return nil, &ScriptError{err}
	}
	side := &Side{Formula: m, String: m.String(), solver: solver.New(solver.Z3, solver.Options{})} // which starts when it is asked, if it is
	side.Evaluate = func(ctx context.Context, c call.Call) (formula.Answer, error) { return m.Evaluate(ctx, c, side.solver) }
	return side, nil
}

// ScriptError is of scripts that cannot be computed.
type ScriptError struct{ error }

// Unwrap gives the error of package formula.
func (e *ScriptError) Unwrap() error { return e.error }

// Close ends what computes the model.
func (s *Side) Close() error {
	if s.solver == nil {
		return nil
	}
	return s.solver.Close()
}
