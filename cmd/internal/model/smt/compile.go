package smt

import (
	"fmt"
	"slices"
	"strings"
)

// Program computes terms from values of their constants: a list of instructions over numbered
// slots that are each written once. It is immutable and may be shared; each goroutine needs its
// own Machine.
type Program struct {
	code     []inst
	literals []literal
	inputs   []place
	names    []string
	roots    []place
	sorts    []*Sort // of arrays
	slots    int
	stores   [stores]bool
}

// inst is an instruction. Unused slots are -1.
type inst struct {
	code   code
	width  int32 // of the operands, in bits
	result int32 // of the result, in bits
	dst    int32
	a      int32
	b      int32
	c      int32
	x, y   int32 // indices, or the width of b
}

// code is an Op, an Op for a kind of operands, or an Op on wide bit vectors.
type code uint16

// Equality and choice have codes per store of their operands. Operations on bit vectors have
// another code if an operand does not fit a word.
const (
	codeEqual code = 256 + code(iota)*16 // and the store
	codeIte                              // and the store
	codeWide                             // and the Op
)

// store is the memory for values of a sort.
type store uint8

const (
	words store = iota
	integers
	wides
	texts
	arrays
	regexes
	stores = 6
)

func storeOf(s *Sort) store {
	switch s.Kind {
	case IntKind:
		return integers
	case StringKind:
		return texts
	case ArrayKind:
		return arrays
	case RegLanKind:
		return regexes
	}
	if s.narrow() {
		return words
	}
	return wides
}

type place struct {
	slot int32
	sort *Sort
}

type literal struct {
	place
	value Value
}

// UnassignedError lists constants without a value.
type UnassignedError struct{ Names []string }

func (e *UnassignedError) Error() string {
	return fmt.Sprintf("no value for %s", strings.Join(e.Names, ", "))
}

// Compile makes a program from terms. Its inputs are constants in an order; the terms need not use
// all of them. Another constant is an *UnassignedError, and a function without definition is
// ErrUnsupported.
func Compile(inputs []*Term, roots ...*Term) (*Program, error) {
	c := compiler{p: &Program{}, slot: map[*Term]int32{}}
	for _, in := range inputs {
		if in.op != OpConst {
			return nil, fmt.Errorf("%v is no constant and cannot be an input", in)
		}
		c.slot[in] = c.new(in.sort)
		c.p.inputs = append(c.p.inputs, place{c.slot[in], in.sort})
		c.p.names = append(c.p.names, in.name)
	}
	var missing []string
	for _, t := range Visit(roots...) {
		if _, ok := c.slot[t]; ok {
			continue
		}
		switch {
		case t.op == OpConst:
			missing = append(missing, t.name)
			c.slot[t] = c.new(t.sort)
		case t.op == OpApply:
			return nil, fmt.Errorf("%w: the function %s is declared without a definition, so it has no values", ErrUnsupported, t.name)
		default:
			c.term(t)
		}
	}
	if missing != nil {
		return nil, &UnassignedError{missing}
	}
	for _, r := range roots {
		if r.sort == RegLan {
			return nil, fmt.Errorf("a term of RegLan has no value")
		}
		c.p.roots = append(c.p.roots, place{c.slot[r], r.sort})
	}
	return c.p, nil
}

type compiler struct {
	p    *Program
	slot map[*Term]int32
}

func (c *compiler) new(s *Sort) int32 {
	c.p.stores[storeOf(s)] = true
	c.p.slots++
	return int32(c.p.slots - 1)
}

// term emits the instructions of a term whose arguments have slots.
func (c *compiler) term(t *Term) {
	if v, ok := t.Value(); ok {
		c.slot[t] = c.new(t.sort)
		c.p.literals = append(c.p.literals, literal{place{c.slot[t], t.sort}, v})
		return
	}
	if len(t.args) <= 2 || rows[t.op].many == never {
		c.slot[t] = c.emit(t, t.sort, t.args...)
		return
	}
	c.slot[t] = c.many(t)
}

