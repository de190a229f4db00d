package flow

import (
	"fmt"
	"testing"
)

// TestCalls checks that calls are resolved if a program may run both sides. In Go they are resolved
// by package and name, in C by the symbol in the same program.
func TestCalls(t *testing.T) {
	block := func(f int, calls ...string) Block { return Block{Func: f, Kind: Entry, Calls: calls} }
	table := func(pkg string, funcs []Func, blocks ...Block) *Table {
		for i := range blocks {
			blocks[i].ID = i
		}
		return &Table{Package: pkg, Funcs: funcs, Blocks: blocks}
	}
	s := &Space{}
	// 0 to 2
	s.Add(table("a", []Func{{Name: "F", Count: 2}, {Name: "G", First: 2, Count: 1}}, block(0), block(0, "a.G", "b.H", "fmt.Println"), block(1, "a.F", "a.G")), 0)
	// 3
	s.Add(table("b", []Func{{Name: "H", Count: 1}}, block(0, "a.F")), 0)
	// 4 to 6: another version
	s.Add(table("a", []Func{{Name: "F", Count: 1}, {Name: "G", First: 1, Count: 1}, {Name: "G", First: 2, Count: 1}}, block(0, "a.G"), block(1), block(2)), 1)
	c := func() *Table {
		return table("", []Func{{Name: "main", Symbol: "main", Count: 1}, {Name: "help", Symbol: "help", First: 1, Count: 1}}, block(0, "help", "memcpy", "a.F"), block(1, "main"))
	}
	s.Add(c(), 2) // 7 and 8
	s.Add(c(), 3) // 9 and 10
	calls := s.Calls()
	for id, want := range []string{"[]", "[2 3]", "[0 2]", "[0]", "[5 6]", "[]", "[]", "[8]", "[7]", "[10]", "[9]"} {
		if got := fmt.Sprint(calls.Callees(id)); got != want {
			t.Errorf("block %d calls %s, want %s", id, got, want)
		}
	}
	for function, want := range map[int]string{0: "[2 3]", 2: "[1 2]", 3: "[1]", 5: "[4]", 4: "[]", 8: "[7]", 7: "[8]", 99: "[]"} {
		if got := fmt.Sprint(calls.Sites(function)); got != want {
			t.Errorf("function %d is called in %s, want %s", function, got, want)
		}
	}
	// fmt.Println; memcpy and a.F, which those programs cannot run, of two programs
	if calls.Missing() != 5 {
		t.Errorf("%d are missing", calls.Missing())
	}
	calls.Add(8, 8)
	calls.Add(8, 8)
	calls.Add(-1, 8)
	calls.Add(99, 8)
	if got := fmt.Sprint(calls.Callees(8), calls.Sites(8)); got != "[7 8] [7 8]" {
		t.Errorf("after a call was seen: %s", got)
	}
	if calls.Callees(-1) != nil || calls.Callees(99) != nil || s.Function(99) != None || s.Function(6) != 6 || s.Function(1) != 0 {
		t.Error("blocks that are not known")
	}
	if none := (*Space)(nil).Calls(); none.Callees(0) != nil || none.Sites(0) != nil {
		t.Error("calls of nothing")
	}
}
