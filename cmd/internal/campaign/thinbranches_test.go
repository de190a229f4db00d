package campaign

import (
	"reflect"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/subject"
	"parallax/internal/diversity"
)

// TestThin checks that code under test comes before its dependencies, whatever their traces, also
// for several programs. Two versions name their files alike.
func TestThin(t *testing.T) {
	table := func(pkg, file string, lines ...int) *flow.Table {
		tb := &flow.Table{Package: pkg, Funcs: []flow.Func{{Name: "F", Count: len(lines)}}}
		for _, l := range lines {
			tb.Blocks = append(tb.Blocks, flow.Block{File: file, Line: l + 1, Cond: l})
		}
		return tb
	}
	space := &flow.Space{Tested: func(place string) bool { return strings.HasPrefix(place, "m.") }}
	space.Add(table("m", "/here/p.go", 6, 8, 8), 0)
	space.Add(table("m", "/old/p.go", 6, 9), 1)
	space.Add(table("dep.org/d", "/cache/d/d.go", 3), 0, 1)
	a := &account{opt: &Options{}, facts: &subject.Facts{Names: []string{"new", "old"}, Space: space}}
	a.opt.Dir = "/here"
	record := func(counts ...uint32) diversity.Record {
		r := make(diversity.Record, diversity.RecordSize(len(counts)))
		for id, n := range counts {
			if n > 0 {
				r.Count([]uint32{uint32(id)}, 0, diversity.Sight{Weight: n, New: true, Times: 1})
			}
		}
		return r
	}
	few := append(a.thinBranches(0, record(5, 9, 7, 0, 0, 1), 9, "/here"), a.thinBranches(1, record(0, 0, 0, 4, 90, 2), 9, "/old")...)
	want := []finding.Thin{
		{Program: "old", Location: "p.go:6", Traces: 4}, {Program: "new", Location: "p.go:6", Traces: 5}, {Program: "new", Location: "p.go:8", Traces: 7},
		{Program: "new", Location: "dep.org/d/d.go:3", Traces: 1}, {Program: "old", Location: "dep.org/d/d.go:3", Traces: 2},
	}
	if got := thinnest(few); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
