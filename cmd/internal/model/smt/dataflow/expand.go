package dataflow

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// Expand rewrites terms in the arguments and free variables only, by replacing variables of steps
// by their values. Cases become a chain of ite. If some case must hold (see Preconditions), its
// last branch is that of the last case. Otherwise it is the variable itself.
func (m *Model) Expand(terms ...*smt.Term) ([]*smt.Term, error) {
	if m.values == nil {
		by := map[*smt.Term]*smt.Term{}
		for _, s := range m.Steps {
			for i, v := range s.Vars {
				value := s.Value
				if value == nil {
					var err error
					if value, err = m.chain(s, i); err != nil {
						return nil, err
					}
				}
				expanded, err := m.ctx.Substitute(by, value)
				if err != nil {
					return nil, err
				}
				by[v] = expanded[0]
			}
		}
		m.values = by
	}
	return m.ctx.Substitute(m.values, terms...)
}

// chain returns variable i of a step by cases as a term.
func (m *Model) chain(s Step, i int) (*smt.Term, error) {
	type choice struct{ when, value *smt.Term }
	var choices []choice
	total := false
	for _, part := range s.Parts {
		var without []*smt.Term // conditions under which the part does not constrain the variable
		for _, c := range part {
			if c.Values == nil {
				without = append(without, m.ctx.Not(c.Condition))
			}
		}
		total = total || without == nil
		for _, c := range part {
			if c.Values != nil {
				choices = append(choices, choice{m.ctx.And(append(slices.Clone(without), c.Condition)...), c.Values[i]})
			}
		}
	}
	term := s.Vars[i]
	if total {
		term = choices[len(choices)-1].value
		choices = choices[:len(choices)-1]
	}
	for _, c := range slices.Backward(choices) {
		var err error
		if term, err = m.ctx.App(smt.OpIte, c.when, c.value, term); err != nil {
			return nil, err
		}
	}
	return term, nil
}

// Preconditions returns the conditions on arguments under which the model has an execution: Checks,
// and for each disjunction that some case holds. They contain arguments only, except those that
// depend on free variables.
func (m *Model) Preconditions() ([]*smt.Term, error) {
	terms := slices.Clone(m.Checks)
	for _, s := range m.Steps {
		for _, part := range s.Parts {
			var some []*smt.Term
			for _, c := range part {
				some = append(some, c.Condition)
			}
			terms = append(terms, m.ctx.Or(some...))
		}
	}
	return m.Expand(terms...)
}

// Normalized renames arguments to arg_0, arg_1 and so on, results to ret (or ret_0 ...), and other
// constants to free_0 ....
func (m *Model) Normalized(terms ...*smt.Term) ([]*smt.Term, error) {
	by := map[*smt.Term]*smt.Term{}
	name := func(v *smt.Term, name string) {
		if by[v] == nil {
			by[v] = m.ctx.Const(name, v.Sort())
		}
	}
	for i, a := range m.Args {
		name(a, fmt.Sprint("arg_", i))
	}
	for i, v := range m.Results {
		if len(m.Results) == 1 {
			name(v, "ret")
			continue
		}
		name(v, fmt.Sprint("ret_", i))
	}
	n := 0
	for _, v := range smt.ConstantsOf(terms...) {
		if by[v] == nil {
			name(v, fmt.Sprint("free_", n))
			n++
		}
	}
	return m.ctx.Substitute(by, terms...)
}

// Path is one path through a term. Under the conditions, in the order of their evaluation, its
// value is Value, which has no ite.
type Path struct {
	Conditions []*smt.Term
	Value      *smt.Term
}

// Paths splits a term at each ite into paths, taken branches first. Equal conditions have equal
// results on a path. Paths stops at a limit, and then all is false.
func Paths(ctx *smt.Context, t *smt.Term, limit int) (paths []Path, all bool, err error) {
	stack := []Path{{Value: t}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		condition := topmost(p.Value)
		if condition == nil {
			if len(paths) == limit {
				return paths, false, nil
			}
			paths = append(paths, p)
			continue
		}
		denied := ctx.Not(condition)
		for branch, c := range []*smt.Term{denied, condition} {
			other := []*smt.Term{condition, denied}[branch]
			if slices.Contains(p.Conditions, other) {
				continue // of an earlier question, which has the answer
			}
			by := map[*smt.Term]*smt.Term{}
			for _, part := range smt.Visit(p.Value) {
				if part.Op() == smt.OpIte && part.Args()[0] == condition {
					by[part] = part.Args()[2-branch]
				}
			}
			value, err := ctx.Substitute(by, p.Value)
			if err != nil {
				return nil, false, err
			}
			next := Path{Conditions: p.Conditions, Value: value[0]}
			if !slices.Contains(p.Conditions, c) && !c.Literal() {
				next.Conditions = append(p.Conditions[:len(p.Conditions):len(p.Conditions)], c)
			}
			if c.Op() != smt.OpFalse {
				stack = append(stack, next)
			}
		}
	}
	return paths, true, nil
}

// topmost returns the condition of an ite that is evaluated first. Among those in no branch of
// another, it is the first one's, or a condition within it.
func topmost(t *smt.Term) *smt.Term {
	seen := map[*smt.Term]bool{}
	stack := []*smt.Term{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		if t.Op() == smt.OpIte {
			for _, part := range smt.Visit(t.Args()[0]) {
				if part.Op() == smt.OpIte {
					// the innermost comes first, and has no ite in its condition
					return part.Args()[0]
				}
			}
			return t.Args()[0]
		}
		for _, a := range slices.Backward(t.Args()) {
			stack = append(stack, a)
		}
	}
	return nil
}
