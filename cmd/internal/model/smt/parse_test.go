package smt_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/smttest"
)

const declarations = `(declare-const p Bool)(declare-const q Bool)(declare-fun x () Int)(declare-fun y () Int)
(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 8))(declare-const s String)(declare-const t String)
(declare-const m (Array (_ BitVec 8) Int))(declare-fun f (Int Bool) Int)
`

// TestRead checks that terms are printed in the syntax of SMT-LIB 2.6.
func TestRead(t *testing.T) {
	tests := []struct{ in, out string }{
		{"(and p q (or p q))", ""},
		{"(and p)", "p"},
		{"(=> p q p)", ""},
		{"(= 1 (- 5) x)", ""},
		{"(= (- x) (- x y 3))", ""},
		{"(= x -5)", "(= x (- 5))"},
		{"(= (- (- 5)) x)", ""},
		{"(distinct #x0f b #b00001111)", "(distinct #x0f b #x0f)"},
		{"(= b (_ bv15 8))", "(= b #x0f)"},
		{"(= (_ bv1 3) ((_ extract 2 0) b))", "(= #b001 ((_ extract 2 0) b))"},
		{"(= ((_ zero_extend 8) b) ((_ sign_extend 8) c) (concat b c) ((_ repeat 2) b))", ""},
		{"(= ((_ rotate_left 3) b) ((_ rotate_right 3) c) (bvsmod b c) (bvsrem b c) (bvsdiv b c))", ""},
		{"(= (bvcomp b c) #b1)", ""},
		{"(= (ubv_to_int b) (bv2int c) (bv2nat b))", "(let ((?0 (bv2nat b))) (= ?0 (bv2nat c) ?0))"},
		{"(= x (sbv_to_int b))", "(let ((?0 (bv2nat b))) (= x (ite (bvslt b #x00) (- ?0 256) ?0)))"},
		{"(= b ((_ int_to_bv 8) x) ((_ nat2bv 8) y))", "(= b ((_ int2bv 8) x) ((_ int2bv 8) y))"},
		{"((_ divisible 3) x)", "(= (mod x 3) 0)"},
		{"(= (bvredor b) (bvredand c))", "(= (bvnot (bvcomp b #x00)) (bvcomp c #xff))"},
		{"(= (select (store m b x) c) (f x p))", ""},
		{"(= m ((as const (Array (_ BitVec 8) Int)) 0))", ""},
		{"(= |x| (as y Int))", "(= x y)"},
		{"(let ((x y) (y x)) (< x y))", "(< y x)"},
		{"(let ((p q)) (let ((q p) (p true)) (and p q)))", "(and true q)"},
		{"(! (> x 0) :pattern ((f x p) (f y q)) :weight 5 :named n)", "(> x 0)"},
		{`(= s "a""b\u{41}\u0042\u{1F600}\x")`, `(= s "a""bAB\u{1f600}\u{5c}x")`},
		{`(= s "\u{30000}")`, `(= s "\u{5c}u{30000}")`},
		{`(= s (_ char #x41))`, `(= s "A")`},
		{"(str.in_re s ((_ re.loop 1 3) (re.++ re.allchar (re.range \"a\" \"z\"))))", ""},
		{"(str.in.re s (re.loop (str.to.re \"a\") 1 3))", `(str.in_re s ((_ re.loop 1 3) (str.to_re "a")))`},
		{"(= s (str.replace_all s t \"\"))", ""},
		{"(str.< s t s)", ""},
		{`(= s (Concat (CharAt t 0) (Substring s 1 x)))`, `(= s (str.++ (str.at t 0) (str.substr s 1 x)))`},
		{`(= x (Indexof s "\"\n\x41\101\\"))`, `(= x (str.indexof s """\u{a}AA\u{5c}" 0))`},
		{`(and (StartsWith s t) (EndsWith s t) (Contains s t))`, `(and (str.prefixof t s) (str.suffixof t s) (str.contains s t))`},
		{`(= (int.to.str (Length s)) (Replace s t "") (str.from_int (str.to.int s)))`,
			`(= (str.from_int (str.len s)) (str.replace s t "") (str.from_int (str.to_int s)))`},
		{`(RegexIn s (RegexStar (RegexUnion (Str2Reg "a") (RegexCharRange "0" "9"))))`, `(str.in_re s (re.* (re.union (str.to_re "a") (re.range "0" "9"))))`},
	}
	for _, test := range tests {
		want := test.out
		if want == "" {
			want = test.in
		}
		script, err := smt.ReadScript(smt.NewContext(), declarations+"(assert "+test.in+")", smt.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		if got := script.Assertions()[0].String(); got != want {
			t.Errorf("%s is read as %s, want %s", test.in, got, want)
		}
	}
}

// TestReadErrors checks that errors have the place, the mistake, and the expectation.
func TestReadErrors(t *testing.T) {
	tests := []struct{ in, message string }{
		{"(assert (and p r))", "1:16: r is not declared"},
		{"(assert\n  (+ x p))", "2:3: argument 2 of + is Bool, and has to be Int"},
		{"(assert (bvadd b #x0))", "(_ BitVec 8) and (_ BitVec 4), and have to be of one width"},
		{"(assert x)", "1:9: what is asserted is Int, and has to be Bool"},
		{"(assert (= x b))", "= compares terms of one sort, not Int and (_ BitVec 8)"},
		{"(assert (ite p x))", "ite takes 3 arguments, not 2"},
		{"(assert (not p q))", "not takes 1 argument, not 2"},
		{"(assert ((_ divisible 0) x))", "nothing is (_ divisible 0)"},
		{"(assert (let ((x 1) (x 2)) p))", "let binds x twice"},
		{"(assert (let () p))", "1:15: expected a binding"},
		{"(assert (let ((a 1)) (> a 0)) (> a 0))", "1:31: expected the ) of assert, not ("},
		{"(assert (and p (let ((a 1)) (> a 0)) (> a 0)))", "a is not declared"},
		{"(assert (= ((_ extract 8 0) b) b))", "(_ extract 8 0) does not fit a bit vector of 8 bits"},
		{"(assert (= b (_ bv256 8)))", "bv256 does not fit 8 bits"},
		{"(assert (forall ((z Int)) p))", "1:10: unsupported theory: quantifiers"},
		{"(declare-const r Real)", "1:18: unsupported theory: reals"},
		{"(assert (> 1.5 0))", "unsupported theory: reals are not supported (1.5)"},
		{"(declare-const r (_ FloatingPoint 8 24))", "unsupported theory: floating-point"},
		{"(declare-sort U 0)", "unsupported theory: sorts of one's own"},
		{"(declare-datatypes ((U 0)) (((u))))", "unsupported theory: datatypes"},
		{"(define-fun-rec g ((z Int)) Int (g z))", "unsupported theory: recursive functions"},
		{"(assert (seq.len s))", "unsupported theory: sequences"},
		{"(declare-const x Int)(declare-const x Bool)", "x is declared already"},
		{"(declare-const bvadd Int)", "bvadd is a function of SMT-LIB's theories"},
		{"(declare-const z Foo)", "Foo is no sort; expected Bool, Int"},
		{"(declare-const z (_ BitVec 0))", "a bit vector has at least one bit"},
		{"(assert (f x))", "f has 2 arguments, not 1"},
		{"(assert (foo x))", "foo is no function that is known here"},
		{"(assert (x))", "x is a constant of Int and takes no arguments"},
		{"(assert (= x (-1)))", "-1 is no function; a number has no parentheses, or as (- 1)"},
		{"(assert (and))", "and has no arguments"},
		{"(assert p", "expected the ) of assert, not the end of the script"},
		{"(assert (and p", "expected a term, not the end of the script"},
		{`(assert (= s "abc))`, "1:14: the string has no end"},
		{"(assert |abc)", "the symbol in bars has no end"},
		{"(frobnicate)", "1:2: frobnicate is no command; expected one of assert"},
		{"assert", "1:1: expected a command"},
		{"(assert p))", "expected a command, as (assert ...), not )"},
		{"(assert #xzz)", "expected digits of a bit vector"},
		{"(assert 1a)", "1a is neither a number nor a symbol"},
		{"(assert {)", "'{' begins nothing"},
		{"(pop 1)", "pop 1, and only 0 levels are pushed"},
		{"(push 1)(declare-const z Int)(pop 1)(assert (> z 0))", "z is not declared"},
		{"(define-fun g ((a Int) (a Int)) Int a)", "there are two arguments a"},
		{"(define-fun g ((a Int)) Bool a)", "g is said to be Bool and its definition is Int"},
		{"(define-fun g ((a Int)) Int a)(assert (> (g p) 0))", "argument 1 of g is Bool, and has to be Int"},
		{"(assert (! p named))", "expected an attribute"},
		{"(push 1000000)", "more than 100000 levels"},
	}
	for _, test := range tests {
		_, err := smt.ReadScript(smt.NewContext(), strings.ReplaceAll(declarations, "\n", " ")+test.in, smt.Options{Name: "m.smt2"})
		var syntax *smt.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), "m.smt2:") {
			t.Errorf("%s: no error with a place: %v", test.in, err)
			continue
		}
		if got := place(syntax); !strings.Contains(got, test.message) {
			t.Errorf("%s: %v, want %s", test.in, got, test.message)
		}
		if strings.Contains(test.message, "unsupported theory") != errors.Is(err, smt.ErrUnsupported) {
			t.Errorf("%s: %v and ErrUnsupported", test.in, err)
		}
	}
}

