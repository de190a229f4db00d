package flow

import (
	"fmt"
	"testing"
)

// TestSeen checks that a function that began without an executed call by name was called through a
// pointer.
func TestSeen(t *testing.T) {
	s := &Space{}
	// 0
	s.Add(&Table{Package: "go", Funcs: []Func{{Name: "F", Count: 1}}, Blocks: []Block{{Kind: Entry, Indirect: true}}}, 1)
	symbols := []string{"LLVMFuzzerTestOneInput", "direct", "pointed", "never"}
	table := &Table{Package: "c", Funcs: []Func{}}
	for i, symbol := range symbols { // entries are 1, 4, 7 and 10
		table.Funcs = append(table.Funcs, Func{Name: symbol, Symbol: symbol, First: 3 * i, Count: 3})
		for k := range 3 {
			table.Blocks = append(table.Blocks, Block{ID: 3*i + k, Func: i, Kind: Straight})
		}
	}
	table.Blocks[1].Calls = []string{"direct"}
	// 3, 5 and 12
	table.Blocks[2].Indirect, table.Blocks[4].Indirect, table.Blocks[11].Indirect = true, true, true
	s.Add(table, 0)
	c := s.Calls()
	for _, tt := range []struct {
		blocks []uint32
		added  bool
		sites  string // of direct, pointed and never
	}{
		{[]uint32{1, 2, 4}, false, "[2] [] []"},
		{[]uint32{0, 1, 7}, false, "[2] [] []"}, // no call that could have been it
		{[]uint32{1, 3, 7}, true, "[2] [3] []"},
		{[]uint32{1, 3, 7, 8}, false, "[2] [3] []"},
		{[]uint32{1, 2, 3, 4, 5, 7}, false, "[2] [3] []"}, // by the known site
		{[]uint32{1, 4, 5}, true, "[2 5] [3] []"},
		{nil, false, "[2 5] [3] []"},
		{[]uint32{1, 5, 10}, true, "[2 5] [3] [5]"},
		{[]uint32{99}, false, "[2 5] [3] [5]"},
	} {
		if added := c.Seen(s, tt.blocks); added != tt.added {
			t.Errorf("%v: a call is new: %v", tt.blocks, added)
		}
		if got := fmt.Sprint(c.Sites(4), c.Sites(7), c.Sites(10)); got != tt.sites {
			t.Errorf("%v: called in %s, want %s", tt.blocks, got, tt.sites)
		}
	}
	if len(c.Sites(1)) > 0 || (&Calls{}).Seen(nil, []uint32{1}) {
		t.Error("nobody calls the harness")
	}
}
