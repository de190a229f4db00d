package formula

import (
	"fmt"
	"math/big"
	"slices"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
)

// This file turns calls and effects into terms for solvers. It reads a path's constants as effect
// does.

// CallTerms returns the path's assertions, and equations that fix its inputs to a call's values.
func (m *Model) CallTerms(p *Path, c call.Call) []*smt.Term {
	terms := make([]*smt.Term, 0, len(p.Assertions)+len(p.Inputs))
	terms = append(terms, p.Assertions...)
	for _, in := range p.Inputs {
		terms = append(terms, m.Context.Must(smt.OpEqual, in.Term, m.Context.ValueTerm(m.Value(in, c))))
	}
	return terms
}

// EffectTerm returns a term that holds if the path's results have the same text as an effect
// (call.Signature.Text). Results that the path does not mention may be anything.
func (m *Model) EffectTerm(p *Path, c call.Call, e *call.Effect, by call.Comparator) (*smt.Term, error) {
	var returned, into *smt.Term
	written := map[int]map[int]*smt.Term{} // by argument and byte
	pointers := map[int]pointer{}
	for _, r := range p.results {
		switch r.kind {
		case ret:
			returned = r.term
		case retInto:
			into = r.term
		case outByte:
			if written[r.arg] == nil {
				written[r.arg] = map[int]*smt.Term{}
			}
			written[r.arg][r.at+m.Signature.Arguments[r.arg].Before] = r.term
		case outPointer:
			pointers[r.arg] = pointer{pointers[r.arg].into, r.term}
		case outInto:
			pointers[r.arg] = pointer{r.term, pointers[r.arg].at}
		}
	}
	var all []*smt.Term
	switch kind := m.Signature.Result.Kind; {
	case kind == "void" || by == call.None || returned == nil && into == nil:
	case kind == "address":
		t, err := m.pointsTo(pointer{into, returned}, e.To)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	case returned != nil:
		all = append(all, m.reads(returned, e.Ret, by))
	}
	for i := range m.Signature.Arguments {
		at := stored(e, i)
		q, ok := pointers[i]
		ok = ok && c[i].Data != nil
		if ok != (at != nil) {
			return m.Context.BoolTerm(false), nil
		}
		if ok {
			t, err := m.pointsTo(q, at.To)
			if err != nil {
				return nil, err
			}
			all = append(all, t)
		}
		before := call.Whole(&m.Signature.Arguments[i], c[i])
		after := before
		if i < len(e.Memory) && e.Memory[i] != nil {
			after = e.Memory[i]
		}
		for k, b := range after {
			switch t := written[i][k]; {
			case t != nil && k < len(before):
				all = append(all, m.is(t, uint64(b)))
			case k >= len(before) || before[k] != b:
				return m.Context.BoolTerm(false), nil
			}
		}
	}
	return m.Context.And(all...), nil
}

// pointer holds the terms of an address. With into, at is an offset from the start of that target.
// Without into, at is an address.
type pointer struct{ into, at *smt.Term }

func stored(e *call.Effect, arg int) *call.Stored {
	for _, s := range e.Stored {
		if s.Arg == arg {
			return s
		}
	}
	return nil
}

// pointsTo returns a term that holds if an address renders like another.
func (m *Model) pointsTo(p pointer, to call.Pointer) (*smt.Term, error) {
	c := m.Context
	arguments := len(m.Signature.Arguments)
	own := to.Into > 0 && to.Into <= arguments
	if p.into != nil {
		null := m.is(p.into, 0)
		if p.at != nil {
			null = c.And(null, m.is(p.at, 0))
		}
		switch {
		case to == call.Pointer{}:
			return null, nil
		case to.Into == extract.Fresh:
			return m.is(p.into, extract.Fresh), nil
		case own && p.at == nil:
			return c.And(m.is(p.into, uint64(to.Into)), c.BoolTerm(to.Offset == 0)), nil
		case own:
			return c.And(m.is(p.into, uint64(to.Into)), m.is(p.at, uint64(to.Offset))), nil
		}
		others := []*smt.Term{c.Not(null), c.Not(m.is(p.into, extract.Fresh))}
		for i := range arguments {
			others = append(others, c.Not(m.is(p.into, uint64(i+1))))
		}
		return c.And(others...), nil
	}
	if p.at.Sort() != smt.BitVec(64) {
		return nil, fmt.Errorf("the address %s is of the sort %v and not of 64 bits", p.at.Name(), p.at.Sort())
	}
	word := func(n uint64) *smt.Term { return c.Bits(n, 64) }
	within := func(from, to uint64) *smt.Term { // from is inclusive, to exclusive
		return c.And(c.Must(smt.OpBvUle, word(from), p.at), c.Must(smt.OpBvUlt, p.at, word(to)))
	}
	null, fresh := m.is(p.at, 0), within(freshAddress, freshAddress+stride)
	switch {
	case to == call.Pointer{}:
		return null, nil
	case to.Into == extract.Fresh:
		return fresh, nil
	case own:
		near := to.Offset > -stride/2 && to.Offset < stride/2
		return c.And(c.BoolTerm(near), m.is(p.at, address(to.Into-1)+uint64(to.Offset))), nil
	}
	others := []*smt.Term{c.Not(null), c.Not(fresh)}
	for i := range arguments {
		others = append(others, c.Not(within(address(i)-stride/2+1, address(i)+stride/2)))
	}
	return c.And(others...), nil
}

