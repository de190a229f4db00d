package paths

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"slices"
	"testing"
	"time"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/llvmir"
	"parallax/cmd/internal/model/llvmir/musl"
	"parallax/cmd/internal/model/original"
	"parallax/cmd/internal/model/smt/solver"
)

// both holds a model and its original.
type both struct {
	s *call.Signature
	o *original.Original
	m *formula.Model
}

func sides(t *testing.T, s *call.Signature, paths []extract.Path) both {
	t.Helper()
	o, err := original.Musl(s)
	if err != nil {
		t.Fatal(err)
	}
	m, err := formula.New(s, paths, s.Function)
	if err != nil {
		t.Fatal(err)
	}
	return both{s, o, m}
}

func recorded(t *testing.T, function string) both {
	t.Helper()
	a := extracttest.Answer(t, function)
	return sides(t, call.SignatureOf(a), a.Paths)
}

func z3(t *testing.T) *solver.Solver {
	t.Helper()
	if _, err := exec.LookPath(solver.Z3.Name); err != nil {
		t.Fatalf("z3 is missing: %s", solver.Z3.Install)
	}
	z := solver.New(solver.Z3, solver.Options{Timeout: 5 * time.Second})
	t.Cleanup(func() { z.Close() })
	return z
}

// untimed returns options without a limit of time, so results do not depend on the machine's load.
func untimed() Options { return Options{Used: func() time.Duration { return 0 }} }

