package language

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os/exec"
	"strings"
	"testing"

	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt"
)

func needPHP(t *testing.T) {
	t.Helper()
	if err := php.Missing(); err != nil {
		t.Fatal(err)
	}
}

// function returns a PHP function with a script.
func function(t *testing.T, signature string, m dynamic.Formula) *dynamic.Function {
	t.Helper()
	f, err := signaturePHP(signature)
	if err != nil {
		t.Fatal(err)
	}
	m.Name, m.Result = "model.smt2", "ret"
	f.Engine, f.Elements, f.Formula = "model", 8, &m
	return f
}

func formula(t *testing.T, f *dynamic.Function) *Formula {
	t.Helper()
	m, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

func text(s string) dynamic.Value { return dynamic.Value{Kind: "bytes", Text: s} }
func number(n int64) dynamic.Value {
	return dynamic.Value{Kind: "int", Int: big.NewInt(n)}
}

// abs is Figure 2(a) of the SEDiff paper, with its intended meaning.
const abs = `(declare-variable num Int) (declare-variable ret Int) (declare-variable var1 Int) (declare-variable var2 Int)
(assert (= ret var1))
(assert (= var2 (* (- 1) num)))
(assert (= var1 (ite (> num 0) num var2)))`

// find has one path with cases, and a value that represents false.
const find = `(declare-variable haystack String) (declare-variable needle String) (declare-variable ret Int) (declare-variable at Int)
(assert (or (and (>= at 0) (= ret at)) (and (< at 0) (= ret (- 1)))))
(assert (= at (Indexof haystack needle)))`

// trim is relational, twice drops long strings, and half leaves odd numbers open.
const (
	trim = `(declare-variable s String) (declare-variable ret String) (declare-variable left String)
(assert (= s (Concat left ret))) (assert (RegexIn left (RegexStar (Str2Reg " ")))) (assert (not (StartsWith ret " ")))`
	twice = `(declare-variable s String) (declare-variable ret String)
(assert (=> (= s s) (= ret (Concat s s)))) (assert (<= (Length s) 2))`
	half = `(declare-variable n Int) (declare-variable ret Int)
(assert (= n (+ ret ret)))`
	either = `(declare-variable n Int) (declare-variable ret Int) (assert (or (= ret n) (= ret (+ n 1))))`
)

// TestAnswer checks that a formula casts values of other types as the language does.
func TestAnswer(t *testing.T) {
	for _, tt := range []struct {
		signature string
		m         dynamic.Formula
		call      dynamic.Call
		want      string
		path      string
	}{
		{"abs(int $num): int", dynamic.Formula{Script: abs}, dynamic.Call{number(-5)}, "returns 5", "none of its conditions"},
		{"abs(int|string $num)", dynamic.Formula{Script: abs}, dynamic.Call{text(" +7.9x")}, "returns 7", "(> num 0)"},
		{"abs(int|null $num)", dynamic.Formula{Script: abs}, dynamic.Call{{Kind: "none"}}, "returns 0", "none of its conditions"},
		{"abs(int $num)", dynamic.Formula{Script: abs}, dynamic.Call{number(math.MinInt64)}, "returns 9223372036854775808", "none of its conditions"},
		{"abs(float $num)", dynamic.Formula{Script: abs}, dynamic.Call{{Kind: "float", Float: 1e300}}, "unknown num: the number 1e+300 has no place in 64 bits", ""},
		{"abs(int $num)", dynamic.Formula{Script: abs, Compare: "sign"}, dynamic.Call{number(-5)}, "returns a positive number", "none of its conditions"},
		{"abs(int $num)", dynamic.Formula{Script: abs, Compare: "truth"}, dynamic.Call{number(0)}, "returns what is false", "none of its conditions"},
		{"strpos(string $haystack, string $needle)", dynamic.Formula{Script: find, False: "(- 1)"}, dynamic.Call{text("abc"), text("z")}, "returns false", "(< at 0)"},
		{"strpos(string $haystack, string $needle)", dynamic.Formula{Script: find}, dynamic.Call{text("abc"), text("z")}, "returns -1", "(< at 0)"},
		{"strpos(string $haystack, string $needle = \"b,\")", dynamic.Formula{Script: find}, dynamic.Call{text("ab,")}, "returns 1", "(>= at 0)"},
		{"ltrim(string $s)", dynamic.Formula{Script: trim}, dynamic.Call{text("  a\xff ")}, `returns "a\xff "`, ""},
		{"twice(string $s)", dynamic.Formula{Script: twice}, dynamic.Call{text("$\n")}, `returns "\$\n\$\n"`, ""},
		{"twice(string $s)", dynamic.Formula{Script: twice}, dynamic.Call{text("abc")}, "drops the model has no path for this call", "no path"},
		{"half(int $n)", dynamic.Formula{Script: half}, dynamic.Call{number(6)}, "returns 3", ""},
		{"half(int $n)", dynamic.Formula{Script: half}, dynamic.Call{number(7)}, "drops the model has no path for this call", ""},
		{"either(int $n)", dynamic.Formula{Script: either}, dynamic.Call{number(7)}, "returns any of several values", ""},
	} {
		f := function(t, tt.signature, tt.m)
		m := formula(t, f)
		said, err := m.Answer(t.Context(), tt.call)
		if err != nil || dynamic.Text(said) != tt.want {
			t.Errorf("%s: %s (%v), not %s", f.Quote(tt.call), dynamic.Text(said), err, tt.want)
		}
		if tt.path != "" {
			if got := m.Path(tt.call); got != tt.path {
				t.Errorf("%s takes the path %q, not %q", f.Quote(tt.call), got, tt.path)
			}
		}
		back, err := dynamic.ReadCall(tt.call.JSON())
		if err != nil || f.Quote(back) != f.Quote(tt.call) {
			t.Errorf("%s is read back as %s, %v", f.Quote(tt.call), f.Quote(back), err)
		}
	}
	meant := formula(t, function(t, "abs(int $num)", dynamic.Formula{Script: abs, Scope: "(>= num 0)"}))
	if err := meant.Meant(dynamic.Call{number(1)}); err != nil {
		t.Error(err)
	}
	if err := meant.Meant(dynamic.Call{number(-1)}); err == nil || err.Error() != "declared out of scope" {
		t.Error(err)
	}
}

// TestConfirm checks that both solvers are asked whether the formula excludes the original's
// outcome, in each form.
func TestConfirm(t *testing.T) {
	said := func(value, kind string) extract.Said {
		return extract.Said{How: extract.Returns, Kind: kind, Value: value, Unique: true}
	}
	strpos := dynamic.Formula{Script: find, False: "(- 1)"}
	for _, tt := range []struct {
		f           *dynamic.Function
		call        dynamic.Call
		right, said extract.Said
		how, why    string
	}{
		{function(t, "abs(int $num)", dynamic.Formula{Script: abs}), dynamic.Call{number(-5)}, said("4", "int"), said("5", "int"), "sat: the call returns 5; unsat: the call does what the original does", ""},
		{function(t, "abs(int $num)", dynamic.Formula{Script: abs}), dynamic.Call{number(-5)}, said("5.0", "float"), said("5", "int"), "sat: the call returns 5; unsat: the call does anything else", ""},
		{function(t, "abs(int $num)", dynamic.Formula{Script: abs}), dynamic.Call{number(-5)}, said("5", "int"), said("5", "int"), "", "z3 and cvc5 say sat, and not unsat: the call does what the original does"},
		{function(t, "strpos(string $haystack, string $needle)", strpos), dynamic.Call{text("a"), text("")}, said("false", "bool"), said("0", "int"), "unsat: the call does what the original does", ""},
		{function(t, "strpos(string $haystack, string $needle)", strpos), dynamic.Call{text("a"), text("b")}, said("-1", "int"), said("false", "bool"), "sat: the call returns false; unsat: the call does what the original does", ""},
		{function(t, "twice(string $s)", dynamic.Formula{Script: twice}), dynamic.Call{text("abc")}, said(`"abcabc"`, "string"), extract.Said{How: extract.Drops}, "unsat: the model has the call", ""},
	} {
		how, why, err := formula(t, tt.f).Confirm(t.Context(), tt.call, tt.right, tt.said)
		if err != nil || why != tt.why || !strings.Contains(how, tt.how) {
			t.Errorf("%s: %q, %q, %v", tt.f.Quote(tt.call), how, why, err)
		}
	}
}

// TestMistakes checks the errors for wrong signatures and formulas.
func TestMistakes(t *testing.T) {
	for signature, want := range map[string]string{
		"strlen":                     "it is no signature: write it as PHP's manual does",
		"strlen($string)":            `the parameter "$string" is not written like int $offset = 0`,
		"count(array $value): int":   `there is no type "array" for $value: choose string, int`,
		"max(mixed ...$values)":      "$values is any number of parameters",
		"f(int &$x)":                 "$x is a variable that the function changes",
		"f(int $x = [])":             `the default of $x: "[]" is no value`,
		"f(int $x = 0, int $y)":      "$y has no default, and the parameter before it has one",
		"time(): int":                "time takes no parameters",
		`f(string $x = "\u{1F600}")`: `\u in a string is not supported`,
	} {
		if _, err := signaturePHP(signature); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", signature, err)
		}
	}
	for _, tt := range []struct{ script, no, scope, want string }{
		{"(declare-variable ret Int)", "", "", "model.smt2 has no constant for the parameter num: it declares ret"},
		{"(declare-variable num Int)", "", "", "has no constant for the result, ret: it declares num"},
		{"(declare-variable num (_ BitVec 8)) (declare-variable ret Int)", "", "", "num has the sort (_ BitVec 8), where Int, String and Bool are values of PHP"},
		{"(assert", "", "", "model.smt2:1"},
		{abs, "true", "", "false: true is of sort Bool, and the result of sort Int"},
		{abs, "", "num", "scope: the scope is of sort Int"},
		{abs, "", "(> x 0)", "scope: "},
	} {
		f, err := signaturePHP("abs(int $num)")
		if err != nil {
			t.Fatal(err)
		}
		f.Formula = &dynamic.Formula{Name: "model.smt2", Script: tt.script, Result: "ret", False: tt.no, Scope: tt.scope}
		if _, err := New(f); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.script, err)
		}
	}
}

