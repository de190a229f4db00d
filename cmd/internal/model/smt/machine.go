package smt

import (
	"errors"
	"fmt"
	"math/big"
)

// Limits of values. Terms of a few nodes can have values that fill any memory.
const (
	maxText = 1 << 22 // code points of a string
	maxBits = 1 << 21 // of an integer
)

// ErrUndefined is the result for a term that depends on an integer division by zero, which SMT-LIB
// leaves unspecified.
var ErrUndefined = errors.New("the value depends on a division by zero, which SMT-LIB leaves open")

// Machine runs a program on one input after the other.
type Machine struct {
	p        *Program
	words    []uint64   // and integers that fit
	big      []*big.Int // wide bit vectors, and integers that do not fit; nil for those that do
	texts    [][]rune
	arrays   []*Array
	regexes  []*regex
	assigned []bool // by input

	divided bool   // there was a division by zero
	open    []bool // slots whose value depends on one
	err     error
	re      *regexTable
}

// Machine makes a machine for the program.
func (p *Program) Machine() *Machine {
	m := &Machine{p: p, words: make([]uint64, p.slots), assigned: make([]bool, len(p.inputs))}
	if p.stores[integers] || p.stores[wides] {
		m.big = make([]*big.Int, p.slots)
	}
	if p.stores[texts] {
		m.texts = make([][]rune, p.slots)
	}
	if p.stores[arrays] {
		m.arrays = make([]*Array, p.slots)
	}
	if p.stores[regexes] {
		m.regexes = make([]*regex, p.slots)
		m.re = newRegexTable()
	}
	for _, l := range p.literals {
		m.put(l.slot, l.value)
	}
	return m
}

// Set assigns an input, by its index, a value of its sort.
func (m *Machine) Set(input int, v Value) error {
	in := m.p.inputs[input]
	if v.sort != in.sort {
		return fmt.Errorf("%s is %v, and its value is %v", m.p.names[input], in.sort, v.sort)
	}
	m.put(in.slot, v)
	m.assigned[input] = true
	return nil
}

// SetWord assigns an input a truth value, a bit vector of up to 64 bits, or an integer, without a
// check of its sort.
func (m *Machine) SetWord(input int, w uint64) {
	in := m.p.inputs[input]
	if in.sort.Kind == BitVecKind {
		w &= mask(in.sort.Width)
	}
	m.words[in.slot] = w
	if m.big != nil {
		m.big[in.slot] = nil
	}
	m.assigned[input] = true
}

func (m *Machine) put(slot int32, v Value) {
	switch storeOf(v.sort) {
	case words:
		m.words[slot] = v.word
	case integers, wides:
		m.words[slot], m.big[slot] = v.word, v.big
	case texts:
		m.texts[slot] = v.text
	case arrays:
		m.arrays[slot] = v.array
	}
}

func (m *Machine) value(slot int32, s *Sort) Value {
	v := Value{sort: s}
	switch storeOf(s) {
	case words:
		v.word = m.words[slot]
	case integers, wides:
		v.word, v.big = m.words[slot], m.big[slot]
		if v.big != nil {
			v.word = 0
		}
	case texts:
		v.text = m.texts[slot]
	case arrays:
		v.array = m.arrays[slot]
	}
	return v
}

// Run computes all terms. It allocates nothing if all are truth values, bit vectors of up to 64
// bits, and integers that fit an int64. Inputs without a value are an *UnassignedError, and values
// beyond a limit are ErrTooLarge.
func (m *Machine) Run() error {
	for i, ok := range m.assigned {
		if !ok {
			return m.unassigned(i)
		}
	}
	m.divided, m.err = false, nil
	// Expressions of earlier runs are kept for the next ones, but not without end.
	if m.re != nil && (m.re.err != nil || len(m.re.known)+len(m.re.derived) > maxRegexes) {
		m.re = newRegexTable()
	}
	m.run(m.p.code)
	if m.divided && m.err == nil {
		m.spread()
	}
	return m.err
}