func (b both) find(t *testing.T, z *solver.Solver, o Options) *Result {
	t.Helper()
	r, err := Find(t.Context(), b.o, b.m, b.s.Comparator(), z, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// outcome runs a call on both sides. It returns the original's run, the model's answer, and whether
// they agree.
func (b both) outcome(t *testing.T, z *solver.Solver, c call.Call) (run original.Run, answer formula.Answer, agree bool) {
	t.Helper()
	run, err := b.o.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	answer, err = b.m.Evaluate(t.Context(), c, z)
	if err != nil {
		t.Fatal(err)
	}
	by := b.s.Comparator()
	agree = run.Undefined == "" && answer.Kind == formula.Returned && b.s.Text(c, &run.Effect, by) == b.s.Text(c, &answer.Effect, by)
	return run, answer, agree
}

// sound checks results against random calls: witnesses behave as claimed, and no call contradicts
// an unsat.
func (b both) sound(t *testing.T, z *solver.Solver, r *Result, calls int) {
	t.Helper()
	name := b.s.Function
	by := map[string]*Path{}
	for _, p := range r.Paths {
		if by[p.Name] != nil {
			t.Errorf("%s: the path %s is there twice", name, p.Name)
		}
		by[p.Name] = p
		for i, v := range []Verdict{p.A, p.D, p.N} {
			if (v.Answer == solver.Sat) != (v.Witness != nil) {
				t.Errorf("%s: the answer %v has the witness %v", name, v.Answer, v.Witness)
			}
			if v.Witness == nil {
				continue
			}
			run, answer, agree := b.outcome(t, z, v.Witness.Call)
			if run.Undefined != "" || run.Path != p.Key || answer.Kind != v.Witness.Kind || answer.Kind == formula.Returned && agree != (i == 0) || (i == 2) != (answer.Kind == formula.Dropped) {
				t.Errorf("%s: witness %d of %s: %s %v, agree %v", b.s.Quote(v.Witness.Call), i, p.Name, run.Undefined, answer.Kind, agree)
			}
		}
		if p.Input == nil || p.Beyond != "" || p.R.Answer == solver.Unknown {
			continue
		}
		run, answer, _ := b.outcome(t, z, p.Input)
		if dropped := answer.Kind == formula.Dropped; run.Path != p.Key || !dropped && p.R.Answer == unsat || dropped && p.N.Answer != sat {
			t.Errorf("%s: the input of %s is %v, R is %v, N is %v", b.s.Quote(p.Input), p.Name, answer.Kind, p.R.Answer, p.N.Answer)
		}
	}
	rng := rand.New(rand.NewPCG(4, 2))
	met := 0
	for range calls {
		flat := make([]byte, b.s.Size())
		for i := range flat {
			flat[i] = "\x00\x00\x00\x01\x02\x03ab01 -+\xff9zAZ\t"[rng.IntN(19)]
		}
		c := b.s.Decode(flat)
		run, answer, agree := b.outcome(t, z, c)
		if run.Undefined != "" {
			continue
		}
		way, err := b.o.Module.PathOf(b.o.Function, run.Trace)
		if err != nil {
			t.Fatal(err)
		}
		p := by[way.Name]
		if p == nil {
			if r.Left.Complete {
				t.Errorf("%s takes a path that is not there, and they are said to be complete", b.s.Quote(c))
			}
			continue
		}
		met++
		impossible := answer.Kind == formula.Returned && (agree && p.A.Answer == solver.Unsat || !agree && p.D.Answer == solver.Unsat) ||
			answer.Kind != formula.Dropped && p.R.Answer == unsat || answer.Kind == formula.Dropped && p.N.Answer == unsat
		if impossible {
			t.Errorf("%s is %v, agree %v, and the path's answers are A %v, D %v, R %v, N %v", b.s.Quote(c), answer.Kind, agree, p.A.Answer, p.D.Answer, p.R.Answer, p.N.Answer)
		}
	}
	if met == 0 {
		t.Errorf("%s: no call took a path that was found", name)
	}
	for _, c := range r.Seeds {
		if run, err := b.o.Run(c); err != nil || run.Undefined != "" {
			t.Errorf("%s: the seed %s is %s (%v)", name, b.s.Quote(c), run.Undefined, err)
		}
	}
	if r.Left.Doubtful > 0 {
		t.Errorf("%s: %d inputs of the solver were wrong", name, r.Left.Doubtful)
	}
}

var integer = extract.Argument{Name: "arg_0", Kind: "scalar", Bits: 32, Signed: true}

const sat, unsat = solver.Sat, solver.Unsat

// TestRecorded checks proofs about models of an engine. Each path is right, wrong for some inputs,
// wrong for all, or dropped.
func TestRecorded(t *testing.T) {
	z := z3(t)
	right, some, wrong, dropped := [3]solver.Answer{sat, unsat, sat}, [3]solver.Answer{sat, sat, sat}, [3]solver.Answer{unsat, sat, sat}, [3]solver.Answer{unsat, unsat, unsat}
	for _, test := range []struct {
		function string
		want     verdictCounts
	}{
		{"toupper", verdictCounts{right: 2}},
		{"memchr", verdictCounts{right: 9}},
		{"strchr", verdictCounts{right: 13, wrong: 1}}, // strchr(s, 0) gives null
		{"strcmp", verdictCounts{right: 5, some: 4}},   // 1 for strings that differ
		{"strncpy", verdictCounts{right: 6, some: 5}},  // nothing is padded
		{"strcat", verdictCounts{right: 1, wrong: 4, dropped: 20}},
	} {
		b := recorded(t, test.function)
		r := b.find(t, z, untimed())
		if !r.Left.Complete || r.Left.Unasked != 0 {
			t.Errorf("%s: the paths are not complete: %+v", test.function, r.Left)
		}
		got := verdicts(r)
		for v, n := range test.want {
			if got[v] != n {
				t.Errorf("%s: %d paths are %v, want %d: %v", test.function, got[v], v, n, got)
			}
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %v, want %v", test.function, got, test.want)
		}
		b.sound(t, z, r, 150)
	}
}

// TestWitness checks the witness of a path that is wrong for all its inputs.
func TestWitness(t *testing.T) {
	b := recorded(t, "strchr")
	for _, p := range b.find(t, z3(t), untimed()).Paths {
		if p.A.Answer == unsat {
			if c := p.D.Witness.Call; byte(c[1].Int) != 0 {
				t.Errorf("%s is wrong", b.s.Quote(c))
			}
			if len(p.Lines) == 0 || p.Lines[0].Line == 0 {
				t.Errorf("the path has the lines %v", p.Lines)
			}
		}
	}
}

// TestBeyondListing checks that paths beyond the enumeration come from the solver's inputs and from
// the caller's calls.
func TestBeyondListing(t *testing.T) {
	z := z3(t)
	b := recorded(t, "memchr")
	o := untimed()
	o.Limits.Unroll = 1
	r := b.find(t, z, o)
	traced := 0
	for _, p := range r.Paths {
		if p.Traced {
			traced++
		}
	}
	if len(r.Paths) != 9 || traced == 0 || !r.Left.Complete {
		t.Errorf("%d paths, of which %d are not listed: %+v", len(r.Paths), traced, r.Left)
	}
	b.sound(t, z, r, 100)

	// An enumeration that is too long is skipped.
	o.Listed = 3
	o.Calls = []call.Call{b.s.Decode([]byte("c\x00\x00\x00\x04abcd"))}
	r = b.find(t, z, o)
	if len(r.Paths) != 3 || r.Left.Complete || r.Left.Infeasible != 0 {
		t.Fatalf("%d paths: %+v", len(r.Paths), r.Left)
	}
	run, err := b.o.Run(o.Calls[0])
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Paths[0]; p.Key != run.Path || !bytes.Equal(b.s.Encode(p.Input), b.s.Encode(o.Calls[0])) {
		t.Errorf("the first path is that of %s", b.s.Quote(p.Input))
	}
	b.sound(t, z, r, 100)
}

// TestUndefined checks that undefined inputs belong to no path, while the path keeps its other
// inputs.
func TestUndefined(t *testing.T) {
	z := z3(t)
	s := &call.Signature{Function: "abs", Arguments: []extract.Argument{integer}, Result: extract.Result{Name: "ret", Kind: "scalar", Bits: 32, Signed: true}}
	// The paper's Figure 2 (a), as a script. Both paths are right, since abs(INT_MIN) is undefined.
	figure := `(declare-const arg_0 Int)(declare-const free_1 Int)(declare-const free_2 Int)(declare-const ret Int)
		(assert (= ret free_1))(assert (= free_2 (* (- 1) arg_0)))(assert (= free_1 (ite (> arg_0 0) arg_0 free_2)))`
	b := sides(t, s, []extract.Path{{SMT: figure}})
	r := b.find(t, z, untimed())
	if v := verdicts(r); len(r.Paths) != 2 || v[[3]solver.Answer{sat, unsat, sat}] != 2 || !r.Left.Complete {
		t.Errorf("abs has %v: %+v", v, r.Left)
	}
	for _, p := range r.Paths { // ret = arg and ret = -arg are the formulas of both sides
		if !p.Match || len(p.Condition) != 1 {
			t.Errorf("the path %v matches: %v", p.Condition, p.Match)
		}
	}
	if r.Formulas != 2 {
		t.Errorf("the model has %d formulas", r.Formulas)
	}
	if len(r.Seeds) < 2 {
		t.Errorf("there are %d seeds", len(r.Seeds))
	}
	b.sound(t, z, r, 50)

	// An unconstrained result agrees and disagrees on each path. By the paper's rules, it has no
	// formula.
	b = sides(t, s, []extract.Path{{SMT: "(declare-const arg_0 (_ BitVec 32))(declare-const ret (_ BitVec 32))(assert (bvsle arg_0 ret))"}})
	for _, p := range b.find(t, z, untimed()).Paths {
		if p.A.Answer != sat || p.D.Answer != sat || p.D.Witness.Kind != formula.Unconstrained || p.Match {
			t.Errorf("an unconstrained result: %+v", p)
		}
	}
}

// TestUnfollowedPath checks that a path that cannot be followed has no answers, and that calls
// supply the paths after it.
func TestUnfollowedPath(t *testing.T) {
	file, err := llvmir.Parse("f.ll", `
define i32 @f(i32 %a) {
entry:
  %small = icmp ult i32 %a, 10
  br i1 %small, label %allocates, label %big
allocates:
  %p = call ptr @malloc(i64 8)
  %two = icmp eq i32 %a, 2
  br i1 %two, label %same, label %big
same:
  ret i32 2
big:
  %negative = icmp slt i32 %a, 0
  br i1 %negative, label %below, label %same2
below:
  ret i32 0
same2:
  ret i32 %a
}
declare ptr @malloc(i64)
`)
	if err != nil {
		t.Fatal(err)
	}
	module, err := musl.Link([]*llvmir.File{file})
	if err != nil {
		t.Fatal(err)
	}
	s := &call.Signature{Function: "f", Arguments: []extract.Argument{integer}, Result: extract.Result{Name: "ret", Kind: "scalar", Bits: 32, Signed: true}}
	o, err := original.New(s, module, module.Function("f"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := formula.New(s, []extract.Path{{SMT: "(declare-const arg_0 (_ BitVec 32))(declare-const ret (_ BitVec 32))(assert (= ret arg_0))"}}, "f")
	if err != nil {
		t.Fatal(err)
	}
	b := both{s, o, m}
	z := z3(t)
	// with a complete enumeration, and with one that is too long, so that all paths come from
	// inputs
	for _, work := range []int{0, 1} {
		options := untimed()
		options.Limits.Work = work
		r := b.find(t, z, options)
		counts, beyond := verdicts(r), 0
		for _, p := range r.Paths {
			if p.Beyond != "" {
				beyond++
				if p.A.Answer != solver.Unknown || p.A.Reason == "" {
					t.Errorf("the path has the answer %v", p.A)
				}
			}
		}
		if counts[[3]solver.Answer{sat, unsat, sat}] != 1 || counts[[3]solver.Answer{unsat, sat, sat}] != 1 || beyond == 0 || len(r.Paths) != 2+beyond {
			t.Errorf("%d paths, %d beyond: %v", len(r.Paths), beyond, counts)
		}
		if complete := work == 0; r.Left.Complete != complete {
			t.Errorf("the paths are complete: %v", r.Left.Complete)
		}
		b.sound(t, z, r, 100)
	}
}

// TestMatch checks that formulas may match although a path is wrong, and may differ although it is
// right, as in SEDiff's scope decision.
func TestMatch(t *testing.T) {
	z := z3(t)
	for function, want := range map[string]int{"toupper": 1, "strcat": 25, "strcmp": 1} {
		b := recorded(t, function)
		got := 0
		for _, p := range b.find(t, z, untimed()).Paths {
			if p.Match {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d paths match, want %d", function, got, want)
		}
	}
}

// TestBudget checks that limits of time give unknown answers, and no wrong ones.
func TestBudget(t *testing.T) {
	b := recorded(t, "strncmp")
	asked := 0
	r := b.find(t, z3(t), Options{Budget: 60, Used: func() time.Duration {
		asked++
		return time.Duration(asked)
	}})
	if r.Left.Unasked == 0 || r.Left.Complete {
		t.Errorf("nothing was left out: %+v", r.Left)
	}
	b.sound(t, z3(t), r, 100)

	// A limit of questions gives the same results on each machine.
	o := untimed()
	o.Asked = 12
	first, again := b.find(t, z3(t), o), b.find(t, z3(t), o)
	if first.Left.Unasked == 0 || len(first.Paths) == 0 || !reflect.DeepEqual(first.Seeds, again.Seeds) || !reflect.DeepEqual(verdicts(first), verdicts(again)) {
		t.Errorf("twelve questions give %v, and again %v", verdicts(first), verdicts(again))
	}
}

// TestBranches checks that seeds take each branch of the model: strcmp's strings are equal up to
// each length.
func TestBranches(t *testing.T) {
	z := z3(t)
	b := recorded(t, "isdigit")
	r := b.find(t, z, untimed())
	digits := map[bool]int{}
	for _, c := range r.Seeds {
		digits[c[0].Int >= '0' && c[0].Int <= '9']++
	}
	if len(r.Paths) != 1 || digits[true] == 0 || digits[false] == 0 || r.Left.Branches != 0 {
		t.Errorf("there are %d paths, and seeds that are digits and not: %v", len(r.Paths), digits)
	}
	// Conditions and a disjunction with values that are hard to guess.
	s := &call.Signature{Function: "abs", Arguments: []extract.Argument{integer}, Result: extract.Result{Name: "ret", Kind: "scalar", Bits: 32, Signed: true}}
	odd := extract.Path{SMT: `(declare-const arg_0 (_ BitVec 32))(declare-const ret (_ BitVec 32))(declare-const free_0 (_ BitVec 32))
		(assert (= ret (ite (= arg_0 #x00012345) #x00000001 (ite (= (bvmul arg_0 #x00000003) #x00abcdef) free_0 arg_0))))
		(assert (or (and (bvsge arg_0 #xffff0000) (= free_0 #x00000001)) (and (bvslt arg_0 #xffff0000) (= free_0 #x00000002))))`}
	b = sides(t, s, []extract.Path{odd})
	r = b.find(t, z, untimed())
	for name, is := range map[string]func(n int32) bool{
		"the first value": func(n int32) bool { return n == 0x12345 }, "the second value": func(n int32) bool { return n*3 == 0xabcdef },
		"below": func(n int32) bool { return n < -65536 }, "not below": func(n int32) bool { return n >= -65536 },
	} {
		if !slices.ContainsFunc(r.Seeds, func(c call.Call) bool { return is(int32(c[0].Int)) }) {
			t.Errorf("no seed is %s: %v", name, r.Seeds)
		}
	}
	o := untimed()
	o.Branches = 1
	if r := b.find(t, z, o); r.Left.Branches == 0 {
		t.Error("the limit of questions leaves nothing out")
	}
}

// TestCauses checks that a wrong match names the paper's relaxations that cause it.
func TestCauses(t *testing.T) {
	z := z3(t)
	s := &call.Signature{Function: "abs", Arguments: []extract.Argument{integer}, Result: extract.Result{Name: "ret", Kind: "scalar", Bits: 32, Signed: true}}
	for script, want := range map[string][]string{
		`(assert (= ret (* (- 1) arg_0)))`:                                       nil,
		`(assert (= (* (- 1) arg_0) ret))`:                                       {"an equality read the other way round"},
		`(assert (or (> arg_0 0) (= ret (* (- 1) arg_0))))`:                      {"an equality within a condition"},
		`(assert (= ret (ite (< arg_0 0) (* (- 1) arg_0) 12)))`:                  {"a choice made two formulas"},
		`(assert (=> (< arg_0 0) (= (ite (< arg_0 9) (* (- 1) arg_0) 12) ret)))`: {"an equality within a condition", "an equality read the other way round", "a choice made two formulas"},
	} {
		o := untimed()
		o.Causes = true
		r := sides(t, s, []extract.Path{{SMT: "(declare-const arg_0 Int)(declare-const ret Int)" + script}}).find(t, z, o)
		matched := 0
		for _, p := range r.Paths {
			if p.Match {
				matched++
				if !slices.Equal(p.Causes, want) {
					t.Errorf("%s: %q, want %q", script, p.Causes, want)
				}
			} else if len(p.Causes) != 1 || p.Causes[0] != otherForm {
				t.Errorf("%s: a path without a match: %q", script, p.Causes)
			}
		}
		if matched != 1 || r.Cut {
			t.Errorf("%s: %d paths match, cut %v", script, matched, r.Cut)
		}
	}
}

// TestMatching checks that Options.Matching gives the same matches without questions about the
// model.
func TestMatching(t *testing.T) {
	z := z3(t)
	for _, function := range []string{"strchr", "tolower"} {
		whole := recorded(t, function).find(t, z, untimed())
		o := untimed()
		o.Matching = true
		alone := recorded(t, function).find(t, z, o)
		matches := func(r *Result) map[string]bool {
			m := map[string]bool{}
			for _, p := range r.Paths {
				m[p.Name] = p.Match
			}
			return m
		}
		if a, b := matches(whole), matches(alone); !maps.Equal(a, b) || len(a) == 0 {
			t.Errorf("%s: %v with questions, %v without", function, a, b)
		}
		for _, p := range alone.Paths {
			if p.A.Answer == solver.Unsat || p.D.Answer == solver.Unsat {
				t.Errorf("%s: a solver was asked about %s: A %v, D %v", function, p.Name, p.A.Answer, p.D.Answer)
			}
		}
	}
}

// verdictCounts has the number of paths by their answers to A, D and R.
type verdictCounts map[[3]solver.Answer]int

// verdicts counts the paths of a result.
func verdicts(r *Result) verdictCounts {
	all := verdictCounts{}
	for _, p := range r.Paths {
		all[[3]solver.Answer{p.A.Answer, p.D.Answer, p.R.Answer}]++
	}
	return all
}