// TestPHP checks casts, written values and descriptions of functions against PHP itself.
func TestPHP(t *testing.T) {
	needPHP(t)
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	values := []dynamic.Value{text(string(all)), number(math.MinInt64), number(math.MaxInt64), {Kind: "bool", Bool: true}, {Kind: "bool"}, {Kind: "none"}}
	for _, s := range []string{"", "0", "0.0", "-0", " 12", "12 ", "+7", "1e3", "1.9e2x", ".5", "5.", "e5", "-", "abc", "0x1A", "\v\f\r8", "9223372036854775807", "9223372036854775806x"} {
		values = append(values, text(s))
	}
	for _, x := range []float64{0, 1, -1.5, 0.1, 1.0 / 3, 1e14, 123456789012345678, 1e15, 1.5e25, 1e-4, 0.00012345, 1e-5, 1e18, 1e300, math.Inf(-1), math.NaN()} {
		values = append(values, dynamic.Value{Kind: "float", Float: x})
	}
	program := source("shown.php") + "\nerror_reporting(0);\nforeach ([\n"
	for _, v := range values {
		program += dynamic.Write("php", v) + ",\n"
	}
	program += "] as $v) { echo json_encode([shown($v), (string) (int) $v, bin2hex((string) $v), (bool) $v]), \"\\n\"; }\n"
	out, err := exec.Command("php", append(append([]string{}, phpFlags...), "-r", strings.TrimPrefix(program, "<?php"))...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(values) {
		t.Fatalf("%d lines of %d: %s", len(lines), len(values), out)
	}
	for i, v := range values {
		var said [4]any
		if err := json.Unmarshal([]byte(lines[i]), &said); err != nil {
			t.Fatal(err)
		}
		quoted := dynamic.Write("php", v)
		back, err := readPHP(said[0].(string))
		if err != nil || back.Kind != v.Kind || dynamic.Write("php", back) != quoted {
			t.Errorf("%s is shown as %s, read as %+v (%v)", quoted, said[0], back, err)
		}
		if got := fmt.Sprintf("%x", stringPHP(v)); got != said[2] {
			t.Errorf("%s as a string: %s, and PHP has %s", quoted, got, said[2])
		}
		if got := boolPHP(v); got != said[3] {
			t.Errorf("%s is %v, and PHP has %v", quoted, got, said[3])
		}
		if n, err := convertPHP(v, smt.Int); err == nil && n.Big().String() != said[1] {
			t.Errorf("%s as an integer: %v, and PHP has %s", quoted, n, said[1])
		}
	}
	version, list, err := php.Describe(t.Context(), []string{"strpos", "nosuch", "max", "similar_text"})
	if err != nil || version == "" {
		t.Fatal(version, err)
	}
	for i, tt := range []struct{ signature, want string }{
		{"strpos(string $a)", "takes at least 2 parameters, and the signature has 1 that are always given"},
		{"nosuch(int $a)", "has no function nosuch"},
		{"max(int $a, int $b, int $c)", ""},
		{"similar_text(string $a, string $b, float $c)", "similar_text of PHP changes its parameter 3"},
	} {
		f, err := signaturePHP(tt.signature)
		if err != nil {
			t.Fatal(err)
		}
		if err := php.Fits(f, list[i], version); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.signature, err)
		}
	}
}
