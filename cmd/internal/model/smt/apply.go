package smt

import "math/big"

// function resolves a name before arguments: a declaration of the script, a function of the
// theories, or one of Z3-str.
func (p *parser) function(at int, name string) head {
	h := head{name: name}
	if s, ok := p.scope[name]; ok {
		if s.term != nil {
			p.failAt(at, "%s is a constant of %v and takes no arguments", clip(name), s.term.sort)
		}
		h.symbol = s
		return h
	}
	if op, ok := opNames[name]; ok {
		h.op = op
		return h
	}
	if d, ok := dialects[name]; ok {
		h.op, h.dialect = d.op, &d
		return h
	}
	switch name {
	case "sbv_to_int", "bvredor", "bvredand":
		h.special = name
		return h
	}
	if theory := unsupported(name); theory != "" {
		p.unsupported(at, "%s are not supported (%s)", theory, name)
	}
	p.failAt(at, "%s is no function that is known here; expected one of SMT-LIB's theories or one that is declared before", clip(name))
	return h
}

// apply makes the term of a head and its arguments.
func (p *parser) apply(f frame) *Term {
	h, args := f.head, f.args
	switch {
	case h.symbol.fn != nil:
		t, err := p.ctx.Apply(h.symbol.fn, args...)
		return p.made(f.at, t, err)
	case h.symbol.macro != nil:
		return p.expand(f.at, h.symbol.macro, args)
	case h.special != "":
		return p.special(f.at, h, args)
	case len(args) == 0:
		p.failAt(f.at, "%s has no arguments; expected them, or no parentheses", clip(h.name))
	case h.op == OpConstArray:
		if len(args) != 1 {
			p.failAt(f.at, "an array of one element everywhere takes 1 argument, not %d", len(args))
		}
		t, err := p.ctx.ConstArray(h.sort, args[0])
		return p.made(f.at, t, err)
	case h.op == OpSub && len(args) == 1:
		h.op = OpNeg
	case (h.op == OpAnd || h.op == OpOr) && len(args) == 1 && args[0].sort == Bool:
		return args[0] // SMT-LIB has none of one argument; z3 writes them
	case (h.op == OpRePower || h.op == OpReLoop) && h.indices == nil:
		h.indices, args = p.counts(f.at, h, args)
	case h.op == OpStrIndexOf && len(args) == 2 && (h.dialect == nil || h.dialect.zero):
		args = append(args, p.ctx.Numeral(0)) // as z3 takes it
	}
	if h.dialect != nil && h.dialect.swap && len(args) == 2 {
		args = []*Term{args[1], args[0]}
	}
	t, err := p.ctx.Indexed(h.op, h.indices, args...)
	return p.made(f.at, t, err)
}

// counts takes the numbers of (re.loop r 1 3), as it was written before they became indices.
func (p *parser) counts(at int, h head, args []*Term) ([]int, []*Term) {
	var counts []int
	for _, a := range args[1:] {
		if a.op != OpNumeral || !a.num.IsInt64() || a.num.Int64() < 0 || a.num.Int64() > MaxWidth {
			p.failAt(at, "expected ((_ %s n) r) with a number up to %d", h.name, MaxWidth)
		}
		counts = append(counts, int(a.num.Int64()))
	}
	if h.op == OpReLoop && len(counts) != 2 {
		p.failAt(at, "expected ((_ re.loop from to) r)")
	}
	return counts, args[:1]
}

// expand puts arguments into a defined function.
func (p *parser) expand(at int, m *macro, args []*Term) *Term {
	if len(args) != len(m.params) {
		p.failAt(at, "%s takes %s, not %d", clip(m.name), plural(len(m.params), "argument", "arguments"), len(args))
	}
	by := make(map[*Term]*Term, len(args))
	for i, a := range args {
		if a.sort != m.params[i].sort {
			p.failAt(at, "argument %d of %s is %v, and has to be %v", i+1, clip(m.name), a.sort, m.params[i].sort)
		}
		by[m.params[i]] = a
	}
	terms, err := p.ctx.Substitute(by, m.body)
	if err != nil {
		return p.made(at, nil, err)
	}
	return terms[0]
}

// special writes functions that solvers do not all know by those that they do.
func (p *parser) special(at int, h head, args []*Term) *Term {
	build := func(op Op, args ...*Term) *Term {
		t, err := p.ctx.App(op, args...)
		return p.made(at, t, err)
	}
	if h.name == "divisible" {
		if len(args) != 1 {
			p.failAt(at, "(_ divisible n) takes 1 argument, not %d", len(args))
		}
		return build(OpEqual, build(OpMod, args[0], p.ctx.Numeral(int64(h.indices[0]))), p.ctx.Numeral(0))
	}
	if len(args) != 1 || args[0].sort.Kind != BitVecKind {
		p.failAt(at, "%s takes one bit vector", h.name)
	}
	x, width := args[0], args[0].sort.Width
	zero := p.ctx.Bits(0, width)
	switch h.name {
	case "bvredor":
		return build(OpBvNot, build(OpBvComp, x, zero))
	case "bvredand":
		return build(OpBvComp, x, p.ctx.BigBits(big.NewInt(-1), width))
	}
	n := build(OpBvToNat, x)
	modulus := p.ctx.BigNumeral(new(big.Int).Lsh(big.NewInt(1), uint(width)))
	return build(OpIte, build(OpBvSlt, x, zero), build(OpSub, n, modulus), n)
}
