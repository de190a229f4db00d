package callgraph

import (
	"slices"
	"sync"

	"parallax/cmd/internal/flow"
)

// An index finds what a graph holds.
type index struct {
	functions map[flow.Place]int
	byName    map[string][]int // full names
	sites     map[flow.Place][]*site
	next      func() [][]int
}

// finish makes the index. Only what lies in packages that may have a table is looked up by its place.
func (g *Graph) finish() {
	x := index{functions: make(map[flow.Place]int, len(g.functions)), byName: make(map[string][]int, len(g.functions)), sites: map[flow.Place][]*site{}}
	for i := range g.functions {
		f := &g.functions[i]
		name := g.fullName(i)
		x.byName[name] = append(x.byName[name], i)
		if f.file >= 0 {
			x.functions[g.place(i)] = i
		}
		for k := range f.sites {
			s := &f.sites[k]
			if s.file >= 0 {
				at := flow.Place{File: g.files[s.file], Line: s.line, Col: s.col}
				x.sites[at] = append(x.sites[at], s)
			}
		}
	}
	x.next = sync.OnceValue(g.successors)
	g.index = x
}

// successors lists, for each function, those that may run when it does. Outside of the standard library they are found as blocks are
// filled, so that what one function passes to the standard library is not taken for what another one does. Functions of the standard
// library have successors there alone.
func (g *Graph) successors() [][]int {
	f := newFiller(g)
	for i := range g.functions {
		if g.packages[g.functions[i].pkg].own {
			f.names[i] = "own"
		}
	}
	next := make([][]int, len(g.functions))
	for i := range g.functions {
		for k := range g.functions[i].sites {
			s := &g.functions[i].sites[k]
			if f.names[i] != "" {
				f.reached(s, func(c int) { next[i] = append(next[i], c) })
			}
			for _, c := range s.callees {
				if f.names[c] == "" {
					next[i] = append(next[i], c)
				}
			}
		}
		slices.Sort(next[i])
		next[i] = slices.Compact(next[i])
	}
	return next
}
