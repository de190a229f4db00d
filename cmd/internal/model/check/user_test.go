package check

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/csource"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/prototype"
	"parallax/cmd/internal/model/record"
	"parallax/cmd/internal/model/scope"
)

// TestAddress checks that a user's script may use the address of a buffer, which is 0 for null.
func TestAddress(t *testing.T) {
	s, err := prototype.Read("int given(const char *s, int n)", map[string]prototype.Parameter{"s": {Null: true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ constant, want string }{
		{"addr_0 (_ BitVec 64)", ""},
		{"addr_0 (_ BitVec 32)", "the constant addr_0: it is of sort (_ BitVec 32): an address is (_ BitVec 64), and 0 is a null pointer"},
		{"addr_1 (_ BitVec 64)", "the constant addr_1: given has no pointer that is argument 1"},
		{"addr_2 (_ BitVec 64)", "given has no pointer that is argument 2"},
	} {
		file := filepath.Join(t.TempDir(), "given.smt2")
		name, _, _ := strings.Cut(test.constant, " ")
		text := "(declare-const " + test.constant + ")\n(declare-const ret (_ BitVec 32))\n(assert (= ret (ite (= " + name + " " + name + ") #x00000000 #x00000001)))\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := (&User{Signature: s, SMT: file}).Record(context.Background())
		if test.want == "" {
			if err != nil || !strings.Contains(r.Paths[0].SMT, "(declare-const addr_0 (_ BitVec 64))") {
				t.Errorf("%s: %v %+v", test.constant, err, r)
			}
		} else if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.constant, err)
		}
	}
}

// TestContradiction checks that a model without any satisfying call and result is distinguished
// from one that lacks some calls.
func TestContradiction(t *testing.T) {
	s, err := prototype.Read("int abs(int x)", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ assert, want string }{
		{"(= ret arg_0) (= ret (bvadd arg_0 #x00000001))", "the model contradicts itself: no call and no result satisfy what it asserts (unsat)"},
		{"(= ret arg_0) (= arg_0 #x7abcdef1)", ""}, // one call
	} {
		file := filepath.Join(t.TempDir(), "abs.smt2")
		text := "(declare-const arg_0 (_ BitVec 32))\n(declare-const ret (_ BitVec 32))\n(assert (and " + test.assert + "))\n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := (&User{Signature: s, SMT: file}).Record(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		m, err := Prepare(context.Background(), r, Options{Dir: t.TempDir(), Scope: scope.Options{Samples: 100}})
		var contradiction *Contradiction
		switch {
		case errors.As(err, &contradiction):
			got = err.Error()
		case err != nil:
			t.Fatal(err)
		default:
			m.Close()
		}
		if got != test.want {
			t.Errorf("%s: %q", test.assert, got)
		}
	}
}

