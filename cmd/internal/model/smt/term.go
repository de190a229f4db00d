package smt

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Term is an expression. Within one Context, there is one Term for each expression, so that terms
// are compared as pointers. An expression that occurs twice is one node. A term is immutable. Its
// arguments were made before it, so that their Ids are smaller.
type Term struct {
	op    Op
	sort  *Sort
	args  []*Term
	index [2]int // of an indexed operation
	name  string // of OpConst and OpApply
	fn    *Func  // of OpApply
	num   *big.Int
	text  []rune
	id    int
	hash  uint64
	next  *Term // of the same hash
}

// Op returns the operation at the root.
func (t *Term) Op() Op { return t.op }

// Sort returns the term's type.
func (t *Term) Sort() *Sort { return t.sort }

// Args returns the arguments. The caller must not change them.
func (t *Term) Args() []*Term { return t.args }

// Index returns numeral i of an indexed operation, such as 7 and 0 of (_ extract 7 0).
func (t *Term) Index(i int) int { return t.index[i] }

// Name returns the name of a constant or of the applied uninterpreted function.
func (t *Term) Name() string { return t.name }

// Func returns the applied uninterpreted function, or nil.
func (t *Term) Func() *Func { return t.fn }

// Id numbers the terms of a context in the order in which they were made.
func (t *Term) Id() int { return t.id }

// Literal reports whether the term is a value written out: true, false, a numeral, a bit vector or
// a string.
func (t *Term) Literal() bool { return t.op >= OpTrue && t.op <= OpText }

// Value returns the value of a literal, and false for other terms.
func (t *Term) Value() (Value, bool) {
	switch t.op {
	case OpTrue, OpFalse:
		return BoolValue(t.op == OpTrue), true
	case OpNumeral:
		return IntValue(t.num), true
	case OpBits:
		return BitsValue(t.num, t.sort.Width), true
	case OpText:
		return TextValue(t.text), true
	}
	return Value{}, false
}

// Func is an uninterpreted function: a name with sorts.
type Func struct {
	Name   string
	Params []*Sort
	Result *Sort
}

// ErrTooLarge is wrapped by errors about exceeded limits.
var ErrTooLarge = errors.New("too large")

// DefaultTerms is the default limit of terms per context: about a gigabyte.
const DefaultTerms = 5_000_000

// Context makes terms and holds them. It is not safe for use by several goroutines at once.
type Context struct {
	// Fold has App compute operations on literals. Without it, terms stay as they are written.
	Fold bool
	// Terms limits the number of terms. 0 means DefaultTerms.
	Terms int

	table map[uint64]*Term
	funcs map[string][]*Func
	count int
}

// NewContext makes an empty context.
func NewContext() *Context {
	return &Context{table: map[uint64]*Term{}, funcs: map[string][]*Func{}}
}

// Len returns the number of terms.
func (c *Context) Len() int { return c.count }

// Const returns the constant of a name and sort. Constants with one name and different sorts are
// different terms. Names must not contain bars, which SMT-LIB cannot express.
func (c *Context) Const(name string, sort *Sort) *Term {
	if strings.ContainsRune(name, '|') {
		panic("smt: a name with a bar: " + name)
	}
	return c.intern(Term{op: OpConst, sort: sort, name: name})
}

// BoolTerm returns true or false.
func (c *Context) BoolTerm(b bool) *Term {
	if b {
		return c.intern(Term{op: OpTrue, sort: Bool})
	}
	return c.intern(Term{op: OpFalse, sort: Bool})
}

// Numeral returns an integer.
func (c *Context) Numeral(n int64) *Term { return c.BigNumeral(big.NewInt(n)) }

// BigNumeral returns an integer of any size. The caller must not change n.
func (c *Context) BigNumeral(n *big.Int) *Term {
	return c.intern(Term{op: OpNumeral, sort: Int, num: n})
}

// Bits returns the bit vector with the lowest bits of a number.
func (c *Context) Bits(n uint64, width int) *Term { return c.BigBits(new(big.Int).SetUint64(n), width) }

// BigBits returns the bit vector with the lowest bits of a number, which may be negative.
func (c *Context) BigBits(n *big.Int, width int) *Term {
	return c.intern(Term{op: OpBits, sort: BitVec(width), num: wrap(n, width)})
}

// Text returns a string of code points.
func (c *Context) Text(text []rune) *Term {
	return c.intern(Term{op: OpText, sort: String, text: text})
}

// StringTerm returns a string with the code points of a Go string.
func (c *Context) StringTerm(s string) *Term { return c.Text([]rune(s)) }

// Func returns the uninterpreted function of a name and sorts.
func (c *Context) Func(name string, params []*Sort, result *Sort) *Func {
	for _, f := range c.funcs[name] {
		if f.Result == result && slices.Equal(f.Params, params) {
			return f
		}
	}
	f := &Func{Name: name, Params: slices.Clone(params), Result: result}
	c.funcs[name] = append(c.funcs[name], f)
	return f
}

