package formula

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
)

// Argument is an argument as terms.
type Argument struct {
	Number *smt.Term   // a number, with as many bits as the signature has
	Bytes  []*smt.Term // contents of a buffer with guard bytes; nil for numbers and null
}

// Effect is a call's effect as terms, before the arguments are known. See call.Effect.
type Effect struct {
	Ret    *smt.Term     // scalar result, with as many bits as the signature has
	To     *Pointer      // address result
	Memory [][]*smt.Term // memory of each argument after the call, with guard bytes
	Stored []*Pointer    // pointer that was stored at each argument, or nil
}

// Terms returns the terms of an effect, in the order that With expects.
func (e *Effect) Terms() (terms []*smt.Term) {
	e.each(func(t **smt.Term) { terms = append(terms, *t) })
	return terms
}

// With returns the effect with its terms replaced.
func (e *Effect) With(terms []*smt.Term) *Effect {
	other := &Effect{Ret: e.Ret, Memory: make([][]*smt.Term, len(e.Memory)), Stored: make([]*Pointer, len(e.Stored))}
	if e.To != nil {
		to := *e.To
		other.To = &to
	}
	for i := range e.Memory {
		other.Memory[i] = slices.Clone(e.Memory[i])
	}
	for i, p := range e.Stored {
		if p != nil {
			stored := *p
			other.Stored[i] = &stored
		}
	}
	other.each(func(t **smt.Term) { *t, terms = terms[0], terms[1:] })
	return other
}

func (e *Effect) each(do func(t **smt.Term)) {
	if e.Ret != nil {
		do(&e.Ret)
	}
	for _, p := range append([]*Pointer{e.To}, e.Stored...) {
		if p != nil {
			do(&p.Into)
			do(&p.Offset)
		}
	}
	for _, bytes := range e.Memory {
		for k := range bytes {
			do(&bytes[k])
		}
	}
}

// Pointer is an address as terms. See call.Pointer.
type Pointer struct {
	Into   *smt.Term // 8 bits
	Offset *smt.Term // 64 bits
}

// LinkedAssertions returns the assertions of a path with arguments in place of its inputs.
func (m *Model) LinkedAssertions(p *Path, args []Argument) ([]*smt.Term, error) {
	return m.Link(p, args, p.Assertions...)
}

// Link replaces the inputs of a path by arguments.
func (m *Model) Link(p *Path, args []Argument, terms ...*smt.Term) ([]*smt.Term, error) {
	by := map[*smt.Term]*smt.Term{}
	for _, in := range p.Inputs {
		t, err := m.input(in, args)
		if err != nil {
			return nil, err
		}
		by[in.Term] = t
	}
	return m.Context.Substitute(by, terms...)
}

// input returns the term of an input. It is Value for terms.
func (m *Model) input(in Input, args []Argument) (*smt.Term, error) {
	ctx, sort := m.Context, in.Term.Sort()
	known := func(n uint64) (*smt.Term, error) {
		if sort.Kind != smt.BitVecKind {
			return nil, fmt.Errorf("%s is of sort %v, and has to be a bit vector", in.Term.Name(), sort)
		}
		return ctx.Bits(n, sort.Width), nil
	}
	if in.from.kind == addressOfFresh { // belongs to no argument
		return known(freshAddress)
	}
	a := &m.Signature.Arguments[in.from.arg]
	switch in.from.kind {
	case byteOf:
		bytes := args[in.from.arg].Bytes
		if k := in.from.at + a.Before; k >= 0 && k < len(bytes) {
			return m.sized(bytes[k], sort, false)
		}
		return known(call.Guard)
	case textOf:
		return m.text(a, args[in.from.arg].Bytes), nil
	case addressOf:
		if args[in.from.arg].Bytes == nil { // a null pointer
			return known(0)
		}
		return known(address(in.from.arg))
	}
	if args[in.from.arg].Number == nil {
		return nil, fmt.Errorf("%s is no number", in.Term.Name())
	}
	return m.sized(args[in.from.arg].Number, sort, a.Signed)
}

