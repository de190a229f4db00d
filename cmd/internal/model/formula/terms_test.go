package formula

import (
	"math/rand/v2"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// literal returns a call as arguments.
func literal(ctx *smt.Context, s *call.Signature, c call.Call) (args []Argument) {
	for i := range s.Arguments {
		a := &s.Arguments[i]
		if a.Kind == "scalar" {
			args = append(args, Argument{Number: ctx.Bits(c[i].Int, a.Bits)})
			continue
		}
		args = append(args, Argument{Bytes: literalBytes(ctx, call.Whole(a, c[i]))})
	}
	return args
}

func literalBytes(ctx *smt.Context, bytes []byte) (terms []*smt.Term) {
	for _, b := range bytes {
		terms = append(terms, ctx.Bits(uint64(b), 8))
	}
	return terms
}

// literalEffect returns an effect of literal terms.
func literalEffect(ctx *smt.Context, s *call.Signature, c call.Call, e *call.Effect) *Effect {
	place := func(p call.Pointer) *Pointer {
		return &Pointer{ctx.Bits(uint64(p.Into), 8), ctx.Bits(uint64(p.Offset), 64)}
	}
	l := &Effect{To: place(e.To), Memory: make([][]*smt.Term, len(c)), Stored: make([]*Pointer, len(c))}
	if s.Result.Kind == "scalar" {
		l.Ret = ctx.Bits(e.Ret, s.Result.Bits)
	}
	for i := range c {
		l.Memory[i] = literalBytes(ctx, e.Memory[i])
	}
	for _, p := range e.Stored {
		l.Stored[p.Arg] = place(p.To)
	}
	return l
}

// TestEffect checks that terms permit exactly the effect that is computed for a call.
func TestEffect(t *testing.T) {
	z := z3(t)
	rng := rand.New(rand.NewPCG(2, 7))
	returned := 0
	for _, a := range extracttest.Answers(t) {
		m, err := New(call.SignatureOf(a), a.Paths, a.Function)
		if err != nil {
			t.Fatal(err)
		}
		returned += effects(t, m, z, rng, 2)
	}
	if returned < 25 {
		t.Errorf("%d calls had an effect", returned)
	}
}

// effects compares terms with computed answers for some calls. It returns how many of them have an
// effect.
func effects(t *testing.T, m *Model, z *solver.Solver, rng *rand.Rand, calls int) (returned int) {
	t.Helper()
	s, ctx := m.Signature, m.Context
	for range calls {
		c := s.Decode(random(rng, s))
		args := literal(ctx, s, c)
		for i, p := range m.Paths {
			answer, err := m.evaluate(t.Context(), p, c, z)
			if err != nil {
				t.Fatal(err)
			}
			assertions, err := m.LinkedAssertions(p, args)
			if err != nil {
				t.Fatal(err)
			}
			effect, err := m.Effect(p, args)
			if err != nil {
				t.Fatal(err)
			}
			ask := func(terms ...*smt.Term) solver.Answer {
				r, err := z.Check(t.Context(), solver.Query{Assertions: append(assertions[:len(assertions):len(assertions)], terms...)})
				if err != nil {
					t.Fatal(err)
				}
				return r.Answer
			}
			if answer.Kind == Dropped {
				if got := ask(); got != solver.Unsat {
					t.Errorf("%s, path %d is dropped, and its terms are %v", s.Quote(c), i, got)
				}
				continue
			}
			if answer.Kind != Returned {
				continue
			}
			returned++
			alike := m.Alike(effect, literalEffect(ctx, s, c, &answer.Effect), s.Comparator())
			if can, other := ask(alike), ask(ctx.Not(alike)); can != solver.Sat || other != solver.Unsat {
				t.Errorf("%s, path %d: the effect that was computed is %v by the terms, and another is %v", s.Quote(c), i, can, other)
			}
		}
	}
	return returned
}

// TestEffectOfForms checks models in forms that engines for binaries do not produce.
func TestEffectOfForms(t *testing.T) {
	z := z3(t)
	rng := rand.New(rand.NewPCG(2, 8))
	short := extract.Argument{Name: "arg_0", Kind: "string", Bits: 8, Bytes: 3, Before: 1, Behind: 1}
	for _, test := range []struct {
		s    *call.Signature
		path extract.Path
	}{
		{signature("scalar", 32, integer), extract.Path{SMT: "(declare-const arg_0 Int)(declare-const ret Int)(assert (= ret (ite (< arg_0 0) (- arg_0) (+ arg_0 1))))"}},
		{signature("scalar", 32, integer), extract.Path{SMT: "(declare-const arg_0 Int)(declare-const ret Bool)(assert (= ret (> arg_0 7)))"}},
		{signature("scalar", 32, truth), extract.Path{SMT: "(declare-const arg_0 Bool)(declare-const ret (_ BitVec 32))(assert (= ret (ite arg_0 #x00000007 #x00000008)))"}},
		{signature("scalar", 32, short), extract.Path{SMT: "(declare-const arg_0 String)(declare-const ret Int)(assert (= ret (str.indexof arg_0 \"a\" 0)))"}},
		{signature("address", 64, short), extract.Path{Ret: "address", SMT: "(declare-const arg_0.0 (_ BitVec 8))(declare-const addr_0 (_ BitVec 64))(declare-const addr_fresh (_ BitVec 64))(declare-const ret (_ BitVec 64))" +
			"(assert (= ret (ite (bvult arg_0.0 #x10) addr_fresh (ite (bvult arg_0.0 #x40) (_ bv0 64) (ite (bvult arg_0.0 #x62) (_ bv99 64) (bvsub addr_0 ((_ zero_extend 56) arg_0.0)))))))"}},
		{signature("void", 0, short, end), extract.Path{SMT: "(declare-const arg_0.0 (_ BitVec 8))(declare-const addr_0 (_ BitVec 64))(declare-const out_1 (_ BitVec 64))(declare-const out_0.-1 (_ BitVec 8))" +
			"(assert (= out_1 (bvadd addr_0 ((_ sign_extend 56) arg_0.0))))(assert (= out_0.-1 (bvnot arg_0.0)))"}},
	} {
		m, err := New(test.s, []extract.Path{test.path}, "test")
		if err != nil {
			t.Fatal(err)
		}
		if n := effects(t, m, z, rng, 12); n != 12 {
			t.Errorf("%s: %d calls of 12 have an effect", test.path.SMT, n)
		}
	}
}
