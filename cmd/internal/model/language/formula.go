package language

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/dataflow"
	"parallax/cmd/internal/model/smt/solver"
)

// Formula computes a model. It must stay on one goroutine.
type Formula struct {
	f          *dynamic.Function
	language   *Language
	ctx        *smt.Context
	assertions []*smt.Term
	args       []*smt.Term
	ret        *smt.Term
	model      *dataflow.Model
	runner     *dataflow.Runner
	defaults   []*dynamic.Value
	no         smt.Value // represents false
	conditions *conditions
	meant      *smt.Machine

	z3, cvc5 *solver.Solver // start at their first question
}

// New reads the formula of a function.
func New(f *dynamic.Function) (*Formula, error) {
	l := Find(f.Language)
	if l == nil || f.Formula == nil {
		return nil, fmt.Errorf("%s is not a language whose formulas are known here", f.Function)
	}
	m := &Formula{f: f, language: l, ctx: smt.NewContext()}
	script, err := smt.ReadScript(m.ctx, f.Formula.Script, smt.Options{Name: f.Formula.Name})
	if err != nil {
		return nil, err
	}
	m.assertions = script.Assertions()
	if err := m.constants(script); err != nil {
		return nil, err
	}
	if err := m.terms(); err != nil {
		return nil, err
	}
	if m.model, err = dataflow.Recover(m.ctx, m.assertions, dataflow.Roles{Args: m.args, Results: []*smt.Term{m.ret}}); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Formula.Name, err)
	}
	if m.runner, err = m.model.Compile(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Formula.Name, err)
	}
	if m.conditions, err = newConditions(m.ctx, m.model); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Formula.Name, err)
	}
	o := solver.Options{Timeout: patience}
	m.z3, m.cvc5 = solver.New(solver.Z3, o), solver.New(solver.CVC5, o)
	return m, nil
}

// patience limits a solver's time for a call with known arguments.
const patience = 3 * time.Second

// constants finds the constants of the parameters and the result.
func (m *Formula) constants(script *smt.Script) error {
	var names []string
	by := map[string]*smt.Term{}
	for _, c := range script.Constants() {
		by[c.Name()] = c
		names = append(names, c.Name())
	}
	has := "it declares " + strings.Join(names, ", ")
	if len(names) == 0 {
		has = "it declares none"
	}
	sorted := func(c *smt.Term) bool { return c.Sort() == smt.Int || c.Sort() == smt.String || c.Sort() == smt.Bool }
	for _, p := range m.f.Parameters {
		c := by[p.Name]
		if c == nil {
			return fmt.Errorf("%s has no constant for the parameter %s: %s", m.f.Formula.Name, p.Name, has)
		}
		if !sorted(c) {
			return fmt.Errorf("%s: %s has the sort %v, where Int, String and Bool are values of %s", m.f.Formula.Name, p.Name, c.Sort(), m.language.Shown)
		}
		m.args = append(m.args, c)
		var d *dynamic.Value
		if p.Optional {
			v, err := m.language.read(p.Default)
			if err != nil {
				return fmt.Errorf("the default of %s: %w", p.Name, err)
			}
			d = &v
		}
		m.defaults = append(m.defaults, d)
	}
	m.ret = by[m.f.Formula.Result]
	switch {
	case m.ret == nil:
		return fmt.Errorf("%s has no constant for the result, %s: %s", m.f.Formula.Name, m.f.Formula.Result, has)
	case slices.Contains(m.args, m.ret):
		return fmt.Errorf("%s: %s is both a parameter and the result", m.f.Formula.Name, m.f.Formula.Result)
	case !sorted(m.ret):
		return fmt.Errorf("%s: the result %s has the sort %v, where Int, String and Bool are values of %s", m.f.Formula.Name, m.f.Formula.Result, m.ret.Sort(), m.language.Shown)
	}
	return nil
}

// TermError reports a mistake in a term of the configuration, by its key.
type TermError struct {
	Key string
	Err error
}

func (e *TermError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *TermError) Unwrap() error { return e.Err }

