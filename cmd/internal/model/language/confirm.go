package language

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// question is a question to solvers about a call, with the answer by which the model excludes the
// original's outcome.
type question struct {
	text       string // meaning of the assertions, for people
	assertions []*smt.Term
	want       solver.Answer
}

// questions returns the questions about a deviation. For a dropped call, the model must have no
// execution. Otherwise it must permit its computed result and exclude the original's. If the
// formula's result cannot have the original's type, it must exclude all other results.
func (m *Formula) questions(c dynamic.Call, right, said extract.Said) ([]question, error) {
	list, err := m.values(c)
	if err != nil {
		return nil, err
	}
	given := m.withArguments(list)
	if said.How == extract.Drops {
		return []question{{"the model has the call", given, solver.Unsat}}, nil
	}
	wrong, ok := m.like(said)
	if !ok {
		return nil, fmt.Errorf("the model's answer %q is no term", said.Value)
	}
	ask := []question{{"the call " + dynamic.Text(said), append(given, wrong), solver.Sat}}
	if right, ok := m.like(right); ok {
		return append(ask, question{"the call does what the original does", append(given, right), solver.Unsat}), nil
	}
	return append(ask, question{"the call does anything else", append(given, m.ctx.Not(wrong)), solver.Unsat}), nil
}

// like returns a term that fixes the result to an outcome, and whether the formula can express it.
func (m *Formula) like(s extract.Said) (*smt.Term, bool) {
	if s.How != extract.Returns {
		return nil, false
	}
	zero := m.ctx.Numeral(0)
	switch {
	case m.ret.Sort() == smt.Int && s.Value == "a positive number":
		return m.ctx.Must(smt.OpGt, m.ret, zero), true
	case m.ret.Sort() == smt.Int && s.Value == "a negative number":
		return m.ctx.Must(smt.OpLt, m.ret, zero), true
	case s.Value == "what is false" || s.Value == "what is true":
		var no *smt.Term
		switch m.ret.Sort() {
		case smt.Int:
			no = m.is(smt.Int64Value(0))
		case smt.Bool:
			no = m.ctx.Not(m.ret)
		default:
			no = m.ctx.Or(m.is(smt.StringValue("")), m.is(smt.StringValue("0")))
		}
		if m.no.Sort() != nil {
			no = m.ctx.Or(no, m.is(m.no))
		}
		if s.Value == "what is true" {
			no = m.ctx.Not(no)
		}
		return no, true
	}
	v, err := m.language.read(s.Value)
	if err != nil {
		return nil, false
	}
	if v.Kind == "bool" && !v.Bool && m.no.Sort() != nil {
		return m.is(m.no), true
	}
	term, err := exactly(v)
	if err != nil || term.Sort() != m.ret.Sort() {
		return nil, false
	}
	if m.no.Sort() != nil && term.Equal(m.no) { // the value represents false, and so nothing else
		return m.ctx.BoolTerm(false), true
	}
	return m.is(term), true
}

// exactly converts a value to its own sort, without a cast.
func exactly(v dynamic.Value) (smt.Value, error) {
	switch v.Kind {
	case "int":
		return smt.IntValue(v.Int), nil
	case "bool":
		return smt.BoolValue(v.Bool), nil
	case "bytes":
		return smt.TextValue(runes(v.Text)), nil
	}
	return smt.Value{}, fmt.Errorf("formulas have no values of kind %s", v.Kind)
}

// Confirm implements dynamic.Confirmer. It asks z3 and cvc5 whether the formula excludes the
// original's outcome.
func (m *Formula) Confirm(ctx context.Context, c dynamic.Call, right, said extract.Said) (how, why string, err error) {
	list, err := m.questions(c, right, said)
	if err != nil {
		return "", "", dynamic.Open(err.Error())
	}
	var answers []string
	for _, q := range list {
		r, err := solver.Both(ctx, m.z3, m.cvc5, solver.Query{Assertions: q.assertions})
		var missing *exit.Error
		switch {
		case ctx.Err() != nil:
			return "", "", ctx.Err()
		case errors.As(err, &missing):
			return "", "", err
		case err != nil:
			return "", "", dynamic.Open(err.Error())
		case r.Answer == solver.Unknown || r.Reason != "": // both must know
			return "", "", dynamic.Open("z3 and cvc5 do not both know whether " + q.text + ": " + r.Reason)
		case r.Answer != q.want:
			return "", fmt.Sprintf("z3 and cvc5 say %s, and not %s: %s", r.Answer, q.want, q.text), nil
		}
		answers = append(answers, r.Answer.String()+": "+q.text)
	}
	return "a fresh process of the original, and z3 and cvc5 (" + strings.Join(answers, "; ") + ")", "", nil
}
