package smt_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/model/smt/smttest"
)

// TestEval checks the values of ground terms against SMT-LIB.
func TestEval(t *testing.T) {
	tests := []struct{ in, out string }{
		{"(=> false false true)", "true"},
		{"(=> true (=> true false))", "false"},
		{"(xor true true true)", "true"},
		{"(= 1 1 2)", "false"},
		{"(distinct 1 2 1)", "false"},
		{"(distinct 1 2 3)", "true"},
		{"(< 1 2 3 3)", "false"},
		{"(div 7 -2)", "(- 3)"},
		{"(mod -7 2)", "1"},
		{"(div -7 2)", "(- 4)"},
		{"(mod -7 -2)", "1"},
		{"(div -7 -2)", "4"},
		{"(div (- 9223372036854775808) -1)", "9223372036854775808"},
		{"(- (- 9223372036854775808))", "9223372036854775808"},
		{"(abs (- 9223372036854775808))", "9223372036854775808"},
		{"(* 4294967296 4294967296 (- 1))", "(- 18446744073709551616)"},
		{"(- (* 4294967296 4294967296) 18446744073709551616)", "0"},
		{"(+ 9223372036854775807 1 -1)", "9223372036854775807"},
		{"((_ divisible 3) -9)", "true"},
		{"(ite (= 0 1) (div 1 0) 5)", "5"},
		{"(and false (= 1 (div 1 0)))", "false"},
		{"(or (= 1 (mod 1 0)) true)", "true"},
		{"(bvudiv #xf0 #x00)", "#xff"},
		{"(bvurem #xf0 #x00)", "#xf0"},
		{"(bvsdiv #xf0 #x00)", "#x01"},
		{"(bvsdiv #x70 #x00)", "#xff"},
		{"(bvsrem #xf0 #x00)", "#xf0"},
		{"(bvsmod #xf0 #x00)", "#xf0"},
		{"(bvsdiv #x80 #xff)", "#x80"},
		{"(bvsdiv #xf9 #x02)", "#xfd"},
		{"(bvsrem #xf9 #x02)", "#xff"},
		{"(bvsmod #xf9 #x02)", "#x01"},
		{"(bvsmod #x07 #xfe)", "#xff"},
		{"(bvshl #x01 #x08)", "#x00"},
		{"(bvlshr #x80 #xff)", "#x00"},
		{"(bvashr #x80 #xff)", "#xff"},
		{"(bvcomp #x01 #x01)", "#b1"},
		{"(concat #b1 #x0 #b11)", "#b1000011"},
		{"(concat #xffffffffffffffff #x0)", "#xffffffffffffffff0"},
		{"((_ extract 4 1) #xf2)", "#x9"},
		{"((_ extract 67 64) (concat #xa #x0000000000000000))", "#xa"},
		{"((_ rotate_left 9) #x81)", "#x03"},
		{"((_ rotate_right 1) #x81)", "#xc0"},
		{"((_ rotate_right 0) #xffffffffffffffff)", "#xffffffffffffffff"},
		{"((_ repeat 3) #b10)", "#b101010"},
		{"((_ repeat 11) #x8f)", "#x8f8f8f8f8f8f8f8f8f8f8f"},
		{"((_ extract 7 0) ((_ repeat 1000000) #b1))", "#xff"},
		{"((_ sign_extend 64) #x80)", "#xffffffffffffffff80"},
		{"(bv2nat #xffffffffffffffff)", "18446744073709551615"},
		{"((_ int2bv 8) -1)", "#xff"},
		{"((_ int2bv 72) -1)", "#xffffffffffffffffff"},
		{"(sbv_to_int #x80)", "(- 128)"},
		{"(bvredor #x00)", "#b0"},
		{"(bvredand #xff)", "#b1"},
		{"(select (store ((as const (Array Int Int)) 7) 3 8) 3)", "8"},
		{"(select (store ((as const (Array Int Int)) 7) 3 8) 4)", "7"},
		{"(= (store ((as const (Array Int Int)) 7) 3 7) ((as const (Array Int Int)) 7))", "true"},
		{"(= (store (store ((as const (Array Bool Int)) 7) true 1) false 2) (store (store ((as const (Array Bool Int)) 9) true 1) false 2))", "true"},
		{"(store ((as const (Array Int Int)) 7) 3 8)", "(store ((as const (Array Int Int)) 7) 3 8)"},
		{`(str.len "\u{1F600}é")`, "2"},
		{`(str.at "abc" 3)`, `""`},
		{`(str.substr "abc" 1 100)`, `"bc"`},
		{`(str.substr "abc" 1 100000000000000000000)`, `"bc"`},
		{`(str.substr "abc" 1 -1)`, `""`},
		{`(str.substr "abc" -1 2)`, `""`},
		{`(str.indexof "abcabc" "c" 3)`, "5"},
		{`(str.indexof "abc" "" 3)`, "3"},
		{`(str.indexof "abc" "" 4)`, "(- 1)"},
		{`(str.indexof "abc" "a" -1)`, "(- 1)"},
		{`(str.replace "abc" "" "x")`, `"xabc"`},
		{`(str.replace "abab" "ab" "x")`, `"xab"`},
		{`(str.replace_all "aaa" "aa" "x")`, `"xa"`},
		{`(str.replace_all "abc" "" "x")`, `"abc"`},
		{`(str.replace_re "aab" (re.+ (str.to_re "a")) "x")`, `"xab"`},
		{`(str.replace_re "aab" (re.* (str.to_re "a")) "x")`, `"xaab"`},
		{`(str.replace_re_all "aab" (re.* (str.to_re "a")) "x")`, `"xxb"`},
		{`(str.prefixof "" "a")`, "true"},
		{`(str.suffixof "bc" "abc")`, "true"},
		{`(str.contains "abc" "bd")`, "false"},
		{`(str.< "a" "ab")`, "true"},
		{`(str.< "ab" "a\u{1F600}")`, "true"},
		{`(str.<= "b" "a")`, "false"},
		{`(str.is_digit "5")`, "true"},
		{`(str.is_digit "55")`, "false"},
		{`(str.to_code "é")`, "233"},
		{`(str.to_code "ab")`, "(- 1)"},
		{`(str.from_code 196607)`, `"\u{2ffff}"`},
		{`(str.from_code 196608)`, `""`},
		{`(str.from_code 55296)`, `"\u{d800}"`},
		{`(str.to_int "007")`, "7"},
		{`(str.to_int "-7")`, "(- 1)"},
		{`(str.to_int "")`, "(- 1)"},
		{`(str.from_int -7)`, `""`},
		{`(str.to_int "99999999999999999999")`, "99999999999999999999"},
		{`(str.in_re "abab" (re.+ (str.to_re "ab")))`, "true"},
		{`(str.in_re "aaaa" ((_ re.loop 1 3) (str.to_re "a")))`, "false"},
		{`(str.in_re "aaa" ((_ re.^ 3) (str.to_re "a")))`, "true"},
		{`(str.in_re "" ((_ re.loop 3 1) (str.to_re "a")))`, "false"},
		{`(str.in_re "b" (re.comp (re.range "a" "z")))`, "false"},
		{`(str.in_re "b" (re.range "aa" "z"))`, "false"},
		{`(str.in_re "bb" (re.inter re.all (re.diff (re.* re.allchar) (str.to_re "b"))))`, "true"},
		{`(str.in_re "" re.none)`, "false"},
		{`(str.in_re "" (re.opt re.none))`, "true"},
	}
	for _, test := range tests {
		ctx := smt.NewContext()
		term, err := smt.ReadTerm(ctx, test.in, nil, smt.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.in, err)
			continue
		}
		v, err := smt.Eval(term, nil)
		if err != nil || v.String() != test.out {
			t.Errorf("%s is %v (%v), want %s", test.in, v, err, test.out)
			continue
		}
		// A value is read from its text, and its term has it as value.
		again, err := smt.Eval(ctx.ValueTerm(v), nil)
		if err != nil || !again.Equal(v) {
			t.Errorf("%v written as a term is %v (%v)", v, again, err)
		}
	}
}

