package dataflow

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
)

// read reads a model whose arguments begin with arg and whose results begin with ret.
func read(t testing.TB, text string) (*smt.Context, []*smt.Term, Roles) {
	t.Helper()
	ctx := smt.NewContext()
	script, err := smt.ReadScript(ctx, text, smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var roles Roles
	for _, c := range script.Constants() {
		switch {
		case strings.HasPrefix(c.Name(), "arg"):
			roles.Args = append(roles.Args, c)
		case strings.HasPrefix(c.Name(), "ret"):
			roles.Results = append(roles.Results, c)
		}
	}
	return ctx, script.Assertions(), roles
}

func recovered(t testing.TB, text string) *Model {
	t.Helper()
	ctx, assertions, roles := read(t, text)
	m, err := Recover(ctx, assertions, roles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// describe formats a model on one line.
func describe(m *Model) string {
	var b strings.Builder
	for _, s := range m.Steps {
		if s.Value != nil {
			fmt.Fprintf(&b, "%v := %v; ", s.Vars[0], s.Value)
			continue
		}
		fmt.Fprintf(&b, "%v :=", s.Vars)
		for _, part := range s.Parts {
			for _, c := range part {
				fmt.Fprintf(&b, " %v if %v,", c.Values, c.Condition)
			}
		}
		b.WriteString("; ")
	}
	for _, l := range []struct {
		name string
		list []*smt.Term
	}{{"check", m.Checks}, {"relational", m.Relational}, {"free", m.Free}} {
		if len(l.list) > 0 {
			fmt.Fprintf(&b, "%s %v; ", l.name, l.list)
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

const ints = `(declare-const arg Int)(declare-const arg1 Int)(declare-const ret Int)(declare-const a Int)(declare-const b Int)(declare-const c Int)
	(declare-const p Bool)(declare-const q Bool)`

// abs is figure 2(a) of the paper, in valid SMT-LIB.
const abs = `(declare-const arg Int)(declare-const ret Int)(declare-const var1 Int)(declare-const var2 Int)
	(assert (= ret var1))(assert (= var2 (* (- 1) arg)))(assert (= var1 (ite (> arg 0) arg var2)))`

// TestAbs is the paper's example: figure 2(b)'s dependencies, and the two formulas.
func TestAbs(t *testing.T) {
	m := recovered(t, abs)
	if got, want := fmt.Sprint(m.Dependencies()), "[{[arg] var2} {[arg var2] var1} {[var1] ret}]"; got != want {
		t.Errorf("dependencies %s, want %s", got, want)
	}
	formula, err := m.Expand(m.Results...)
	if err != nil {
		t.Fatal(err)
	}
	paths, all, err := Paths(m.ctx, formula[0], 10)
	if got, want := fmt.Sprint(paths, all, err), "[{[(> arg 0)] arg} {[(not (> arg 0))] (* (- 1) arg)}] true <nil>"; got != want {
		t.Errorf("paths %s, want %s", got, want)
	}
	normal, err := m.Normalized(m.ctx.Must(smt.OpEqual, m.Results[0], paths[1].Value))
	if got := fmt.Sprint(normal, err); got != "[(= ret (* (- 1) arg_0))] <nil>" {
		t.Errorf("normalized %s", got)
	}
	formulas, all, err := Published(m.ctx, assertionsOf(t, m, abs), m.Roles, m.Results[0], 10, Rules{})
	if got := fmt.Sprint(formulas, all, err); got != "[arg (* (- 1) arg)] true <nil>" {
		t.Errorf("formulas as published: %s", got)
	}
	r, err := m.Compile()
	if err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[int64]string{5: "5", -5: "5", 0: "0"} {
		outcome, values, err := r.Run([]smt.Value{smt.Int64Value(arg)})
		if got := fmt.Sprint(outcome, values, err); got != "returned ["+want+"] <nil>" {
			t.Errorf("abs(%d): %s", arg, got)
		}
	}
}

func assertionsOf(t *testing.T, m *Model, text string) []*smt.Term {
	script, err := smt.ReadScript(m.ctx, text, smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return script.Assertions()
}

// TestRecover checks that assertions in any order become steps, checks and relations.
func TestRecover(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"chain", "(assert (and (= ret b) (= (+ a 1) b) (= a arg)))", "a := arg; b := (+ a 1); ret := b"},
		{"chain of equalities", "(assert (= ret a b (* 2 arg)))", "b := (* 2 arg); a := b; ret := a"},
		{"arguments are never defined", "(assert (= arg (+ arg1 1)))(assert (= ret arg))", "ret := arg; check [(= arg (+ arg1 1))]"},
		{"a value", "(assert (= 5 ret))(assert (= arg 3))", "ret := 5; check [(= arg 3)]"},
		{"two definitions", "(assert (= ret arg))(assert (= ret (* 2 arg)))", "ret := arg; check [(= ret (* 2 arg))]"},
		{"truth values", "(assert p)(assert (not q))(assert (= ret (ite (and p q) 1 2)))", "p := true; q := false; ret := (ite (and p q) 1 2)"},
		{"a condition as a variable", "(assert (= (> arg 0) p))(assert (= ret (ite p 1 2)))", "p := (> arg 0); ret := (ite p 1 2)"},
		{"denied disjunction", "(assert (not (or (= arg 1) (=> (> arg 5) (distinct ret arg)))))", "check [(not (= arg 1)) (> arg 5)]; relational [(not (distinct ret arg))]; free [ret]"},
		{"compound sides only", "(assert (= (+ ret 1) (+ arg 2)))", "relational [(= (+ ret 1) (+ arg 2))]; free [ret]"},
		{"unconstrained", "(assert (> arg 0))", "check [(> arg 0)]; free [ret]"},
		{"from what is free", "(assert (= ret (+ a arg)))(assert (> a 3))(assert (< ret 9))", "ret := (+ a arg); relational [(> a 3) (< ret 9)]; free [a]"},
		{"equal and free", "(assert (= ret a))(assert (= a b))", "ret := a; b := a; free [a]"},
		{"equal in a ring", "(assert (= a b))(assert (= b a))(assert (= ret b))(assert (= a (* 3 arg)))", "a := (* 3 arg); b := a; ret := b; check [(= b a)]"},
		{"itself", "(assert (= a (+ a arg)))(assert (= ret a))", "ret := a; relational [(= a (+ a arg))]; free [a]"},
		{"cycle", "(assert (= a (+ b 1)))(assert (= b (- a arg)))(assert (= ret a))", "ret := a; relational [(= a (+ b 1)) (= b (- a arg))]; free [a b]"},
		{"no cycle with another definition", "(assert (= a (+ b 1)))(assert (= b (- a arg)))(assert (= b (* 2 arg)))(assert (= ret a))",
			"b := (* 2 arg); a := (+ b 1); ret := a; check [(= b (- a arg))]"},
		{"disjunction", "(assert (or (and (> arg 0) (= ret 1)) (and (<= arg 0) (= ret (- 1)))))", "[ret] := [1] if (> arg 0), [(- 1)] if (<= arg 0),"},
		{"ite between equations", "(assert (ite (> arg 0) (= ret 1) (= ret 2)))", "[ret] := [1] if (> arg 0), [2] if (not (> arg 0)),"},
		{"implications", "(assert (=> (> arg 0) (= ret 1)))(assert (=> (not (> arg 0)) (= ret 2)))",
			"[ret] := [] if (not (> arg 0)), [1] if true, [] if (> arg 0), [2] if true,"},
		{"two variables by cases", "(assert (or (and p (= a 1) (= b (+ a 1))) (and (not p) (= b 5) (= a b))))(assert (= p (> arg 0)))(assert (= ret (+ a b)))",
			"p := (> arg 0); [a b] := [1 (+ 1 1)] if p, [5 5] if (not p),; ret := (+ a b)"},
		{"disjunctions within", "(assert (or (and (> arg 0) (or (and (> arg 9) (= ret 1)) (and (<= arg 9) (= ret 2)))) (and (<= arg 0) (= ret 3))))",
			"[ret] := [1] if (and (> arg 0) (> arg 9)), [2] if (and (> arg 0) (<= arg 9)), [3] if (<= arg 0),"},
		{"an equation before a disjunction", "(assert (or (= a 1) (= a 2)))(assert (= a arg))(assert (= ret a))", "a := arg; ret := a; check [(or (= a 1) (= a 2))]"},
		{"an equation on what comes later", "(assert (or (= a 1) (= a 2)))(assert (= a (+ b 1)))(assert (or (and p (= b arg)) (and (not p) (= b 0))))(assert (= p (> arg 0)))(assert (= ret a))",
			"p := (> arg 0); [b] := [arg] if p, [0] if (not p),; a := (+ b 1); ret := a; check [(or (= a 1) (= a 2))]"},
		{"not bound in all parts", "(assert (or (= ret 1) (> ret 5)))", "relational [(or (= ret 1) (> ret 5))]; free [ret]"},
		{"a condition is no assignment", "(assert (= ret (ite (= a 1) 2 3)))(assert (= a (+ arg 1)))", "a := (+ arg 1); ret := (ite (= a 1) 2 3)"},
		{"false", "(assert false)(assert (= ret arg))", "ret := arg; check [false]"},
	}
	for _, test := range tests {
		if got := describe(recovered(t, ints+test.in)); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestOrder checks that any order of the assertions gives the same values.
func TestOrder(t *testing.T) {
	const n = 40
	text := "(declare-const arg Int)(declare-const ret Int)"
	for i := range n {
		text += fmt.Sprintf("(declare-const v%d Int)", i)
	}
	var lines []string
	for i := range n {
		from := "arg"
		if i > 0 {
			from = fmt.Sprintf("v%d", i-1)
		}
		lines = append(lines, []string{
			fmt.Sprintf("(assert (= v%d (+ %s %d)))", i, from, i),
			fmt.Sprintf("(assert (= %s v%d))", from, i),
			fmt.Sprintf("(assert (ite (> %s 10) (= v%d (- %s 7)) (= (* 3 %s) v%d)))", from, i, from, from, i),
		}[i%3])
	}
	lines = append(lines, fmt.Sprintf("(assert (= v%d ret))", n-1))
	rng := rand.New(rand.NewPCG(1, 2))
	want := ""
	for range 20 {
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		m := recovered(t, text+strings.Join(lines, ""))
		if !m.Ground() || len(m.Steps) != n+1 {
			t.Fatalf("not ground: %s", describe(m))
		}
		r, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for arg := range int64(12) {
			outcome, values, err := r.Run([]smt.Value{smt.Int64Value(arg)})
			got += fmt.Sprint(outcome, values, err)
		}
		if want == "" {
			want = got
		}
		if got != want || strings.Count(got, "returned") != 12 {
			t.Fatalf("%s\nwant %s", got, want)
		}
	}
}

// TestRun checks a model's results for arguments.
func TestRun(t *testing.T) {
	tests := []struct {
		name, in string
		arg      int64
		want     string
	}{
		{"value", "(assert (= ret (+ arg 1)))", 1, "returned [2]"},
		{"dropped path", "(assert (= ret arg))(assert (> arg 5))", 1, "dropped []"},
		{"no case", "(assert (or (and (> arg 5) (= ret 1)) (and (< arg 0) (= ret 2))))", 1, "dropped []"},
		{"a case", "(assert (or (and (> arg 5) (= ret 1)) (and (< arg 0) (= ret 2))))", 6, "returned [1]"},
		{"two cases that agree", "(assert (or (and (> arg 5) (= ret 1)) (and (> arg 7) (= ret 1))))", 8, "returned [1]"},
		{"two cases that differ", "(assert (or (and (> arg 5) (= ret 1)) (and (> arg 7) (= ret 2))))", 8, "ambiguous []"},
		{"implication holds", "(assert (=> (> arg 0) (= ret 1)))(assert (=> (< arg 0) (= ret 2)))", -3, "returned [2]"},
		{"no implication", "(assert (=> (> arg 0) (= ret 1)))(assert (=> (< arg 0) (= ret 2)))", 0, "open []"},
		{"implications that contradict", "(assert (=> (> arg 0) (= ret 1)))(assert (=> (> arg 3) (= ret 2)))", 4, "dropped []"},
		{"common to both", "(assert (or (< arg 0) (= ret 1) (= ret 2)))(assert (or (< arg 0) (= ret 2) (= ret 3)))", 4, "relational []"},
		{"unconstrained", "(assert (> arg 0))", 1, "open []"},
		{"unconstrained, dropped", "(assert (> arg 0))", 0, "dropped []"},
		{"relation", "(assert (> ret arg))", 1, "relational []"},
		{"relation beside a value", "(assert (= ret arg))(assert (> a arg))", 1, "relational []"},
		{"undefined", "(assert (= ret (div 1 arg)))", 0, "undefined []"},
		{"undefined condition", "(assert (= ret 1))(assert (> (mod 1 arg) 0))", 0, "undefined []"},
		{"what is open does not matter", "(assert (= ret arg))(assert (=> (> arg 5) (= a 1)))", 1, "returned [1]"},
		{"what is open matters", "(assert (= ret a))(assert (=> (> arg 5) (= a 1)))", 1, "open []"},
		{"what is ambiguous does not matter", "(assert (= ret arg))(assert (or (= a 1) (= a 2)))", 1, "returned [1]"},
	}
	for _, test := range tests {
		m := recovered(t, "(declare-const arg Int)(declare-const ret Int)(declare-const a Int)"+test.in)
		r, err := m.Compile()
		if err != nil {
			t.Fatal(err)
		}
		outcome, values, err := r.Run([]smt.Value{smt.Int64Value(test.arg)})
		if got := fmt.Sprint(outcome, " ", values); err != nil || got != test.want {
			t.Errorf("%s: %s (%v), want %s\n%s", test.name, got, err, test.want, describe(m))
		}
	}
	m := recovered(t, "(declare-const arg Int)(declare-const ret Int)(assert (= ret arg))")
	r, err := m.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Run(nil); err == nil {
		t.Error("no error without arguments")
	}
	if _, _, err := r.Run([]smt.Value{smt.BoolValue(true)}); err == nil {
		t.Error("no error for an argument of another sort")
	}
}

// TestPreconditions checks that preconditions are the conditions by which Run drops inputs.
func TestPreconditions(t *testing.T) {
	m := recovered(t, ints+"(assert (= a (+ arg 1)))(assert (> a 5))(assert (or (and (= arg1 a) (= ret 1)) (and (< arg1 0) (= ret 2))))")
	terms, err := m.Preconditions()
	if got := fmt.Sprint(terms, err); got != "[(> (+ arg 1) 5) (or (= arg1 (+ arg 1)) (< arg1 0))] <nil>" {
		t.Error(got)
	}
}

// TestPaths checks that repeated conditions have one result, and that a limit ends the splitting.
func TestPaths(t *testing.T) {
	tests := []struct{ in, want string }{
		{"(+ arg 1)", "[{[] (+ arg 1)}] true"},
		{"(ite p (ite p 1 2) (ite p 3 4))", "[{[p] 1} {[(not p)] 4}] true"},
		{"(+ (ite p 1 2) (ite p 10 20))", "[{[p] (+ 1 10)} {[(not p)] (+ 2 20)}] true"},
		{"(+ (ite p 1 2) (ite q 10 20))", "[{[p q] (+ 1 10)} {[p (not q)] (+ 1 20)} {[(not p) q] (+ 2 10)}] false"},
		{"(ite (> (ite p 1 arg) 0) 5 6)", "[{[p (> 1 0)] 5} {[p (not (> 1 0))] 6} {[(not p) (> arg 0)] 5}] false"},
		{"(ite true 1 2)", "[{[] 1}] true"},
		{"(ite (not p) (ite p 1 2) 3)", "[{[(not p)] 2} {[p] 3}] true"},
	}
	for _, test := range tests {
		ctx, _, _ := read(t, ints)
		constants := map[string]*smt.Term{"arg": ctx.Const("arg", smt.Int), "p": ctx.Const("p", smt.Bool), "q": ctx.Const("q", smt.Bool)}
		term, err := smt.ReadTerm(ctx, test.in, constants, smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		paths, all, err := Paths(ctx, term, 3)
		if got := fmt.Sprint(paths, all); err != nil || got != test.want {
			t.Errorf("%s: %s (%v), want %s", test.in, got, err, test.want)
		}
	}
}

// TestPublished checks that conditions count as assignments and equalities go both ways, as
// published, which gives formulas without an execution.
func TestPublished(t *testing.T) {
	ctx, assertions, roles := read(t, ints+"(assert (= ret (ite (= a 1) a b)))(assert (= a b))(assert (= b (* 2 arg)))")
	formulas, all, err := Published(ctx, assertions, roles, roles.Results[0], 20, Rules{})
	if err != nil || !all {
		t.Fatal(all, err)
	}
	got := fmt.Sprint(formulas)
	for _, want := range []string{"(* 2 arg)", "1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	if _, all, err := Published(ctx, assertions, roles, roles.Results[0], 1, Rules{}); all || err != nil {
		t.Errorf("the limit: %v %v", all, err)
	}
}

// TestRules checks that each rule removes the formulas that it should.
func TestRules(t *testing.T) {
	// ret is a or 1, where a is b's value by an equality the other way round, and 7 is in a
	// condition alone.
	ctx, assertions, roles := read(t, ints+"(assert (and (= ret (ite (= a 7) a 1)) (= (* 2 arg) b)))(assert (= a b))")
	for rules, want := range map[Rules]string{
		{}:               "[7 1 (* 2 arg)]",
		{Asserted: true}: "[(* 2 arg) 1]",
		{OneWay: true}:   "[7 1]",
		{Whole: true}:    "[(ite (= 7 7) 7 1) (let ((?0 (* 2 arg))) (ite (= ?0 7) ?0 1))]",
	} {
		formulas, all, err := Published(ctx, assertions, roles, roles.Results[0], 20, rules)
		if got := fmt.Sprint(formulas); err != nil || !all || got != want {
			t.Errorf("%+v: %s, %v; want %s", rules, got, err, want)
		}
	}
}

// TestRoles checks invalid roles.
func TestRoles(t *testing.T) {
	ctx := smt.NewContext()
	x, y := ctx.Const("x", smt.Int), ctx.Const("y", smt.Int)
	for want, roles := range map[string]Roles{
		"x is both an argument and a result":                         {Args: []*smt.Term{x}, Results: []*smt.Term{x}},
		"(- x) is no constant, and arguments and results have to be": {Args: []*smt.Term{ctx.Must(smt.OpNeg, x)}, Results: []*smt.Term{y}},
	} {
		if _, err := Recover(ctx, nil, roles); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSize checks that long chains, many free variables and wide rings take time proportional to
// their size.
func TestSize(t *testing.T) {
	const n = 3000
	var b strings.Builder
	b.WriteString("(declare-const arg Int)(declare-const ret Int)")
	for i := range n {
		fmt.Fprintf(&b, "(declare-const v%d Int)(declare-const f%d Int)", i, i)
	}
	b.WriteString("(assert (= ret v0))")
	for i := range n - 1 {
		fmt.Fprintf(&b, "(assert (= v%d (+ v%d f%d)))", i, i+1, i)
	}
	fmt.Fprintf(&b, "(assert (= v%d (+ v0 arg)))", n-1)
	m := recovered(t, b.String())
	if len(m.Free) != 2*n-1 || len(m.Relational) != n {
		t.Errorf("%d free, %d relational, %d steps", len(m.Free), len(m.Relational), len(m.Steps))
	}
}

// TestNested checks that endlessly nested disjunctions, and ones of too many parts, are relations.
func TestNested(t *testing.T) {
	const depth = 3000
	text := "(declare-const arg Int)(declare-const ret Int)(assert " + strings.Repeat("(or (= ret arg) (and (> arg 0) ", depth) + "(= ret 1)" + strings.Repeat("))", depth) + ")"
	m := recovered(t, text)
	if m.Ground() || len(m.Relational) != 1 {
		t.Errorf("%d relations, %d steps", len(m.Relational), len(m.Steps))
	}
}

func BenchmarkRun(b *testing.B) {
	m := recovered(b, abs)
	r, err := m.Compile()
	if err != nil {
		b.Fatal(err)
	}
	args := make([]smt.Value, 1)
	b.ReportAllocs()
	for i := range b.N {
		args[0] = smt.Int64Value(int64(i) - 50)
		if _, _, err := r.Run(args); err != nil {
			b.Fatal(err)
		}
	}
}
