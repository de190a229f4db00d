package paths

import (
	"testing"

	"parallax/cmd/internal/model/smt"
)

// TestInfeasiblePrefix checks that the shortest infeasible prefix is found, and that other
// conditions with this prefix are recognized.
func TestInfeasiblePrefix(t *testing.T) {
	ctx := smt.NewContext()
	a := ctx.Const("a", smt.BitVec(8))
	below := func(n uint64) *smt.Term { return ctx.Must(smt.OpBvUlt, a, ctx.Bits(n, 8)) }
	is := func(n uint64) *smt.Term { return ctx.Must(smt.OpEqual, a, ctx.Bits(n, 8)) }
	f := &finder{ctx: t.Context(), solver: z3(t), options: untimed(), dead: map[string]bool{}, inputs: []input{{a, 0, -1}}}
	f.options.Budget = 1
	f.o = recorded(t, "toupper").o
	condition := []*smt.Term{below(100), below(90), is(95), below(80), below(70), below(60)}
	f.bury(&Path{Condition: condition})
	if f.asked == 0 || f.asked > 3 {
		t.Errorf("it took %d questions", f.asked)
	}
	for _, test := range []struct {
		condition []*smt.Term
		want      bool
	}{
		{condition, true},
		{condition[:3], true},
		{[]*smt.Term{below(100), below(90), is(95), is(7)}, true},
		{condition[:2], false},
		{[]*smt.Term{below(100), is(95), below(90)}, false},
		{nil, false},
	} {
		if f.isDead(test.condition) != test.want {
			t.Errorf("%v is dead: %v", test.condition, !test.want)
		}
	}
	// A condition that only its last term makes infeasible says nothing about other conditions.
	if f.bury(&Path{Condition: []*smt.Term{is(1), is(2)}}); len(f.dead) != 1 {
		t.Errorf("there are %d beginnings", len(f.dead))
	}
}