func (m *Machine) unassigned(from int) error {
	var names []string
	for i := from; i < len(m.assigned); i++ {
		if !m.assigned[i] {
			names = append(names, m.p.names[i])
		}
	}
	return &UnassignedError{names}
}

// Word returns the value of a root that is a truth value or a bit vector of up to 64 bits.
func (m *Machine) Word(root int) uint64 { return m.words[m.p.roots[root].slot] }

// Bool returns the value of a root that is a truth value.
func (m *Machine) Bool(root int) bool { return m.Word(root) != 0 }

// Defined reports whether the value of a root is fixed, which it is not if it depends on a division
// by zero of integers.
func (m *Machine) Defined(root int) bool { return !m.divided || !m.open[m.p.roots[root].slot] }

// Value returns the value of a root, or ErrUndefined.
func (m *Machine) Value(root int) (Value, error) {
	if !m.Defined(root) {
		return Value{}, ErrUndefined
	}
	r := m.p.roots[root]
	return m.value(r.slot, r.sort), nil
}

// spread runs the program again after a division by zero and marks the dependent values. Unselected
// branches of ite do not count, nor do operands of and, or and => if another operand decides alone.
func (m *Machine) spread() {
	if m.open == nil {
		m.open = make([]bool, m.p.slots)
	}
	clear(m.open)
	is := func(slot int32) bool { return slot >= 0 && m.open[slot] }
	for i := range m.p.code {
		in := &m.p.code[i]
		m.divided = false
		m.run(m.p.code[i : i+1])
		open := m.divided || is(in.a) || is(in.b) || is(in.c)
		decided := func(slot int32, by uint64) bool { return !is(slot) && m.words[slot] == by }
		switch op := Op(in.code); {
		case !open:
		case in.code >= codeIte && in.code < codeIte+stores:
			chosen := in.b
			if m.words[in.a] == 0 {
				chosen = in.c
			}
			open = is(in.a) || is(chosen)
		case in.code >= code(opCount):
		case op == OpAnd && in.b >= 0:
			open = !decided(in.a, 0) && !decided(in.b, 0)
		case op == OpOr && in.b >= 0:
			open = !decided(in.a, 1) && !decided(in.b, 1)
		case op == OpImplies:
			open = !decided(in.a, 0) && !decided(in.b, 1)
		}
		m.open[in.dst] = open
	}
	m.divided = true
}

// run executes instructions.
func (m *Machine) run(list []inst) {
	w := m.words
	for n := range list {
		in := &list[n]
		switch in.code {
		case code(OpNot):
			w[in.dst] = w[in.a] ^ 1
		case code(OpAnd), code(OpBvAnd):
			w[in.dst] = w[in.a] & w[in.b]
		case code(OpOr), code(OpBvOr):
			w[in.dst] = w[in.a] | w[in.b]
		case code(OpXor), code(OpBvXor):
			w[in.dst] = w[in.a] ^ w[in.b]
		case code(OpImplies):
			w[in.dst] = w[in.a] ^ 1 | w[in.b]
		case codeEqual + code(words):
			w[in.dst] = truth(w[in.a] == w[in.b])
		case codeIte + code(words):
			if w[in.a] != 0 {
				w[in.dst] = w[in.b]
			} else {
				w[in.dst] = w[in.c]
			}
		case code(OpBvAdd):
			w[in.dst] = (w[in.a] + w[in.b]) & mask(int(in.width))
		case code(OpBvSub):
			w[in.dst] = (w[in.a] - w[in.b]) & mask(int(in.width))
		case code(OpBvMul):
			w[in.dst] = (w[in.a] * w[in.b]) & mask(int(in.width))
		case code(OpBvUlt):
			w[in.dst] = truth(w[in.a] < w[in.b])
		case code(OpBvUle):
			w[in.dst] = truth(w[in.a] <= w[in.b])
		case code(OpBvUgt):
			w[in.dst] = truth(w[in.a] > w[in.b])
		case code(OpBvUge):
			w[in.dst] = truth(w[in.a] >= w[in.b])
		case code(OpBvSlt):
			w[in.dst] = truth(signed(w[in.a], in.width) < signed(w[in.b], in.width))
		case code(OpBvSle):
			w[in.dst] = truth(signed(w[in.a], in.width) <= signed(w[in.b], in.width))
		case code(OpBvSgt):
			w[in.dst] = truth(signed(w[in.a], in.width) > signed(w[in.b], in.width))
		case code(OpBvSge):
			w[in.dst] = truth(signed(w[in.a], in.width) >= signed(w[in.b], in.width))
		case code(OpBvNot):
			w[in.dst] = ^w[in.a] & mask(int(in.width))
		case code(OpBvNeg):
			w[in.dst] = -w[in.a] & mask(int(in.width))
		case code(OpConcat):
			w[in.dst] = w[in.a]<<uint(in.x) | w[in.b]
		case code(OpExtract):
			w[in.dst] = w[in.a] >> uint(in.y) & mask(int(in.result))
		case code(OpZeroExtend):
			w[in.dst] = w[in.a]
		case code(OpSignExtend):
			w[in.dst] = uint64(signed(w[in.a], in.width)) & mask(int(in.result))
		default:
			m.rare(in)
		}
	}
}

