package check

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/model/prototype"
	"parallax/cmd/internal/model/scope"
)

// A user's script may name the address of what an argument points to, which is 0 for a null pointer.
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

// A model that no call and no result satisfy is told apart from one that lacks calls.
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

// A device that never ends is not read as a model.
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