// TestEvalErrors checks the errors of terms without a value.
func TestEvalErrors(t *testing.T) {
	ctx := smt.NewContext()
	x, y := ctx.Const("x", smt.Int), ctx.Const("y", smt.Int)
	sum := ctx.Must(smt.OpAdd, x, y, ctx.Const("z", smt.Int))
	_, err := smt.Eval(sum, map[*smt.Term]smt.Value{y: smt.Int64Value(1)})
	var unassigned *smt.UnassignedError
	if !errors.As(err, &unassigned) || err.Error() != "no value for x, z" {
		t.Errorf("unassigned: %v", err)
	}
	if _, err := smt.Compile([]*smt.Term{y}, sum); !errors.As(err, &unassigned) || err.Error() != "no value for x, z" {
		t.Errorf("constants that are no inputs: %v", err)
	}
	if _, err := smt.Eval(x, map[*smt.Term]smt.Value{x: smt.BoolValue(true)}); err == nil || err.Error() != "x is Int, and its value is Bool" {
		t.Errorf("wrong sort: %v", err)
	}
	f := ctx.Func("f", []*smt.Sort{smt.Int}, smt.Int)
	fx, _ := ctx.Apply(f, x)
	if _, err := smt.Compile([]*smt.Term{x}, fx); !errors.Is(err, smt.ErrUnsupported) || !strings.Contains(err.Error(), "function f") {
		t.Errorf("function without definition: %v", err)
	}
	for _, text := range []string{"(div 1 0)", "(and true (= 1 (mod 1 0)))", "(ite (= 1 (div 1 0)) 1 2)"} {
		term, err := smt.ReadTerm(ctx, text, nil, smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := smt.Eval(term, nil); !errors.Is(err, smt.ErrUndefined) {
			t.Errorf("%s: %v", text, err)
		}
	}
	square, double := ctx.Numeral(1<<40), ctx.StringTerm("abc")
	for range 30 {
		square, double = ctx.Must(smt.OpMul, square, square), ctx.Must(smt.OpStrConcat, double, double)
	}
	for _, term := range []*smt.Term{square, double} {
		if _, err := smt.Eval(term, nil); !errors.Is(err, smt.ErrTooLarge) {
			t.Errorf("a value beyond all memory: %v", err)
		}
	}
}

// TestMachine checks that a machine computes several terms for consecutive inputs, and that a
// division by zero does not affect later inputs.
func TestMachine(t *testing.T) {
	ctx := smt.NewContext()
	x, b := ctx.Const("x", smt.Int), ctx.Const("b", smt.BitVec(8))
	quotient := ctx.Must(smt.OpDiv, ctx.Numeral(6), x)
	p, err := smt.Compile([]*smt.Term{b, x}, quotient, ctx.Must(smt.OpBvAdd, b, b), x)
	if err != nil {
		t.Fatal(err)
	}
	m := p.Machine()
	for i, test := range []struct {
		x    int64
		b    uint64
		want string
	}{{2, 0x1ff, "3 #xfe 2"}, {0, 1, "none #x02 0"}, {-3, 0x80, "(- 2) #x00 (- 3)"}} {
		m.SetWord(0, test.b)
		if err := m.Set(1, smt.Int64Value(test.x)); err != nil {
			t.Fatal(err)
		}
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for root := range 3 {
			v, err := m.Value(root)
			if (err != nil) != (v.Sort() == nil) {
				t.Errorf("%v and %v", v, err)
			}
			got = append(got, v.String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("run %d: %v, want %s", i, got, test.want)
		}
	}
}

// TestArrays checks arrays of many stores against a map.
func TestArrays(t *testing.T) {
	sort := smt.ArrayOf(smt.Int, smt.Int)
	a := smt.NewArray(sort, smt.Int64Value(-1))
	want := map[int64]int64{}
	for i := range int64(500) {
		at := i * i % 97
		a = a.Store(smt.Int64Value(at), smt.Int64Value(i))
		want[at] = i
	}
	for at := int64(-1); at < 100; at++ {
		expected, ok := want[at]
		if !ok {
			expected = -1
		}
		if got, _ := a.Select(smt.Int64Value(at)).Int64(); got != expected {
			t.Errorf("at %d: %d, want %d", at, got, expected)
		}
	}
	if got := len(a.Entries()); got != len(want) {
		t.Errorf("%d entries, want %d", got, len(want))
	}
	if b := smt.ArrayOfEntries(sort, smt.Int64Value(-1), a.Entries()); !b.Equal(a) || b.Equal(a.Store(smt.Int64Value(5000), smt.Int64Value(0))) {
		t.Error("equality of arrays")
	}
}

// TestNarrowAsWide checks that every operation has the same result on bit vectors of up to 64 bits
// and on wider ones.
func TestNarrowAsWide(t *testing.T) {
	ctx := smt.NewContext()
	g := smttest.New(ctx, smttest.Bits, 7)
	for i := range 300 {
		s := smt.BitVec(33)
		x, y := g.Value(s), g.Value(s)
		for op := smt.OpBvAnd; op <= smt.OpBvSge; op++ {
			narrow, err := smt.Eval(ctx.Must(op, ctx.ValueTerm(x), ctx.ValueTerm(y)), nil)
			if err != nil {
				t.Fatal(err)
			}
			// With other high bits, most operations on a wider vector act on the low bits in the
			// same way.
			wide := func(v smt.Value, high *smt.Term) *smt.Term { return ctx.Must(smt.OpConcat, high, ctx.ValueTerm(v)) }
			var term *smt.Term
			sign := func(v smt.Value) *smt.Term {
				t, err := ctx.Indexed(smt.OpSignExtend, []int{47}, ctx.ValueTerm(v))
				if err != nil {
					panic(err)
				}
				return t
			}
			zero := ctx.Bits(0, 47)
			switch op {
			case smt.OpBvSdiv, smt.OpBvSrem, smt.OpBvSmod, smt.OpBvAshr, smt.OpBvSlt, smt.OpBvSle, smt.OpBvSgt, smt.OpBvSge, smt.OpBvComp:
				term = ctx.Must(op, sign(x), sign(y))
			default:
				term = ctx.Must(op, wide(x, zero), wide(y, zero))
			}
			if term.Sort().Kind == smt.BitVecKind && term.Sort().Width > 33 {
				if term, err = ctx.Indexed(smt.OpExtract, []int{32, 0}, term); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := smt.Eval(term, nil); err != nil || !got.Equal(narrow) {
				t.Fatalf("pair %d: %v of %v and %v is %v in 33 bits and %v in 80 (%v)", i, op, x, y, narrow, got, err)
			}
		}
	}
}

// TestRunAllocates checks that a program on words allocates nothing.
func TestRunAllocates(t *testing.T) {
	m := hundred(t)
	if n := testing.AllocsPerRun(100, func() { m.SetWord(0, 77); m.Run() }); n != 0 {
		t.Errorf("%v allocations a run", n)
	}
	ctx := smt.NewContext()
	x := ctx.Const("x", smt.Int)
	p, err := smt.Compile([]*smt.Term{x}, ctx.Must(smt.OpAdd, ctx.Must(smt.OpMul, x, x), ctx.Must(smt.OpDiv, x, ctx.Numeral(3))))
	if err != nil {
		t.Fatal(err)
	}
	m = p.Machine()
	if n := testing.AllocsPerRun(100, func() { m.SetWord(0, 77); m.Run() }); n != 0 {
		t.Errorf("%v allocations a run of small integers", n)
	}
}

// hundred returns a machine for a term of a hundred nodes on one bit vector, as engines for
// binaries write for a function of characters.
func hundred(t testing.TB) *smt.Machine {
	ctx := smt.NewContext()
	c := ctx.Const("c", smt.BitVec(32))
	r := c
	for i := uint64(0); len(smt.Visit(r)) < 100; i++ {
		in := ctx.And(ctx.Must(smt.OpBvSle, ctx.Bits(0x61+i, 32), r), ctx.Must(smt.OpBvSle, r, ctx.Bits(0x7a+i, 32)))
		r = ctx.Must(smt.OpIte, in, ctx.Must(smt.OpBvAdd, r, ctx.Bits(0xffffffe0+i, 32)), ctx.Must(smt.OpBvXor, r, ctx.Bits(i, 32)))
	}
	p, err := smt.Compile([]*smt.Term{c}, r)
	if err != nil {
		t.Fatal(err)
	}
	return p.Machine()
}

func BenchmarkRun(b *testing.B) {
	m := hundred(b)
	b.ReportAllocs()
	for i := range uint64(b.N) {
		m.SetWord(0, i&127)
		if err := m.Run(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRunStrings(b *testing.B) {
	ctx := smt.NewContext()
	s := ctx.Const("s", smt.String)
	term, err := smt.ReadTerm(ctx, `(ite (str.in_re s (re.+ (re.range "0" "9"))) (str.to_int s) (str.indexof (str.replace_all s "a" "bb") "c" 0))`,
		map[string]*smt.Term{"s": s}, smt.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := smt.Compile([]*smt.Term{s}, term)
	if err != nil {
		b.Fatal(err)
	}
	m := p.Machine()
	b.ReportAllocs()
	for i := range b.N {
		if err := m.Set(0, smt.StringValue([]string{"12345", "abcabc", ""}[i%3])); err != nil {
			b.Fatal(err)
		}
		if err := m.Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestValues checks that values of one sort are equal exactly if their texts are.
func TestValues(t *testing.T) {
	g := smttest.New(smt.NewContext(), smttest.All, 3)
	for range 300 {
		s := g.Sort()
		x, y := g.Value(s), g.Value(s)
		if s.Kind != smt.ArrayKind && x.Equal(y) != (x.String() == y.String()) {
			t.Errorf("%v and %v: %v", x, y, x.Equal(y))
		}
	}
	if n, ok := smt.WordValue(1<<63, 64).Int64(); ok {
		t.Errorf("2^63 fits an int64: %d", n)
	}
	if got := fmt.Sprint(smt.BitsValue(big.NewInt(-2), 70).Big()); got != "1180591620717411303422" {
		t.Errorf("-2 in 70 bits is %s", got)
	}
}
