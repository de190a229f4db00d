package extract

import (
	"strings"
	"testing"
)

// TestAddNull checks that paths of calls with a null pointer are distinguished by its address,
// which each script declares once.
func TestAddNull(t *testing.T) {
	const plain, known = "(set-logic QF_BV)\n(assert true)", "(declare-const addr_1 (_ BitVec 64))\n(assert (= addr_1 addr_1))\n"
	arguments := []Argument{{Name: "arg_0", Kind: "scalar"}, {Name: "arg_1", Kind: "pointer"}}
	a := Answer{Arguments: arguments, Paths: []Path{{SMT: plain}, {SMT: known}}}
	a.AddNull(1, &Answer{Paths: []Path{{SMT: plain, Ret: "scalar"}}, Failed: []string{"a step fails"}})
	if arguments[1].Nullable || !a.Arguments[1].Nullable || len(a.Paths) != 3 || a.Paths[2].Ret != "scalar" || len(a.Failed) != 1 || a.Failed[0] != "with a null arg_1: a step fails" {
		t.Errorf("%+v", a)
	}
	for i, p := range a.Paths {
		want := "(assert (not (= addr_1 #x0000000000000000)))\n"
		if i == 2 {
			want = "(assert (= addr_1 #x0000000000000000))\n"
		}
		if strings.Count(p.SMT, "declare-const addr_1") != 1 || !strings.HasSuffix(p.SMT, want) || strings.Contains(p.SMT, ")(") {
			t.Errorf("path %d: %s", i, p.SMT)
		}
	}
}