// reads returns a term that holds if a scalar result equals a number by a comparator.
func (m *Model) reads(t *smt.Term, like uint64, by call.Comparator) *smt.Term {
	c, bits := m.Context, m.Signature.Result.Bits
	if bits <= 0 {
		return c.BoolTerm(true)
	}
	text := func(n uint64) string { return m.Signature.Text(nil, &call.Effect{Ret: n}, by) }
	same := func(n uint64) bool { return text(n) == text(like) }
	half := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	var low, zero, negative *smt.Term // the low bits of t, and conditions on them
	switch t.Sort() {
	case smt.Bool:
		return c.Or(c.And(t, c.BoolTerm(same(1))), c.And(c.Not(t), c.BoolTerm(same(0))))
	case smt.Int:
		low = c.Must(smt.OpMod, t, c.BigNumeral(new(big.Int).Lsh(half, 1)))
		zero, negative = c.Must(smt.OpEqual, low, c.Numeral(0)), c.Must(smt.OpGe, low, c.BigNumeral(half))
	default:
		low = m.low(t, bits)
		zero = c.Must(smt.OpEqual, low, c.Bits(0, bits))
		negative = c.Must(smt.OpBvSlt, low, c.Bits(0, bits))
	}
	switch {
	case by == call.Sign && same(0), by == call.Truth && same(0):
		return zero
	case by == call.Truth:
		return c.Not(zero)
	case by == call.Sign && call.Signed(like, bits) < 0:
		return negative
	case by == call.Sign:
		return c.And(c.Not(zero), c.Not(negative))
	}
	return m.is(low, like&(^uint64(0)>>max(64-bits, 0)))
}

// inRange returns a term that restricts an integer result to the range of the result's type, if
// results are compared by sign or truth. Otherwise integers whose low bits are 0 would count as 0.
func (m *Model) inRange(p *Path, by call.Comparator) *smt.Term {
	c, of := m.Context, m.Signature.Result
	i := slices.IndexFunc(p.results, func(r result) bool { return r.kind == ret })
	if i < 0 || p.results[i].term.Sort() != smt.Int || of.Kind != "scalar" || by != call.Sign && by != call.Truth {
		return c.BoolTerm(true)
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(of.Bits))
	if of.Signed {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	t := p.results[i].term
	return c.And(c.Must(smt.OpLe, c.ValueTerm(smt.IntValue(low)), t), c.Must(smt.OpLt, t, c.BigNumeral(high)))
}

// Permits returns a term that holds if a path permits an effect by a comparator.
func (m *Model) Permits(p *Path, c call.Call, e *call.Effect, by call.Comparator) (*smt.Term, error) {
	like, err := m.EffectTerm(p, c, e, by)
	if err != nil {
		return nil, err
	}
	return m.Context.And(m.inRange(p, by), like), nil
}

// low returns the low bits of a bit vector, with zeros added if it is narrower.
func (m *Model) low(t *smt.Term, bits int) *smt.Term {
	var resized *smt.Term
	var err error
	switch width := t.Sort().Width; {
	case width > bits:
		resized, err = m.Context.Indexed(smt.OpExtract, []int{bits - 1, 0}, t)
	case width < bits:
		resized, err = m.Context.Indexed(smt.OpZeroExtend, []int{bits - width}, t)
	default:
		return t
	}
	if err != nil {
		panic(err) // the indices are within the width
	}
	return resized
}

// is returns a term that holds if a constant equals a number, read as in function number.
func (m *Model) is(t *smt.Term, n uint64) *smt.Term {
	c := m.Context
	switch t.Sort() {
	case smt.Bool:
		return c.Or(c.And(t, c.BoolTerm(n == 1)), c.And(c.Not(t), c.BoolTerm(n == 0)))
	case smt.Int:
		return c.Or(c.Must(smt.OpEqual, t, c.Numeral(int64(n))), c.Must(smt.OpEqual, t, c.BigNumeral(new(big.Int).SetUint64(n))))
	}
	if width := t.Sort().Width; width < 64 && n>>width != 0 {
		return c.BoolTerm(false)
	}
	return c.Must(smt.OpEqual, t, c.Bits(n, t.Sort().Width))
}
