package flow

import (
	"slices"
	"strings"
)

// Seen enters calls through pointers by what one run executed: the ids of its blocks, of one program or of several, ascending. A function of
// C or C++ that was begun, though none of the blocks that call it by name was executed, was called through a pointer: by which of the
// executed blocks that have such calls, nobody recorded, so all of those of the same table are taken. That is more than were, and less than
// any function whose address is taken. Functions that the runtime of harnesses calls are left out; what a library without blocks calls back, such
// as a function for qsort, is entered only where another call through a pointer was executed. It reports whether a call is new. It must not
// run beside other methods.
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
