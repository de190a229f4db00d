package solver

import (
	"context"
	"errors"
	"fmt"
)

// DisagreementError reports that one solver finds a query satisfiable and another does not. One of
// them is wrong, so that nothing follows.
type DisagreementError struct {
	Sat, Unsat string // the solvers' names
	Script     string // the query, for a report to their authors
}

func (e *DisagreementError) Error() string {
	return fmt.Sprintf("%s says sat and %s says unsat: a defect of one of the solvers, so the question stays open", e.Sat, e.Unsat)
}

// Both asks two solvers at once. If one does not know, the other's answer counts, and Reason says
// so. An error of one is an error.
func Both(ctx context.Context, a, b *Solver, q Query) (Result, error) {
	type answer struct {
		r   Result
		err error
	}
	other := make(chan answer, 1)
	go func() {
		r, err := b.Check(ctx, q)
		other <- answer{r, err}
	}()
	first, err := a.Check(ctx, q)
	second := <-other
	if err := errors.Join(err, second.err); err != nil {
		return Result{}, err
	}
	return agree(a.Name(), b.Name(), first, second.r, q)
}

// agree combines two answers.
func agree(a, b string, first, second Result, q Query) (Result, error) {
	switch {
	case first.Answer == Unknown && second.Answer == Unknown:
		return Result{Reason: fmt.Sprintf("%s: %s; %s: %s", a, first.Reason, b, second.Reason)}, nil
	case first.Answer == Unknown:
		second.Reason = fmt.Sprintf("%s does not know: %s", a, first.Reason)
		return second, nil
	case second.Answer == Unknown:
		first.Reason = fmt.Sprintf("%s does not know: %s", b, second.Reason)
		return first, nil
	case first.Answer == second.Answer:
		return first, nil
	}
	if first.Answer == Unsat {
		a, b = b, a
	}
	script, err := Script(q)
	if err != nil {
		return Result{}, err
	}
	return Result{}, &DisagreementError{Sat: a, Unsat: b, Script: script + "(check-sat)\n"}
}
