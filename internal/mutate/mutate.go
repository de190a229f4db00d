// Package mutate makes new inputs from those of the corpus. It has the mutation operators, the
// rules for stacking them, and the random source.
//
// Package source calls Mutate once per mutant, so that nothing here allocates once buffers have
// grown. There are three sets of operators. "nezha" has exactly the five of NEZHA (section IV), up
// to five per mutant in random order, as the baseline. "full" is the default. "der" adds operators
// on elements of DER.
//
// Invariants: every mutant is a valid flat form of the shape. No []byte or string argument is
// longer than the limit. Mutants depend only on the random source and on the calls and their order.
//
// Each family of operators has a file: basic (the paper's five), block, binary, number, text,
// dictionary, der. For typed arguments there are tuple, scalar and values (numbers in the
// dictionary).
package mutate

import (
	"bytes"
	"fmt"
	"math/bits"

	"parallax/internal/adapt"
	"parallax/internal/der"
	"parallax/internal/input"
)

// DefaultMaxLen is the default limit of []byte and string arguments. It is libFuzzer's, and far
// above what most parsers need to show a difference.
const DefaultMaxLen = 4096

const (
	// maxStack bounds the operators applied to an argument. Half of the mutants have one, a quarter
	// two, and so on.
	maxStack = 8
	// maxRounds bounds the arguments of a tuple that a mutant changes. Three of four mutants change
	// one.
	maxRounds = 4
	// maxTries bounds the retries when a mutant equals its seed, and when an operator does not
	// apply.
	maxTries = 8
	// maxSkipped bounds the operators on DER that are skipped where one has found no elements.
	maxSkipped = 64
)

// Config describes the desired mutants.
type Config struct {
	Shape      input.Shape // kinds of the arguments, at least one
	Set        string      // "full", "nezha" or "der"; empty means full
	Dictionary [][]byte    // tokens that the full set inserts, also into scalars; may be empty
	MaxLen     int         // limit of each []byte and string argument; zero means DefaultMaxLen
}

// Mutator makes mutants. It is not safe for concurrent use.
type Mutator struct {
	shape      input.Shape
	nezha, der bool
	tokens     [][]byte
	configured int     // tokens[:configured] are those of Config
	wordsFrom  int     // tokens[configured:wordsFrom] are operands; the rest are words
	values     *values // tokens as numbers
	maxLen     int
	picks      []Op        // full set: operators by weight
	arms       *adapt.Arms // full set: operators by yield; nil means by weight
	args       []int       // tuples: indices of the arguments by weight
	limits     []bound     // tuples: of integers; nil means none

	ops   []Op   // operators of the last call
	limit int    // longest data that an operator may leave
	donor []byte // data of another input, for splicing; may be empty

	buf      []byte // tuples: the argument being mutated
	scratch  []byte // material for operators that must not alias the data
	spare    []byte // scratch of an operator that another one applies
	edited   []byte // data with an edited element
	spans    []input.Span
	donation []input.Span // spans of the other input

	elements, donated []der.Element // of the data and of the other input, as DER
}

// New returns a Mutator. It draws no randomness.
func New(c Config) (*Mutator, error) {
	if len(c.Shape) == 0 {
		return nil, fmt.Errorf("mutator: the input shape has no arguments: name at least one")
	}
	for i, k := range c.Shape {
		if _, ok := input.ParseKind(k.String()); !ok {
			return nil, fmt.Errorf("mutator: argument %d has unknown kind %v", i+1, k)
		}
	}
	if c.MaxLen < 0 {
		return nil, fmt.Errorf("mutator: the longest input is %d bytes: it must be positive, or 0 for %d", c.MaxLen, DefaultMaxLen)
	}
	if c.MaxLen == 0 {
		c.MaxLen = DefaultMaxLen
	}
	m := &Mutator{shape: append(input.Shape{}, c.Shape...), maxLen: c.MaxLen, ops: make([]Op, 0, maxStack*maxRounds)}
	switch c.Set {
	case "", "full":
	case "nezha":
		m.nezha = true
	case "der":
		m.der = true
	default:
		return nil, fmt.Errorf("mutator: unknown set of operators %q: use full, nezha or der", c.Set)
	}
	for _, t := range c.Dictionary {
		if len(t) > 0 {
			m.tokens = append(m.tokens, bytes.Clone(t))
		}
	}
	m.configured, m.wordsFrom = len(m.tokens), len(m.tokens)
	m.values = newValues(m.tokens)
	m.picks = picksOf(len(m.tokens) > 0, m.der)
	for i, k := range m.shape {
		for n := argumentWeight(k); n > 0; n-- {
			m.args = append(m.args, i)
		}
	}
	return m, nil
}