// sized converts a bit vector to another sort. Wider bit vectors get zeros, and integers may be
// signed.
func (m *Model) sized(t *smt.Term, sort *smt.Sort, signed bool) (*smt.Term, error) {
	ctx, width := m.Context, t.Sort().Width
	switch {
	case sort == t.Sort():
		return t, nil
	case sort == smt.Bool:
		return ctx.Not(ctx.Must(smt.OpEqual, t, ctx.Bits(0, width))), nil
	case sort.Kind == smt.BitVecKind && sort.Width < width:
		return ctx.Indexed(smt.OpExtract, []int{sort.Width - 1, 0}, t)
	case sort.Kind == smt.BitVecKind:
		return ctx.Indexed(smt.OpZeroExtend, []int{sort.Width - width}, t)
	case sort == smt.Int && signed:
		// The sign has a weight of 2 to the power of the width.
		flipped := ctx.Must(smt.OpBvXor, t, ctx.Bits(1<<(width-1), width))
		return ctx.App(smt.OpAdd, ctx.Must(smt.OpBvToNat, flipped), m.least(width))
	case sort == smt.Int:
		return ctx.App(smt.OpBvToNat, t)
	}
	return nil, fmt.Errorf("an argument of sort %v has no term", sort)
}

// least returns the smallest signed integer of a width.
func (m *Model) least(width int) *smt.Term {
	v, err := smt.Eval(m.Context.Must(smt.OpNeg, m.Context.Must(smt.OpBvToNat, m.Context.Bits(1<<(width-1), width))), nil)
	if err != nil {
		panic("formula: " + err.Error()) // only literals
	}
	return m.Context.ValueTerm(v)
}

// text returns the string up to the first zero.
func (m *Model) text(a *extract.Argument, bytes []*smt.Term) *smt.Term {
	ctx := m.Context
	t := ctx.StringTerm("")
	if bytes == nil {
		return t
	}
	for i := a.Before + a.Bytes - 1; i >= a.Before; i-- {
		char := ctx.Must(smt.OpStrFromCode, ctx.Must(smt.OpBvToNat, bytes[i]))
		t = ctx.Must(smt.OpIte, ctx.Must(smt.OpEqual, bytes[i], ctx.Bits(0, 8)), ctx.StringTerm(""), ctx.Must(smt.OpStrConcat, char, t))
	}
	return t
}

// Effect returns a path's effect on arguments, before their values are known. An unconstrained
// result becomes a constant of its own.
func (m *Model) Effect(p *Path, args []Argument) (*Effect, error) {
	e := &Effect{Memory: make([][]*smt.Term, len(args)), Stored: make([]*Pointer, len(args))}
	for i, a := range args {
		e.Memory[i] = append([]*smt.Term(nil), a.Bytes...)
	}
	ctx := m.Context
	zero := Pointer{ctx.Bits(0, 8), ctx.Bits(0, 64)}
	var to Pointer
	into := make([]*smt.Term, len(args))
	for _, r := range p.results {
		width := 64
		switch r.kind {
		case retInto, outInto, outByte:
			width = 8
		case ret:
			if m.Signature.Result.Kind == "scalar" {
				width = m.Signature.Result.Bits
			}
		}
		t, err := m.word(r.term, width)
		if err != nil {
			return nil, err
		}
		switch r.kind {
		case ret:
			switch {
			case m.Signature.Result.Kind == "void":
			case m.Signature.Result.Kind != "address":
				e.Ret = t
			case p.Ret == "offset":
				to.Offset = t
			default:
				to = m.place(t)
			}
		case retInto:
			to.Into = t
		case outInto:
			into[r.arg] = t
		case outByte:
			if k := r.at + m.Signature.Arguments[r.arg].Before; k < len(e.Memory[r.arg]) {
				e.Memory[r.arg][k] = t
			}
		case outPointer:
			e.Stored[r.arg] = &Pointer{Offset: t}
		}
	}
	for i, t := range into {
		switch s := e.Stored[i]; {
		case t != nil && s != nil:
			s.Into = t
		case t != nil:
			e.Stored[i] = &Pointer{t, zero.Offset}
		case s != nil:
			*s = m.place(s.Offset)
		}
	}
	switch r := m.Signature.Result; {
	case r.Kind == "address" && to.Offset == nil:
		e.To = &Pointer{ctx.Const("ret_into", smt.BitVec(8)), ctx.Const("ret", smt.BitVec(64))}
	case r.Kind == "address":
		e.To = &to
	case r.Kind == "scalar" && e.Ret == nil:
		e.Ret = ctx.Const("ret", smt.BitVec(r.Bits))
	}
	return e, nil
}

// word converts a result to a bit vector. It is number for terms.
func (m *Model) word(t *smt.Term, width int) (*smt.Term, error) {
	ctx := m.Context
	switch t.Sort().Kind {
	case smt.BoolKind:
		return ctx.App(smt.OpIte, t, ctx.Bits(1, width), ctx.Bits(0, width))
	case smt.IntKind:
		return ctx.Indexed(smt.OpIntToBv, []int{width}, t)
	case smt.BitVecKind:
		return m.sized(t, smt.BitVec(width), false)
	}
	return nil, fmt.Errorf("a result of sort %v has no term", t.Sort())
}

