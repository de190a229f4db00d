package language

import (
	"slices"
	"strings"

	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/dataflow"
)

// most limits the conditions of a formula that distinguish paths. With more, such as a case for
// each letter, each call would have a cell of its own.
const most = 8

// conditions holds the branch conditions of a formula: those of ite, and the parts of disjunctions.
// The conditions that hold form the path.
type conditions struct {
	machine *smt.Machine
	texts   []string
}

func newConditions(ctx *smt.Context, m *dataflow.Model) (*conditions, error) {
	var list []*smt.Term
	seen := map[*smt.Term]bool{}
	add := func(t *smt.Term) {
		if t.Op() == smt.OpNot { // a part and its negation are one condition
			t = t.Args()[0]
		}
		if slices.ContainsFunc(smt.ConstantsOf(t), m.Open) {
			return
		}
		if !seen[t] && !t.Literal() {
			seen[t] = true
			list = append(list, t)
		}
	}
	branches := func(t *smt.Term) {
		for _, part := range smt.Visit(t) {
			if part.Op() == smt.OpIte {
				add(part.Args()[0])
			}
		}
	}
	for _, s := range m.Steps {
		if s.Value != nil {
			branches(s.Value)
		}
		for _, part := range s.Parts {
			for _, c := range part {
				for _, t := range dataflow.Conjuncts(ctx, c.Condition) {
					add(t)
				}
				for _, v := range c.Values {
					branches(v)
				}
			}
		}
	}
	for _, t := range m.Checks {
		branches(t)
	}
	if len(list) == 0 || len(list) > most {
		return nil, nil
	}
	expanded, err := m.Expand(list...)
	if err != nil {
		return nil, err
	}
	c := &conditions{}
	var closed []*smt.Term
	for i, t := range expanded {
		inside := true
		for _, v := range smt.ConstantsOf(t) {
			inside = inside && slices.Contains(m.Args, v)
		}
		if inside {
			closed = append(closed, t)
			c.texts = append(c.texts, list[i].String())
		}
	}
	p, err := smt.Compile(m.Args, closed...)
	if err != nil {
		return nil, err
	}
	c.machine = p.Machine()
	return c, nil
}

// path renders the conditions that hold for values of the arguments. It returns "" if they are
// unknown or there are none.
func (c *conditions) path(list []smt.Value) string {
	if c == nil {
		return ""
	}
	for i, v := range list {
		if err := c.machine.Set(i, v); err != nil {
			return ""
		}
	}
	if err := c.machine.Run(); err != nil {
		return ""
	}
	var hold []string
	for i, text := range c.texts {
		if c.machine.Defined(i) && c.machine.Bool(i) {
			hold = append(hold, text)
		}
	}
	if len(hold) == 0 {
		return "none of its conditions"
	}
	return strings.Join(hold, " and ")
}
