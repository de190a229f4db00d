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
func (f *finder) branches() {
	left := f.options.Branches
	for i := range f.sides {
		s := &f.sides[i]
		list, machine := f.conditions(s)
		looked := 0 // seeds that were examined
		for k := range list {
			for way, wanted := range []*smt.Term{f.m.Context.Not(list[k].term), list[k].term} {
				for ; looked < len(f.result.Seeds); looked++ {
					f.meet(i, list, machine, looked)
				}
				if list[k].met[way] {
					continue
				}
				if left == 0 || f.over(1) {
					f.result.Left.Branches++
					continue
				}
				left--
				if !f.branch(s, wanted) {
					f.result.Left.Branches++
				}
			}
		}
	}
}

// tries limits the inputs per branch on which the original is undefined.
const tries = 4

// branch searches for an input that takes one way of a branch. It returns false if the solver does
// not know.
func (f *finder) branch(s *side, wanted *smt.Term) (known bool) {
	terms := []*smt.Term{wanted}
	for range tries {
		v, c := f.check(s.assertions, terms)
		if c == nil {
			return v.Answer == solver.Unsat
		}
		if must(f.o.Run(c)).Undefined == "" {
			f.seed(c)
			return true
		}
		terms = append(terms, f.m.Context.Not(f.is(c)))
	}
	return false
}

// conditions returns the conditions in a path of the model, and a machine that computes those that
// follow from the arguments.
func (f *finder) conditions(s *side) ([]branch, *smt.Machine) {
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
	expanded := must(s.path.Recovered().Expand(terms...))
	expanded = must(f.m.Link(s.path, f.terms, expanded...))
	linked := must(f.m.Link(s.path, f.terms, terms...))
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
	return list, must(program, err).Machine()
}

// meet records which way a seed takes each branch, if the path of the model allows the seed.
func (f *finder) meet(side int, list []branch, machine *smt.Machine, seed int) {
	c := f.result.Seeds[seed]
	answer := must(f.m.Evaluate(f.ctx, c, nil))
	if answer.Kind == formula.Dropped || answer.Kind == formula.Returned && len(f.sides) > 1 && answer.Path != side {
		return
	}
	f.set(machine, c)
	stopOn(machine.Run())
	for k := range list {
		if r := list[k].root; r >= 0 && machine.Defined(r) {
			way := 0
			if machine.Bool(r) {
				way = 1
			}
			list[k].met[way] = true
		}
	}
}
