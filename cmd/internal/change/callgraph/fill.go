package callgraph

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/flow"
)

// Fill adds the calls of blocks to the tables of Go packages, as golang.Analyze makes them.
// Block.Calls lists functions with one of the tables, and Block.Indirect means that others may be
// called. A block also calls functions through functions without a table, such as a closure passed
// to sort.Slice. Sites outside of all blocks, as in package-level initializers, are ignored. The
// notes list functions that the graph does not know. Their blocks are Indirect where they contain
// calls.
//
// The tables and the graph must come from the same files.
func (g *Graph) Fill(tables []*flow.Table) (notes []string) {
	f := newFiller(g)
	for _, t := range tables {
		for i, at := range t.Starts {
			name := t.Package + "." + t.Funcs[i].Name
			if id, ok := g.index.functions[at]; ok {
				f.names[id] = name
				continue
			}
			for _, id := range g.index.byName[name] { // of a skipped package
				if g.functions[id].kind == bodiless {
					f.names[id] = name
				}
			}
		}
	}
	for _, t := range tables {
		if note := f.fill(t); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

type filler struct {
	*Graph
	names     []string // of functions with a table; "" for the others
	tableless tableless
}

func newFiller(g *Graph) *filler {
	return &filler{Graph: g, names: make([]string, len(g.functions)), tableless: newTableless(len(g.functions))}
}

// fill adds the calls to one table.
func (f *filler) fill(t *flow.Table) (note string) {
	missing, first := 0, ""
	for i, at := range t.Starts {
		if id, ok := f.index.functions[at]; at.File != "" && (!ok || f.functions[id].kind == bodiless) {
			if missing++; first == "" {
				first = t.Funcs[i].Name
			}
		}
	}
	for _, s := range t.Sites {
		sites, ok := f.index.sites[s.Position]
		if !ok {
			continue
		}
		var names []string
		unknown := false
		for _, at := range sites {
			more, open := f.callees(at)
			names, unknown = append(names, more...), unknown || open
		}
		for _, b := range s.Blocks {
			block := &t.Blocks[b]
			block.Calls = append(block.Calls, names...)
			block.Indirect = block.Indirect || unknown
		}
	}
	for i := range t.Blocks {
		slices.Sort(t.Blocks[i].Calls)
		t.Blocks[i].Calls = slices.Compact(t.Blocks[i].Calls)
	}
	if missing > 0 {
		f.open(t)
		note = fmt.Sprintf("what %d of %d functions of %s call is not known, as %s", missing, len(t.Funcs), t.Package, first)
	}
	return note
}

// open marks the blocks with calls in functions that the graph does not know.
func (f *filler) open(t *flow.Table) {
	known := make([]bool, len(t.Funcs))
	for i, at := range t.Starts {
		id, ok := f.index.functions[at]
		known[i] = at.File == "" || ok && f.functions[id].kind != bodiless
	}
	for _, s := range t.Sites {
		for _, b := range s.Blocks {
			if !known[t.Blocks[b].Func] {
				t.Blocks[b].Indirect = true
			}
		}
	}
}

// callees returns the names of the functions with a table that a site calls, directly or through
// others.
func (f *filler) callees(s *site) (names []string, unknown bool) {
	f.reached(s, func(c int) { names = append(names, f.names[c]) })
	return names, s.unknown
}

// reached calls use for the functions with a table that a site calls, directly or through others.
func (f *filler) reached(s *site, use func(int)) {
	for _, c := range s.callees {
		if f.names[c] != "" {
			use(c)
			continue
		}
		for _, d := range f.beyondOf(c) {
			if f.functions[d].callback && s.only > 0 {
				if _, ok := slices.BinarySearch(f.lists[s.only-1], d); !ok {
					continue
				}
			}
			use(d)
		}
	}
}
