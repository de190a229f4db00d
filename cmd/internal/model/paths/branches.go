package paths

import (
	"errors"
	"slices"

	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// branch is a condition of a path of the model on the arguments, which no seed meets yet one way or both.
type branch struct {
	term *smt.Term
	root int     // of the machine, or -1 where the condition depends on what the model leaves open
	met  [2]bool // denied, and as it is
}

// branches looks for inputs that take each branch of the model: each condition of a choice, and each part of a disjunction, both ways.
func (f *finder) branches() error {
	left := f.options.Branches
	for i := range f.sides {
		s := &f.sides[i]
		list, machine, err := f.conditions(s)
		if err != nil {
			return err
		}
		looked := 0 // seeds that were looked at
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

// tries is how many inputs are asked for where C leaves undefined what they do.
const tries = 4

// branch looks for an input that takes one way of a branch. It is false where the solver does not know.
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

// conditions are those of a path of the model, with a machine that computes them where they follow from the arguments.
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
				continue // the same condition, asked elsewhere
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

// meet notes which way a seed takes each branch, if the path of the model allows it.
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
