package dataflow

import (
	"slices"

	"parallax/cmd/internal/model/smt"
)

// Dependency records that the values of a variable follow from others.
type Dependency struct {
	From []*smt.Term // by Id; none for a value
	To   *smt.Term
}

// Dependencies returns the dependencies of the steps, in causal order.
func (m *Model) Dependencies() []Dependency {
	var all []Dependency
	for _, s := range m.Steps {
		for _, v := range s.Vars {
			all = append(all, Dependency{From: s.Uses(), To: v})
		}
	}
	return all
}

// Rules selects the deviations of Published from the paper. Each can be disabled to measure its
// effect.
type Rules struct { // only asserted equalities count, alone or in a conjunction, and none within conditions
	// equalities count that are asserted, alone or in a conjunction, and none within conditions
	Asserted bool
	OneWay   bool // the first operand of an equality is the lvalue
	Whole    bool // an ite is one formula
}

// Published implements the recovery as SEDiff describes it, for comparison: every equality counts,
// at any place. A compound operand is the rvalue of the other operand; each of two variables may be
// the lvalue. The formulas of a result are all expressions over the arguments that chains of these
// yield, in the order of discovery. Each ite gives two formulas, without the condition. Published
// stops at a limit, and then all is false.
func Published(ctx *smt.Context, assertions []*smt.Term, roles Roles, result *smt.Term, limit int, rules Rules) (formulas []*smt.Term, all bool, err error) {
	p := published{ctx: ctx, limit: limit, rvalues: map[*smt.Term][]*smt.Term{}, whole: rules.Whole}
	lvalue := func(t *smt.Term) bool { return t.Op() == smt.OpConst && !slices.Contains(roles.Args, t) }
	terms := smt.Visit(assertions...)
	if rules.Asserted {
		terms = conjuncts(assertions)
	}
	for _, t := range terms {
		if t.Op() != smt.OpEqual {
			continue
		}
		for i, l := range t.Args() {
			for j, value := range t.Args() {
				if i != j && lvalue(l) && (i == 0 || !rules.OneWay) {
					p.rvalues[l] = append(p.rvalues[l], value)
				}
			}
		}
	}
	p.lvalue = lvalue
	p.complete = true
	p.expand(result, nil)
	return p.formulas, p.complete, p.err
}

// conjuncts splits the conjunctions of assertions.
func conjuncts(assertions []*smt.Term) (all []*smt.Term) {
	for _, t := range assertions {
		if t.Op() == smt.OpAnd {
			all = append(all, conjuncts(t.Args())...)
		} else {
			all = append(all, t)
		}
	}
	return all
}

type published struct {
	ctx      *smt.Context
	whole    bool
	limit    int
	rvalues  map[*smt.Term][]*smt.Term
	lvalue   func(*smt.Term) bool
	formulas []*smt.Term
	tried    int
	complete bool
	err      error
}

// expand replaces the first variable of a term by each of its rvalues in turn. Within a formula, a
// variable has one rvalue, which must not lead back to the variable.
func (p *published) expand(t *smt.Term, used []*smt.Term) {
	if p.err != nil || !p.complete {
		return
	}
	if p.tried++; p.tried > 100*p.limit {
		p.complete = false
		return
	}
	for _, v := range smt.ConstantsOf(t) {
		if !p.lvalue(v) {
			continue
		}
		if slices.Contains(used, v) {
			return
		}
		for _, value := range p.rvalues[v] {
			next, err := p.ctx.Substitute(map[*smt.Term]*smt.Term{v: value}, t)
			if err != nil {
				p.err = err
				return
			}
			p.expand(next[0], append(used[:len(used):len(used)], v))
		}
		return
	}
	paths, all, err := []Path{{Value: t}}, true, error(nil)
	if !p.whole {
		paths, all, err = Paths(p.ctx, t, p.limit)
	}
	if err != nil {
		p.err = err
		return
	}
	p.complete = p.complete && all
	for _, path := range paths {
		if slices.Contains(p.formulas, path.Value) {
			continue
		}
		if len(p.formulas) == p.limit {
			p.complete = false
			return
		}
		p.formulas = append(p.formulas, path.Value)
	}
}
