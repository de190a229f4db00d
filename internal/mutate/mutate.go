// Package mutate owns how a new input is made from those of the corpus: the mutation operators, what they are stacked to,
// and the randomness behind them.
//
// Package source calls Mutate once for every mutant, so nothing here allocates once its buffers have grown. Two sets of
// operators exist: "nezha", exactly the five of NEZHA (section IV), up to five in random order, as the baseline, and
// "full", the default.
//
// Invariants: every mutant is a valid flat form of the shape, no []byte or string argument is longer than the limit, and
// mutants depend on nothing but the random source, the arguments of the calls and their order. Each family of operators
// has a file: basic (the paper's five), block, binary, number, text, dictionary; tuple, scalar and values (numbers of the
// dictionary) for typed arguments.
package mutate

import (
	"bytes"
	"fmt"
	"math/bits"

	"parallax/internal/adapt"
	"parallax/internal/input"
)

// DefaultMaxLen is the limit of []byte and string arguments where a Config has none; libFuzzer's, and far above what most
// parsers need to show a difference.
const DefaultMaxLen = 4096

const (
	// maxStack bounds the operators applied to an argument; half of the mutants have one, a quarter two, and so on.
	maxStack = 8
	// maxRounds bounds the arguments of a tuple that a mutant changes; three of four change one.
	maxRounds = 4
	// maxTries bounds the retries when a mutant equals its seed, and the operators tried when one does not apply.
	maxTries = 8
)

// Config describes the mutants wanted.
type Config struct {
	Shape      input.Shape // kinds of the arguments, at least one
	Set        string      // "full" (also "") or "nezha"
	Dictionary [][]byte    // tokens that the full set inserts, and takes for scalars; may be empty
	MaxLen     int         // limit of each []byte and string argument; 0 is DefaultMaxLen
}

// Mutator makes mutants. It is not safe for concurrent use.
type Mutator struct {
	shape  input.Shape
	nezha  bool
	tokens [][]byte
	given  int     // of tokens: those of Config
	learnt int     // of tokens: those of Config and of comparisons; the rest was heard
	values *values // what the tokens are as numbers
	maxLen int
	picks  []Op        // full set: operators by weight
	arms   *adapt.Arms // full set: operators by what they yield; nil: by weight
	args   []int       // tuples: indices of the arguments by weight

	ops   []Op   // of the last call
	limit int    // longest data an operator may leave
	donor []byte // data of another input, for splicing; may be empty

	buf      []byte // tuples: the argument that is being mutated
	scratch  []byte // operators: material that must not alias the data
	spans    []input.Span
	donation []input.Span // spans of the other input
}

// New returns a Mutator. It starts nothing and draws no randomness.
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
	default:
		return nil, fmt.Errorf("mutator: unknown set of operators %q: use full or nezha", c.Set)
	}
	for _, t := range c.Dictionary {
		if len(t) > 0 {
			m.tokens = append(m.tokens, bytes.Clone(t))
		}
	}
	m.given, m.learnt = len(m.tokens), len(m.tokens)
	m.values = newValues(m.tokens)
	m.picks = fullPicks(len(m.tokens) > 0)
	for i, k := range m.shape {
		for n := argumentWeight(k); n > 0; n-- {
			m.args = append(m.args, i)
		}
	}
	return m, nil
}

// Learn replaces the tokens that comparisons of the programs have shown, beside the dictionary of Config.
func (m *Mutator) Learn(tokens [][]byte) {
	heard := append([][]byte{}, m.tokens[m.learnt:]...)
	m.tokens = appendTokens(m.tokens[:m.given:m.given], tokens)
	m.learnt = len(m.tokens)
	m.tokens = append(m.tokens, heard...)
	m.retake()
}

// Hear replaces the words that the programs have said, beside all other tokens.
func (m *Mutator) Hear(words [][]byte) {
	m.tokens = appendTokens(m.tokens[:m.learnt:m.learnt], words)
	m.retake()
}

func appendTokens(all, tokens [][]byte) [][]byte {
	for _, t := range tokens {
		if len(t) > 0 {
			all = append(all, bytes.Clone(t))
		}
	}
	return all
}

// retake computes what follows from the tokens.
func (m *Mutator) retake() {
	m.values = newValues(m.tokens)
	m.picks = fullPicks(len(m.tokens) > 0)
	m.weigh()
}

// SetMaxLen changes the limit of each []byte and string argument; below 1 it is 1. Mutants of longer seeds are cut.
func (m *Mutator) SetMaxLen(n int) { m.maxLen = max(n, 1) }

// Operators returns the operators that made the last mutant, in order. It is valid until the next call.
func (m *Mutator) Operators() []Op { return m.ops }

// Mutate returns a mutant of seed in dst[:0], which must not overlap seed and other. Other is another input, for material
// to splice in; nil if there is none. Both are flat forms of the shape. A mutant is rarely equal to the seed, and
// never longer than the limit in any argument.
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
		// An equal mutant is as good a start as the seed.
		if try == maxTries || !bytes.Equal(dst, seed) {
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
	for ; n > 0; n-- {
		for try := 0; try < maxTries; try++ {
			op := m.pick(r)
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

// Weights are the usual shares of the operators, by their numbers. Those without a weight are not chosen by it.
func Weights() []float64 {
	w := make([]float64, NumOps)
	for op := range w {
		w[op] = float64(operators[op].weight)
	}
	return w
}

// Adapt has operators chosen by arms, which stand by their numbers.
func (m *Mutator) Adapt(arms *adapt.Arms) {
	if !m.nezha {
		m.arms = arms
		m.weigh()
	}
}

// weigh tells the arms whether there is a dictionary.
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
