package golang

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/flow"
)

// Analyze recomputes the block table of a package from the Go files of its build. cgo files are the
// user's. Positions are those that the compiler records: under absolute names, or under the names
// of //line directives as written.
func Analyze(pkgPath string, files []string, o Options) (*flow.Table, error) {
	sources, err := load(files)
	if err != nil {
		return nil, fmt.Errorf("analyzing %s: %w", pkgPath, err)
	}
	u, err := newUnit(sources)
	if err != nil {
		return nil, fmt.Errorf("analyzing %s: %w", pkgPath, err)
	}
	return u.table(pkgPath), nil
}

// load reads files under their absolute names.
func load(files []string) ([]source, error) {
	sources := make([]source, 0, len(files))
	for _, name := range files {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source{path, text})
	}
	return sources, nil
}

func (u *unit) table(pkgPath string) *flow.Table {
	t := &flow.Table{Package: pkgPath, Blocks: make([]flow.Block, 0, u.blocks)}
	for i, fn := range u.funcs {
		fn.eliminate()
		at := u.position(fn.pos)
		t.Funcs = append(t.Funcs, flow.Func{Name: fn.name, File: at.Filename, Line: at.Line, First: fn.first, Count: len(fn.order)})
		t.Starts = append(t.Starts, u.start(fn))
		for _, n := range fn.order {
			n := &fn.nodes[n]
			at := u.position(n.at)
			end := u.position(n.end).Line
			cond := at.Line
			if c := u.position(n.cond); n.cond.IsValid() && c.Filename == at.Filename {
				cond = c.Line
			}
			t.Blocks = append(t.Blocks, flow.Block{ID: n.id, Func: i, Kind: n.kind, File: at.Filename, Line: at.Line,
				Col: at.Column, Cond: cond, EndLine: max(at.Line, end), Succs: n.next, Exit: n.exit, Fails: n.fails, Passes: n.passes})
		}
		for _, s := range fn.sites {
			if blocks := fn.before(s); len(blocks) > 0 {
				t.Sites = append(t.Sites, flow.Site{Position: u.place(s.pos), Blocks: blocks})
				for _, id := range blocks {
					addName(&t.Blocks[id], s.name)
				}
			}
		}
	}
	return t
}

// addName adds a called function to a block, unless its name is unknown.
func addName(b *flow.Block, name string) {
	if at, has := slices.BinarySearch(b.Named, name); !has && name != "" {
		b.Named = slices.Insert(b.Named, at, name)
	}
}

// start returns the begin of a function in its file. Package-level initializers have none.
func (u *unit) start(fn *function) flow.Position {
	if fn.initializer {
		return flow.Position{}
	}
	return u.place(fn.pos)
}

// place returns the place of p in the unprocessed file, regardless of //line directives.
func (u *unit) place(p token.Pos) flow.Position {
	at := u.fset.PositionFor(p, false)
	return flow.Position{File: u.paths[at.Filename], Line: at.Line, Col: at.Column}
}
