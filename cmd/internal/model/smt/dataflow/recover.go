package dataflow

import (
	"slices"

	"parallax/cmd/internal/model/smt"
)

// recovery puts conjuncts into causal order. It works forward from known variables, like unit
// resolution. An equation defines its variable once all its other variables are known. All
// definitions found in this way hold, in any order of choice. The result is a matching of variables
// to equations with one causal order.
//
// A search is needed only if nothing further follows. Equalities of variables then form classes. A
// class without a definition is free. Classes that need each other are cycles, which stay
// relational.
type recovery struct {
	m         *Model
	conjuncts []*conjunct
	known     map[*smt.Term]bool
	in        map[*smt.Term][]*conjunct // by variable
	ready     []*conjunct               // with at most one unknown variable
}

// conjunct is an assertion with its possible definitions.
type conjunct struct {
	term    *smt.Term
	vars    []*smt.Term // except arguments
	unknown int
	used    bool
	defines []binding     // as an equation
	parts   [][]*smt.Term // as a disjunction of conjunctions, or nil
}

// binding is a variable with its value from an equation.
type binding struct{ v, value *smt.Term }

func (r *recovery) enter(t *smt.Term) {
	c := &conjunct{term: t}
	for _, v := range smt.ConstantsOf(t) {
		if !slices.Contains(r.m.Args, v) {
			c.vars = append(c.vars, v)
			r.in[v] = append(r.in[v], c)
		}
	}
	c.unknown = len(c.vars)
	c.defines = r.bindings(t)
	if c.defines == nil {
		c.parts = r.disjuncts(t, 0)
	}
	r.conjuncts = append(r.conjuncts, c)
	r.ready = append(r.ready, c)
}

// bindings returns the ways to read a conjunct as a definition.
func (r *recovery) bindings(t *smt.Term) []binding {
	switch {
	case r.variable(t):
		return []binding{{t, r.m.ctx.BoolTerm(true)}}
	case t.Op() == smt.OpNot && r.variable(t.Args()[0]):
		return []binding{{t.Args()[0], r.m.ctx.BoolTerm(false)}}
	case t.Op() != smt.OpEqual || len(t.Args()) != 2:
		return nil
	}
	var ways []binding
	for i, v := range t.Args() {
		other := t.Args()[1-i]
		if r.variable(v) && !slices.Contains(smt.ConstantsOf(other), v) {
			ways = append(ways, binding{v, other})
		}
	}
	return ways
}

// alias reports whether a conjunct is an equality of two variables.
func (c *conjunct) alias() bool { return len(c.defines) == 2 }

func (r *recovery) run() {
	for {
		r.follow()
		switch {
		case r.byCases(true), r.guarded(true), r.byCases(false), r.guarded(false):
		case r.release():
		default:
			return
		}
	}
}

// follow takes all definitions by equations, and removes conjuncts without unknown variables.
func (r *recovery) follow() {
	for len(r.ready) > 0 {
		c := r.ready[0]
		r.ready = r.ready[1:]
		switch {
		case c.used:
		case c.unknown == 0:
			c.used = true
			r.condition(c.term)
		case c.unknown == 1:
			for _, b := range c.defines {
				if !r.known[b.v] {
					r.define(Step{Vars: []*smt.Term{b.v}, Value: b.value}, c)
					break
				}
			}
		}
	}
}

// condition keeps a conjunct that defines nothing.
func (r *recovery) condition(t *smt.Term) {
	if r.anyOpen(smt.ConstantsOf(t)) {
		r.m.Relational = append(r.m.Relational, t)
		return
	}
	r.m.Checks = append(r.m.Checks, t)
}

func (r *recovery) anyOpen(vars []*smt.Term) bool {
	return slices.ContainsFunc(vars, func(v *smt.Term) bool { return r.m.open[v] })
}

// define adds a step from conjuncts.
func (r *recovery) define(s Step, from ...*conjunct) {
	for _, c := range from {
		c.used = true
		s.From = append(s.From, c.term)
	}
	open := r.anyOpen(s.Uses())
	r.m.Steps = append(r.m.Steps, s)
	for _, v := range s.Vars {
		r.m.open[v] = open
		r.learn(v)
	}
}

func (r *recovery) learn(v *smt.Term) {
	r.known[v] = true
	for _, c := range r.in[v] {
		if c.unknown--; c.unknown <= 1 && !c.used {
			r.ready = append(r.ready, c)
		}
	}
}

func (r *recovery) unknownOf(c *conjunct) []*smt.Term {
	var vars []*smt.Term
	for _, v := range c.vars {
		if !r.known[v] {
			vars = append(vars, v)
		}
	}
	return vars
}

// elsewhere reports whether another conjunct than those could still define a variable.
func (r *recovery) elsewhere(v *smt.Term, but ...*conjunct) bool {
	return slices.ContainsFunc(r.in[v], func(c *conjunct) bool {
		return !c.used && !slices.Contains(but, c) && (c.parts != nil || slices.ContainsFunc(c.defines, func(b binding) bool { return b.v == v }))
	})
}

// byCases takes a definition by a disjunction that binds all that is unknown in it, in each of its
// parts. If only is set, it has to be the only one.
func (r *recovery) byCases(only bool) bool {
	for _, c := range r.conjuncts {
		if c.used || c.parts == nil || c.unknown == 0 {
			continue
		}
		vars := r.unknownOf(c)
		if only && slices.ContainsFunc(vars, func(v *smt.Term) bool { return r.elsewhere(v, c) }) {
			continue
		}
		if cases := r.cases(c, vars, false); cases != nil {
			r.define(Step{Vars: vars, Parts: [][]Case{cases}}, c)
			return true
		}
	}
	return false
}

// guarded takes a definition by disjunctions that bind one variable in some of their parts, as (=>
// p (= v 1)) does.
func (r *recovery) guarded(only bool) bool {
	for _, first := range r.conjuncts {
		if first.used || first.parts == nil || first.unknown != 1 {
			continue
		}
		v := r.unknownOf(first)
		var from []*conjunct
		var parts [][]Case
		for _, c := range r.in[v[0]] {
			if c.used || c.parts == nil || c.unknown != 1 {
				continue
			}
			if cases := r.cases(c, v, true); cases != nil {
				from, parts = append(from, c), append(parts, cases)
			}
		}
		if parts != nil && !(only && r.elsewhere(v[0], from...)) {
			r.define(Step{Vars: v, Parts: parts}, from...)
			return true
		}
	}
	return false
}

// release makes variables free if nothing further follows: those without a definition or, if only
// cycles remain, those of one cycle.
func (r *recovery) release() bool {
	classes := r.classes()
	if len(classes) == 0 {
		return false
	}
	freed := false
	for _, c := range classes {
		if len(c.definitions) == 0 {
			r.free(c)
			freed = true
		}
	}
	if freed {
		return true
	}
	for _, c := range cycle(classes) {
		for _, d := range c.definitions {
			if !d.used {
				d.used = true
				r.m.Relational = append(r.m.Relational, d.term)
			}
		}
		r.free(c)
	}
	return true
}

// free makes one variable of a class free, which is no result if there is another. The others
// follow from it.
func (r *recovery) free(c *class) {
	v := c.vars[0]
	for _, other := range c.vars {
		if !slices.Contains(r.m.Results, other) {
			v = other
			break
		}
	}
	r.m.Free = append(r.m.Free, v)
	r.m.open[v] = true
	r.learn(v)
}