// place returns the target of an address. It is locate for terms.
func (m *Model) place(n *smt.Term) Pointer {
	ctx := m.Context
	bits := func(n uint64) *smt.Term { return ctx.Bits(n, 64) }
	p := Pointer{ctx.Bits(extract.Nowhere, 8), bits(0)}
	choose := func(when *smt.Term, into int, offset *smt.Term) {
		p = Pointer{ctx.Must(smt.OpIte, when, ctx.Bits(uint64(into), 8), p.Into), ctx.Must(smt.OpIte, when, offset, p.Offset)}
	}
	for i := len(m.Signature.Arguments) - 1; i >= 0; i-- {
		at := ctx.Must(smt.OpBvSub, n, bits(address(i)))
		// -stride/2 < at < stride/2, shifted so that one unsigned comparison suffices.
		near := ctx.Must(smt.OpBvUlt, ctx.Must(smt.OpBvAdd, at, bits(stride/2-1)), bits(stride-1))
		choose(near, i+1, at)
	}
	choose(ctx.Must(smt.OpBvUlt, ctx.Must(smt.OpBvSub, n, bits(freshAddress)), bits(stride)), extract.Fresh, bits(0))
	choose(ctx.Must(smt.OpEqual, n, bits(0)), 0, bits(0))
	return p
}

// Alike returns a term that holds if two effects have the same text by a comparator.
func (m *Model) Alike(a, b *Effect, by call.Comparator) *smt.Term {
	ctx := m.Context
	var all []*smt.Term
	switch s := m.Signature.Result; {
	case s.Kind == "void" || by == call.None:
	case s.Kind == "address":
		all = append(all, m.samePlace(a.To, b.To))
	default:
		zero := ctx.Bits(0, s.Bits)
		both := func(of func(t *smt.Term) *smt.Term) { all = append(all, ctx.Must(smt.OpEqual, of(a.Ret), of(b.Ret))) }
		switch by {
		case call.Sign:
			both(func(t *smt.Term) *smt.Term { return ctx.Must(smt.OpBvSlt, t, zero) })
			both(func(t *smt.Term) *smt.Term { return ctx.Must(smt.OpEqual, t, zero) })
		case call.Truth:
			both(func(t *smt.Term) *smt.Term { return ctx.Must(smt.OpEqual, t, zero) })
		default:
			both(func(t *smt.Term) *smt.Term { return t })
		}
	}
	for i := range m.Signature.Arguments {
		if (a.Stored[i] == nil) != (b.Stored[i] == nil) {
			return ctx.BoolTerm(false)
		}
		if a.Stored[i] != nil {
			all = append(all, m.samePlace(a.Stored[i], b.Stored[i]))
		}
		for k, t := range a.Memory[i] {
			if t != b.Memory[i][k] {
				all = append(all, ctx.Must(smt.OpEqual, t, b.Memory[i][k]))
			}
		}
	}
	return ctx.And(all...)
}

// samePlace returns a term that holds if two addresses render alike.
func (m *Model) samePlace(a, b *Pointer) *smt.Term {
	ctx := m.Context
	is := func(t *smt.Term, n int) *smt.Term { return ctx.Must(smt.OpEqual, t, ctx.Bits(uint64(n), 8)) }
	type kinds struct{ null, fresh, argument *smt.Term }
	of := func(p *Pointer) kinds {
		return kinds{
			ctx.And(is(p.Into, 0), ctx.Must(smt.OpEqual, p.Offset, ctx.Bits(0, 64))), is(p.Into, extract.Fresh),
			ctx.Must(smt.OpBvUlt, ctx.Must(smt.OpBvSub, p.Into, ctx.Bits(1, 8)), ctx.Bits(uint64(len(m.Signature.Arguments)), 8)),
		}
	}
	x, y := of(a), of(b)
	return ctx.Or(
		ctx.And(x.null, y.null), ctx.And(x.fresh, y.fresh),
		ctx.And(x.argument, y.argument, ctx.Must(smt.OpEqual, a.Into, b.Into), ctx.Must(smt.OpEqual, a.Offset, b.Offset)),
		ctx.And(ctx.Not(ctx.Or(x.null, x.fresh, x.argument)), ctx.Not(ctx.Or(y.null, y.fresh, y.argument))))
}

// Address returns the address of an argument's buffer in terms.
func (m *Model) Address(arg int) uint64 { return address(arg) }
