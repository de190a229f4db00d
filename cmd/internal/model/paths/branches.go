package paths

import (
	"errors"
	"slices"

	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// branch is a condition in a path of the model that seeds have not met in both ways.
type branch struct {
	term *smt.Term
	// in the machine; -1 if the condition depends on symbols that the model leaves open
	root int
	met  [2]bool // false, true
}

// branches searches for inputs that take each branch of the model both ways: the conditions of
// choices and the parts of disjunctions.
func (f *finder) branches() error {
	left := f.options.Branches
	for i := range f.sides {
		s := &f.sides[i]
		list, machine, err := f.conditions(s)
		if err != nil {
			return err
		}
		looked := 0 // seeds that were examined
		look := func() error {
			for ; looked < len(f.result.Seeds); looked++ {
				if err := f.meet(i, list, machine, looked); err != nil {
					return err
				}
			}
			return nil
		}
		for k := range list {
			for way, wanted := range []*smt.Term{f.m.Context.Not(list[k].term), list[k].term} {
				if err := look(); err != nil {
					return err
				}
				if list[k].met[way] {
					continue
				}
				if left == 0 || f.over(1) {
					f.result.Left.Branches++
					continue
				}
				left--
				known, err := f.branch(s, wanted)
				if err != nil {
					return err
				}
				if !known {
					f.result.Left.Branches++
				}
			}
		}
	}
	return nil
}

// tries limits the inputs per branch on which the original is undefined.
const tries = 4

// branch searches for an input that takes one way of a branch. It returns false if the solver does
// not know.
func (f *finder) branch(s *side, wanted *smt.Term) (known bool, err error) {
	terms := []*smt.Term{wanted}
	for range tries {
		v, c, err := f.check(s.assertions, terms)
		if c == nil || err != nil {
			return v.Answer == solver.Unsat, err
		}
		run, err := f.o.Run(c)
		if err != nil {
			return false, err
		}
		if run.Undefined == "" {
			f.seed(c)
			return true, nil
		}
		terms = append(terms, f.m.Context.Not(f.is(c)))
	}
	return false, nil
}

// conditions returns the conditions in a path of the model, and a machine that computes those that
// follow from the arguments.
func (f *finder) conditions(s *side) ([]branch, *smt.Machine, error) {
	var terms []*smt.Term
	add := func(t *smt.Term) {
		if t.Op() == smt.OpNot {
			t = t.Args()[0]
		}
		if !t.Literal() && !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	for _, t := range smt.Visit(s.path.Assertions...) {
		switch {
		case t.Op() == smt.OpIte:
			add(t.Args()[0])
		case t.Op() == smt.OpOr:
			for _, a := range t.Args() {
				add(a)
			}
		}
	}
	expanded, err := s.path.Recovered().Expand(terms...)
	if err != nil {
		return nil, nil, err
	}
	if expanded, err = f.m.Link(s.path, f.terms, expanded...); err != nil {
		return nil, nil, err
	}
	linked, err := f.m.Link(s.path, f.terms, terms...)
	if err != nil {
		return nil, nil, err
	}
	inputs := f.values()
	var list []branch
	var roots []*smt.Term
	for i, t := range linked {
		b := branch{term: t, root: -1}
		if expanded[i].Literal() {
			continue
		}
		if !slices.ContainsFunc(smt.ConstantsOf(expanded[i]), func(c *smt.Term) bool { return !slices.Contains(inputs, c) }) {
			if known := slices.Index(roots, expanded[i]); known >= 0 {
				continue // another branch has the same condition
			}
			b.root = len(roots)
			roots = append(roots, expanded[i])
		}
		list = append(list, b)
	}
	program, err := smt.Compile(inputs, roots...)
	if errors.Is(err, smt.ErrUnsupported) {
		for k := range list {
			list[k].root = -1
		}
		program, err = smt.Compile(inputs)
	}
	if err != nil {
		return nil, nil, err
	}
	return list, program.Machine(), nil
}

// meet records which way a seed takes each branch, if the path of the model allows the seed.
func (f *finder) meet(side int, list []branch, machine *smt.Machine, seed int) error {
	c := f.result.Seeds[seed]
	answer, err := f.m.Evaluate(f.ctx, c, nil)
	if err != nil {
		return err
	}
	if answer.Kind == formula.Dropped || answer.Kind == formula.Returned && len(f.sides) > 1 && answer.Path != side {
		return nil
	}
	f.set(machine, c)
	if err := machine.Run(); err != nil {
		return err
	}
	for k := range list {
		if r := list[k].root; r >= 0 && machine.Defined(r) {
			way := 0
			if machine.Bool(r) {
				way = 1
			}
			list[k].met[way] = true
		}
	}
	return nil
}
