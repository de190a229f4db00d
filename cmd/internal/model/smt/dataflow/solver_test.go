package dataflow

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/solver"
)

// model returns a random model of arguments arg0 and arg1, in random order. It has a condition, and
// variables that follow from earlier ones by equations, cases or implications.
func model(rng *rand.Rand) string {
	var b strings.Builder
	names := []string{"arg0", "arg1"}
	for i := range 4 {
		names = append(names, fmt.Sprint("v", i))
	}
	names = append(names, "ret")
	for _, n := range names {
		fmt.Fprintf(&b, "(declare-const %s Int)", n)
	}
	var lines []string
	for i, v := range names[2:] {
		from := func() string { return names[max(0, i-2)+rng.IntN(min(i+2, 4))] }
		value := func() string {
			return []string{from(), fmt.Sprintf("(+ %s %d)", from(), rng.IntN(5)), fmt.Sprintf("(- %s %s)", from(), from()), fmt.Sprint(rng.IntN(3))}[rng.IntN(4)]
		}
		condition := fmt.Sprintf("(%s %s %d)", []string{"<", ">", "="}[rng.IntN(3)], from(), rng.IntN(4))
		var line string
		switch rng.IntN(6) {
		case 0:
			line = fmt.Sprintf("(or (and %s (= %s %s)) (and (not %s) (= %s %s)))", condition, v, value(), condition, value(), v)
		case 1:
			line = fmt.Sprintf("(or (and %s (= %s %s)) (and (> %s 0) (= %s %s)))", condition, v, value(), from(), v, value())
		case 2:
			lines = append(lines, fmt.Sprintf("(assert (=> %s (= %s %s)))", condition, v, value()))
			line = fmt.Sprintf("(or %s (= %s %s))", condition, v, value())
		case 3:
			line = fmt.Sprintf("(= (ite %s %s %s) %s)", condition, value(), value(), v)
		default:
			line = fmt.Sprintf("(= %s %s)", value(), v)
		}
		lines = append(lines, "(assert "+line+")")
	}
	if rng.IntN(2) == 0 {
		lines = append(lines, fmt.Sprintf("(assert (< %s %d))", names[2+rng.IntN(5)], 3+rng.IntN(5)))
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return b.String() + strings.Join(lines, "")
}

// TestAgainstSolver compares the results of a recovered model with those of z3 for the assertions.
func TestAgainstSolver(t *testing.T) {
	s := solver.New(solver.Z3, solver.Options{Timeout: time.Minute})
	defer s.Close()
	rng := rand.New(rand.NewPCG(5, 6))
	count := map[Outcome]int{}
	for range 80 {
		text := model(rng)
		ctx, assertions, roles := read(t, text)
		m, err := Recover(ctx, assertions, roles)
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		ret := roles.Results[0]
		for range 2 {
			args := []smt.Value{smt.Int64Value(int64(rng.IntN(9) - 3)), smt.Int64Value(int64(rng.IntN(9) - 3))}
			outcome, values, err := r.Run(args)
			if err != nil {
				t.Fatal(err)
			}
			count[outcome]++
			all := append([]*smt.Term{}, assertions...)
			for i, a := range roles.Args {
				all = append(all, ctx.Must(smt.OpEqual, a, ctx.ValueTerm(args[i])))
			}
			ask := func(more ...*smt.Term) solver.Answer {
				result, err := s.Check(t.Context(), solver.Query{Assertions: append(all[:len(all):len(all)], more...)})
				if err != nil {
					t.Fatal(err)
				}
				return result.Answer
			}
			switch outcome {
			case Returned:
				is := ctx.Must(smt.OpEqual, ret, ctx.ValueTerm(values[0]))
				if ask(is) != solver.Sat || ask(ctx.Not(is)) != solver.Unsat {
					t.Errorf("%s\n%s\nof %v: returned %v", text, describe(m), args, values)
				}
			case Dropped:
				if ask() != solver.Unsat {
					t.Errorf("%s\n%s\nof %v: dropped", text, describe(m), args)
				}
			}
		}
	}
	if count[Returned] < 60 || count[Dropped] < 10 {
		t.Errorf("outcomes %v", count)
	}
}
