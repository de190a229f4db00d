package paths

import (
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// maxStray is for how many inputs that take no path that can be followed others are asked for.
const maxStray = 8

// rest asks for inputs that take none of the paths so far, and looks at the paths of these: what the listing lacks, and the proof that nothing is lacking.
func (f *finder) rest() error {
	if f.result.Left.Complete {
		return nil
	}
	stray := 0
	for len(f.result.Paths) < f.options.Listed && !f.over(pathsPart) {
		v, c, err := f.check(f.covered)
		switch {
		case err != nil:
			return err
		case v.Answer == solver.Unsat:
			f.result.Left.Complete = !f.partly
			return nil
		case v.Answer == solver.Unknown:
			return nil
		}
		before := len(f.covered)
		if err := f.trace(c); err != nil {
			return err
		}
		if len(f.covered) > before {
			continue
		}
		// It ends in what C leaves undefined, or it takes a path that was listed and cannot be followed.
		if stray++; stray == maxStray {
			return nil
		}
		f.covered = append(f.covered, f.m.Context.Not(f.is(c)))
	}
	return nil
}

// is holds for one input.
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
