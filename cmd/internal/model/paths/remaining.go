package paths

import (
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// maxStray limits the inputs on paths that cannot be followed before the search ends.
const maxStray = 8

// rest asks for inputs outside of all known paths and examines their paths. These are the paths
// that the enumeration lacks. When no input is left, the paths are complete.
func (f *finder) rest() {
	if f.result.Left.Complete {
		return
	}
	stray := 0
	for len(f.result.Paths) < f.options.Listed && !f.over(pathsPart) {
		v, c := f.check(f.covered)
		switch v.Answer {
		case solver.Unsat:
			f.result.Left.Complete = !f.partly
			return
		case solver.Unknown:
			return
		}
		before := len(f.covered)
		f.trace(c)
		if len(f.covered) > before {
			continue
		}
		// The input ends in undefined behavior, or it takes an enumerated path that cannot be
		// followed.
		if stray++; stray == maxStray {
			return
		}
		f.covered = append(f.covered, f.m.Context.Not(f.is(c)))
	}
}

// is returns a term that fixes the inputs to a call's values.
func (f *finder) is(c call.Call) *smt.Term {
	var all []*smt.Term
	for _, in := range f.inputs {
		n := c[in.arg].Int
		if in.at >= 0 {
			n = uint64(c[in.arg].Data[in.at])
		}
		all = append(all, f.m.Context.Must(smt.OpEqual, in.term, f.m.Context.Bits(n, in.term.Sort().Width)))
	}
	return f.m.Context.And(all...)
}
