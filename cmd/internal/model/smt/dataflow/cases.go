package dataflow

import (
	"slices"

	"parallax/cmd/internal/model/smt"
)

// maxCases bounds the parts of a disjunction, which multiply where disjunctions lie within others.
const maxCases = 256

// maxDepth limits nested disjunctions, which are all searched for equations.
const maxDepth = 64

// disjuncts returns the parts of a disjunction (or, =>, and ite of truth values), each as
// conjuncts. It returns nil for other terms, and for too many parts. Disjunctions within a part are
// multiplied out if they contain equations of variables, which could bind. Others are conditions.
func (r *recovery) disjuncts(t *smt.Term, depth int) [][]*smt.Term {
	ctx := r.m.ctx
	if depth > maxDepth {
		return nil
	}
	var alternatives [][]*smt.Term
	args := t.Args()
	switch {
	case t.Op() == smt.OpOr:
		for _, a := range args {
			alternatives = append(alternatives, []*smt.Term{a})
		}
	case t.Op() == smt.OpNot && args[0].Op() == smt.OpAnd:
		for _, a := range args[0].Args() {
			alternatives = append(alternatives, []*smt.Term{ctx.Not(a)})
		}
	case t.Op() == smt.OpImplies:
		last := len(args) - 1
		for _, a := range args[:last] {
			alternatives = append(alternatives, []*smt.Term{ctx.Not(a)})
		}
		alternatives = append(alternatives, []*smt.Term{args[last]})
	case t.Op() == smt.OpIte && t.Sort() == smt.Bool:
		alternatives = [][]*smt.Term{{args[0], args[1]}, {ctx.Not(args[0]), args[2]}}
	default:
		return nil
	}
	var parts [][]*smt.Term
	for _, a := range alternatives {
		within := [][]*smt.Term{nil}
		for _, c := range Conjuncts(ctx, a...) {
			var inner [][]*smt.Term
			if r.binds(c) {
				inner = r.disjuncts(c, depth+1)
			}
			if inner == nil {
				inner = [][]*smt.Term{{c}}
			}
			if len(within)*len(inner) > maxCases {
				return nil
			}
			var product [][]*smt.Term
			for _, w := range within {
				for _, i := range inner {
					product = append(product, slices.Concat(w, i))
				}
			}
			within = product
		}
		if parts = append(parts, within...); len(parts) > maxCases {
			return nil
		}
	}
	return parts
}

// binds reports whether there is an equation of a variable below the connectives of a term. An
// argument is no variable.
func (r *recovery) binds(t *smt.Term) bool {
	for _, part := range smt.Visit(t) {
		if part.Op() == smt.OpEqual && slices.ContainsFunc(part.Args(), r.variable) {
			return true
		}
	}
	return false
}

// variable reports whether a term is a constant of the script that could be defined.
func (r *recovery) variable(t *smt.Term) bool {
	return t.Op() == smt.OpConst && !slices.Contains(r.m.Args, t)
}

// cases reads a disjunction as a definition of variables. Each part must bind all of them. With
// some set, parts may instead mention none of them, but at least one must bind. It returns nil
// otherwise.
func (r *recovery) cases(c *conjunct, vars []*smt.Term, some bool) []Case {
	var cases []Case
	bound, unbound := 0, 0
	for _, part := range c.parts {
		by, rest := r.bind(part, vars)
		conditions, err := r.m.ctx.Substitute(by, rest...)
		if err != nil {
			return nil
		}
		k := Case{Condition: r.m.ctx.And(conditions...)}
		if len(by) == len(vars) {
			bound++
			for _, v := range vars {
				k.Values = append(k.Values, by[v])
			}
		} else {
			unbound++
			if len(by) > 0 || mentions(rest, vars) {
				return nil
			}
		}
		cases = append(cases, k)
	}
	if bound == 0 || some != (unbound > 0) {
		return nil
	}
	return cases
}

func mentions(terms, vars []*smt.Term) bool {
	return slices.ContainsFunc(smt.ConstantsOf(terms...), func(v *smt.Term) bool { return slices.Contains(vars, v) })
}

// bind takes equations of a conjunction as definitions of variables. No value in by has one of
// them. The rest of the conjunction is its conditions.
func (r *recovery) bind(part, vars []*smt.Term) (by map[*smt.Term]*smt.Term, rest []*smt.Term) {
	by = map[*smt.Term]*smt.Term{}
	rest = slices.Clone(part)
	for again := true; again; {
		again = false
		for i, t := range rest {
			for _, b := range r.bindings(t) {
				if by[b.v] != nil || !slices.Contains(vars, b.v) {
					continue
				}
				value, err := r.m.ctx.Substitute(by, b.value)
				if err == nil && !mentions(value, vars) {
					by[b.v], again = value[0], true
					break
				}
			}
			if again {
				rest = slices.Delete(rest, i, i+1)
				break
			}
		}
	}
	return by, rest
}
