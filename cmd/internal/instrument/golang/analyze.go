package golang

import (
	"fmt"
	"os"
	"path/filepath"

	"parallax/cmd/internal/flow"
)

// Analyze recomputes the block table of a package from its Go files, as the build chose them; cgo files are given as
// the user wrote them. Positions are those the compiler records: under absolute names, or under the names of //line
// directives as they are written.
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
		for _, n := range fn.order {
			n := &fn.nodes[n]
			at := u.position(n.at)
			end := u.position(n.end).Line
			cond := at.Line
			if c := u.position(n.cond); n.cond.IsValid() && c.Filename == at.Filename {
				cond = c.Line
			}
			t.Blocks = append(t.Blocks, flow.Block{ID: n.id, Func: i, Kind: n.kind, File: at.Filename, Line: at.Line,
				Col: at.Column, Cond: cond, EndLine: max(at.Line, end), Succs: n.next, Exit: n.exit})
		}
	}
	return t
}
