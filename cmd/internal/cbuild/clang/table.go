package clang

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ianlancetaylor/demangle"

	"parallax/cmd/internal/flow"
)

// ReadTable reads the block table of a program or shared library from its coverage tables, symbols
// and line tables. The file was built with the fast variant's flags. A block's id is the index of
// its counter in this file.
//
// Users of the table should know these properties of the compiler:
//
//   - Not every basic block is counted. Edges and calls pass through uncounted ones.
//   - A block belongs to the function of its machine code. Its File and Line are the source's,
//     which for inlined code is the other function's. One line may therefore have blocks in several
//     functions.
//   - Removed code has no blocks and no lines. -O0 removes least.
//   - The code of a block may be removed after it was given a counter: it is then a block of kind
//     Removed, which is never hit.
//   - A function that ends in a call that does not return has no Exit there.
//   - Without debug information (-g0 by the user), files are empty and lines 0. In a stripped
//     program, functions are named by their addresses.
//
// Table.Package is the file's base name.
func ReadTable(path string) (*flow.Table, error) {
	t, err := cachedTable(path, buildTable)
	if err != nil {
		return nil, fmt.Errorf("reading the control flow of %s: %w", path, err)
	}
	t.Package = filepath.Base(path)
	return t, nil
}

func buildTable(path string) (*flow.Table, error) {
	f, err := openProgram(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := newImage(f)
	if err != nil {
		return nil, err
	}
	lines, err := newLineTable(m)
	if err != nil {
		return nil, err
	}
	b := builder{image: m, lines: lines, table: &flow.Table{Blocks: make([]flow.Block, len(m.points))}, covers: map[place][]int{}}
	bodies := m.parse()
	b.functions(bodies)
	for i := range bodies {
		b.blocks(i, newGraph(&bodies[i]))
	}
	b.finish()
	return b.table, nil
}

// builder makes a table.
type builder struct {
	image  *image
	lines  *lineTable
	table  *flow.Table
	symbol map[uint64]string // of counted functions, by address
	// maps the first line of each function to the last line before the next function of the file
	ends   map[place]int
	covers map[place][]int // which blocks execute a line
}

// place is a line of a file, by its number in the line table.
type place struct{ file, line int32 }

// functions fills in Table.Funcs.
func (b *builder) functions(bodies []body) {
	b.symbol = map[uint64]string{}
	used := map[string]int{}
	starts := map[int32][]int32{}
	b.ends = map[place]int{}
	for _, body := range bodies {
		symbol := b.image.name(body.entry)
		at := b.first(body.entry, body.end)
		f := flow.Func{Name: demangled(symbol), Symbol: symbol, First: body.first, Count: len(body.points)}
		f.File, f.Line = b.file(at.file), int(at.line)
		if used[symbol]++; used[symbol] > 1 { // static functions of several files, or of a header
			f.Symbol += "~" + strconv.Itoa(used[symbol])
		}
		b.symbol[body.entry] = f.Symbol
		b.table.Funcs = append(b.table.Funcs, f)
		starts[at.file] = append(starts[at.file], at.line)
	}
	for file, all := range starts {
		slices.Sort(all)
		all = slices.Compact(all)
		for i, line := range all {
			end := int(^uint32(0) >> 1)
			if i+1 < len(all) {
				end = int(all[i+1]) - 1
			}
			b.ends[place{file, line}] = end
		}
	}
}

// demangled returns a name in source form. Names of C are unchanged.
func demangled(symbol string) string { return demangle.Filter(symbol) }

func (b *builder) file(n int32) string {
	if n < 0 {
		return ""
	}
	return b.lines.files[n]
}

// first returns the first row with a line in a range of addresses, or one with file -1.
func (b *builder) first(from, to uint64) lineRow {
	for _, r := range b.lines.between(from, max(to, from+1)) {
		if r.line > 0 && r.file >= 0 {
			return r
		}
	}
	return lineRow{file: -1}
}

// last returns the last row with a line in a range of addresses.
func (b *builder) last(from, to uint64) lineRow {
	rows := b.lines.between(from, max(to, from+1))
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].line > 0 && rows[i].file >= 0 {
			return rows[i]
		}
	}
	return lineRow{file: -1}
}

