package flow

import (
	"slices"
	"strings"
)

// Calls holds the calls between the functions of a space, by blocks. A function's first block names
// it.
//
// Names are resolved if a program may run both sides. Names of C and C++ are symbols in the same
// table. Names of Go are the package's path and the function's name. Several functions with one
// name, such as closures with uncertain numbers, all count. Functions without a table, such as
// those of packages without instrumentation, are left out. So are unresolved calls through pointers
// (Block.Indirect).
type Calls struct {
	callees [][]int // by block: functions, ascending
	sites   map[int][]int
	missing int
}

// Calls resolves the calls of all tables. It is computed when it is asked for first.
func (s *Space) Calls() *Calls {
	if s == nil {
		return &Calls{}
	}
	s.calling.Do(func() { s.calls = s.resolve() })
	return s.calls
}

// Callees returns the functions that may be called after a block and before the next one.
func (c *Calls) Callees(block int) []int {
	if block < 0 || block >= len(c.callees) {
		return nil
	}
	return c.callees[block]
}

// Sites returns the blocks with a call of a function, ascending.
func (c *Calls) Sites(function int) []int { return c.sites[function] }

// Missing returns the number of called names without a function in any table.
func (c *Calls) Missing() int { return c.missing }

// Add adds a call that was observed at run time. It must not run concurrently with other methods.
func (c *Calls) Add(block, function int) {
	if block < 0 || block >= len(c.callees) {
		return
	}
	at, there := slices.BinarySearch(c.callees[block], function)
	if there {
		return
	}
	c.callees[block] = slices.Insert(c.callees[block], at, function)
	at, _ = slices.BinarySearch(c.sites[function], block)
	c.sites[function] = slices.Insert(c.sites[function], at, block)
}

// Function returns the first block of a block's function, or None for an unknown block.
func (s *Space) Function(id int) int {
	t, i := s.find(id)
	if t == nil {
		return None
	}
	return id - i + t.Funcs[t.Blocks[i].Func].First
}

// Functions calls use for each function: its first block and how many there are, one after another.
func (s *Space) Functions(use func(t *Table, f Func, first int)) {
	s.All(func(t *Table, first int, _ []int) {
		for _, f := range t.Funcs {
			use(t, f, first+f.First)
		}
	})
}

func (s *Space) resolve() *Calls {
	c := &Calls{callees: make([][]int, s.blocks), sites: map[int][]int{}}
	type place struct{ table, first int }
	named := map[string][]place{} // functions of Go
	for k, t := range s.tables {
		for _, f := range t.Funcs {
			if f.Symbol == "" {
				name := t.Package + "." + f.Name
				named[name] = append(named[name], place{k, s.first[k] + f.First})
			}
		}
	}
	for k, t := range s.tables {
		symbols := map[string]int{}
		for _, f := range t.Funcs {
			if f.Symbol != "" {
				symbols[f.Symbol] = s.first[k] + f.First
			}
		}
		for i := range t.Blocks {
			for _, name := range t.Blocks[i].Calls {
				if first, ok := symbols[name]; ok {
					c.Add(s.first[k]+i, first)
					continue
				}
				found := false
				for _, p := range named[name] {
					if p.table == k || s.together(k, p.table) {
						c.Add(s.first[k]+i, p.first)
						found = true
					}
				}
				if !found && !strings.HasPrefix(name, "llvm.") {
					c.missing++
				}
			}
		}
	}
	return c
}

// together reports whether a program may run the blocks of both tables. Tables without owners match
// all.
func (s *Space) together(a, b int) bool {
	if len(s.owners[a]) == 0 || len(s.owners[b]) == 0 {
		return true
	}
	return slices.ContainsFunc(s.owners[a], func(p int) bool { return slices.Contains(s.owners[b], p) })
}
