// Package smttest generates terms and values for tests of parsing, printing and evaluation.
package smttest

import (
	"math/big"
	"math/rand/v2"

	"parallax/cmd/internal/model/smt"
)

// Theory selects the operations and sorts of a generator besides core.
type Theory uint8

// The theories.
const (
	Ints Theory = iota
	Bits
	Arrays
	Strings
	All
)

// Generator makes random terms over a few constants of each sort.
type Generator struct {
	Ctx    *smt.Context
	Rand   *rand.Rand
	Theory Theory
}

// New makes a generator whose terms follow from the seed.
func New(ctx *smt.Context, theory Theory, seed uint64) *Generator {
	return &Generator{Ctx: ctx, Rand: rand.New(rand.NewPCG(seed, 19)), Theory: theory}
}

var widths = []int{1, 5, 8, 16, 32, 64, 65, 100}

// Sort returns a random sort of the theory.
func (g *Generator) Sort() *smt.Sort {
	theory := g.Theory
	if theory == All {
		theory = Theory(g.Rand.IntN(4))
	}
	n := g.Rand.IntN(4)
	switch theory {
	case Ints:
		return pick(n == 0, smt.Bool, smt.Int)
	case Bits:
		return pick(n == 0, smt.Bool, smt.BitVec(widths[g.Rand.IntN(len(widths))]))
	case Arrays:
		return []*smt.Sort{smt.Bool, smt.BitVec(8), array, smt.ArrayOf(smt.Int, smt.Bool)}[n]
	}
	return []*smt.Sort{smt.Bool, smt.Int, smt.String, smt.String}[n]
}

var array = smt.ArrayOf(smt.BitVec(2), smt.BitVec(8))

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// Term returns a random term of a sort, of at most the given depth.
func (g *Generator) Term(s *smt.Sort, depth int) *smt.Term {
	if depth == 0 || g.Rand.IntN(8) == 0 {
		return g.leaf(s, depth)
	}
	d := depth - 1
	if g.Rand.IntN(8) == 0 && s != smt.RegLan {
		return g.app(smt.OpIte, g.Term(smt.Bool, d), g.Term(s, d), g.Term(s, d))
	}
	switch s.Kind {
	case smt.BoolKind:
		return g.truth(d)
	case smt.IntKind:
		return g.integer(d)
	case smt.BitVecKind:
		return g.bits(s, d)
	case smt.StringKind:
		return g.text(d)
	case smt.RegLanKind:
		return g.language(d)
	}
	if g.Rand.IntN(4) == 0 { // of a value, since cvc5 takes no others
		t, err := g.Ctx.ConstArray(s, g.leaf(s.Element, d))
		return must(t, err)
	}
	return g.app(smt.OpStore, g.Term(s, d), g.Term(s.Index, d), g.Term(s.Element, d))
}

func must(t *smt.Term, err error) *smt.Term {
	if err != nil {
		panic(err)
	}
	return t
}

func (g *Generator) app(op smt.Op, args ...*smt.Term) *smt.Term { return must(g.Ctx.App(op, args...)) }
func (g *Generator) indexed(op smt.Op, indices []int, args ...*smt.Term) *smt.Term {
	return must(g.Ctx.Indexed(op, indices, args...))
}

func oneOf[T any](g *Generator, list ...T) T { return list[g.Rand.IntN(len(list))] }

func (g *Generator) leaf(s *smt.Sort, depth int) *smt.Term {
	if s == smt.RegLan {
		switch g.Rand.IntN(8) {
		case 0:
			return g.app(smt.OpReAnyOne)
		case 1:
			return g.app(smt.OpReAll)
		case 2:
			return g.app(smt.OpReNone)
		case 3:
			return g.app(smt.OpReRange, g.Ctx.StringTerm("a"), g.Ctx.StringTerm(oneOf(g, "a", "b", "z", "A")))
		}
		return g.app(smt.OpReFromStr, g.Ctx.ValueTerm(g.Value(smt.String)))
	}
	if s.Kind == smt.ArrayKind || g.Rand.IntN(3) > 0 {
		return g.Ctx.Const(oneOf(g, "x", "y")+"_"+name(s), s)
	}
	return g.Ctx.ValueTerm(g.Value(s))
}

func name(s *smt.Sort) string {
	if s.Kind == smt.BitVecKind {
		return "bv" + big.NewInt(int64(s.Width)).String()
	}
	if s.Kind == smt.ArrayKind {
		return "a" + name(s.Index)
	}
	return s.String()
}

