package formula

import (
	"context"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/extract/extracttest"
)

// TestBranch checks that calls have the same branch of the model if they have the same formula of
// the result.
func TestBranch(t *testing.T) {
	a := extracttest.Answer(t, "strchr")
	m, err := New(call.SignatureOf(a), a.Paths, a.Function)
	if err != nil {
		t.Fatal(err)
	}
	branch := func(text string, c byte) uint64 {
		t.Helper()
		given := m.Signature.Decode(nil)
		copy(given[0].Data, text)
		given[1].Int = uint64(c)
		answer, err := m.Evaluate(context.Background(), given, nil)
		if err != nil {
			t.Fatal(err)
		}
		at, err := m.Branch(given, &answer)
		if err != nil || (at == 0) != (answer.Kind != Returned) {
			t.Fatalf("strchr(%q, %q): branch %x of an answer %v, %v", text, c, at, answer.Kind, err)
		}
		return at
	}
	none, first, second := branch("abc", 'x'), branch("abc", 'a'), branch("abc", 'b')
	if none == first || none == second || first == second {
		t.Errorf("different places have the branches %x, %x, %x", none, first, second)
	}
	if got := branch("b", 'y'); got != none {
		t.Errorf("two texts without the character have the branches %x and %x", none, got)
	}
	if got := branch("ca", 'c'); got != first {
		t.Errorf("two texts that begin with the character have the branches %x and %x", first, got)
	}
	if got := branch("a\x00x", 'x'); got != 0 {
		t.Errorf("a dropped call has the branch %x", got)
	}
}

// TestBranchPaths checks that a model's paths are different branches, and that a model that only a
// solver can compute has none.
func TestBranchPaths(t *testing.T) {
	s := &call.Signature{Function: "f", Arguments: []extract.Argument{{Name: "x", Kind: "scalar", Bits: 8}}, Result: extract.Result{Kind: "scalar", Bits: 8}}
	script := func(condition string) extract.Path {
		return extract.Path{Ret: "scalar", SMT: "(declare-const arg_0 (_ BitVec 8))(declare-const ret (_ BitVec 8))(assert " + condition + ")(assert (= ret #x00))"}
	}
	m, err := New(s, []extract.Path{script("(bvult arg_0 #x10)"), script("(bvuge arg_0 #x10)")}, "f")
	if err != nil {
		t.Fatal(err)
	}
	var at [2]uint64
	for i, x := range []uint64{1, 32} {
		c := call.Call{{Int: x}}
		answer, err := m.Evaluate(context.Background(), c, nil)
		if err != nil || answer.Kind != Returned {
			t.Fatal(answer, err)
		}
		if at[i], err = m.Branch(c, &answer); err != nil || at[i] == 0 {
			t.Fatal(at[i], err)
		}
	}
	if at[0] == at[1] {
		t.Errorf("two paths have the branch %x", at[0])
	}
	third := extract.Path{Ret: "scalar", SMT: "(declare-const arg_0 (_ BitVec 8))(declare-const ret (_ BitVec 8))(assert (= (bvmul ret #x03) arg_0))"}
	if m, err = New(s, []extract.Path{third}, "f"); err != nil {
		t.Fatal(err)
	}
	if at, err := m.Branch(call.Call{{Int: 3}}, &Answer{Kind: Returned}); at != 0 || err != nil {
		t.Errorf("a relation has the branch %x, %v", at, err)
	}
}