// rare executes instructions that are rare or slow.
func (m *Machine) rare(in *inst) {
	switch {
	case in.code >= codeWide:
		m.wide(in)
	case in.code >= codeIte:
		m.move(in)
	case in.code >= codeEqual:
		m.words[in.dst] = truth(m.equal(in))
	case Op(in.code) >= OpNeg && Op(in.code) <= OpGt || Op(in.code) == OpBvToNat || Op(in.code) == OpIntToBv:
		m.integer(in)
	case Op(in.code) >= OpConcat && Op(in.code) <= OpIntToBv:
		m.narrow(in)
	case Op(in.code) >= OpSelect && Op(in.code) <= OpConstArray:
		m.array(in)
	case Op(in.code) >= OpStrConcat && Op(in.code) < OpStrInRe && Op(in.code) != OpStrReplaceRe && Op(in.code) != OpStrReplaceReAll:
		m.text(in)
	default:
		m.regular(in)
	}
}

// equal compares values that are not words.
func (m *Machine) equal(in *inst) bool {
	switch store(in.code - codeEqual) {
	case integers:
		x, y := m.big[in.a], m.big[in.b]
		if x == nil || y == nil {
			return x == y && m.words[in.a] == m.words[in.b]
		}
		return x.Cmp(y) == 0
	case wides:
		return m.big[in.a].Cmp(m.big[in.b]) == 0
	case texts:
		return compareTexts(m.texts[in.a], m.texts[in.b]) == 0
	}
	return m.arrays[in.a].Equal(m.arrays[in.b])
}

// move executes ite for values that are not words.
func (m *Machine) move(in *inst) {
	from := in.c
	if m.words[in.a] != 0 {
		from = in.b
	}
	switch store(in.code - codeIte) {
	case integers:
		m.words[in.dst], m.big[in.dst] = m.words[from], m.big[from]
	case wides:
		m.big[in.dst] = m.big[from]
	case texts:
		m.texts[in.dst] = m.texts[from]
	case arrays:
		m.arrays[in.dst] = m.arrays[from]
	case regexes:
		m.regexes[in.dst] = m.regexes[from]
	}
}

func (m *Machine) array(in *inst) {
	s := m.p.sorts[in.x]
	switch Op(in.code) {
	case OpSelect:
		m.put(in.dst, m.arrays[in.a].Select(m.value(in.b, s.Index)))
	case OpStore:
		m.arrays[in.dst] = m.arrays[in.a].Store(m.value(in.b, s.Index), m.value(in.c, s.Element))
	case OpConstArray:
		m.arrays[in.dst] = NewArray(s, m.value(in.a, s.Element))
	}
}
