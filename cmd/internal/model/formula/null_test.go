package formula

import (
	"context"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
)

// TestNull checks that an address constant distinguishes null pointers. Without one, a model
// describes null only if it does not mention the buffer's contents.
func TestNull(t *testing.T) {
	s := &call.Signature{Function: "f", Result: extract.Result{Name: "ret", Kind: "scalar", Bits: 32, Signed: true}, Arguments: []extract.Argument{
		{Name: "s", Kind: "string", Bits: 8, Nullable: true, Bytes: 4, Before: 8, Behind: 11}, {Name: "end", Kind: "pointer", Bits: 64, Nullable: true, Bytes: 8, Before: 8, Behind: 16},
	}}
	const head = "(declare-const arg_0 String)(declare-const addr_0 (_ BitVec 64))(declare-const addr_1 (_ BitVec 64))(declare-const out_1 (_ BitVec 64))(declare-const ret (_ BitVec 32))"
	const empty = `(ite (= arg_0 "") #x00000005 #x00000006)`
	text, none, cell := call.Value{Data: []byte("a\x00\x00\x00")}, call.Value{}, call.Value{Data: make([]byte, 8)}
	for _, test := range []struct {
		name, smt string
		c         call.Call
		want      string
	}{
		{"no address", "(declare-const arg_0 String)(declare-const ret (_ BitVec 32))(assert (= ret " + empty + "))", call.Call{text, none}, "returns 6"},
		{"no address", "(declare-const arg_0 String)(declare-const ret (_ BitVec 32))(assert (= ret " + empty + "))", call.Call{none, cell}, "it has no constant addr_0, so that it does not say what a null s means"},
		{"nothing said of end", "(declare-const ret (_ BitVec 32))(assert (= ret #x00000001))", call.Call{none, none}, "returns 1"},
		{"an address", head + "(assert (= ret (ite (= addr_0 #x0000000000000000) #xffffffff " + empty + ")))(assert (= out_1 addr_0))", call.Call{none, cell}, "returns -1, stores NULL in *end"},
		{"an address", head + "(assert (= ret (ite (= addr_0 #x0000000000000000) #xffffffff " + empty + ")))(assert (= out_1 addr_0))", call.Call{text, cell}, "returns 6, stores s in *end"},
		{"nothing to store into", head + "(assert (= ret (ite (= addr_1 #x0000000000000000) #xffffffff " + empty + ")))(assert (= out_1 addr_0))", call.Call{text, none}, "returns -1"},
	} {
		m, err := New(s, []extract.Path{{SMT: test.smt, Ret: "scalar"}}, test.name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Evaluate(context.Background(), test.c, nil)
		if err != nil {
			t.Fatal(err)
		}
		said := got.Detail
		if got.Kind == Returned {
			said = s.Text(test.c, &got.Effect, call.Exact)
			like, err := m.EffectTerm(m.Paths[0], test.c, &got.Effect, call.Exact)
			if err != nil || like == m.Context.BoolTerm(false) {
				t.Errorf("%s: nothing is like %s: %v", test.name, said, err)
			}
		} else if got.Kind != Declined {
			t.Errorf("%s: %v", test.name, got.Kind)
		}
		if said != test.want {
			t.Errorf("%s: %s: %q", test.name, s.Quote(test.c), said)
		}
	}
}