// terms reads the terms of the configuration.
func (m *Formula) terms() error {
	if text := m.f.Formula.False; text != "" {
		t, err := smt.ReadTerm(m.ctx, text, nil, smt.Options{Name: "false"})
		if err != nil {
			return &TermError{"false", err}
		}
		if t.Sort() != m.ret.Sort() {
			return &TermError{"false", fmt.Errorf("%s is of sort %v, and the result of sort %v", text, t.Sort(), m.ret.Sort())}
		}
		if m.no, err = smt.Eval(t, nil); err != nil {
			return &TermError{"false", err}
		}
	}
	if text := m.f.Formula.Scope; text != "" {
		by := map[string]*smt.Term{}
		for _, a := range m.args {
			by[a.Name()] = a
		}
		t, err := smt.ReadTerm(m.ctx, text, by, smt.Options{Name: "scope"})
		if err == nil && t.Sort() != smt.Bool {
			err = fmt.Errorf("the scope is of sort %v: write a term that is true or false", t.Sort())
		}
		if err != nil {
			return &TermError{"scope", err}
		}
		p, err := smt.Compile(m.args, t)
		if err != nil {
			return &TermError{"scope", err}
		}
		m.meant = p.Machine()
	}
	return nil
}

// Close ends the solvers.
func (m *Formula) Close() {
	m.z3.Close()
	m.cvc5.Close()
}

// values converts the arguments to the sorts of the constants. The error names an argument that the
// formula cannot have.
func (m *Formula) values(c dynamic.Call) ([]smt.Value, error) {
	list := make([]smt.Value, len(m.args))
	for i := range m.args {
		d := m.defaults[i]
		if i < len(c) {
			d = &c[i]
		}
		if d == nil {
			return nil, fmt.Errorf("%s is not given", m.args[i].Name())
		}
		v, err := m.language.convert(*d, m.args[i].Sort())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.args[i].Name(), err)
		}
		list[i] = v
	}
	return list, nil
}

// Declared implements dynamic.Declarer.
func (m *Formula) Declared() string { return m.f.Formula.Scope }

// Meant implements dynamic.Declarer.
func (m *Formula) Meant(c dynamic.Call) error {
	list, err := m.values(c)
	if err != nil {
		return err
	}
	for i, v := range list {
		if err := m.meant.Set(i, v); err != nil {
			return &scope.EvaluationError{Call: m.f.Quote(c), Err: err}
		}
	}
	if err := m.meant.Run(); err != nil {
		return &scope.EvaluationError{Call: m.f.Quote(c), Err: err}
	}
	if !m.meant.Defined(0) || !m.meant.Bool(0) {
		return errors.New("declared out of scope")
	}
	return nil
}

// Path implements dynamic.Pather. Calls without a path of the formula form a path too, since a
// formula is partial on purpose and does not cover them.
func (m *Formula) Path(c dynamic.Call) string {
	list, err := m.values(c)
	if err != nil {
		return ""
	}
	if outcome, _, err := m.runner.Run(list); err == nil && outcome == dataflow.Dropped {
		return "no path"
	}
	return m.conditions.path(list)
}

// Answer returns the model's answer to a call.
func (m *Formula) Answer(ctx context.Context, c dynamic.Call) (extract.Said, error) {
	list, err := m.values(c)
	if err != nil {
		return extract.Said{How: extract.Unknown, Value: err.Error()}, nil
	}
	outcome, results, err := m.runner.Run(list)
	if err != nil { // too large
		return extract.Said{How: extract.Unknown, Value: err.Error()}, nil
	}
	switch outcome {
	case dataflow.Returned:
		return m.outcome(results[0]), nil
	case dataflow.Dropped:
		return extract.Said{How: extract.Drops, Value: "the model has no path for this call"}, nil
	case dataflow.Undefined:
		return extract.Said{How: extract.Failed, Value: "the model divides by zero"}, nil
	case dataflow.Relational:
		return m.solve(ctx, list)
	}
	return several, nil
}

// several is the outcome of an ambiguous result.
var several = extract.Said{How: extract.Returns, Kind: "any", Value: "any of several values"}

