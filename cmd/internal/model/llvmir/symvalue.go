package llvmir

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/smt"
)

// symbol is a scalar of a symbolic execution. It is a known number, a term, or a pointer into an
// object with a number or term as offset. Truth values (i1) are terms of sort Bool, others are bit
// vectors.
type symbol struct {
	width  int
	object int // 0, or 1 + the object that it points into; n or term is then the offset
	n      uint64
	term   *smt.Term // nil for a known number
	bad    uint8     // uninitialized, poisoned
}

func (v symbol) known() bool  { return v.term == nil }
func (v symbol) number() bool { return v.term == nil && v.object == 0 }

func known(n uint64, width int) symbol { return symbol{width: width, n: n & mask(uint8(width))} }

// Beyond is the error for a path that cannot be followed here, although inputs may take it.
type Beyond struct {
	Function string
	Line     int
	Op       Op
	Reason   string

	Condition []*smt.Term // of the branches before
}

func (b *Beyond) Error() string {
	return fmt.Sprintf("@%s: line %d: %v: %s", b.Function, b.Line, b.Op, b.Reason)
}

// Impossible is the error for a path that no input takes, since a branch on it has a known
// condition with another target.
type Impossible struct {
	Function string
	Line     int
}

func (i *Impossible) Error() string {
	return fmt.Sprintf("@%s: line %d: the branch never goes this way on this path", i.Function, i.Line)
}

// Undefined is the error for a path whose behavior is undefined in C for every input.
type Undefined struct {
	Function string
	Line     int
	Outcome  Outcome
	Detail   string
}

func (u *Undefined) Error() string {
	text := fmt.Sprintf("@%s: line %d: %v on this path", u.Function, u.Line, u.Outcome)
	if u.Detail != "" {
		text += ": " + u.Detail
	}
	return text
}

// halt carries an error out of an execution, whose functions compute values and have no other
// results.
type halt struct{ err error }

func (e *execution) beyond(format string, args ...any) {
	panic(halt{&Beyond{e.fn.Name, e.in.Line, e.in.Op, fmt.Sprintf(format, args...), e.result.Condition}})
}

func (e *execution) undefined(out Outcome, detail string) {
	panic(halt{&Undefined{e.fn.Name, e.in.Line, out, detail}})
}

// use returns a value on which a decision depends. The value must be defined.
func (e *execution) use(v symbol, what string) symbol {
	switch {
	case v.bad&poisoned != 0:
		e.undefined(Poison, what)
	case v.bad != 0:
		e.undefined(Uninitialized, what)
	}
	return v
}

// app makes a term. Too many terms make the path Beyond.
func (e *execution) app(op smt.Op, args ...*smt.Term) *smt.Term { return e.indexed(op, nil, args...) }

func (e *execution) indexed(op smt.Op, indices []int, args ...*smt.Term) *smt.Term {
	t, err := e.ctx.Indexed(op, indices, args...)
	if err != nil {
		e.beyond("%v", err)
	}
	return t
}

// termOf returns a value as a term; for a pointer, its address.
func (e *execution) termOf(v symbol) *smt.Term {
	v = e.numeric(v)
	if v.term != nil {
		return v.term
	}
	return e.literal(v.n, v.width)
}

// numeric returns a pointer as its address. Objects have addresses like those of Machine: far from
// each other, buffers in their order, then local variables, behind globals. Only comparisons and
// differences of addresses of different objects depend on them.
func (e *execution) numeric(v symbol) symbol {
	if v.object == 0 {
		return v
	}
	base := known(e.regions[v.object-1].address, 64)
	v.object = 0
	return e.arithmetic(OpAdd, 0, v, base)
}

func (e *execution) literal(n uint64, width int) *smt.Term {
	if width == 1 {
		return e.ctx.BoolTerm(n != 0)
	}
	return e.ctx.Bits(n, width)
}

// made returns a term as a value. A literal becomes a known number.
func (e *execution) made(t *smt.Term, width int, bad uint8) symbol {
	if v, ok := t.Value(); ok {
		switch {
		case width == 1:
			return symbol{width: 1, n: truth(v.Bool()), bad: bad}
		default:
			return symbol{width: width, n: v.Word(), bad: bad}
		}
	}
	return symbol{width: width, term: t, bad: bad}
}