// many spells out an operation on more than two arguments.
func (c *compiler) many(t *Term) int32 {
	n := len(t.args)
	switch rows[t.op].many {
	case left:
		result := c.slot[t.args[0]]
		width := t.args[0].sort.Width
		for _, a := range t.args[1:] {
			width += a.sort.Width // of concat
			sort := t.sort
			if t.op == OpConcat {
				sort = BitVec(width)
			}
			result = c.pair(t, sort, result, a, width-a.sort.Width)
		}
		return result
	case right:
		result := c.slot[t.args[n-1]]
		for i := n - 2; i >= 0; i-- {
			dst := c.new(Bool)
			c.add(inst{code: code(t.op), dst: dst, a: c.slot[t.args[i]], b: result, c: -1})
			result = dst
		}
		return result
	}
	var parts []int32
	for i := range n {
		for j := i + 1; j < n; j++ {
			if rows[t.op].many == pairs || j == i+1 {
				parts = append(parts, c.emit(t, Bool, t.args[i], t.args[j]))
			}
		}
	}
	result := parts[0]
	for _, part := range parts[1:] {
		dst := c.new(Bool)
		c.add(inst{code: code(OpAnd), dst: dst, a: result, b: part, c: -1})
		result = dst
	}
	return result
}

// sort returns the number of an array's sort in the program.
func (c *compiler) sort(s *Sort) int32 {
	i := slices.Index(c.p.sorts, s)
	if i < 0 {
		i = len(c.p.sorts)
		c.p.sorts = append(c.p.sorts, s)
	}
	return int32(i)
}

func (c *compiler) add(i inst) { c.p.code = append(c.p.code, i) }

// pair emits one step of a left-associative chain, whose first operand is no term.
func (c *compiler) pair(t *Term, sort *Sort, first int32, second *Term, width int) int32 {
	dst := c.new(sort)
	i := inst{code: code(t.op), dst: dst, a: first, b: c.slot[second], c: -1, result: int32(sort.Width)}
	if sort.Kind == BitVecKind {
		i.width = int32(sort.Width)
		if t.op == OpConcat {
			i.width, i.x = int32(width), int32(second.sort.Width)
		}
		if !sort.narrow() {
			i.code += codeWide
		}
	}
	c.add(i)
	return dst
}

// emit emits the operation of a term on up to three arguments.
func (c *compiler) emit(t *Term, sort *Sort, args ...*Term) int32 {
	dst := c.new(sort)
	i := inst{code: code(t.op), dst: dst, a: -1, b: -1, c: -1, result: int32(sort.Width), x: int32(t.index[0]), y: int32(t.index[1])}
	for j, slot := range []*int32{&i.a, &i.b, &i.c} {
		if j < len(args) {
			*slot = c.slot[args[j]]
		}
	}
	if len(args) > 0 {
		i.width = int32(args[0].sort.Width)
	}
	switch t.op {
	case OpEqual, OpDistinct:
		i.code = codeEqual + code(storeOf(args[0].sort))
		if t.op == OpDistinct {
			c.add(i)
			i = inst{code: code(OpNot), dst: c.new(Bool), a: dst, b: -1, c: -1}
			dst = i.dst
		}
	case OpIte:
		i.code = codeIte + code(storeOf(sort))
	case OpSelect, OpStore, OpConstArray:
		array := t.sort
		if t.op == OpSelect {
			array = args[0].sort
		}
		i.x = c.sort(array)
	case OpConcat:
		i.x = int32(args[1].sort.Width)
		fallthrough
	default:
		wide := sort.Kind == BitVecKind && !sort.narrow()
		for _, a := range args {
			wide = wide || a.sort.Kind == BitVecKind && !a.sort.narrow()
		}
		if wide {
			i.code += codeWide
		}
	}
	c.add(i)
	return dst
}

// Eval computes a single term. To compute it often, compile it once.
func Eval(t *Term, values map[*Term]Value) (Value, error) {
	inputs := ConstantsOf(t)
	p, err := Compile(inputs, t)
	if err != nil {
		return Value{}, err
	}
	m := p.Machine()
	for i, in := range inputs {
		v, ok := values[in]
		if !ok {
			continue // Run names it
		}
		if err := m.Set(i, v); err != nil {
			return Value{}, err
		}
	}
	if err := m.Run(); err != nil {
		return Value{}, err
	}
	return m.Value(0)
}

// fold computes an operation whose arguments are literals, and is nil where its value is not a
// literal or not fixed.
func (c *Context) fold(t *Term) *Term {
	if t.sort.Kind == ArrayKind || t.sort == RegLan || t.op == OpApply || len(t.args) == 0 {
		return nil
	}
	for _, a := range t.args {
		if !a.Literal() {
			return nil
		}
	}
	last := *t
	last.id = c.count + 1 // behind its arguments, for Visit
	v, err := Eval(&last, nil)
	if err != nil {
		return nil
	}
	return c.ValueTerm(v)
}