// Ground reports whether the model can be computed without a solver.
func (m *Formula) Ground() bool { return m.model.Ground() }

// solve asks cvc5 for a result, and whether there is another. z3 takes several times as long for
// regular expressions.
func (m *Formula) solve(ctx context.Context, list []smt.Value) (extract.Said, error) {
	given := m.withArguments(list)
	r, err := m.cvc5.Check(ctx, solver.Query{Assertions: given, Values: []*smt.Term{m.ret}})
	if err != nil || r.Answer == solver.Unknown {
		return unsaid(ctx, r, err)
	}
	if r.Answer == solver.Unsat {
		return extract.Said{How: extract.Drops, Value: "the model has no path for this call"}, nil
	}
	v := r.Values[0]
	if v.Sort() != m.ret.Sort() {
		return extract.Said{How: extract.Unknown, Value: "cvc5 does not write the result out"}, nil
	}
	other, err := m.cvc5.Check(ctx, solver.Query{Assertions: append(given, m.ctx.Not(m.is(v)))})
	if err != nil || other.Answer == solver.Unknown {
		return unsaid(ctx, other, err)
	}
	if other.Answer == solver.Sat {
		return several, nil
	}
	return m.outcome(v), nil
}

// unsaid handles an unanswered question. A missing solver ends the campaign, a crashed one does
// not.
func unsaid(ctx context.Context, r solver.Result, err error) (extract.Said, error) {
	switch {
	case err == nil:
		return extract.Said{How: extract.Unknown, Value: "cvc5 does not know: " + r.Reason}, nil
	case ctx.Err() != nil:
		return extract.Said{}, ctx.Err()
	case passing(err):
		return extract.Said{How: extract.Unknown, Value: err.Error()}, nil
	}
	return extract.Said{}, err
}

func passing(err error) bool {
	var disagree *solver.DisagreementError
	return solver.Defect(err) || errors.As(err, &disagree)
}

// withArguments returns the model with fixed arguments.
func (m *Formula) withArguments(list []smt.Value) []*smt.Term {
	all := slices.Clone(m.assertions)
	for i, v := range list {
		all = append(all, m.ctx.Must(smt.OpEqual, m.args[i], m.ctx.ValueTerm(v)))
	}
	return all[:len(all):len(all)]
}

// is returns a term that fixes the result to a value.
func (m *Formula) is(v smt.Value) *smt.Term {
	return m.ctx.Must(smt.OpEqual, m.ret, m.ctx.ValueTerm(v))
}

// outcome converts a result to a value of the language.
func (m *Formula) outcome(v smt.Value) extract.Said {
	var value dynamic.Value
	if m.no.Sort() != nil && v.Equal(m.no) {
		value = dynamic.Value{Kind: "bool"}
	} else {
		var err error
		if value, err = m.language.result(v); err != nil {
			return extract.Said{How: extract.Unknown, Value: err.Error()}
		}
	}
	s := extract.Said{How: extract.Returns, Kind: value.Kind, Value: dynamic.Write(m.f.Language, value), Unique: true}
	if s.Kind == "bytes" {
		s.Kind = "string"
	}
	m.compared(&s)
	return s
}

// compared reduces a result to the compared part.
func (m *Formula) compared(s *extract.Said) {
	if s.How != extract.Returns {
		return
	}
	zero := s.Value == "0" || s.Value == "0.0" || s.Value == "false" || s.Value == "null" || s.Value == `""` || s.Value == `"0"`
	switch by := m.f.Formula.Compare; {
	case by == "truth" && zero:
		s.Value = "what is false"
	case by == "truth":
		s.Value = "what is true"
	case by == "sign" && s.Kind == "int" && !zero:
		s.Value = "a positive number"
		if strings.HasPrefix(m.sign(s), "-") {
			s.Value = "a negative number"
		}
	}
}

func (m *Formula) sign(s *extract.Said) string {
	if s.Value == "PHP_INT_MIN" {
		return "-"
	}
	return s.Value
}
