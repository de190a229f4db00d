package dataflow

import (
	"errors"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// Outcome classifies a model's results for some arguments.
type Outcome uint8

// The outcomes.
const (
	Returned   Outcome = iota // the results have values
	Dropped                   // no execution has these arguments
	Open                      // the model does not constrain the results
	Ambiguous                 // the results have one of several values
	Undefined                 // the outcome depends on a division by zero
	Relational                // only a solver can decide
)

func (o Outcome) String() string {
	return [...]string{"returned", "dropped", "open", "ambiguous", "undefined", "relational"}[o]
}

// Runner computes a model in causal order from values of its arguments. Each goroutine needs one of
// its own.
type Runner struct {
	m       *smt.Machine
	args    int
	results []int // roots
	checks  []int
	steps   []stepRoots
	closed  bool // the results follow from the arguments
	rest    bool // there are relations
}

// stepRoots holds the roots of a step by cases.
type stepRoots struct {
	parts   [][]caseRoots
	vars    []int
	matters bool // a result, a check or another step by cases follows from it
}

type caseRoots struct {
	condition int
	values    []int // nil where the case leaves them open
}

// Compile makes a runner of the model. Steps and conditions that follow from free variables are
// left out. If they matter, the outcome is Relational or Open.
func (m *Model) Compile() (*Runner, error) {
	r := &Runner{args: len(m.Args), rest: len(m.Relational) > 0, closed: true}
	var roots []*smt.Term
	add := func(t *smt.Term) int {
		roots = append(roots, t)
		return len(roots) - 1
	}
	for _, v := range m.Results {
		if m.open[v] {
			r.closed = false
			continue
		}
		r.results = append(r.results, add(v))
	}
	for _, c := range m.Checks {
		r.checks = append(r.checks, add(c))
	}
	needed := m.needed()
	for _, s := range m.Steps {
		if s.Parts == nil {
			continue
		}
		if m.open[s.Vars[0]] {
			r.rest = true // whether some case holds is a question on free variables
			continue
		}
		var steps stepRoots
		for _, v := range s.Vars {
			steps.vars = append(steps.vars, add(v))
			steps.matters = steps.matters || needed[v]
		}
		for _, part := range s.Parts {
			var cases []caseRoots
			for _, c := range part {
				k := caseRoots{condition: add(c.Condition)}
				for _, v := range c.Values {
					k.values = append(k.values, add(v))
				}
				cases = append(cases, k)
			}
			steps.parts = append(steps.parts, cases)
		}
		r.steps = append(r.steps, steps)
	}
	expanded, err := m.Expand(roots...)
	if err != nil {
		return nil, err
	}
	// A variable that no case may bind represents itself in the expansion. Its value there is never
	// used.
	inputs := slices.Clone(m.Args)
	for _, c := range smt.ConstantsOf(expanded...) {
		if !slices.Contains(m.Args, c) {
			inputs = append(inputs, c)
		}
	}
	p, err := smt.Compile(inputs, expanded...)
	if err != nil {
		return nil, err
	}
	r.m = p.Machine()
	for i, in := range inputs[r.args:] {
		if err := r.m.Set(r.args+i, smt.Zero(in.Sort())); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// needed returns the variables from which results, checks or cases follow.
func (m *Model) needed() map[*smt.Term]bool {
	needed := map[*smt.Term]bool{}
	add := func(vars []*smt.Term) {
		for _, v := range vars {
			needed[v] = true
		}
	}
	add(m.Results)
	add(smt.ConstantsOf(m.Checks...))
	for _, s := range slices.Backward(m.Steps) {
		if s.Parts != nil || needed[s.Vars[0]] {
			add(s.Uses())
		}
	}
	return needed
}

// Run computes the outcome for arguments and, where it is Returned, the values of the results.
func (r *Runner) Run(args []smt.Value) (Outcome, []smt.Value, error) {
	if len(args) != r.args {
		return 0, nil, errors.New("dataflow: not as many values as the model has arguments")
	}
	for i, v := range args {
		if err := r.m.Set(i, v); err != nil {
			return 0, nil, err
		}
	}
	if err := r.m.Run(); err != nil {
		return 0, nil, err
	}
	for _, s := range r.steps {
		switch o := r.step(s); {
		case o == Returned, (o == Open || o == Ambiguous) && !s.matters:
		default:
			return o, nil, nil
		}
	}
	outcome := Returned
	for _, c := range r.checks {
		switch {
		case !r.m.Defined(c):
			outcome = Undefined
		case !r.m.Bool(c):
			return Dropped, nil, nil
		}
	}
	switch {
	case outcome != Returned:
		return outcome, nil, nil
	case r.rest:
		return Relational, nil, nil
	case !r.closed:
		return Open, nil, nil
	}
	var values []smt.Value
	for _, root := range r.results {
		v, err := r.m.Value(root)
		if errors.Is(err, smt.ErrUndefined) {
			return Undefined, nil, nil
		}
		values = append(values, v)
	}
	return Returned, values, nil
}

// step computes the values that all parts of a step by cases allow: one, none, several, or any.
func (r *Runner) step(s stepRoots) Outcome {
	var allowed [][]smt.Value // nil for any
	for _, part := range s.parts {
		holds, any := false, false
		var here [][]smt.Value
		for _, c := range part {
			if !r.m.Defined(c.condition) {
				return Undefined
			}
			if !r.m.Bool(c.condition) {
				continue
			}
			holds = true
			if c.values == nil {
				any = true
				continue
			}
			var values []smt.Value
			for _, root := range c.values {
				v, err := r.m.Value(root)
				if err != nil {
					return Undefined
				}
				values = append(values, v)
			}
			if !contains(here, values) {
				here = append(here, values)
			}
		}
		switch {
		case !holds:
			return Dropped
		case any:
		case allowed == nil:
			allowed = here
		default:
			allowed = slices.DeleteFunc(allowed, func(v []smt.Value) bool { return !contains(here, v) })
			if len(allowed) == 0 {
				return Dropped
			}
		}
	}
	switch len(allowed) {
	case 0:
		return Open
	case 1:
		for i, root := range s.vars {
			// Where parts allow several values and one in common, the chain of ite need not have
			// chosen that one.
			if v, err := r.m.Value(root); err != nil || !v.Equal(allowed[0][i]) {
				return Relational
			}
		}
		return Returned
	}
	return Ambiguous
}

func contains(list [][]smt.Value, values []smt.Value) bool {
	return slices.ContainsFunc(list, func(other []smt.Value) bool { return slices.EqualFunc(other, values, smt.Value.Equal) })
}
