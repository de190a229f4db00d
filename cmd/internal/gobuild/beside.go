package gobuild

import (
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/library"
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

// findGenerators finds the packages gen of the library in the test binary, of those that the package may import. The library may be what is tested,
// or be in its module, as the library's own module has it.
func (p *Plan) findGenerators() error {
	f := p.fuzz
	f.Generators = nil
	for _, q := range p.graph.All {
		root, ok := strings.CutSuffix(q.ImportPath, "/"+library.Gen)
		if !ok || !library.Named(root) || q.Standard || !mayImport(f.ImportPath, q.ImportPath) || slices.Contains(f.Generators, q.ImportPath) {
			continue
		}
		dir := filepath.Dir(q.Dir)
		if !library.Holds(dir) || f.Inside() && (f.ImportPath == q.ImportPath || p.graph.Reaches(q, f.ImportPath)) {
			continue // nobody can import what imports it
		}
		if _, err := library.Known(root, dir); err != nil {
			return err
		}
		f.Generators = append(f.Generators, q.ImportPath)
	}
	slices.Sort(f.Generators)
	return nil
}

// mayImport is the go command's rule for internal packages.
func mayImport(from, path string) bool {
	at := strings.LastIndex("/"+path+"/", "/internal/")
	if at < 0 {
		return true
	}
	above := strings.TrimSuffix(path[:at], "/")
	return above == "" || from == above || strings.HasPrefix(from, above+"/")
}
