package flow

import (
	"slices"
	"strings"
)

// Seen adds calls through pointers from one run. blocks holds the sorted ids of the executed
// blocks, of one program or of several.
//
// A function of C or C++ that began was called through a pointer if none of the blocks that call it
// by name was executed. The calling block is not recorded. All executed blocks of the same table
// with such calls are therefore taken. This is more than the actual callers, but less than all
// functions whose address is taken.
//
// Functions that the runtime of harnesses calls are left out. A callback of a library without
// blocks, such as a function for qsort, is added only if another call through a pointer was
// executed. Seen reports whether a call is new. It must not run concurrently with other methods.
func (c *Calls) Seen(s *Space, blocks []uint32) bool {
	is := func(id int) bool {
		_, there := slices.BinarySearch(blocks, uint32(id))
		return there
	}
	added := false
	s.All(func(t *Table, first int, _ []int) {
		from, _ := slices.BinarySearch(blocks, uint32(first))
		to, _ := slices.BinarySearch(blocks, uint32(first+len(t.Blocks)))
		if from == to || len(t.Funcs) == 0 || t.Funcs[0].Symbol == "" {
			return
		}
		var through []int
		for _, id := range blocks[from:to] {
			if t.Blocks[int(id)-first].Indirect {
				through = append(through, int(id))
			}
		}
		if len(through) == 0 {
			return
		}
		for _, f := range t.Funcs {
			begin := first + f.First
			if f.Count == 0 || !is(begin) || strings.HasPrefix(f.Symbol, "LLVMFuzzer") || slices.ContainsFunc(c.Sites(begin), is) {
				continue
			}
			for _, b := range through {
				_, known := slices.BinarySearch(c.callees[b], begin)
				added = added || !known
				c.Add(b, begin)
			}
		}
	})
	return added
}