// SetOperands replaces the tokens from the programs' comparisons.
func (m *Mutator) SetOperands(tokens [][]byte) {
	words := append([][]byte{}, m.tokens[m.wordsFrom:]...)
	m.tokens = appendTokens(m.tokens[:m.configured:m.configured], tokens)
	m.wordsFrom = len(m.tokens)
	m.tokens = append(m.tokens, words...)
	m.update()
}

// SetWords replaces the words from the programs' outputs.
func (m *Mutator) SetWords(words [][]byte) {
	m.tokens = appendTokens(m.tokens[:m.wordsFrom:m.wordsFrom], words)
	m.update()
}

func appendTokens(all, tokens [][]byte) [][]byte {
	for _, t := range tokens {
		if len(t) > 0 {
			all = append(all, bytes.Clone(t))
		}
	}
	return all
}

// update recomputes everything that depends on the tokens.
func (m *Mutator) update() {
	m.values = newValues(m.tokens)
	m.picks = picksOf(len(m.tokens) > 0, m.der)
	m.weigh()
}

// SetMaxLen changes the limit of each []byte and string argument, to 1 at least. Mutants of longer
// seeds are cut.
func (m *Mutator) SetMaxLen(n int) { m.maxLen = max(n, 1) }

// Operators returns the operators of the last mutant, in order. The result is valid until the next
// call.
func (m *Mutator) Operators() []Op { return m.ops }

// Mutate returns a mutant of seed in dst[:0], which must not overlap seed and other. other is
// another input, for splicing. Nil means none. Both are flat forms of the shape. A mutant rarely
// equals the seed, and no argument exceeds the limit.
func (m *Mutator) Mutate(r *Rand, dst, seed, other []byte) []byte {
	dst = append(dst[:0], seed...)
	if m.shape.Raw() {
		m.limit, m.donor = m.maxLen, other
		dst = dst[:min(len(dst), m.limit)]
	} else {
		dst = m.beginTuple(dst, other)
	}
	for try := 0; ; try++ {
		m.ops = m.ops[:0]
		if m.shape.Raw() {
			dst = m.stack(r, dst)
		} else {
			dst = m.tuple(r, dst, other)
		}
		// After maxTries, an equal mutant is returned.
		if try == maxTries || !bytes.Equal(dst, seed) {
			m.limitNumbers(r, dst)
			return dst
		}
	}
}

// stack applies a random number of operators to the data of one argument.
func (m *Mutator) stack(r *Rand, b []byte) []byte {
	if m.nezha {
		return m.stackNezha(r, b)
	}
	n := min(1+bits.TrailingZeros64(r.Uint64()), maxStack)
	m.elements = m.elements[:0]
	for ; n > 0; n-- {
		for try := 0; try < maxTries; try++ {
			op := m.pick(r)
			for skipped := 0; op.onDER() && try > 0 && len(m.elements) == 0 && skipped < maxSkipped; skipped++ {
				op = m.pick(r)
			}
			var ok bool
			if b, ok = operators[op].apply(m, r, b); ok {
				m.ops = append(m.ops, op)
				break
			}
		}
	}
	return b
}

// pick chooses an operator.
func (m *Mutator) pick(r *Rand) Op {
	if m.arms != nil {
		return Op(m.arms.Pick(r.Uint64()))
	}
	return m.picks[r.Intn(len(m.picks))]
}

// Weights returns the usual shares of the operators of a set by number. An operator without a share
// cannot be chosen by arms.
func Weights(set string) []float64 {
	w := make([]float64, NumOps)
	for op := range w {
		if !Op(op).onDER() || set == "der" {
			w[op] = float64(operators[op].weight)
		}
	}
	return w
}

// Adapt makes the mutator choose operators by arms with the operators' numbers.
func (m *Mutator) Adapt(arms *adapt.Arms) {
	if !m.nezha {
		m.arms = arms
		m.weigh()
	}
}

// weigh updates the arm of the dictionary, which depends on whether there are tokens.
func (m *Mutator) weigh() {
	if m.arms != nil {
		weight := 0
		if len(m.tokens) > 0 {
			weight = operators[OpDictionary].weight
		}
		m.arms.SetUsual(int(OpDictionary), float64(weight))
	}
}

// stackNezha applies one to five of the paper's five operators, each at most once, in random order.
func (m *Mutator) stackNezha(r *Rand, b []byte) []byte {
	order := [...]Op{OpSplice, OpInsert, OpBit, OpShuffle, OpDigits}
	n := 1 + r.Intn(len(order))
	for i := 0; i < n; i++ {
		j := i + r.Intn(len(order)-i)
		order[i], order[j] = order[j], order[i]
		op := order[i]
		// Two of the five have two forms each.
		switch {
		case op == OpInsert && r.Chance(1, 2):
			op = OpErase
		case op == OpBit && r.Chance(1, 2):
			op = OpByte
		}
		var ok bool
		if b, ok = operators[op].apply(m, r, b); ok {
			m.ops = append(m.ops, op)
		}
	}
	return b
}
