package callgraph

import (
	"slices"
	"sync"

	"parallax/cmd/internal/flow"
)

// index finds the parts of a graph.
type index struct {
	functions map[flow.Position]int
	byName    map[string][]int // full names
	sites     map[flow.Position][]*site
	next      func() [][]int
}

// finish makes the index. Only functions and sites in packages that may have a table are indexed by
// position.
func (g *Graph) finish() {
	x := index{functions: make(map[flow.Position]int, len(g.functions)), byName: make(map[string][]int, len(g.functions)), sites: map[flow.Position][]*site{}}
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
				at := flow.Position{File: g.files[s.file], Line: s.line, Col: s.col}
				x.sites[at] = append(x.sites[at], s)
			}
		}
	}
	x.next = sync.OnceValue(g.successors)
	g.index = x
}

// successors lists, for each function, those that may run when it runs. For functions outside of
// the standard library, it follows calls as Fill does. So values that one function passes to the
// standard library do not count for another function. Functions of the standard library have
// successors only there.
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
