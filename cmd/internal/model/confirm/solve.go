package confirm

import (
	"context"
	"errors"
	"fmt"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt/solver"
)

// solve asks both solvers about the model's scripts. No path may permit the original's effect, and
// one must permit the model's computed effect. For a dropped call, no path may permit the call.
func (k *Confirmer) solve(ctx context.Context, d *deviation) (Step, error) {
	s := Step{By: k.solvers[0].Name() + " and " + k.solvers[1].Name(), State: Absent, Answer: "are not asked, since the model is no script"}
	if k.model == nil {
		return s, nil
	}
	dropped := d.model.Kind == formula.Dropped
	for i, p := range k.model.Paths {
		q := solver.Query{Assertions: k.model.CallTerms(p, d.call)}
		if !dropped {
			like, err := k.model.Permits(p, d.call, d.original, d.by)
			if err != nil {
				return open(s, err.Error()), nil
			}
			q.Assertions = append(q.Assertions, like)
		}
		answer, why, err := k.askBoth(ctx, q)
		switch {
		case err != nil:
			return s, err
		case why != "":
			return open(s, fmt.Sprintf("path %d of the model: %s", i+1, why)), nil
		case answer == solver.Sat && dropped:
			s.State, s.Answer = Refutes, fmt.Sprintf("sat: path %d of the model has the call", i+1)
			return s, nil
		case answer == solver.Sat:
			s.State, s.Answer = Refutes, fmt.Sprintf("sat: path %d of the model permits that the call %s", i+1, d.right)
			return s, nil
		}
	}
	s.State = Confirms
	if dropped {
		s.Answer = fmt.Sprintf("unsat: none of %s has the call", paths(len(k.model.Paths)))
		return s, nil
	}
	if d.model.Path < 0 || d.model.Path >= len(k.model.Paths) {
		return open(s, fmt.Sprintf("the model has no path %d", d.model.Path+1)), nil
	}
	p := k.model.Paths[d.model.Path]
	like, err := k.model.Permits(p, d.call, &d.model.Effect, d.by)
	if err != nil {
		return open(s, err.Error()), nil
	}
	answer, why, err := k.askBoth(ctx, solver.Query{Assertions: append(k.model.CallTerms(p, d.call), like)})
	switch {
	case err != nil:
		return s, err
	case why != "":
		return open(s, fmt.Sprintf("path %d of the model: %s", d.model.Path+1, why)), nil
	case answer == solver.Unsat:
		s.State, s.Answer = Refutes, fmt.Sprintf("unsat: path %d of the model does not permit that the call %s, as was computed", d.model.Path+1, d.wrong)
		return s, nil
	}
	s.Answer = fmt.Sprintf("unsat: none of %s permits that the call %s; sat: path %d permits that it %s", paths(len(k.model.Paths)), d.right, d.model.Path+1, d.wrong)
	return s, nil
}

func paths(n int) string {
	if n == 1 {
		return "the model's 1 path"
	}
	return fmt.Sprintf("the model's %d paths", n)
}

func open(s Step, why string) Step {
	s.State, s.Answer = Open, why
	return s
}

// askBoth asks both solvers. A non-empty why means that nothing follows: one does not know or
// fails, or they disagree. The error is ctx's, or reports a missing solver.
func (k *Confirmer) askBoth(ctx context.Context, q solver.Query) (answer solver.Answer, why string, err error) {
	r, err := solver.Both(ctx, k.solvers[0], k.solvers[1], q)
	var missing *exit.Error
	switch {
	case ctx.Err() != nil:
		return 0, "", ctx.Err()
	case errors.As(err, &missing):
		return 0, "", err
	case err != nil:
		return 0, err.Error(), k.probe(ctx)
	case r.Answer == solver.Unknown && !k.probed:
		return 0, "not known: " + r.Reason, k.probe(ctx)
	case r.Answer == solver.Unknown || r.Reason != "": // both must know
		return 0, "not known: " + r.Reason, nil
	}
	return r.Answer, "", nil
}

// probes is the number of trivial questions to a solver before it counts as broken.
const probes = 3

// probe finds solvers that answer nothing at all. A solver that always crashes or hangs confirms
// nothing, which would go unnoticed. Probing happens once, after the first question without an
// answer.
func (k *Confirmer) probe(ctx context.Context) error {
	if k.probed {
		return k.broken
	}
	for _, s := range k.solvers {
		why := ""
		for range probes {
			r, err := s.Check(ctx, solver.Query{})
			var missing *exit.Error
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.As(err, &missing):
				return err
			case err != nil:
				why = err.Error()
			case r.Late:
				why = r.Reason
			default:
				why = ""
			}
			if why == "" {
				break
			}
		}
		if why != "" {
			k.broken = exit.Infra("%s does not answer the simplest question, so that nothing can be confirmed: %s. See that it works", s.Name(), why)
			break
		}
	}
	k.probed = true
	return k.broken
}
