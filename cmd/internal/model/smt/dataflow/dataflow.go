// Package dataflow recovers the order of computation from the assertions of a model: which
// variables follow from which others, from the arguments to the results. SMT-LIB has equations in
// any order, and does not distinguish assignments from conditions (SEDiff, section 3.2.1).
//
// The rules are these. Assertions are split into conjuncts. Only an equality that is a conjunct
// defines a variable, and never an argument or a value. The compound side of an equality is the
// assigned value, so that only equalities of two variables can be read in both directions. A
// variable that is bound in all parts of a disjunction is defined by cases. The rest are conditions
// on known variables, and relations between undefined variables, which need a solver. The paper
// reads equalities at any place and in both directions: see Published.
//
// The model checks use it. It is pure: it starts nothing and uses no solver.
package dataflow

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// Roles names the arguments and results of a model. All other variables are intermediate.
type Roles struct {
	Args    []*smt.Term
	Results []*smt.Term
}

// Model is a model in causal order.
type Model struct {
	Roles
	// Steps define variables, each by arguments, Free and variables of steps before.
	Steps []Step
	// Checks holds conditions on arguments and on variables that follow from them. If one does not
	// hold, the model has no execution.
	Checks []*smt.Term
	// Relational are conjuncts in which there are free variables, or variables that follow from
	// them.
	Relational []*smt.Term
	// Free are the variables that nothing defines: inputs that are no arguments, results that are
	// unconstrained, and variables of cycles.
	Free []*smt.Term

	ctx  *smt.Context
	open map[*smt.Term]bool // free, or dependent on free variables
	// values of step variables in arguments and free variables; made by Expand
	values map[*smt.Term]*smt.Term
}

// Step defines one variable by a value, or one or more by cases.
type Step struct {
	Vars  []*smt.Term
	Value *smt.Term // nil where there are cases
	// Parts holds disjunctions. In each, some case must hold, and gives the variables their values.
	// A case without values does not constrain them. The variables have the values that all parts
	// allow.
	Parts [][]Case
	From  []*smt.Term // the conjuncts
}

// Case is one part of a disjunction.
type Case struct {
	Condition *smt.Term
	Values    []*smt.Term // of Step.Vars, or nil
}

// Uses returns the variables and arguments from which a step's values follow, by Id.
func (s Step) Uses() []*smt.Term {
	var terms []*smt.Term
	if s.Value != nil {
		terms = append(terms, s.Value)
	}
	for _, part := range s.Parts {
		for _, c := range part {
			terms = append(append(terms, c.Condition), c.Values...)
		}
	}
	return smt.ConstantsOf(terms...)
}

// Ground reports whether the results follow from the arguments alone, so that no solver is needed.
func (m *Model) Ground() bool {
	for _, r := range m.Results {
		if m.open[r] {
			return false
		}
	}
	return len(m.Relational) == 0
}

// Open reports whether a variable is free or follows from one that is.
func (m *Model) Open(v *smt.Term) bool { return m.open[v] }

// Recover puts assertions into causal order.
func Recover(ctx *smt.Context, assertions []*smt.Term, roles Roles) (*Model, error) {
	for _, list := range [][]*smt.Term{roles.Args, roles.Results} {
		for _, v := range list {
			if v.Op() != smt.OpConst {
				return nil, fmt.Errorf("%v is no constant, and arguments and results have to be", v)
			}
		}
	}
	for _, v := range roles.Results {
		if slices.Contains(roles.Args, v) {
			return nil, fmt.Errorf("%v is both an argument and a result", v)
		}
	}
	r := &recovery{
		m:     &Model{Roles: roles, ctx: ctx, open: map[*smt.Term]bool{}},
		known: map[*smt.Term]bool{},
		in:    map[*smt.Term][]*conjunct{},
	}
	for _, a := range roles.Args {
		r.known[a] = true
	}
	for _, t := range Conjuncts(ctx, assertions...) {
		r.enter(t)
	}
	r.run()
	return r.m, nil
}

// Conjuncts splits terms into those that all have to hold, in order and each once. Chains of
// equalities become pairs.
func Conjuncts(ctx *smt.Context, terms ...*smt.Term) []*smt.Term {
	var all []*smt.Term
	seen := map[*smt.Term]bool{}
	type signed struct {
		t      *smt.Term
		denied bool
	}
	var stack []signed
	push := func(args []*smt.Term, denied bool) {
		for _, a := range slices.Backward(args) {
			stack = append(stack, signed{a, denied})
		}
	}
	push(terms, false)
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		args := s.t.Args()
		last := len(args) - 1
		switch {
		case s.t.Op() == smt.OpNot:
			stack = append(stack, signed{args[0], !s.denied})
			continue
		case s.t.Op() == smt.OpAnd && !s.denied, s.t.Op() == smt.OpOr && s.denied:
			push(args, s.denied)
			continue
		case s.t.Op() == smt.OpImplies && s.denied:
			stack = append(stack, signed{args[last], true})
			push(args[:last], false)
			continue
		case s.t.Op() == smt.OpEqual && len(args) > 2 && !s.denied:
			for i := range slices.Backward(args[:last]) {
				stack = append(stack, signed{ctx.Must(smt.OpEqual, args[i], args[i+1]), false})
			}
			continue
		case s.t.Op() == smt.OpTrue && !s.denied, s.t.Op() == smt.OpFalse && s.denied:
			continue
		}
		t := s.t
		if s.denied {
			t = ctx.Not(t)
		}
		if !seen[t] {
			seen[t] = true
			all = append(all, t)
		}
	}
	return all
}
