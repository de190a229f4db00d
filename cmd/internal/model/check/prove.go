package check

import (
	"context"
	"time"

	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/smt/solver"
)

// DefaultProve is how many questions solvers are asked about a function. The limit is of questions and not of time, so that what is found repeats;
// the minute of processor time is for models that nobody can solve.
const DefaultProve = 100

// branches is how many of them are for inputs that take the branches of the model.
const branches = 24

// prove has solvers say what they can of the original's paths. What they find are calls to begin with, too.
func (m *Model) prove(ctx context.Context, o *Options) error {
	by := o.Scope.Compare
	if by == "" {
		by = m.Original.Signature.Comparator()
	}
	z3 := solver.New(solver.Z3, solver.Options{Timeout: paths.Question})
	defer z3.Close()
	found, err := paths.Find(ctx, m.Original, m.Formula, by, z3, paths.Options{Branches: branches, Asked: o.Prove, Budget: time.Minute})
	if err != nil {
		return err
	}
	keys, of := found.Keys()
	o.Scope.Proofs = map[uint64]*scope.Proof{}
	for _, key := range keys {
		p := &scope.Proof{Ways: len(of[key])}
		open := !found.Left.Complete || found.Left.Null // there may be ways that were not looked at
		p.Agrees = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.A.Answer })
		p.Deviates = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.D.Answer })
		p.Runs = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.R.Answer })
		p.Drops = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.N.Answer })
		for _, way := range of[key] {
			p.Match = p.Match || way.Match
			if p.Condition == "" && way.Beyond == "" {
				p.Condition, p.Result = way.Explain(m.Original.Signature)
			}
		}
		o.Scope.Proofs[key] = p
	}
	o.Scope.Seeds = append(o.Scope.Seeds, found.Seeds...)
	return nil
}

// summed is the answer for all ways to take a path.
func summed(ways []*paths.Path, open bool, answer func(*paths.Path) solver.Answer) string {
	sum := solver.Unsat
	if open {
		sum = solver.Unknown
	}
	for _, way := range ways {
		a := answer(way)
		if way.Beyond != "" {
			a = solver.Unknown
		}
		switch {
		case a == solver.Sat:
			return a.String()
		case a == solver.Unknown:
			sum = a
		}
	}
	return sum.String()
}