func (g *Generator) truth(d int) *smt.Term {
	if g.Rand.IntN(3) == 0 {
		switch op := oneOf(g, smt.OpNot, smt.OpAnd, smt.OpOr, smt.OpXor, smt.OpImplies, smt.OpAnd, smt.OpOr, smt.OpImplies); op {
		case smt.OpNot:
			return g.app(op, g.Term(smt.Bool, d))
		default:
			return g.app(op, g.some(smt.Bool, d)...)
		}
	}
	s := g.Sort()
	if g.Rand.IntN(4) == 0 {
		return g.app(oneOf(g, smt.OpEqual, smt.OpEqual, smt.OpDistinct), g.some(s, d)...)
	}
	switch s.Kind {
	case smt.IntKind:
		return g.app(oneOf(g, smt.OpLe, smt.OpLt, smt.OpGe, smt.OpGt), g.some(s, d)...)
	case smt.BitVecKind:
		return g.app(oneOf(g, smt.OpBvUlt, smt.OpBvUle, smt.OpBvUgt, smt.OpBvUge, smt.OpBvSlt, smt.OpBvSle, smt.OpBvSgt, smt.OpBvSge), g.Term(s, d), g.Term(s, d))
	case smt.StringKind:
		switch g.Rand.IntN(7) {
		case 0:
			return g.app(oneOf(g, smt.OpStrLt, smt.OpStrLe), g.Term(s, d), g.Term(s, d))
		case 1:
			return g.app(smt.OpStrIsDigit, g.Term(s, d))
		case 2, 3:
			return g.app(smt.OpStrInRe, g.Term(s, d), g.Term(smt.RegLan, d))
		}
		return g.app(oneOf(g, smt.OpStrPrefixOf, smt.OpStrSuffixOf, smt.OpStrContains), g.Term(s, d), g.Term(s, d))
	case smt.ArrayKind:
		if s.Element == smt.Bool {
			return g.app(smt.OpSelect, g.Term(s, d), g.Term(s.Index, d))
		}
	}
	return g.app(smt.OpEqual, g.Term(s, d), g.Term(s, d))
}

// some returns two terms, and rarely three.
func (g *Generator) some(s *smt.Sort, d int) []*smt.Term {
	terms := []*smt.Term{g.Term(s, d), g.Term(s, d)}
	if g.Rand.IntN(4) == 0 {
		terms = append(terms, g.Term(s, d))
	}
	return terms
}

func (g *Generator) integer(d int) *smt.Term {
	if g.Theory == Strings || g.Theory == All {
		str := func() *smt.Term { return g.Term(smt.String, d) }
		switch g.Rand.IntN(8) {
		case 0:
			return g.app(smt.OpStrLen, str())
		case 1:
			return g.app(smt.OpStrIndexOf, str(), str(), g.Term(smt.Int, d))
		case 2:
			return g.app(smt.OpStrToCode, str())
		case 3:
			return g.app(smt.OpStrToInt, str())
		}
	}
	if (g.Theory == Bits || g.Theory == All) && g.Rand.IntN(4) == 0 {
		return g.app(smt.OpBvToNat, g.Term(smt.BitVec(oneOf(g, widths...)), d))
	}
	switch op := oneOf(g, smt.OpAdd, smt.OpSub, smt.OpMul, smt.OpNeg, smt.OpAbs, smt.OpDiv, smt.OpMod); op {
	case smt.OpNeg, smt.OpAbs:
		return g.app(op, g.Term(smt.Int, d))
	case smt.OpDiv, smt.OpMod: // the result of a division by zero differs between solvers
		return g.app(op, g.Term(smt.Int, d), g.Ctx.Numeral(oneOf[int64](g, -7, -1, 1, 2, 10)))
	default:
		return g.app(op, g.some(smt.Int, d)...)
	}
}

func (g *Generator) bits(s *smt.Sort, d int) *smt.Term {
	w := s.Width
	switch n := g.Rand.IntN(16); {
	case n == 0 && w > 1:
		cut := 1 + g.Rand.IntN(w-1)
		return g.app(smt.OpConcat, g.Term(smt.BitVec(cut), d), g.Term(smt.BitVec(w-cut), d))
	case n == 1:
		low := g.Rand.IntN(9)
		return g.indexed(smt.OpExtract, []int{low + w - 1, low}, g.Term(smt.BitVec(w+low+g.Rand.IntN(5)), d))
	case n == 2:
		from := 1 + g.Rand.IntN(w)
		return g.indexed(oneOf(g, smt.OpZeroExtend, smt.OpSignExtend), []int{w - from}, g.Term(smt.BitVec(from), d))
	case n == 3:
		return g.indexed(oneOf(g, smt.OpRotateLeft, smt.OpRotateRight), []int{g.Rand.IntN(2 * w)}, g.Term(s, d))
	case n == 4 && w%2 == 0:
		return g.indexed(smt.OpRepeat, []int{2}, g.Term(smt.BitVec(w/2), d))
	case n == 5 && w == 1:
		other := smt.BitVec(oneOf(g, widths...))
		return g.app(smt.OpBvComp, g.Term(other, d), g.Term(other, d))
	case n == 6 && g.Theory != Arrays:
		return g.indexed(smt.OpIntToBv, []int{w}, g.app(smt.OpBvToNat, g.Term(smt.BitVec(oneOf(g, widths...)), d)))
	case n == 7:
		return g.app(oneOf(g, smt.OpBvNot, smt.OpBvNeg), g.Term(s, d))
	case n < 11 && g.Theory == Arrays && w == 8:
		return g.app(smt.OpSelect, g.Term(array, d), g.Term(array.Index, d))
	case n == 12:
		return g.app(oneOf(g, smt.OpBvAnd, smt.OpBvOr, smt.OpBvXor, smt.OpBvAdd, smt.OpBvMul), g.some(s, d)...)
	}
	return g.app(oneOf(g, smt.OpBvAnd, smt.OpBvOr, smt.OpBvXor, smt.OpBvNand, smt.OpBvNor, smt.OpBvXnor, smt.OpBvAdd, smt.OpBvSub, smt.OpBvMul,
		smt.OpBvUdiv, smt.OpBvUrem, smt.OpBvSdiv, smt.OpBvSrem, smt.OpBvSmod, smt.OpBvShl, smt.OpBvLshr, smt.OpBvAshr), g.Term(s, d), g.Term(s, d))
}

