package paths

import (
	"math/big"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// z3 does not answer questions that compare integers of a model with bit vectors of an original. It
// handles each of them well, but not conversions between them. So integers become bit vectors, each
// as wide as its values need to avoid overflows.

// maxBits limits these widths. Products grow fast.
const maxBits = 512

// integers rewrites the integer terms of a context.
type integers struct {
	ctx *smt.Context
	now map[*smt.Term]*smt.Term // signed bit vectors for terms of sort Int
}

// hasIntegers reports whether terms contain integers.
func hasIntegers(terms []*smt.Term) bool {
	return slices.ContainsFunc(smt.Visit(terms...), func(t *smt.Term) bool { return t.Sort() == smt.Int })
}

// without rewrites terms that are not integers themselves. It returns false if they contain integer
// constants or operations that it cannot rewrite.
func (n *integers) without(terms []*smt.Term) ([]*smt.Term, bool) {
	for _, t := range smt.Visit(terms...) {
		made, err := n.rewrite(t)
		if made == nil || err != nil {
			return nil, false
		}
		n.now[t] = made
	}
	out := make([]*smt.Term, len(terms))
	for i, t := range terms {
		out[i] = n.now[t]
	}
	return out, true
}

// rewrite returns the term for already rewritten arguments, or nil.
func (n *integers) rewrite(t *smt.Term) (*smt.Term, error) {
	args := make([]*smt.Term, len(t.Args()))
	integer := t.Sort() == smt.Int
	for i, a := range t.Args() {
		args[i] = n.now[a]
		integer = integer || a.Sort() == smt.Int
	}
	if !integer {
		if len(args) == 0 {
			return t, nil
		}
		return n.ctx.Rebuild(t, args)
	}
	if v, ok := t.Value(); ok {
		b := v.Big()
		return n.ctx.BigBits(b, new(big.Int).Abs(b).BitLen()+1), nil
	}
	widest, sum := 0, 0
	for i, a := range t.Args() {
		if a.Sort() == smt.Int {
			widest, sum = max(widest, args[i].Sort().Width), sum+args[i].Sort().Width
		}
	}
	width := widest + len(args) // enough for a sum
	switch t.Op() {
	case smt.OpBvToNat:
		return n.ctx.Indexed(smt.OpZeroExtend, []int{1}, args[0])
	case smt.OpIntToBv:
		want := t.Sort().Width
		if want <= widest {
			return n.ctx.Indexed(smt.OpExtract, []int{want - 1, 0}, args[0])
		}
		return n.ctx.Indexed(smt.OpSignExtend, []int{want - widest}, args[0])
	case smt.OpMul:
		width = sum
	case smt.OpIte:
		width = widest
	}
	op, ok := ofBits[t.Op()]
	if !ok || width > maxBits || len(args) > 2 && t.Sort() == smt.Bool && t.Op() != smt.OpIte {
		return nil, nil
	}
	for i, a := range t.Args() {
		if a.Sort() != smt.Int {
			continue
		}
		var err error
		if args[i], err = n.ctx.Indexed(smt.OpSignExtend, []int{width - args[i].Sort().Width}, args[i]); err != nil {
			return nil, err
		}
	}
	if op == smt.OpBvSub && len(args) > 2 { // bvsub takes only two
		made := args[0]
		for _, a := range args[1:] {
			var err error
			if made, err = n.ctx.App(op, made, a); err != nil {
				return nil, err
			}
		}
		return made, nil
	}
	return n.ctx.App(op, args...)
}

// ofBits maps the operations that can be rewritten. Division and the absolute value are missing,
// since no known model uses them.
var ofBits = map[smt.Op]smt.Op{
	smt.OpAdd: smt.OpBvAdd, smt.OpSub: smt.OpBvSub, smt.OpMul: smt.OpBvMul, smt.OpNeg: smt.OpBvNeg, smt.OpIte: smt.OpIte, smt.OpEqual: smt.OpEqual,
	smt.OpLe: smt.OpBvSle, smt.OpLt: smt.OpBvSlt, smt.OpGe: smt.OpBvSge, smt.OpGt: smt.OpBvSgt,
}
