package paths

import (
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

const nowhere = extract.Nowhere

// check asks whether terms are satisfiable, and returns an input that satisfies them.
func (f *finder) check(terms ...[]*smt.Term) (Verdict, call.Call) {
	q := solver.Query{Assertions: slices.Concat(append([][]*smt.Term{f.pre}, terms...)...), Values: f.values()}
	if slices.ContainsFunc(q.Assertions, func(t *smt.Term) bool { return t.Op() == smt.OpFalse }) {
		return Verdict{Answer: solver.Unsat}, nil
	}
	if f.over(1) {
		return Verdict{Reason: "there was no time to ask"}, nil
	}
	f.asked++
	r, err := f.solver.Check(f.ctx, q)
	if solver.Defect(err) {
		return Verdict{Reason: err.Error()}, nil
	}
	if must(r, err).Answer != solver.Sat {
		return Verdict{Answer: r.Answer, Reason: r.Reason}, nil
	}
	c, err := f.call(r.Values)
	if err != nil {
		return Verdict{Reason: err.Error()}, nil
	}
	return Verdict{Answer: solver.Sat}, c
}

// ask asks the questions of a path. It returns false if no input takes the path.
func (f *finder) ask(p *Path) (feasible bool) {
	if f.isDead(p.Condition) {
		f.result.Left.Infeasible++
		return false
	}
	if p.Input == nil {
		v, c := f.check(p.Condition, p.Defined)
		switch v.Answer {
		case solver.Unsat:
			f.result.Left.Infeasible++
			f.bury(p)
			return false
		case solver.Unknown:
			p.unknown(v.Reason)
			return true
		}
		p.Input = c
	}
	if took, _ := f.observe(p, p.Input); !took {
		p.Input = nil
		p.unknown("the input that the solver gives does not take the path")
		return true
	}
	f.seed(p.Input)
	if !f.options.Matching {
		f.verdicts(p)
		f.dropped(p)
	}
	return true
}

// dropped asks whether some input on the path satisfies no path of the model.
func (f *finder) dropped(p *Path) {
	if p.N.Answer == solver.Sat {
		return
	}
	var none []*smt.Term
	for i := range f.sides {
		if f.sides[i].holds == nil {
			p.N.Reason = "whether the model drops an input is no term: it has relations"
			return
		}
		none = append(none, f.m.Context.Not(f.sides[i].holds))
	}
	v, c := f.check(p.Condition, p.Defined, none)
	if c == nil {
		p.N = v
		return
	}
	took, answer := f.observe(p, c)
	switch {
	case took && answer.Kind == formula.Dropped:
		f.seed(c)
	case took:
		f.result.Left.Doubtful++
		fallthrough
	default:
		p.N = Verdict{Reason: "the input that the solver gives is not dropped"}
	}
}

// observe runs a solver's input on both sides, and records which question it answers. It returns
// false if the original does not take the path.
func (f *finder) observe(p *Path, c call.Call) (took bool, answer formula.Answer) {
	run := must(f.o.Run(c))
	if run.Undefined != "" || !slices.Equal(run.Trace, p.Blocks) {
		f.result.Left.Doubtful++
		return false, answer
	}
	answer, err := f.m.Evaluate(f.ctx, c, f.solver)
	if solver.Defect(err) {
		answer, err = formula.Answer{Kind: formula.Unknown, Detail: err.Error()}, nil
	}
	if must(answer, err).Kind == formula.Dropped && p.N.Answer != solver.Sat {
		p.N = Verdict{Answer: solver.Sat, Witness: &Witness{c, formula.Dropped}}
	}
	if answer.Kind != formula.Returned {
		return true, answer
	}
	s := f.o.Signature
	v := &p.D
	if s.Text(c, &answer.Effect, f.by) == s.Text(c, &run.Effect, f.by) {
		v = &p.A
	}
	if v.Answer != solver.Sat || v.Witness.Kind != formula.Returned {
		*v = Verdict{Answer: solver.Sat, Witness: &Witness{c, formula.Returned}}
	}
	p.R = Verdict{Answer: solver.Sat}
	return true, answer
}

// verdicts asks the questions that no input has answered yet.
func (f *finder) verdicts(p *Path) {
	if p.R.Answer != solver.Sat {
		v, c := f.some(p, func(s *side) *smt.Term { return nil })
		if p.R = v; v.Answer == solver.Unsat {
			p.A, p.D = v, v
			return
		}
		if c != nil {
			f.observe(p, c)
		}
	}
	for _, q := range []struct {
		v     *Verdict
		alike bool
	}{{&p.A, true}, {&p.D, false}} {
		if q.v.Answer == solver.Sat {
			continue
		}
		v, c := f.some(p, func(s *side) *smt.Term {
			t := f.m.Alike(s.effect, p.Output, f.by)
			if !q.alike {
				t = f.m.Context.Not(t)
			}
			return t
		})
		if c == nil {
			*q.v = v
			continue
		}
		f.verify(p, q.v, c)
	}
	if p.R.Answer == solver.Unknown && (p.A.Answer == solver.Sat || p.D.Answer == solver.Sat) {
		p.R = Verdict{Answer: solver.Sat}
	}
}

// verify accepts a solver's input if original and model behave as the solver claims.
func (f *finder) verify(p *Path, v *Verdict, c call.Call) {
	took, answer := f.observe(p, c)
	switch {
	case v.Answer == solver.Sat: // observe accepted the input
	case !took:
		v.Reason = "the input that the solver gives does not take the path"
	case answer.Kind == formula.Unconstrained:
		*v = Verdict{Answer: solver.Sat, Witness: &Witness{c, answer.Kind}}
	case answer.Kind == formula.Unknown:
		v.Reason = "what the model says of the solver's input is not known: " + answer.Detail
	default:
		f.result.Left.Doubtful++
		v.Reason = "of the input that the solver gives the model says otherwise"
	}
	if v.Answer == solver.Sat {
		f.seed(c)
	}
}

// some asks whether a path of the original and some path of the model are satisfiable, with a
// further term. An unknown answer for one path of the model counts if no other is sat.
func (f *finder) some(p *Path, with func(s *side) *smt.Term) (Verdict, call.Call) {
	all := Verdict{Answer: solver.Unsat}
	for i := range f.sides {
		s := &f.sides[i]
		terms := s.assertions
		if t := with(s); t != nil {
			terms = append(terms[:len(terms):len(terms)], t)
		}
		v, c := f.check(p.Condition, p.Defined, terms)
		if v.Answer == solver.Sat {
			return v, c
		}
		if v.Answer == solver.Unknown {
			all = v
		}
	}
	return all, nil
}