func (g *Generator) text(d int) *smt.Term {
	str := func() *smt.Term { return g.Term(smt.String, d) }
	num := func() *smt.Term { return g.Term(smt.Int, d) }
	switch g.Rand.IntN(10) {
	case 0:
		return g.app(smt.OpStrAt, str(), num())
	case 1:
		return g.app(smt.OpStrSubstr, str(), num(), num())
	case 2:
		return g.app(smt.OpStrReplace, str(), str(), str())
	case 3:
		return g.app(smt.OpStrReplaceAll, str(), str(), str())
	case 4:
		return g.app(smt.OpStrFromCode, num())
	case 5:
		return g.app(smt.OpStrFromInt, num())
	case 6:
		return g.app(oneOf(g, smt.OpStrReplaceRe, smt.OpStrReplaceReAll), str(), g.Term(smt.RegLan, d), str())
	}
	return g.app(smt.OpStrConcat, g.some(smt.String, d)...)
}

func (g *Generator) language(d int) *smt.Term {
	re := func() *smt.Term { return g.Term(smt.RegLan, d) }
	switch op := oneOf(g, smt.OpReConcat, smt.OpReUnion, smt.OpReInter, smt.OpReDiff, smt.OpReStar, smt.OpReComp, smt.OpRePlus, smt.OpReOpt, smt.OpRePower, smt.OpReLoop); op {
	case smt.OpReStar, smt.OpReComp, smt.OpRePlus, smt.OpReOpt:
		return g.app(op, re())
	case smt.OpRePower:
		return g.indexed(op, []int{g.Rand.IntN(4)}, re())
	case smt.OpReLoop:
		return g.indexed(op, []int{g.Rand.IntN(3), g.Rand.IntN(4)}, re())
	default:
		return g.app(op, re(), re())
	}
}

// Value returns a random value of a sort, often an edge case.
func (g *Generator) Value(s *smt.Sort) smt.Value {
	switch s.Kind {
	case smt.BoolKind:
		return smt.BoolValue(g.Rand.IntN(2) == 0)
	case smt.IntKind:
		switch g.Rand.IntN(6) {
		case 0:
			n := new(big.Int).Lsh(big.NewInt(int64(g.Rand.IntN(5)-2)), 63)
			return smt.IntValue(n.Add(n, big.NewInt(int64(g.Rand.IntN(3)-1))))
		case 1:
			return smt.Int64Value(int64(g.Rand.IntN(200)))
		}
		return smt.Int64Value(int64(g.Rand.IntN(9) - 3))
	case smt.BitVecKind:
		n := new(big.Int)
		switch g.Rand.IntN(4) {
		case 0:
			n.SetBit(n, g.Rand.IntN(s.Width), 1)
		case 1:
			n.SetInt64(int64(g.Rand.IntN(7) - 3))
		default:
			n.SetUint64(g.Rand.Uint64())
			n.Lsh(n, uint(g.Rand.IntN(40)))
		}
		return smt.BitsValue(n, s.Width)
	case smt.StringKind:
		if g.Rand.IntN(3) == 0 {
			return smt.StringValue(oneOf(g, "", "0", "07", "9", "12", "ab\"c", "\\u{41}", "é\U0002fffe"))
		}
		text := make([]rune, g.Rand.IntN(6))
		for i := range text {
			text[i] = oneOf[rune](g, 'a', 'b', 'b', '1')
		}
		return smt.TextValue(text)
	}
	var entries []smt.Entry
	for range g.Rand.IntN(5) {
		entries = append(entries, smt.Entry{Index: g.Value(s.Index), Element: g.Value(s.Element)})
	}
	return smt.ArrayValue(smt.ArrayOfEntries(s, g.Value(s.Element), entries))
}