// place formats an error with its place relative to the end of the declarations.
func place(e *smt.SyntaxError) string {
	line, column := e.Line, e.Column
	if line == 1 {
		column -= len(declarations)
	}
	return fmt.Sprintf("%d:%d: %s", line, column, e.Message)
}

// TestScript checks that commands stay in order, that definitions are inlined, and that the script
// is printed as it was read.
func TestScript(t *testing.T) {
	in := `(set-logic QF_LIA)
(set-option :produce-models true)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun f (Int) Int)
(define-fun half ((n Int)) Int (div n 2))
(define-const four Int 4)
(assert (! (> (half (f x)) four) :named big))
(push 1)
(declare-const |a b| Bool)
(assert (=> |a b| big))
(check-sat-assuming (|a b|))
(get-value (x (f x)))
(pop 1)
(assert (< x 10)) ; a comment
(check-sat)
(get-model)
(get-info :reason-unknown)
(echo "done ""x""")
(exit)
(this is not read`
	want := `(set-logic QF_LIA)
(set-option :produce-models true)
(set-info :status sat)
(declare-fun x () Int)
(declare-fun f (Int) Int)
(assert (! (> (div (f x) 2) 4) :named big))
(push 1)
(declare-fun |a b| () Bool)
(assert (=> |a b| (> (div (f x) 2) 4)))
(check-sat-assuming (|a b|))
(get-value (x (f x)))
(pop 1)
(assert (< x 10))
(check-sat)
(get-model)
(get-info :reason-unknown)
(echo "done ""x""")
(exit)
`
	ctx := smt.NewContext()
	script, err := smt.ReadScript(ctx, in, smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := script.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := fmt.Sprint(script.Assertions()); got != "[(> (div (f x) 2) 4) (< x 10)]" {
		t.Errorf("assertions at the last check-sat: %s", got)
	}
	if got := fmt.Sprint(script.Constants()); got != "[x |a b|]" {
		t.Errorf("constants: %s", got)
	}
	again, err := smt.ReadScript(ctx, want, smt.Options{})
	if err != nil || again.Commands[5].Term != script.Commands[5].Term {
		t.Errorf("read again: %v", err)
	}
}

// TestDepth checks that a let of n levels that use each variable twice has n nodes, also when
// printed, and that depth needs no stack.
func TestDepth(t *testing.T) {
	const depth = 100_000
	var doubling strings.Builder
	for i := range depth {
		fmt.Fprintf(&doubling, "(let ((v%d (+ v%d v%d))) ", i+1, i, i)
	}
	in := "(let ((v0 x)) " + doubling.String() + fmt.Sprintf("(> v%d 0)", depth) + strings.Repeat(")", depth+1)
	ctx := smt.NewContext()
	x := map[string]*smt.Term{"x": ctx.Const("x", smt.Int)}
	deep, err := smt.ReadTerm(ctx, in, x, smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(smt.Visit(deep)); n != depth+3 {
		t.Errorf("%d nodes, want %d", n, depth+3)
	}
	text := deep.String()
	if again, err := smt.ReadTerm(ctx, text, x, smt.Options{}); err != nil || again != deep {
		t.Errorf("not the same term after writing and reading: %v", err)
	}
	if len(text) > 40*depth {
		t.Errorf("the text has %d bytes for %d nodes", len(text), depth)
	}
	nested := strings.Repeat("(not ", depth) + "p" + strings.Repeat(")", depth)
	p := map[string]*smt.Term{"p": ctx.Const("p", smt.Bool)}
	not, err := smt.ReadTerm(ctx, nested, p, smt.Options{})
	if err != nil || not.String() != nested {
		t.Fatalf("nested not: %v", err)
	}
	if v, err := smt.Eval(not, map[*smt.Term]smt.Value{p["p"]: smt.BoolValue(true)}); err != nil || !v.Bool() {
		t.Errorf("an even number of not: %v %v", v, err)
	}
}

// TestLimits checks that definitions that double their argument end at the limit of terms, not of
// memory.
func TestLimits(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("(declare-const x Int)(define-fun f0 ((a Int) (b Int)) Int (+ a (* 2 b)))")
	for i := range 40 {
		fmt.Fprintf(&doubling, "(define-fun f%d ((a Int) (b Int)) Int (f%d (f%d a b) (f%d b (+ a %d))))", i+1, i, i, i, i)
	}
	tests := []struct {
		name, in string
		o        smt.Options
	}{
		{"bytes", "(assert true)", smt.Options{MaxBytes: 10}},
		{"depth", "(assert " + strings.Repeat("(not ", 20), smt.Options{MaxDepth: 10}},
		{"sorts", "(declare-const x " + strings.Repeat("(Array Int ", 1000), smt.Options{}},
		{"width", "(declare-const x (_ BitVec 99999999999))", smt.Options{}},
		{"digits", "(assert (= 0 " + strings.Repeat("9", 1<<20) + "))", smt.Options{}},
		{"repeat", "(declare-const x (_ BitVec 1000000))(assert (= x ((_ repeat 1000000) x)))", smt.Options{}},
		{"terms", doubling.String(), smt.Options{}},
	}
	for _, test := range tests {
		ctx := smt.NewContext()
		ctx.Terms = 20_000
		_, err := smt.ReadScript(ctx, test.in, test.o)
		if err == nil || !errors.Is(err, smt.ErrTooLarge) && test.name != "repeat" {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestRoundTrip checks that printing and reading a term returns the term itself in the same
// context. In another context it returns the same term up to node names.
func TestRoundTrip(t *testing.T) {
	for theory := smttest.Ints; theory <= smttest.All; theory++ {
		ctx := smt.NewContext()
		g := smttest.New(ctx, theory, 1)
		for i := range 300 {
			term := g.Term(g.Sort(), 5)
			constants := map[string]*smt.Term{}
			for _, c := range smt.ConstantsOf(term) {
				constants[c.Name()] = c
			}
			text := term.String()
			again, err := smt.ReadTerm(ctx, text, constants, smt.Options{Dialect: smt.SMTLIB})
			if err != nil || again != term {
				t.Fatalf("theory %d, term %d: %v\n%s\n%v", theory, i, err, text, again)
			}
		}
	}
}

// TestNames checks that names are quoted in bars if necessary, and that generated names of let do
// not occur in the term.
func TestNames(t *testing.T) {
	ctx := smt.NewContext()
	constants := map[string]*smt.Term{}
	var sum []*smt.Term
	for _, name := range []string{"a b", "", "let", "assert", "-1", "1x", "?0", "??0", "é", "x\ny", "_", "a!1", "Concat"} {
		constants[name] = ctx.Const(name, smt.Int)
		sum = append(sum, constants[name])
	}
	shared := ctx.Must(smt.OpAdd, sum...)
	term := ctx.Must(smt.OpEqual, ctx.Must(smt.OpMul, shared, shared), shared)
	text := term.String()
	if again, err := smt.ReadTerm(ctx, text, constants, smt.Options{}); err != nil || again != term {
		t.Errorf("%s: %v, %v", text, again, err)
	}
}

// TestFold checks that folding is optional and exact.
func TestFold(t *testing.T) {
	tests := []struct{ in, out string }{
		{"(+ 1 (* 2 3))", "7"},
		{"(div 1 0)", "(div 1 0)"},
		{"(bvudiv #x05 #x00)", "#xff"},
		{`(str.++ "a" (str.from_int 12))`, `"a12"`},
		{`(ite (str.in_re "ab" (re.+ re.allchar)) x 2)`, "(ite (str.in_re \"ab\" (re.+ re.allchar)) x 2)"},
		{"(ite (< 1 2) 3 4)", "3"},
	}
	for _, test := range tests {
		ctx := smt.NewContext()
		constants := map[string]*smt.Term{"x": ctx.Const("x", smt.Int)}
		plain, err := smt.ReadTerm(ctx, test.in, constants, smt.Options{})
		if err != nil || plain.String() != test.in {
			t.Errorf("%s is read as %v (%v)", test.in, plain, err)
		}
		ctx.Fold = true
		if folded, err := smt.ReadTerm(ctx, test.in, constants, smt.Options{}); err != nil || folded.String() != test.out {
			t.Errorf("%s is folded to %v (%v), want %s", test.in, folded, err, test.out)
		}
	}
}

func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("testdata/*.smt2")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range seeds {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("(assert (let ((a (- 1))) (= a -1)))")
	f.Fuzz(func(t *testing.T, text string) {
		ctx := smt.NewContext()
		ctx.Terms = 10_000
		script, err := smt.ReadScript(ctx, text, smt.Options{MaxDepth: 1000})
		if err != nil {
			var syntax *smt.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%v has no place", err)
			}
			return
		}
		// A written script is read as the same terms.
		ctx.Terms = 0
		again, err := smt.ReadScript(ctx, script.String(), smt.Options{Dialect: smt.SMTLIB})
		if err != nil {
			t.Fatalf("%v\n%s", err, script)
		}
		first, second := script.Assertions(), again.Assertions()
		if len(first) != len(second) {
			t.Fatalf("%d assertions and %d", len(first), len(second))
		}
		for i := range first {
			if first[i] != second[i] {
				t.Fatalf("%v is read as %v", first[i], second[i])
			}
			if first[i].Op() != smt.OpApply {
				smt.Eval(first[i], zeros(first[i]))
			}
		}
	})
}

func zeros(t *smt.Term) map[*smt.Term]smt.Value {
	values := map[*smt.Term]smt.Value{}
	for _, c := range smt.ConstantsOf(t) {
		if c.Sort() != smt.RegLan {
			values[c] = smt.Zero(c.Sort())
		}
	}
	return values
}