// TestRelational checks that a model that needs a solver for each call gets fewer samples, unless
// the user sets their number.
func TestRelational(t *testing.T) {
	s, err := prototype.Read("int abs(int x)", nil)
	if err != nil {
		t.Fatal(err)
	}
	u := User{Signature: s, SMT: filepath.Join(t.TempDir(), "abs.smt2")}
	if err := os.WriteFile(u.SMT, []byte("(declare-const arg_0 Int)\n(declare-const ret Int)\n(assert (= (* 3 ret) (+ arg_0 arg_0 arg_0)))\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := u.Record(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[int]int{0: scope.RelationalSamples, 30: 30} {
		all := 0
		m, err := Prepare(context.Background(), r, Options{Dir: t.TempDir(), Scope: scope.Options{Samples: given, Progress: func(_, most int) { all = most }}})
		if err != nil {
			t.Fatal(err)
		}
		if m.Close(); all != want || !m.NeedsSolver() || m.Scope.Samples > want+50 {
			t.Errorf("of %d samples %d, %d made, want %d", given, all, m.Scope.Samples, want)
		}
	}
}

// TestPointer checks a model that returns a pointer: an offset, and the argument that it points
// into.
func TestPointer(t *testing.T) {
	s, err := prototype.Read("char *strchr(const char *s, int c)", map[string]prototype.Parameter{"s": {Elements: 2}})
	if err != nil {
		t.Fatal(err)
	}
	text := `
(declare-const arg_0 String)
(declare-const arg_1 (_ BitVec 32))
(declare-const at Int)
(declare-const ret (_ BitVec 64))
(declare-const ret_into (_ BitVec 8))
(assert (= at (ite (= ((_ extract 7 0) arg_1) #x00) (str.len arg_0) (str.indexof arg_0 (str.from_code (bv2nat ((_ extract 7 0) arg_1))) 0))))
(assert (= ret_into (ite (< at 0) #x00 #x01)))
(assert (= ret (ite (< at 0) (_ bv0 64) ((_ int2bv 64) at))))
`
	file := filepath.Join(t.TempDir(), "strchr.smt2")
	write := func(text string) (*record.Record, error) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return (&User{Signature: s, SMT: file}).Record(context.Background())
	}
	r, err := write(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Prepare(context.Background(), r, Options{Dir: t.TempDir(), Scope: scope.Options{Samples: 300}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, p := range m.Scope.Paths {
		if !p.InScope || p.Agree != p.Runs {
			t.Errorf("%s: %s", p.Why, p.Deviating)
		}
	}
	if n := m.Scope.InScope(); n < 3 {
		t.Errorf("%d paths are in scope", n)
	}
	for _, test := range []struct{ from, to, want string }{
		{"ret_into", "to", "has no constant ret_into, of the sort (_ BitVec 8)"},
		{"(_ BitVec 8)", "(_ BitVec 16)", "the constant ret_into: it is of sort (_ BitVec 16): the number of an argument is (_ BitVec 8)"},
	} {
		changed := strings.ReplaceAll(text, test.from, test.to)
		if test.from != "ret_into" {
			changed = strings.NewReplacer("#x00 #x01", "#x0000 #x0001", test.from, test.to).Replace(text)
		}
		if _, err := write(changed); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.to, err)
		}
	}
}

// TestExplain checks that paths have conditions and results also for a model in C.
func TestExplain(t *testing.T) {
	s, err := prototype.Read("int abs(int x)", nil)
	if err != nil {
		t.Fatal(err)
	}
	stub := &csource.Part{Sources: &csource.Sources{Units: []csource.Unit{{File: "a.c", IR: "define i32 @abs(i32 %x) {\n  ret i32 %x\n}\n"}}, Model: true}, Function: "abs"}
	for explain, want := range map[bool]bool{true: true, false: false} {
		m, err := Prepare(context.Background(), record.New(s, &record.Code{Model: stub}), Options{Dir: t.TempDir(), Prove: 10, Explain: explain, Scope: scope.Options{Samples: 100}})
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
		text := m.Scope.Explain()
		if strings.Contains(text, "   where   ") != want || strings.Contains(text, "   does    ") != want || strings.Contains(text, "proved") {
			t.Error(text)
		}
	}
}

// TestNoFile checks that a device without an end is not read as a model.
func TestNoFile(t *testing.T) {
	s, err := prototype.Read("int abs(int x)", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&User{Signature: s, SMT: "/dev/zero"}).Record(context.Background())
	if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "the model: reading /dev/zero: a device, not a file") {
		t.Errorf("%v", err)
	}
}

