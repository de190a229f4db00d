package paths

import (
	"slices"

	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/dataflow"
)

// matcher implements the paper's matching of paths (section 3.2.2). It compares formulas of the
// model's results over the arguments, without their conditions. Two formulas match if the
// normalizer gives them the same number. Arguments have the same names on both sides from the
// start. A choice on either side gives two formulas. For functions without a result, all written
// bytes must match.
type matcher map[*smt.Term][]int // by result

// rules lists the paper's relaxations: first all of them, then each one removed.
var rules = []struct {
	dataflow.Rules
	cause string // the relaxation that causes a match, if it does not match without it
}{
	{},
	{dataflow.Rules{Asserted: true}, "an equality within a condition"},
	{dataflow.Rules{OneWay: true}, "an equality read the other way round"},
	{dataflow.Rules{Whole: true}, "a choice made two formulas"},
}

// Reasons why a path has no match.
const (
	beyondLimit = "more formulas than the limit"
	noFormula   = "no formula of the result"
	otherForm   = "formulas of another form"
)

// causes returns the relaxations without which a path does not match. None means that the path's
// formula matches exactly, although its condition is not compared. For a path without a match,
// causes returns the reasons.
func (f *finder) causes(x *llvmir.Execution, p *Path) (list []string) {
	if !p.Match {
		some := slices.ContainsFunc(f.sides, func(s side) bool {
			for _, formulas := range s.matches[0] {
				if len(formulas) > 0 {
					return true
				}
			}
			return false
		})
		switch {
		case f.result.Cut:
			return []string{beyondLimit}
		case !some:
			return []string{noFormula}
		}
		return []string{otherForm}
	}
	e := p.Output
	for k := 1; k < len(rules); k++ {
		if !f.matches(x, e, k) {
			list = append(list, rules[k].cause)
		}
	}
	return list
}

// published computes the formulas of a path of the model.
func (f *finder) published(s *side) {
	for k := range rules {
		if k > 0 && !f.options.Causes {
			break
		}
		m := f.formulas(s, rules[k].Rules)
		if s.matches = append(s.matches, m); k == 0 {
			for _, of := range m {
				f.result.Formulas += len(of)
			}
		}
	}
}

// formulas computes the formulas of a path of the model by some rules.
func (f *finder) formulas(s *side, rules dataflow.Rules) matcher {
	m := matcher{}
	roles := dataflow.Roles{Results: s.path.Results()}
	for _, in := range s.path.Inputs {
		roles.Args = append(roles.Args, in.Term)
	}
	fixed := f.fixed(s.path)
	void := f.o.Signature.Result.Kind == "void"
	for _, r := range roles.Results {
		if !void && r.Name() != "ret" && r.Name() != "ret_into" {
			continue
		}
		formulas, all, err := dataflow.Published(f.m.Context, s.path.Assertions, roles, r, f.options.Formulas, rules)
		stopOn(err)
		m[r] = f.normal.all(must(f.m.Context.Substitute(fixed, formulas...)))
		f.result.Cut = f.result.Cut || !all && rules == (dataflow.Rules{})
	}
	return m
}

// fixed returns the inputs of a path with known values, such as the zero of a string.
func (f *finder) fixed(p *formula.Path) map[*smt.Term]*smt.Term {
	by := map[*smt.Term]*smt.Term{}
	for _, in := range p.Inputs {
		if t := must(f.m.Link(p, f.terms, in.Term)); t[0].Literal() {
			by[in.Term] = t[0]
		}
	}
	return by
}

// named returns the formulas of the result with a name.
func (m matcher) named(name string) []int {
	for r, formulas := range m {
		if r.Name() == name {
			return formulas
		}
	}
	return nil
}

// matches reports whether some path of the model has a path's formula, by the rules with an index.
func (f *finder) matches(x *llvmir.Execution, e *formula.Effect, k int) bool {
	shared := func(t *smt.Term, formulas []int) bool { return f.shared(t, formulas, rules[k].Whole) }
	for i := range f.sides {
		s := &f.sides[i]
		var same bool
		switch {
		case f.o.Signature.Result.Kind == "void":
			same = f.written(s, e, k)
		case e.To == nil:
			same = shared(e.Ret, s.matches[k].named("ret"))
		case s.path.Ret == "offset":
			same = shared(e.To.Offset, s.matches[k].named("ret")) && shared(e.To.Into, s.matches[k].named("ret_into"))
		default:
			same = shared(f.address(x.Result), s.matches[k].named("ret"))
		}
		if same {
			return true
		}
	}
	return false
}

// shared reports whether one of the formulas of a term is in a list.
func (f *finder) shared(t *smt.Term, formulas []int, whole bool) bool {
	if t == nil || formulas == nil {
		return false
	}
	if whole {
		return slices.Contains(formulas, f.normal.number(t))
	}
	paths, _, err := dataflow.Paths(f.m.Context, t, f.options.Formulas)
	stopOn(err)
	return slices.ContainsFunc(paths, func(p dataflow.Path) bool { return slices.Contains(formulas, f.normal.number(p.Value)) })
}

// address returns a pointer in the form of models whose result is an address.
func (f *finder) address(o *llvmir.Output) *smt.Term {
	if o.Buffer == 0 || f.buffers[o.Buffer-1] < 0 {
		return o.Term
	}
	i := f.buffers[o.Buffer-1]
	offset := f.place(*o).Offset
	at := f.m.Context.Bits(f.m.Address(i), 64)
	if v, ok := offset.Value(); ok && v.Word() == 0 {
		return at
	}
	return f.m.Context.Must(smt.OpBvAdd, at, offset)
}

// written reports whether a path writes memory, and the model has a matching formula for each byte.
func (f *finder) written(s *side, e *formula.Effect, rule int) bool {
	some := false
	for i, bytes := range e.Memory {
		for k, t := range bytes {
			if t == f.terms[i].Bytes[k] {
				continue
			}
			some = true
			if !f.shared(t, s.matches[rule][s.effect.Memory[i][k]], rules[rule].Whole) {
				return false
			}
		}
	}
	return some
}
