package dataflow

import (
	"cmp"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// class is a set of variables with equalities between them, and the possible definitions of one of
// them.
type class struct {
	vars        []*smt.Term // by Id
	definitions []*conjunct
	needs       []*class
	number, low int // of Tarjan's algorithm
	stacked     bool
}

// classes returns the classes of the unknown variables.
func (r *recovery) classes() []*class {
	parent := map[*smt.Term]*smt.Term{}
	find := func(v *smt.Term) *smt.Term {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	var vars []*smt.Term
	note := func(v *smt.Term) {
		if !r.known[v] && parent[v] == nil {
			parent[v] = v
			vars = append(vars, v)
		}
	}
	for _, c := range r.conjuncts {
		for _, v := range c.vars {
			note(v)
		}
	}
	for _, v := range r.m.Results {
		note(v)
	}
	for _, c := range r.conjuncts {
		if !c.used && c.alias() {
			parent[find(c.defines[0].v)] = find(c.defines[1].v)
		}
	}
	slices.SortFunc(vars, func(a, b *smt.Term) int { return cmp.Compare(a.Id(), b.Id()) })
	of := map[*smt.Term]*class{}
	var classes []*class
	for _, v := range vars {
		root := find(v)
		if of[root] == nil {
			of[root] = &class{}
			classes = append(classes, of[root])
		}
		of[root].vars = append(of[root].vars, v)
		of[v] = of[root]
	}
	for _, c := range r.conjuncts {
		if c.used || c.alias() {
			continue
		}
		r.attach(c, of)
	}
	return classes
}

// attach adds a conjunct to the classes that it could define, with the classes that it then needs.
func (r *recovery) attach(c *conjunct, of map[*smt.Term]*class) {
	unknown := r.unknownOf(c)
	var defined []*smt.Term
	for _, b := range c.defines {
		defined = append(defined, b.v)
	}
	if c.parts != nil {
		// A disjunction defines a variable if it could once all else is known.
		for _, v := range unknown {
			if r.cases(c, []*smt.Term{v}, true) != nil || r.cases(c, []*smt.Term{v}, false) != nil {
				defined = append(defined, v)
			}
		}
	}
	for _, v := range defined {
		k := of[v]
		if k == nil {
			continue
		}
		k.definitions = append(k.definitions, c)
		for _, u := range unknown {
			if u != v && !slices.Contains(k.needs, of[u]) {
				k.needs = append(k.needs, of[u])
			}
		}
	}
}

// cycle returns a strongly connected component of classes that needs no class outside of it: the
// first that Tarjan's algorithm finds. Each class has a definition that is not usable yet, so that
// it needs itself or others.
func cycle(classes []*class) []*class {
	count := 0
	var stack, found []*class
	var visit func(c *class)
	visit = func(c *class) {
		count++
		c.number, c.low, c.stacked = count, count, true
		stack = append(stack, c)
		for _, n := range c.needs {
			switch {
			case found != nil:
				return
			case n.number == 0:
				visit(n)
				c.low = min(c.low, n.low)
			case n.stacked:
				c.low = min(c.low, n.number)
			}
		}
		if found == nil && c.low == c.number {
			for i := range stack {
				if stack[i] == c {
					found = stack[i:]
					return
				}
			}
		}
	}
	visit(classes[0])
	return found
}