// said returns the script made from a user's script, or the usage error, or the error of
// formula.New.
func said(t *testing.T, u User, smt string) (script string, err error) {
	t.Helper()
	u.SMT = filepath.Join(t.TempDir(), "f.smt2")
	if err := os.WriteFile(u.SMT, []byte(smt), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := u.Record(context.Background())
	if err != nil {
		if exit.Code(err) != exit.UsageCode {
			t.Errorf("%s: no usage error: %v", smt, err)
		}
		return "", err
	}
	if _, err := formula.New(u.Signature, r.Paths, "f"); err != nil {
		t.Errorf("%s: accepted and then refused: %v", smt, err)
	}
	return r.Paths[0].SMT, nil
}

// TestSorts checks that constants have the sorts of their meanings.
func TestSorts(t *testing.T) {
	for _, test := range []struct{ prototype, constant, want string }{
		{"int f(int n)", "arg_0 Bool", "arg_0: it is of sort Bool: a number of 32 bits is (_ BitVec 32) or Int"},
		{"int f(_Bool n)", "arg_0 Bool", ""},
		{"int f(_Bool n)", "arg_0 (_ BitVec 1)", ""},
		{"int f(_Bool n)", "arg_0 (_ BitVec 8)", "a truth value is Bool, (_ BitVec 1) or Int"},
		{"int f(int n)", "arg_0 Int", ""},
		{"int f(int n)", "arg_0.0 (_ BitVec 8)", "arg_0.0: f has no pointer that is argument 0"},
		{"int f(const char *s)", "arg_0.0 (_ BitVec 8)", ""},
		{"int f(const char *s)", "arg_0.0 Int", ""},
		{"int f(const char *s)", "arg_0.0 Bool", "arg_0.0: it is of sort Bool: a byte is (_ BitVec 8) or Int"},
		{"int f(const char *s)", "arg_0.0 (_ BitVec 32)", "a byte is (_ BitVec 8) or Int"},
		{"int f(const char *s)", "out_0.0 String", "out_0.0: it is of sort String: a byte is (_ BitVec 8) or Int"},
		{"int f(const char *s)", "out_0.0 (_ BitVec 8)", ""},
		{"int f(const char *s)", "out_1.0 (_ BitVec 8)", "f has no pointer that is argument 1"},
		{"int f(const char *s)", "arg_0.900 (_ BitVec 8)", "arg_0.900: argument 0 has bytes -8 to 24, with the guard bytes"},
		{"int f(const char *s)", "out_0 (_ BitVec 64)", "out_0: what is stored there is no pointer: name its bytes, out_0.0 and so on"},
		{"int f(char **s)", "out_0 (_ BitVec 64)", ""},
		{"int f(char **s)", "out_0 String", "out_0: it is of sort String: a pointer is (_ BitVec 64)"},
		{"int f(char **s)", "out_0_into Bool", "out_0_into: it is of sort Bool: the number of an argument is (_ BitVec 8)"},
		{"int f(const char *s)", "ret_into (_ BitVec 8)", "ret_into: the result is no address"},
		{"int f(const char *s)", "addr_fresh Bool", "addr_fresh: it is of sort Bool: an address is (_ BitVec 64)"},
		// A String ends at the first zero, so it represents only buffers that end there too.
		{"int f(const char *s)", "arg_0 String", ""},
		{"int f(const void *s)", "arg_0 String", "arg_0: it is of sort String, which ends at the first zero, and arg_0 points to bytes that do not: name them, arg_0.0, arg_0.1 and so on"},
		{"int f(const unsigned char *s)", "arg_0 String", "name them, arg_0.0"},
		{"int f(const int *s)", "arg_0 String", "name them, arg_0.0"},
		{"int f(const wchar_t *s)", "arg_0 String", "arg_0: it is of sort String, whose characters are bytes here, and arg_0 points to elements of 32 bits: name their bytes, arg_0.0, arg_0.1 and so on"},
		{"int f(const wchar_t *s)", "arg_0.3 (_ BitVec 8)", ""},
		{"int f(const void *s)", "arg_0 Int", "arg_0: it is of sort Int: name the bytes that it points to, arg_0.0, arg_0.1 and so on"},
	} {
		s, err := prototype.Read(test.prototype, nil)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(test.constant, " ")
		smt := "(declare-const " + test.constant + ")(declare-const ret (_ BitVec 32))(assert (= " + name + " " + name + "))(assert (= ret #x00000001))"
		script, err := said(t, User{Signature: s}, smt)
		switch {
		case test.want == "" && (err != nil || !strings.Contains(script, "(declare-const "+name+" ")):
			t.Errorf("%s, %s: %v %s", test.prototype, test.constant, err, script)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s, %s: %v", test.prototype, test.constant, err)
		}
	}
}

// TestNames checks that a name has a special meaning only if the configuration does not assign the
// name itself.
func TestNames(t *testing.T) {
	s, err := prototype.Read("int f(int n)", nil)
	if err != nil {
		t.Fatal(err)
	}
	const b32 = " (_ BitVec 32))"
	for _, test := range []struct {
		u         User
		smt, want string
	}{
		// ret is an intermediate constant for r.
		{User{Result: "r"}, "(declare-const arg_0" + b32 + "(declare-const ret" + b32 + "(declare-const r" + b32 + "(assert (= ret (bvneg arg_0)))(assert (= r (bvneg ret)))",
			"(assert (= free_0 (bvneg arg_0)))\n(assert (= ret (bvneg free_0)))\n"},
		{User{}, "(declare-const arg_0" + b32 + "(declare-const retval" + b32 + "(declare-const ret" + b32 + "(declare-const arg_len" + b32 + "(declare-const out_n" + b32 + "(declare-const free_7" + b32 +
			"(assert (= retval arg_0))(assert (= arg_len retval))(assert (= out_n arg_len))(assert (= free_7 out_n))(assert (= ret free_7))",
			"(assert (= free_0 arg_0))\n(assert (= free_1 free_0))\n(assert (= free_2 free_1))\n(assert (= free_3 free_2))\n(assert (= ret free_3))\n"},
		{User{Arguments: []string{"n"}}, "(declare-const n" + b32 + "(declare-const arg_0" + b32 + "(declare-const ret" + b32 + "(assert (= arg_0 n))(assert (= ret arg_0))",
			"(assert (= free_0 arg_0))\n(assert (= ret free_0))\n"},
	} {
		test.u.Signature = s
		if script, err := said(t, test.u, test.smt); err != nil || !strings.Contains(script, test.want) {
			t.Errorf("%s: %v\n%s", test.smt, err, script)
		}
	}
	// Written memory has fixed names, whatever the names of the arguments.
	if s, err = prototype.Read("void f(char *s)", nil); err != nil {
		t.Fatal(err)
	}
	script, err := said(t, User{Signature: s, Arguments: []string{"s"}}, `(declare-const s String)(declare-const out_0.0 (_ BitVec 8))(assert (= out_0.0 (ite (= s "") #x00 #x41)))`)
	if err != nil || !strings.Contains(script, `(= out_0.0 (ite (= arg_0 "") #x00 #x41))`) {
		t.Errorf("%v %s", err, script)
	}
}
