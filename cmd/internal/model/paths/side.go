package paths

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
)

// model substitutes the arguments into the paths of the model.
func (f *finder) model() error {
	for i, p := range f.m.Paths {
		s, err := f.side(p)
		if err != nil {
			return fmt.Errorf("path %d of the model: %w", i+1, err)
		}
		f.sides = append(f.sides, *s)
	}
	return nil
}

func (f *finder) side(p *formula.Path) (*side, error) {
	s := &side{path: p}
	var err error
	if s.assertions, err = f.m.LinkedAssertions(p, f.terms); err != nil {
		return nil, err
	}
	if s.effect, err = f.m.Effect(p, f.terms); err != nil {
		return nil, err
	}
	if p.Recovered().Ground() {
		if err := f.ground(s); err != nil {
			return nil, err
		}
	}
	return s, f.published(s)
}

// ground handles a path that the arguments determine. A term then expresses whether the path has an
// execution. Integer terms are written over the arguments alone, and in bits.
func (f *finder) ground(s *side) error {
	r := s.path.Recovered()
	conditions, err := r.Preconditions()
	if err != nil {
		return err
	}
	if conditions, err = f.m.Link(s.path, f.terms, conditions...); err != nil {
		return err
	}
	s.holds = f.m.Context.And(conditions...)
	if slices.ContainsFunc(smt.ConstantsOf(s.holds), func(c *smt.Term) bool { return !slices.Contains(f.values(), c) }) {
		s.holds = nil
		return nil
	}
	if !hasIntegers(s.assertions) {
		return nil
	}
	results := s.path.Results()
	values, err := r.Expand(results...)
	if err != nil {
		return err
	}
	if values, err = f.m.Link(s.path, f.terms, values...); err != nil {
		return err
	}
	by := map[*smt.Term]*smt.Term{}
	for i, t := range results {
		by[t] = values[i]
	}
	terms := append([]*smt.Term{s.holds}, s.effect.Terms()...)
	if terms, err = f.m.Context.Substitute(by, terms...); err != nil {
		return err
	}
	n := integers{f.m.Context, map[*smt.Term]*smt.Term{}}
	terms, ok := n.without(terms)
	if !ok {
		return nil // the solver may know nevertheless
	}
	s.holds = terms[0]
	s.assertions = []*smt.Term{s.holds}
	s.effect = s.effect.With(terms[1:])
	return nil
}
