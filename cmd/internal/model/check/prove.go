package check

import (
	"context"
	"time"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/paths"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt/solver"
)

// DefaultProve is how many questions solvers are asked about a function. The limit is of questions and not of time, so that what is found repeats;
// the minute of processor time is for models that nobody can solve.
const DefaultProve = 100

// branches is how many of them are for inputs that take the branches of the model.
const branches = 24

// prove has solvers say what they can of the original's paths. What they find are calls to begin with, too.
func (m *Model) prove(ctx context.Context, o *Options) error {
	proofs, seeds, err := Prove(ctx, m.Original, m.Formula, o.Scope.Compare, o.Prove)
	if err != nil {
		return err
	}
	o.Scope.Proofs, o.Scope.Seeds = proofs, append(o.Scope.Seeds, seeds...)
	return nil
}

// describe has the solver say which calls take the original's paths, and what they do, for a model that is code and of which nothing is proved.
func (m *Model) describe(ctx context.Context, o *Options) error {
	none, err := formula.New(m.Original.Signature, nil, m.Record.Function)
	if err != nil {
		return err
	}
	found, err := find(ctx, m.Original, none, o.Scope.Compare, paths.Options{Matching: true, Asked: o.Prove, Budget: time.Minute})
	if err != nil {
		return err
	}
	o.Scope.Proofs = map[uint64]*scope.Proof{}
	keys, of := found.Keys()
	for _, key := range keys {
		o.Scope.Proofs[key] = described(m.Original, of[key], open(&found.Left))
	}
	return nil
}

// find looks at the paths of an original beside a model.
func find(ctx context.Context, original *original.Original, m *formula.Model, by call.Comparator, o paths.Options) (*paths.Result, error) {
	if by == "" {
		by = original.Signature.Comparator()
	}
	z3 := solver.New(solver.Z3, solver.Options{Timeout: paths.Question})
	defer z3.Close()
	return paths.Find(ctx, original, m, by, z3, o)
}

// open reports whether there may be ways to take a path that were not looked at.
func open(left *paths.Left) bool { return !left.Complete || left.Null }

// described is what is known of a path without the model: the condition and the result of the shortest way to take it. The list of ways may be open.
func described(original *original.Original, ways []*paths.Path, open bool) *scope.Proof {
	p := &scope.Proof{Ways: len(ways)}
	for _, way := range ways {
		p.More = p.More || open && rounds(way.Blocks)
	}
	var shortest *paths.Path
	for _, way := range ways {
		if way.Beyond == "" && (shortest == nil || len(way.Condition) < len(shortest.Condition)) {
			shortest = way
		}
	}
	if shortest != nil {
		told := shortest.Explain(original.Signature)
		p.Condition, p.Result = told.Condition, told.Outcome
		if told.Brief != told.Condition {
			p.Brief = told.Brief
		}
	}
	return p
}

// rounds reports whether a way comes by a block again, as where it goes round a loop: it may go round another number of times on other ways.
func rounds(blocks []int) bool {
	seen := map[int]bool{}
	for _, b := range blocks {
		if seen[b] {
			return true
		}
		seen[b] = true
	}
	return false
}

// Prove asks a solver so many questions about the paths of an original against its model, with results compared by the function's own comparator
// if by is "". It gives what is known of each path, and calls to begin with.
func Prove(ctx context.Context, original *original.Original, m *formula.Model, by call.Comparator, questions int) (map[uint64]*scope.Proof, []call.Call, error) {
	found, err := find(ctx, original, m, by, paths.Options{Branches: branches, Asked: questions, Budget: time.Minute})
	if err != nil {
		return nil, nil, err
	}
	keys, of := found.Keys()
	proofs := map[uint64]*scope.Proof{}
	for _, key := range keys {
		open := open(&found.Left)
		p := described(original, of[key], open)
		p.Agrees = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.A.Answer })
		p.Deviates = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.D.Answer })
		p.Runs = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.R.Answer })
		p.Drops = summed(of[key], open, func(p *paths.Path) solver.Answer { return p.N.Answer })
		for _, way := range of[key] {
			p.Match = p.Match || way.Match
		}
		proofs[key] = p
	}
	return proofs, found.Seeds, nil
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
