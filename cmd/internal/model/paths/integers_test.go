package paths

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// TestIntegers checks that rewritten terms have the same values as integers.
func TestIntegers(t *testing.T) {
	ctx := smt.NewContext()
	a, b := ctx.Const("a", smt.BitVec(8)), ctx.Const("b", smt.BitVec(16))
	x, y := ctx.Must(smt.OpBvToNat, a), ctx.Must(smt.OpSub, ctx.Must(smt.OpBvToNat, b), ctx.Numeral(32768))
	rng := rand.New(rand.NewPCG(6, 1))
	pool := []*smt.Term{x, y, ctx.Numeral(0), ctx.Numeral(-1), ctx.Numeral(255), ctx.Numeral(-256)}
	conditions := []*smt.Term{ctx.BoolTerm(true)}
	pick := func() *smt.Term { return pool[rng.IntN(len(pool))] }
	for range 60 {
		op := []smt.Op{smt.OpAdd, smt.OpSub, smt.OpMul, smt.OpNeg, smt.OpIte, smt.OpEqual, smt.OpLe, smt.OpLt, smt.OpGe, smt.OpGt}[rng.IntN(10)]
		args := []*smt.Term{pick(), pick()}
		switch op {
		case smt.OpNeg:
			args = args[:1]
		case smt.OpIte:
			args = []*smt.Term{conditions[rng.IntN(len(conditions))], args[0], args[1]}
		case smt.OpAdd, smt.OpSub:
			args = append(args, pick())
		}
		term := ctx.Must(op, args...)
		if term.Sort() == smt.Bool {
			conditions = append(conditions, term)
		} else {
			pool = append(pool, term)
		}
	}
	for width := range 3 {
		for _, p := range pool {
			term, err := ctx.Indexed(smt.OpIntToBv, []int{[]int{8, 32, 64}[width]}, p)
			if err != nil {
				t.Fatal(err)
			}
			conditions = append(conditions, term)
		}
	}
	checked := 0
	for _, term := range conditions {
		n := integers{ctx, map[*smt.Term]*smt.Term{}}
		made, ok := n.without([]*smt.Term{term})
		if !ok {
			continue // too wide
		}
		if hasIntegers(made) {
			t.Fatalf("%v still has integers", made[0])
		}
		for range 20 {
			values := map[*smt.Term]smt.Value{a: smt.WordValue(rng.Uint64(), 8), b: smt.WordValue(rng.Uint64(), 16)}
			want, err := smt.Eval(term, values)
			if err != nil {
				t.Fatal(err)
			}
			got, err := smt.Eval(made[0], values)
			if err != nil || !got.Equal(want) {
				t.Fatalf("%v is %v, and %v is %v (%v)", term, want, made[0], got, err)
			}
			checked++
		}
	}
	if checked < 1000 {
		t.Errorf("%d values were compared", checked)
	}
	for _, text := range []string{"(declare-const i Int)(assert (> i 0))", "(declare-const v (_ BitVec 8))(assert (= (div (bv2nat v) 2) 1))"} {
		script, err := smt.ReadScript(ctx, text, smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := integers{ctx, map[*smt.Term]*smt.Term{}}
		if made, ok := n.without(script.Assertions()); ok {
			t.Errorf("%s becomes %s", text, fmt.Sprint(made))
		}
	}
}
