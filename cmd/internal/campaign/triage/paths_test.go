package triage

import (
	"context"
	"slices"
	"testing"

	"parallax/internal/wire"
)

// TestPaths checks that each input counts once on its path, and that named inputs are listed there.
func TestPaths(t *testing.T) {
	for _, cells := range []bool{false, true} {
		j, p := newTriager(t), NewPaths(cells)
		names := map[string]string{"30000000": "odd"}
		if err := p.Add(context.Background(), j, [][]byte{[]byte("12"), []byte("12"), []byte("30000000"), []byte("a:panic 1"), []byte("b:panic 1")}, 0, names); err != nil {
			t.Fatal(err)
		}
		runs, agree, crashes := 0, 0, 0
		for _, at := range p.List {
			runs, agree, crashes = runs+at.Runs, agree+at.Agree, crashes+at.Crashes
			if named := slices.Contains(at.Names, "odd"); named && (string(at.Deviates) != "30000000" || at.Agree == at.Runs) {
				t.Errorf("cells %v: the path of a name: %+v", cells, at)
			}
			if cells == (at.Cell == "") || cells && at.Outcome() == "unknown" {
				t.Errorf("cells %v: %q is %q", cells, at.Cell, at.Outcome())
			}
		}
		if p.Given != 4 || p.Runs != 3 || runs != 3 || agree != 1 || crashes != 1 || p.Failed != 1 {
			t.Errorf("cells %v: %d given, %d runs, %d agree, %d crash, %d failed", cells, p.Given, runs, agree, crashes, p.Failed)
		}
		if err := p.Add(context.Background(), j, [][]byte{[]byte("12"), []byte("13")}, 20, nil); err != nil || p.Given != 5 || p.Runs < 10 {
			t.Errorf("cells %v, near: %v, %d given, %d runs", cells, err, p.Given, p.Runs)
		}
	}
	for cell, want := range map[string]string{"1 number": "accepted number", "1 [ empty true": "accepted empty list", "1 ' empty false": "accepted text that is not empty", "2 ": "rejected"} {
		if got := (&Taken{Cell: cell}).Outcome(); got != want {
			t.Errorf("%q is %q, not %q", cell, got, want)
		}
	}
	for want, r := range map[string]wire.RunResult{"returns 3": {Outcome: 1, Rendered: "3"}, "refuses it: no": {Outcome: 2, Error: "no"}, "crashed": {Outcome: 4}} {
		if got := Came(&r); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
