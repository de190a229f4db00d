package paths

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
)

// model substitutes the arguments into the paths of the model.
func (f *finder) model() {
	for i, p := range f.m.Paths {
		err := try(func() { f.sides = append(f.sides, *f.side(p)) })
		if err != nil {
			stopOn(fmt.Errorf("path %d of the model: %w", i+1, err))
		}
	}
}

func (f *finder) side(p *formula.Path) *side {
	s := &side{path: p, assertions: must(f.m.LinkedAssertions(p, f.terms)), effect: must(f.m.Effect(p, f.terms))}
	if p.Recovered().Ground() {
		f.ground(s)
	}
	f.published(s)
	return s
}

// ground handles a path that the arguments determine. A term then expresses whether the path has an
// execution. Integer terms are written over the arguments alone, and in bits.
func (f *finder) ground(s *side) {
	r := s.path.Recovered()
	conditions := must(r.Preconditions())
	conditions = must(f.m.Link(s.path, f.terms, conditions...))
	s.holds = f.m.Context.And(conditions...)
	if slices.ContainsFunc(smt.ConstantsOf(s.holds), func(c *smt.Term) bool { return !slices.Contains(f.values(), c) }) {
		s.holds = nil
		return
	}
	if !hasIntegers(s.assertions) {
		return
	}
	results := s.path.Results()
	values := must(r.Expand(results...))
	values = must(f.m.Link(s.path, f.terms, values...))
	by := map[*smt.Term]*smt.Term{}
	for i, t := range results {
		by[t] = values[i]
	}
	terms := append([]*smt.Term{s.holds}, s.effect.Terms()...)
	terms = must(f.m.Context.Substitute(by, terms...))
	n := integers{f.m.Context, map[*smt.Term]*smt.Term{}}
	terms, ok := n.without(terms)
	if !ok {
		return // the solver may know nevertheless
	}
	s.holds = terms[0]
	s.assertions = []*smt.Term{s.holds}
	s.effect = s.effect.With(terms[1:])
}