// Apply applies an uninterpreted function to arguments.
func (c *Context) Apply(f *Func, args ...*Term) (*Term, error) {
	if len(args) != len(f.Params) {
		return nil, fmt.Errorf("%s has %d arguments, not %d", f.Name, len(f.Params), len(args))
	}
	for i, a := range args {
		if a.sort != f.Params[i] {
			return nil, fmt.Errorf("argument %d of %s is %v, and has to be %v", i+1, f.Name, a.sort, f.Params[i])
		}
	}
	if err := c.room(); err != nil {
		return nil, err
	}
	return c.intern(Term{op: OpApply, sort: f.Result, fn: f, name: f.Name, args: args}), nil
}

// App applies an operation without indices to arguments. An error lists the expected sorts.
func (c *Context) App(op Op, args ...*Term) (*Term, error) { return c.Indexed(op, nil, args...) }

// Indexed applies an operation with indices, such as (_ extract 7 0).
func (c *Context) Indexed(op Op, indices []int, args ...*Term) (*Term, error) {
	sort, err := sortOf(op, indices, args)
	if err != nil {
		return nil, err
	}
	t := Term{op: op, sort: sort, args: args}
	copy(t.index[:], indices)
	return c.finish(t)
}

// ConstArray returns the array of a sort with one element at all indices.
func (c *Context) ConstArray(sort *Sort, element *Term) (*Term, error) {
	if sort.Kind != ArrayKind || sort.Element != element.sort {
		return nil, fmt.Errorf("(as const %v) cannot hold %v", sort, element.sort)
	}
	if err := c.room(); err != nil {
		return nil, err
	}
	return c.intern(Term{op: OpConstArray, sort: sort, args: []*Term{element}}), nil
}

// Must is App for arguments of correct sorts. It panics otherwise.
func (c *Context) Must(op Op, args ...*Term) *Term {
	t, err := c.App(op, args...)
	if err != nil {
		panic("smt: " + err.Error())
	}
	return t
}

// And returns the conjunction of terms: true for none, the term itself for one.
func (c *Context) And(terms ...*Term) *Term { return c.junction(OpAnd, true, terms) }

// Or returns the disjunction of terms: false for none, the term itself for one.
func (c *Context) Or(terms ...*Term) *Term { return c.junction(OpOr, false, terms) }

func (c *Context) junction(op Op, none bool, terms []*Term) *Term {
	switch len(terms) {
	case 0:
		return c.BoolTerm(none)
	case 1:
		return terms[0]
	}
	return c.Must(op, slices.Clone(terms)...)
}

// Not returns the negation of a term. It removes a double negation.
func (c *Context) Not(t *Term) *Term {
	switch t.op {
	case OpNot:
		return t.args[0]
	case OpTrue, OpFalse:
		return c.BoolTerm(t.op == OpFalse)
	}
	return c.Must(OpNot, t)
}

// finish folds a term and enters it. The minus of a positive numeral is the way to write a negative
// one, so it is one.
func (c *Context) finish(t Term) (*Term, error) {
	if t.op == OpNeg && t.args[0].op == OpNumeral && t.args[0].num.Sign() > 0 {
		return c.BigNumeral(new(big.Int).Neg(t.args[0].num)), nil
	}
	if err := c.room(); err != nil {
		return nil, err
	}
	if c.Fold {
		if folded := c.fold(&t); folded != nil {
			return folded, nil
		}
	}
	return c.intern(t), nil
}

func (c *Context) room() error {
	limit := c.Terms
	if limit == 0 {
		limit = DefaultTerms
	}
	if c.count >= limit {
		return fmt.Errorf("more than %d terms: %w", limit, ErrTooLarge)
	}
	return nil
}

// intern returns the unique term that is equal to t.
func (c *Context) intern(t Term) *Term {
	t.hash = t.sum()
	for known := c.table[t.hash]; known != nil; known = known.next {
		if known.same(&t) {
			return known
		}
	}
	c.count++
	t.id = c.count
	t.next = c.table[t.hash]
	c.table[t.hash] = &t
	return &t
}

func (t *Term) same(o *Term) bool {
	if t.op != o.op || t.sort != o.sort || t.index != o.index || t.name != o.name || t.fn != o.fn {
		return false
	}
	if (t.num == nil) != (o.num == nil) || t.num != nil && t.num.Cmp(o.num) != 0 {
		return false
	}
	return slices.Equal(t.text, o.text) && slices.Equal(t.args, o.args)
}

// sum returns the FNV-1a hash of a term, by the Ids of its arguments.
func (t *Term) sum() uint64 {
	h := uint64(14695981039346656037)
	mix := func(n uint64) { h = (h ^ n) * 1099511628211 }
	mix(uint64(t.op))
	mix(uint64(t.sort.Kind))
	mix(uint64(t.sort.Width))
	mix(uint64(t.index[0]))
	mix(uint64(t.index[1]))
	for _, a := range t.args {
		mix(uint64(a.id))
	}
	for i := range len(t.name) {
		mix(uint64(t.name[i]))
	}
	for _, r := range t.text {
		mix(uint64(r))
	}
	if t.num != nil {
		mix(uint64(t.num.Sign()))
		for _, w := range t.num.Bits() {
			mix(uint64(w))
		}
	}
	return h ^ h>>29
}
