package formula

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
	"parallax/cmd/internal/model/smt/solver"
)

func z3(t *testing.T) *solver.Solver {
	if _, err := exec.LookPath(solver.Z3.Name); err != nil {
		t.Fatalf("z3 is missing: %s", solver.Z3.Install)
	}
	s := solver.New(solver.Z3, solver.Options{Timeout: time.Minute})
	t.Cleanup(func() { s.Close() })
	return s
}

func recorded(t *testing.T, function string) *Model {
	t.Helper()
	a := extracttest.Answer(t, function)
	m, err := New(call.SignatureOf(a), a.Paths, function)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// random returns an input with few different characters in its strings.
func random(rng *rand.Rand, s *call.Signature) []byte {
	flat := make([]byte, s.Size())
	for i := range flat {
		flat[i] = "\x00\x00ab01 -+\xff9z"[rng.IntN(12)]
		if rng.IntN(8) == 0 {
			flat[i] = byte(rng.Uint32())
		}
	}
	return flat
}

// TestAgainstSolver checks that computed answers match a solver's: one effect, none, or several.
func TestAgainstSolver(t *testing.T) {
	s := z3(t)
	rng := rand.New(rand.NewPCG(1, 9))
	counts := map[Kind]int{}
	for _, a := range extracttest.Answers(t) {
		m, err := New(call.SignatureOf(a), a.Paths, a.Function)
		if err != nil {
			t.Fatal(err)
		}
		calls := 5
		if len(a.Paths[0].SMT) > 10_000 {
			calls = 3
		}
		for range calls {
			c := m.Signature.Decode(random(rng, m.Signature))
			for i, p := range m.Paths {
				got, err := m.evaluate(t.Context(), p, c, nil)
				if err != nil {
					t.Fatal(a.Function, err)
				}
				counts[got.Kind]++
				if got.Kind == Unknown { // this input is unknown on purpose
					continue
				}
				want, err := m.ask(t.Context(), p, c, s)
				if err != nil {
					t.Fatal(a.Function, err)
				}
				if got.Kind != want.Kind {
					t.Errorf("%s, path %d: %v, and the solver says %v", m.Signature.Quote(c), i, got.Kind, want.Kind)
				} else if got.Kind == Returned && m.Signature.Text(c, &got.Effect, call.Exact) != m.Signature.Text(c, &want.Effect, call.Exact) {
					t.Errorf("%s, path %d: %s, and the solver says %s", m.Signature.Quote(c), i, m.Signature.Text(c, &got.Effect, call.Exact), m.Signature.Text(c, &want.Effect, call.Exact))
				}
			}
		}
	}
	if counts[Returned] < 100 || counts[Dropped] < 10 {
		t.Errorf("the calls have the kinds %v", counts)
	}
}

// TestRecorded checks answers of models that an engine extracted.
func TestRecorded(t *testing.T) {
	for _, test := range []struct{ function, input, want string }{
		{"toupper", "a", "returns 65"},
		{"strcmp", "b\x00\x00\x00a", "returns a positive number"},
		{"strchr", "b\x00\x00\x00abcd", "returns arg_0+1"},
		{"strchr", "\x00\x00\x00\x00abcd", "returns NULL"}, // the model is wrong here
		{"memset", "x\x00\x00\x00\x02", `returns arg_0, writes "xx" at arg_0+0`},
		{"atoi", "12", "returns 12"},
		{"strtol", "\x00\x00\x00\x0012", "returns 12, stores arg_0+2 in *arg_1"},
		{"strtol", "\x0a\x00\x00\x0012", "dropped"},
		{"rand", "", "unknown"}, // without a solver
		{"malloc", "\x08", "returns memory of its own"},
	} {
		m := recorded(t, test.function)
		c := m.Signature.Decode([]byte(test.input))
		a, err := m.Evaluate(t.Context(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := a.Kind.String()
		if a.Kind == Returned {
			got = m.Signature.Text(c, &a.Effect, m.Signature.Comparator())
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", m.Signature.Quote(c), got, test.want)
		}
	}
}

var (
	integer = extract.Argument{Name: "arg_0", Kind: "scalar", Bits: 32, Signed: true}
	truth   = extract.Argument{Name: "arg_0", Kind: "scalar", Bits: 1}
	bytes   = extract.Argument{Name: "arg_0", Kind: "bytes", Bits: 8, Bytes: 4, Before: 2, Behind: 3}
	wide    = extract.Argument{Name: "arg_0", Kind: "string", Bits: 32, Bytes: 16, Before: 2, Behind: 3}
	content = extract.Argument{Name: "arg_0", Kind: "string", Bits: 8, Bytes: 4, Before: 2, Behind: 3}
	end     = extract.Argument{Name: "arg_1", Kind: "pointer", Bits: 64, Bytes: 8, Before: 2, Behind: 2}
)

func signature(kind string, bits int, args ...extract.Argument) *call.Signature {
	return &call.Signature{Function: "f", Arguments: args, Result: extract.Result{Name: "ret", Kind: kind, Bits: bits, Signed: kind == "scalar"}}
}

// said renders the answer of a model of scripts to an input.
func said(t *testing.T, s *call.Signature, z *solver.Solver, input string, paths ...extract.Path) string {
	t.Helper()
	m, err := New(s, paths, "test")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Decode([]byte(input))
	a, err := m.Evaluate(t.Context(), c, z)
	switch {
	case err != nil:
		t.Fatal(err)
	case a.Kind == Returned:
		return s.Text(c, &a.Effect, s.Comparator())
	}
	return a.Kind.String()
}

// TestForms checks each form of arguments and results in scripts.
func TestForms(t *testing.T) {
	const b32, b64, b8 = "(_ BitVec 32)", "(_ BitVec 64)", "(_ BitVec 8)"
	script := func(text string) extract.Path { return extract.Path{SMT: text} }
	z := z3(t)
	for _, test := range []struct {
		name  string
		s     *call.Signature
		input string
		path  extract.Path
		want  string
	}{
		{"a number", signature("scalar", 32, integer), "\xfe\xff\xff\xff", script("(declare-const arg_0 " + b32 + ")(declare-const ret " + b32 + ")(assert (= ret (bvneg arg_0)))"), "returns 2"},
		{"an integer with a sign", signature("scalar", 32, integer), "\xfe\xff\xff\xff", script("(declare-const arg_0 Int)(declare-const ret Int)(assert (= ret (- arg_0 5)))"), "returns -7"},
		{"a truth value", signature("scalar", 32, integer), "\x01", script("(declare-const arg_0 Int)(declare-const ret Bool)(assert (= ret (> arg_0 0)))"), "returns 1"},
		{"a truth value as an argument", signature("scalar", 32, truth), "\x01", script("(declare-const arg_0 Bool)(declare-const ret " + b32 + ")(assert (= ret (ite arg_0 #x00000007 #x00000008)))"), "returns 7"},
		{"another one", signature("scalar", 32, truth), "\x02", script("(declare-const arg_0 Bool)(declare-const ret " + b32 + ")(assert (= ret (ite arg_0 #x00000007 #x00000008)))"), "returns 8"},
		{"a string", signature("scalar", 32, content), "ab\x00", script("(declare-const arg_0 String)(declare-const ret Int)(assert (= ret (str.len arg_0)))"), "returns 2"},
		{"the last byte and guard bytes", signature("scalar", 32, content), "abc", script("(declare-const arg_0.-1 " + b8 + ")(declare-const arg_0.2 " + b8 + ")(declare-const arg_0.3 " + b8 + ")" +
			"(declare-const arg_0.4 " + b8 + ")(declare-const ret " + b32 + ")(assert (= ret (concat arg_0.-1 arg_0.2 arg_0.3 arg_0.4)))"), "returns -1520238427"},
		{"an offset", signature("address", 64, content), "", extract.Path{Ret: "offset", SMT: "(declare-const ret " + b64 + ")(declare-const ret_into " + b8 + ")(assert (= ret (bvneg (_ bv1 64))))(assert (= ret_into #x01))"}, "returns arg_0-1"},
		{"null by offset", signature("address", 64, content), "", extract.Path{Ret: "offset", SMT: "(declare-const ret " + b64 + ")(declare-const ret_into " + b8 + ")(assert (= ret (_ bv0 64)))(assert (= ret_into #x00))"}, "returns NULL"},
		{"new memory", signature("address", 64, content), "", extract.Path{Ret: "offset", SMT: "(declare-const ret " + b64 + ")(declare-const ret_into " + b8 + ")(assert (= ret (_ bv16 64)))(assert (= ret_into #xfe))"}, "returns memory of its own"},
		{"an address", signature("address", 64, content), "", extract.Path{Ret: "address", SMT: "(declare-const ret " + b64 + ")(declare-const addr_0 " + b64 + ")(assert (= ret (bvadd addr_0 (_ bv3 64))))"}, "returns arg_0+3"},
		{"an address of new memory", signature("address", 64, content), "", extract.Path{Ret: "address", SMT: "(declare-const ret " + b64 + ")(declare-const addr_fresh " + b64 + ")(assert (= ret addr_fresh))"}, "returns memory of its own"},
		{"nobody's address", signature("address", 64, content), "", extract.Path{Ret: "address", SMT: "(declare-const ret " + b64 + ")(assert (= ret (_ bv77 64)))"}, "returns an address outside of all buffers"},
		{"null by address", signature("address", 64, content), "", extract.Path{Ret: "address", SMT: "(declare-const ret " + b64 + ")(assert (= ret (_ bv0 64)))"}, "returns NULL"},
		{"bytes written", signature("void", 0, content), "abc", script("(declare-const out_0.1 " + b8 + ")(declare-const out_0.-1 " + b8 + ")(declare-const arg_0.0 " + b8 + ")(assert (= out_0.1 arg_0.0))(assert (= out_0.-1 #x00))"),
			`writes "\000" at arg_0-1, writes "a" at arg_0+1`},
		{"a pointer stored by offset", signature("void", 0, content, end), "", script("(declare-const out_1 " + b64 + ")(declare-const out_1_into " + b8 + ")(assert (= out_1 (_ bv2 64)))(assert (= out_1_into #x01))"), "stores arg_0+2 in *arg_1"},
		{"a pointer stored as an address", signature("void", 0, content, end), "", script("(declare-const out_1 " + b64 + ")(declare-const addr_0 " + b64 + ")(assert (= out_1 addr_0))"), "stores arg_0 in *arg_1"},
		{"a condition that does not hold", signature("scalar", 32, integer), "\x01", script("(declare-const arg_0 " + b32 + ")(declare-const ret " + b32 + ")(assert (= ret arg_0))(assert (= arg_0 (_ bv0 32)))"), "dropped"},
		{"a result that is free", signature("scalar", 32, integer), "\x01", script("(declare-const ret " + b32 + ")(declare-const free_0 " + b32 + ")(assert (= ret free_0))"), "unconstrained"},
		{"a result that is left out", signature("scalar", 32, integer), "\x01", script("(declare-const arg_0 " + b32 + ")(assert (bvsgt arg_0 (_ bv0 32)))"), "unconstrained"},
		{"a result that is left out where the condition does not hold", signature("scalar", 32, integer), "\x01", script("(declare-const arg_0 " + b32 + ")(assert (bvsgt arg_0 (_ bv1 32)))"), "dropped"},
		{"a division by zero", signature("scalar", 32, integer), "\x00", script("(declare-const arg_0 Int)(declare-const ret Int)(assert (= ret (div 6 arg_0)))"), "undefined"},
		{"a relation with one solution", signature("scalar", 32, integer), "\x06", script("(declare-const arg_0 Int)(declare-const ret Int)(assert (= (* 3 ret) arg_0))"), "returns 2"},
		{"a relation with two solutions", signature("scalar", 32, integer), "\x09", script("(declare-const arg_0 Int)(declare-const ret Int)(assert (= (* ret ret) arg_0))"), "unconstrained"},
		{"a relation without a solution", signature("scalar", 32, integer), "\x05", script("(declare-const arg_0 Int)(declare-const ret Int)(assert (= (* 3 ret) arg_0))"), "dropped"},
	} {
		if got := said(t, test.s, z, test.input, test.path); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestAsksOnce checks that a path without inputs is asked about once. strtok_r of angr is one.
func TestAsksOnce(t *testing.T) {
	text := "(declare-const free_0 (_ BitVec 64))(declare-const ret (_ BitVec 64))(declare-const ret_into (_ BitVec 8))(assert (= ret (_ bv0 64)))"
	for into, want := range map[string]string{"(ite (= free_0 (_ bv0 64)) #xfe #x00)": "unconstrained", "(ite (= (bvmul free_0 free_0) (_ bv2 64)) #xfe #x01)": "returns arg_0"} {
		m, err := New(signature("address", 64, content), []extract.Path{{Ret: "offset", SMT: text + "(assert (= ret_into " + into + "))"}}, "f")
		if err != nil {
			t.Fatal(err)
		}
		if m.NeedsSolver() {
			t.Errorf("%s: asks for each call", m)
		}
		z := solver.New(solver.Z3, solver.Options{Timeout: time.Minute})
		for _, input := range []string{"a", "bc"} { // the solver is closed for the second
			c := m.Signature.Decode([]byte(input))
			a, err := m.Evaluate(t.Context(), c, z)
			if err != nil {
				t.Fatal(err)
			}
			got := a.Kind.String()
			if a.Kind == Returned {
				got = m.Signature.Text(c, &a.Effect, call.Exact)
			}
			if got != want || !a.Asked {
				t.Errorf("%s of %q: %s, asked: %v", into, input, got, a.Asked)
			}
			z.Close()
		}
	}
}

// TestDefect checks that a call on which the solver dies or fails is Unknown, and that later calls
// are still asked about.
func TestDefect(t *testing.T) {
	m, err := New(signature("scalar", 32, integer), []extract.Path{{SMT: "(declare-const arg_0 Int)(declare-const ret Int)(assert (= (* 3 ret) arg_0))"}}, "f")
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{"exit 1": "z3 died: exit status 1", `echo '(error "line 1: no")'`: "z3 refuses the question: line 1: no"} {
		file := filepath.Join(t.TempDir(), "z3")
		if err := os.WriteFile(file, []byte("#!/bin/sh\nread line\n"+answer+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		z := solver.New(solver.Z3, solver.Options{Timeout: time.Second, LookPath: func(string) (string, error) { return file, nil }})
		a, err := m.Evaluate(t.Context(), m.Signature.Decode([]byte("\x06")), z)
		if err != nil || a.Kind != Unknown || a.Detail != want {
			t.Errorf("%s: %v %q, %v; want %q", answer, a.Kind, a.Detail, err, want)
		}
		z.Close()
	}
}

// TestPaths checks that several paths that allow a call must have the same effect.
func TestPaths(t *testing.T) {
	path := func(condition, value string) extract.Path {
		return extract.Path{SMT: "(declare-const arg_0 Int)(declare-const ret Int)(assert " + condition + ")(assert (= ret " + value + "))"}
	}
	s := signature("scalar", 32, integer)
	three := []extract.Path{path("(> arg_0 0)", "1"), path("(< arg_0 5)", "(- 1)"), path("(= arg_0 3)", "1")}
	for input, want := range map[string]string{"\x07": "returns 1", "\x02": "unconstrained", "\xff\xff\xff\xff": "returns -1"} {
		if got := said(t, s, nil, input, three...); got != want {
			t.Errorf("%q: %s, want %s", input, got, want)
		}
	}
	if got := said(t, s, nil, "\x03", three[0], three[2]); got != "returns 1" {
		t.Errorf("two paths that say one thing: %s", got)
	}
	if got := said(t, s, nil, "\x05", three[1], three[2]); got != "dropped" {
		t.Errorf("no path: %s", got)
	}
	if got := said(t, s, nil, "\x05", path("(> arg_0 0)", "(* ret ret)")); got != "unknown" {
		t.Errorf("without a solver: %s", got)
	}
}

// TestCompared checks that a model must determine the compared part of a result, and no more.
func TestCompared(t *testing.T) {
	z := z3(t)
	text := "(declare-const arg_0 Int)(declare-const ret Int)"
	relation := extract.Path{SMT: text + "(assert (= (> arg_0 0) (< ret 0)))(assert (= (= arg_0 0) (= ret 0)))"}
	several := []extract.Path{{SMT: text + "(assert (= ret 1))"}, {SMT: text + "(assert (= ret 2))"}}
	cases := extract.Path{SMT: text + "(assert (or (= ret 1) (= ret 2)))"}
	silent := extract.Path{SMT: "(declare-const arg_0 Int)(assert (< arg_0 9))"}
	for _, test := range []struct {
		by    call.Comparator
		paths []extract.Path
		want  string
	}{
		{call.Exact, []extract.Path{relation}, "unconstrained"},
		{call.Sign, []extract.Path{relation}, "returns a negative number"},
		{call.Truth, []extract.Path{relation}, "returns not 0"},
		{call.Exact, several, "unconstrained"},
		{call.Sign, several, "returns a positive number"},
		{call.Exact, []extract.Path{cases}, "unconstrained"},
		{call.Truth, []extract.Path{cases}, "returns not 0"},
		{call.Truth, []extract.Path{silent}, "unconstrained"},
		{call.None, []extract.Path{silent}, "returns"},
	} {
		m, err := New(signature("scalar", 32, integer), test.paths, "f")
		if err != nil {
			t.Fatal(err)
		}
		m.Compare = test.by
		c := m.Signature.Decode([]byte("\x07"))
		a, err := m.Evaluate(t.Context(), c, z)
		if err != nil {
			t.Fatal(err)
		}
		got := a.Kind.String()
		if a.Kind == Returned {
			got = m.Signature.Text(c, &a.Effect, test.by)
		}
		if got != test.want {
			t.Errorf("%d paths by %s: %s, want %s", len(test.paths), test.by, got, test.want)
		}
	}
}

// TestNotAModel checks the errors for scripts that are not models of the function.
func TestNotAModel(t *testing.T) {
	for _, test := range []struct{ smt, want string }{
		{"(declare-const x Int)", "nothing says what the constant x is"},
		{"(declare-const arg_1 Int)", "there is no argument arg_1"},
		{"(declare-const out_3.0 (_ BitVec 8))", "there is no argument for out_3.0"},
		{"(declare-const arg_0.99999999999999999999 (_ BitVec 8))", "argument 0 has no byte for arg_0.99999999999999999999"},
		{"(declare-const arg_0.0 (_ BitVec 8))", "argument 0 has no byte for arg_0.0"},
		{"(declare-const out_0.0 (_ BitVec 8))", "argument 0 has no byte for out_0.0"},
		{"(declare-const addr_1 (_ BitVec 64))", "there is no argument for addr_1"},
		{"(assert", "expected"},
	} {
		_, err := New(signature("scalar", 32, integer), []extract.Path{{SMT: test.smt}}, "test")
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.smt, err, test.want)
		}
	}
	for _, test := range []struct {
		arg  extract.Argument
		sort string
		name string
	}{
		{integer, "Bool", "arg_0"}, {integer, "String", "arg_0"}, {truth, "String", "arg_0"}, {content, "Int", "arg_0"}, {bytes, "String", "arg_0"}, {wide, "String", "arg_0"},
		{content, "Bool", "arg_0.1"}, {content, "String", "arg_0.1"}, {content, "String", "out_0.1"}, {content, "Bool", "addr_0"}, {content, "Int", "addr_fresh"}, {integer, "String", "ret"},
	} {
		_, err := New(signature("scalar", 32, test.arg), []extract.Path{{SMT: "(declare-const " + test.name + " " + test.sort + ")"}}, "test")
		if err == nil || !strings.Contains(err.Error(), "the constant "+test.name+" is of sort "+test.sort) {
			t.Errorf("%s of sort %s for %s of %d bits: %v", test.name, test.sort, test.arg.Kind, test.arg.Bits, err)
		}
	}
	_, err := New(signature("address", 64, content), []extract.Path{{Ret: "offset", SMT: "(declare-const ret (_ BitVec 64))"}}, "test")
	if err == nil || !strings.Contains(err.Error(), "ret_into") {
		t.Errorf("an offset into nothing: %v", err)
	}
}
