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

// DefaultProve limits the questions to solvers about a function. Since it limits questions and not
// time, results repeat. The additional minute of processor time is for models that no solver can
// decide.
const DefaultProve = 100

// branches limits the questions for inputs that take the branches of the model. They are part of
// DefaultProve.
const branches = 24

// prove has solvers decide the original's paths. The inputs that they find become seeds for the
// samples.
func (m *Model) prove(ctx context.Context, o *Options) error {
	proofs, seeds, err := Prove(ctx, m.Original, m.Formula, o.Scope.Compare, o.Prove)
	if err != nil {
		return err
	}
	o.Scope.Proofs, o.Scope.Seeds = proofs, append(o.Scope.Seeds, seeds...)
	return nil
}

// describe lists the conditions and results of the original's paths, for a model in code, which
// cannot be proved.
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
	keys, byKey := found.Keys()
	for _, key := range keys {
		o.Scope.Proofs[key] = described(m.Original, byKey[key], open(&found.Left))
	}
	return nil
}

// find enumerates the paths of an original and compares them with a model.
func find(ctx context.Context, original *original.Original, m *formula.Model, by call.Comparator, o paths.Options) (*paths.Result, error) {
	if by == "" {
		by = original.Signature.Comparator()
	}
	z3 := solver.New(solver.Z3, solver.Options{Timeout: paths.Question})
	defer z3.Close()
	return paths.Find(ctx, original, m, by, z3, o)
}

// open reports whether a path may have further ways that Find did not examine.
func open(left *paths.Left) bool { return !left.Complete || left.Null }

// described returns the condition and the result of the shortest way to take a path. open means
// that there may be more ways.
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
		explanation := shortest.Explain(original.Signature)
		p.Condition, p.Result = explanation.Condition, explanation.Outcome
		if explanation.Brief != explanation.Condition {
			p.Brief = explanation.Brief
		}
	}
	return p
}

// rounds reports whether a way visits a block twice, as in a loop. Other ways may run the loop more
// or less often.
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

// Prove asks a solver at most this many questions about the original's paths and its model. An
// empty by means the function's own comparator. It returns the proofs by path, and calls for
// samples to start with.
func Prove(ctx context.Context, original *original.Original, m *formula.Model, by call.Comparator, questions int) (map[uint64]*scope.Proof, []call.Call, error) {
	found, err := find(ctx, original, m, by, paths.Options{Branches: branches, Asked: questions, Budget: time.Minute})
	if err != nil {
		return nil, nil, err
	}
	keys, byKey := found.Keys()
	proofs := map[uint64]*scope.Proof{}
	for _, key := range keys {
		open := open(&found.Left)
		p := described(original, byKey[key], open)
		p.Agrees = summed(byKey[key], open, func(p *paths.Path) solver.Answer { return p.A.Answer })
		p.Deviates = summed(byKey[key], open, func(p *paths.Path) solver.Answer { return p.D.Answer })
		p.Runs = summed(byKey[key], open, func(p *paths.Path) solver.Answer { return p.R.Answer })
		p.Drops = summed(byKey[key], open, func(p *paths.Path) solver.Answer { return p.N.Answer })
		for _, way := range byKey[key] {
			p.Match = p.Match || way.Match
		}
		proofs[key] = p
	}
	return proofs, found.Seeds, nil
}

// summed returns the answer for all ways to take a path.
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