func (e *execution) not(t *smt.Term) *smt.Term { return e.ctx.Not(t) }

// ite chooses between values of one width, which must not be pointers.
func (e *execution) ite(c *smt.Term, a, b symbol) symbol {
	if a.number() && b.number() && a.n == b.n {
		return symbol{width: a.width, n: a.n, bad: a.bad | b.bad}
	}
	if a.term != nil && a.term == b.term {
		return symbol{width: a.width, term: a.term, bad: a.bad | b.bad}
	}
	if a.width == 1 && a.number() && b.number() {
		if a.n == 1 {
			return symbol{width: 1, term: c, bad: a.bad | b.bad}
		}
		return symbol{width: 1, term: e.not(c), bad: a.bad | b.bad}
	}
	return symbol{width: a.width, term: e.app(smt.OpIte, c, e.termOf(a), e.termOf(b)), bad: a.bad | b.bad}
}

// equal returns whether two numbers are equal, as a truth value. C's truth values are choices
// between two known numbers. Compared with a known number, such a choice gives its condition.
func (e *execution) equal(a, b symbol) symbol {
	if a.number() && b.number() {
		return known(truth(a.n == b.n), 1)
	}
	if a.number() {
		a, b = b, a
	}
	if b.number() && a.width == 1 {
		if b.n == 1 {
			return symbol{width: 1, term: a.term}
		}
		return e.made(e.not(a.term), 1, 0)
	}
	if b.number() && a.term.Op() == smt.OpIte {
		yes, okYes := a.term.Args()[1].Value()
		no, okNo := a.term.Args()[2].Value()
		if okYes && okNo {
			cond := symbol{width: 1, term: a.term.Args()[0]}
			return e.ite(cond.term, known(truth(yes.Word() == b.n), 1), known(truth(no.Word() == b.n), 1))
		}
	}
	return symbol{width: 1, term: e.app(smt.OpEqual, e.termOf(a), e.termOf(b))}
}

// below returns whether an offset is less than a known number, unsigned.
func (e *execution) below(v symbol, n uint64) symbol {
	if v.known() {
		return known(truth(v.n < n), 1)
	}
	return symbol{width: 1, term: e.app(smt.OpBvUlt, v.term, e.literal(n, v.width))}
}

// require adds a condition for the path to be defined.
func (e *execution) require(v symbol, out Outcome, detail string) {
	if v.number() {
		if v.n == 0 {
			e.undefined(out, detail)
		}
		return
	}
	if slices.Contains(e.result.Defined, v.term) {
		return
	}
	e.result.Defined = append(e.result.Defined, v.term)
}

// assume adds a branch's condition.
func (e *execution) assume(v symbol) {
	if v.number() {
		if v.n == 0 {
			panic(halt{&Impossible{e.fn.Name, e.in.Line}})
		}
		return
	}
	e.result.Condition = append(e.result.Condition, v.term)
}

// extend widens or narrows a number.
func (e *execution) extend(v symbol, width int, sign bool) symbol {
	if v.width == width {
		return v
	}
	v = e.numeric(v)
	if v.number() {
		n := v.n
		if sign && v.width < width {
			n = uint64(sext(n, uint8(v.width)))
		}
		return symbol{width: width, n: n & mask(uint8(width)), bad: v.bad}
	}
	t := e.termOf(v)
	switch {
	case width == 1:
		low := e.indexed(smt.OpExtract, []int{0, 0}, t)
		return symbol{width: 1, term: e.app(smt.OpEqual, low, e.ctx.Bits(1, 1)), bad: v.bad}
	case v.width > width:
		return e.made(e.indexed(smt.OpExtract, []int{width - 1, 0}, t), width, v.bad)
	case v.width == 1:
		one := uint64(1)
		if sign {
			one = mask(uint8(width))
		}
		return symbol{width: width, term: e.app(smt.OpIte, t, e.literal(one, width), e.literal(0, width)), bad: v.bad}
	case sign:
		return symbol{width: width, term: e.indexed(smt.OpSignExtend, []int{width - v.width}, t), bad: v.bad}
	}
	return symbol{width: width, term: e.indexed(smt.OpZeroExtend, []int{width - v.width}, t), bad: v.bad}
}
