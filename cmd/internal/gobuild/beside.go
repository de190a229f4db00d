package gobuild

import (
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/library"
)

// findLibraries finds where the target's code has the library of parallax. A user's copy lies in the module under test and is no
// part of what is tested, unless the target is of the library itself.
func (p *Plan) findLibraries() {
	for _, q := range p.graph.All {
		root, ok := library.Root(q.ImportPath)
		if !ok || q.Standard || slices.Contains(p.Libraries, root) || slices.Contains(p.Own, root) || p.fuzz != nil && library.Has(root, p.fuzz.ImportPath) {
			continue
		}
		dir := q.Dir
		for range strings.Count(q.ImportPath[len(root):], "/") {
			dir = filepath.Dir(dir)
		}
		if library.Holds(dir) {
			p.Libraries = append(p.Libraries, root)
		}
	}
}
