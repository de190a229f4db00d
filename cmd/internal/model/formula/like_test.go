package formula

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/smt"
)

// TestEffectTerm checks that the term holds for results exactly if their effect has the same text.
func TestEffectTerm(t *testing.T) {
	models := map[string]*Model{}
	for _, a := range extracttest.Answers(t) {
		models[a.Function] = recorded(t, a.Function)
	}
	word := call.Signature{
		Function: "f", Result: extract.Result{Kind: "scalar", Bits: 32, Signed: true}, Arguments: []extract.Argument{{Name: "arg_0", Kind: "scalar", Bits: 32}},
	}
	place := call.Signature{
		Function: "f", Result: extract.Result{Kind: "address", Bits: 64}, Arguments: []extract.Argument{
			{Name: "arg_0", Kind: "bytes", Bits: 8, Bytes: 2, Before: 2, Behind: 2}, {Name: "arg_1", Kind: "pointer", Bits: 64, Bytes: 8, Before: 8, Behind: 8},
		},
	}
	for name, made := range map[string]struct {
		s    call.Signature
		path extract.Path
	}{
		"an integer": {word, extract.Path{SMT: "(declare-const arg_0 Int)(declare-const ret Int)(assert (= ret arg_0))"}},
		"a truth":    {word, extract.Path{SMT: "(declare-const arg_0 Int)(declare-const ret Bool)(assert (= ret (= arg_0 0)))"}},
		"narrow":     {word, extract.Path{SMT: "(declare-const ret (_ BitVec 8))(assert (= ret #x01))"}},
		"wide":       {word, extract.Path{SMT: "(declare-const ret (_ BitVec 64))(assert (= ret #x0000000000000001))"}},
		"no result":  {word, extract.Path{SMT: "(declare-const arg_0 (_ BitVec 32))(assert (= arg_0 #x00000001))"}},
		"an address": {place, extract.Path{
			Ret: "address",
			SMT: "(declare-const ret (_ BitVec 64))(declare-const out_1 (_ BitVec 64))(declare-const out_0.1 (_ BitVec 8))(declare-const out_0.2 (_ BitVec 8))" +
				"(assert (= ret #x0000000000000001))(assert (= out_1 #x0000000000000001))(assert (= out_0.1 out_0.2 #x00))",
		}},
		"a pointer": {place, extract.Path{
			Ret: "offset",
			SMT: "(declare-const ret (_ BitVec 64))(declare-const ret_into (_ BitVec 8))(declare-const out_1 (_ BitVec 64))(declare-const out_1_into (_ BitVec 8))" +
				"(assert (= ret out_1 #x0000000000000001))(assert (= ret_into out_1_into #x01))",
		}},
	} {
		m, err := New(&made.s, []extract.Path{made.path}, name)
		if err != nil {
			t.Fatal(name, err)
		}
		models[name] = m
	}
	r := rand.New(rand.NewPCG(19, 7))
	alike, different := 0, 0
	for _, name := range slices.Sorted(maps.Keys(models)) {
		m := models[name]
		by := []call.Comparator{call.None, call.Offset}
		if m.Signature.Result.Kind == "scalar" {
			by = []call.Comparator{call.None, call.Exact, call.Sign, call.Truth}
		}
		for range 200 {
			flat := make([]byte, m.Signature.Size())
			for i := range flat {
				flat[i] = byte(r.IntN(3))
			}
			c := m.Signature.Decode(flat)
			p, q := m.Paths[r.IntN(len(m.Paths))], m.Paths[r.IntN(len(m.Paths))]
			values := drawn(r, p, nil)
			others := drawn(r, q, values)
			one, other := m.effect(p, c, values), m.effect(q, c, others)
			for _, by := range by {
				want := m.Signature.Text(c, &one, by) == m.Signature.Text(c, &other, by) || p.silent
				term, err := m.EffectTerm(p, c, &other, by)
				if err != nil {
					t.Fatal(name, err)
				}
				assignment := map[*smt.Term]smt.Value{}
				for i, res := range p.results {
					assignment[res.term] = values[i]
				}
				got, err := smt.Eval(term, assignment)
				if err != nil || got.Bool() != want {
					t.Fatalf("%s by %s: %q and %q: %v, %v", name, by, m.Signature.Text(c, &one, by), m.Signature.Text(c, &other, by), got, err)
				}
				if want {
					alike++
				} else {
					different++
				}
			}
		}
	}
	if alike < 1000 || different < 1000 {
		t.Errorf("%d are alike and %d differ: that tests little", alike, different)
	}
}

// drawn draws values for a path's results. Many are those of another path, or close to interesting
// values.
func drawn(r *rand.Rand, p *Path, like []smt.Value) (values []smt.Value) {
	numbers := []uint64{
		0, 1, 2, 3, call.Guard, extract.Fresh, extract.Nowhere, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<32 + 1, 1 << 63, ^uint64(0), freshAddress,
		freshAddress + stride, address(0), address(0) + 1, address(0) - 1, address(1), address(1) + stride/2, address(0) - stride/2,
	}
	same := like != nil && r.IntN(3) > 0
	for i, res := range p.results {
		n := numbers[r.IntN(len(numbers))]
		if r.IntN(2) == 0 {
			n = numbers[r.IntN(4)]
		}
		switch sort := res.term.Sort(); {
		case same && i < len(like) && like[i].Sort() == sort:
			values = append(values, like[i])
		case sort == smt.Bool:
			values = append(values, smt.BoolValue(n%2 == 1))
		case sort == smt.Int:
			values = append(values, smt.Int64Value(int64(n)))
		default:
			values = append(values, smt.WordValue(n, sort.Width))
		}
	}
	return values
}

// TestCallTerms checks that the terms include the path's assertions and fix each input.
func TestCallTerms(t *testing.T) {
	m := recorded(t, "strchr")
	c := m.Signature.Decode([]byte("a\x00\x00\x00xay"))
	answer, err := m.Evaluate(context.Background(), c, nil)
	if err != nil || answer.Kind != Returned {
		t.Fatalf("%v, %v", answer.Kind, err)
	}
	p := m.Paths[answer.Path]
	assignment := map[*smt.Term]smt.Value{}
	for _, in := range p.Inputs {
		assignment[in.Term] = m.Value(in, c)
	}
	for _, term := range m.CallTerms(p, c)[len(p.Assertions):] {
		if v, err := smt.Eval(term, assignment); err != nil || !v.Bool() {
			t.Errorf("%v: %v, %v", term, v, err)
		}
	}
	if got, want := len(m.CallTerms(p, c)), len(p.Assertions)+len(p.Inputs); got != want || len(p.Inputs) < 5 {
		t.Errorf("%d terms, want %d", got, want)
	}
}