// blocks fills in the blocks of a function.
func (b *builder) blocks(fn int, g *graph) {
	f := b.table.Funcs[fn]
	entry := b.first(g.nodes[g.entry].pc, g.nodes[len(g.nodes)-1].end)
	limit := b.ends[place{entry.file, entry.line}]
	ends := make([]int, len(g.nodes)) // last line of the code that is executed with a node
	for i := range g.nodes {
		n := &g.nodes[i]
		cover, owner := g.cover(i), g.owner(i)
		for _, r := range b.lines.between(n.pc, n.end) {
			if r.line <= 0 || r.file < 0 {
				continue
			}
			b.cover(place{r.file, r.line}, cover)
			if owner >= 0 && r.file == entry.file && r.line >= entry.line && int(r.line) <= limit {
				ends[owner] = max(ends[owner], int(r.line))
			}
		}
	}
	for _, id := range g.removed {
		b.table.Blocks[id] = flow.Block{ID: id, Func: fn, Kind: flow.Removed, File: f.File, Line: f.Line, Cond: f.Line, EndLine: f.Line}
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if !n.counted() {
			continue
		}
		from, branch, single := g.condition(i)
		at := b.first(n.pc, n.end)
		decided := lineRow{file: -1}
		if single {
			decided = b.last(g.nodes[from].pc, g.nodes[from].end)
		}
		if at.file < 0 {
			at = decided
		}
		if at.file < 0 {
			at = entry
		}
		block := flow.Block{Func: fn, Kind: flow.Straight, File: b.file(at.file), Line: int(at.line), Col: int(at.col), Cond: int(at.line)}
		switch {
		case i == g.entry:
			block.Kind = flow.Entry
		case branch:
			block.Kind = flow.Branch
		}
		if single && decided.file == at.file {
			block.Cond = int(decided.line)
		}
		block.EndLine = int(at.line)
		if at.file == entry.file && at.line >= entry.line && int(at.line) <= limit {
			block.EndLine = max(block.EndLine, ends[i])
		}
		calls := map[string]bool{}
		block.Succs = g.next(i, func(k int) {
			passed := &g.nodes[k]
			block.Exit = block.Exit || passed.ends && !b.image.endsInCall(passed)
			for _, c := range passed.calls {
				if c == indirectCall {
					block.Indirect = true
				} else {
					calls[b.callee(c)] = true
				}
			}
		})
		for c := range calls {
			block.Calls = append(block.Calls, c)
		}
		slices.Sort(block.Calls)
		for _, id := range n.ids {
			block.ID = id
			if block.Kind == flow.Entry && id != f.First {
				block.Kind = flow.Straight
			}
			b.table.Blocks[id] = block
		}
	}
}

func (b *builder) callee(pc uint64) string {
	if s, ok := b.symbol[pc]; ok {
		return s
	}
	return b.image.name(pc)
}

func (b *builder) cover(at place, ids []int) { b.covers[at] = append(b.covers[at], ids...) }

// finish puts the lines in order.
func (b *builder) finish() {
	files := map[int32]*flow.File{}
	for at, ids := range b.covers {
		f := files[at.file]
		if f == nil {
			f = &flow.File{Path: b.file(at.file)}
			files[at.file] = f
		}
		slices.Sort(ids)
		f.Lines = append(f.Lines, flow.Line{Line: int(at.line), Blocks: slices.Clip(slices.Compact(ids))})
	}
	for _, f := range files {
		slices.SortFunc(f.Lines, func(a, b flow.Line) int { return a.Line - b.Line })
		b.table.Files = append(b.table.Files, *f)
	}
	slices.SortFunc(b.table.Files, func(a, b flow.File) int { return cmp.Compare(a.Path, b.Path) })
}

// endsInCall reports whether the code of a block ends in a call of a function that does not return,
// or in a trap.
func (m *image) endsInCall(n *node) bool {
	code := m.bytes(n.pc, n.end)
	switch k := len(code); {
	case k >= 2 && code[k-2] == 0x0f && code[k-1] == 0x0b: // ud2
		return true
	case k >= 5 && code[k-5] == 0xe8: // call, relative to the next instruction
		to := n.end + uint64(int64(int32(uint32(code[k-4])|uint32(code[k-3])<<8|uint32(code[k-2])<<16|uint32(code[k-1])<<24)))
		return m.executable(to)
	}
	return false
}
