package paths

import (
	"slices"

	"parallax/cmd/internal/llvmir"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/smt"
	"parallax/cmd/internal/smt/dataflow"
)

// matcher has what the paper matches a path by (section 3.2.2): formulas of a model's results over the arguments, each without its condition. Two match if
// the normaliser gives them one number; the arguments have the same names from the start here. A choice on either side is two formulas. Of
// functions without a result, the bytes written are matched, all of them.
type matcher map[*smt.Term][]int // by results

// published computes the formulas of a path of the model.
func (f *finder) published(s *side) error {
	s.matches = matcher{}
	roles := dataflow.Roles{Results: s.path.Results()}
	for _, in := range s.path.Inputs {
		roles.Args = append(roles.Args, in.Term)
	}
	fixed, err := f.fixed(s.path)
	if err != nil {
		return err
	}
	void := f.o.Signature.Result.Kind == "void"
	for _, r := range roles.Results {
		if !void && r.Name() != "ret" && r.Name() != "ret_into" {
			continue
		}
		formulas, _, err := dataflow.Published(f.m.Context, s.path.Assertions, roles, r, f.options.Formulas)
		if err != nil {
			return err
		}
		if formulas, err = f.m.Context.Substitute(fixed, formulas...); err != nil {
			return err
		}
		s.matches[r] = f.normal.all(formulas)
		f.result.Formulas += len(s.matches[r])
	}
	return nil
}

// fixed are the inputs of a path that are known, as the zero of a string.
func (f *finder) fixed(p *formula.Path) (map[*smt.Term]*smt.Term, error) {
	by := map[*smt.Term]*smt.Term{}
	for _, in := range p.Inputs {
		t, err := f.m.Link(p, f.terms, in.Term)
		if err != nil {
			return nil, err
		}
		if t[0].Literal() {
			by[in.Term] = t[0]
		}
	}
	return by, nil
}

// named are the formulas of the result of a name.
func (m matcher) named(name string) []int {
	for r, formulas := range m {
		if r.Name() == name {
			return formulas
		}
	}
	return nil
}

// matches reports whether some path of the model has a path's formula.
func (f *finder) matches(x *llvmir.Execution, e *formula.Effect) (bool, error) {
	for i := range f.sides {
		s := &f.sides[i]
		var same bool
		var err error
		switch {
		case f.o.Signature.Result.Kind == "void":
			same, err = f.written(s, e)
		case e.To == nil:
			same, err = f.shared(e.Ret, s.matches.named("ret"))
		case s.path.Ret == "offset":
			if same, err = f.shared(e.To.Offset, s.matches.named("ret")); same && err == nil {
				same, err = f.shared(e.To.Into, s.matches.named("ret_into"))
			}
		default:
			same, err = f.shared(f.address(x.Result), s.matches.named("ret"))
		}
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// shared reports whether one of the formulas that a term is, is among others.
func (f *finder) shared(t *smt.Term, formulas []int) (bool, error) {
	if t == nil || formulas == nil {
		return false, nil
	}
	paths, _, err := dataflow.Paths(f.m.Context, t, f.options.Formulas)
	return slices.ContainsFunc(paths, func(p dataflow.Path) bool { return slices.Contains(formulas, f.normal.number(p.Value)) }), err
}

// address is a pointer as models have it whose result is an address.
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

// written reports whether a path writes something, and the model has a formula of each byte.
func (f *finder) written(s *side, e *formula.Effect) (bool, error) {
	some := false
	for i, bytes := range e.Memory {
		for k, t := range bytes {
			if t == f.terms[i].Bytes[k] {
				continue
			}
			some = true
			if same, err := f.shared(t, s.matches[s.effect.Memory[i][k]]); !same || err != nil {
				return false, err
			}
		}
	}
	return some, nil
}
