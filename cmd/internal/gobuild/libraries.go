package gobuild

import (
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/gobuild/library"
)

// findLibraries finds parallax's library in the target's code. A user's copy lies in the module
// under test and is not tested itself, unless the target is part of the library.
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

// findDependencies finds the modules of the packages that are not under test.
func (p *Plan) findDependencies() {
	for _, q := range p.graph.All {
		path := q.ImportPath
		if q.Module != nil {
			path = q.Module.Path
		}
		if !q.Standard && !slices.Contains(p.Own, path) && !slices.Contains(p.Dependencies, path) {
			p.Dependencies = append(p.Dependencies, path)
		}
	}
}

// findGenerators finds the library's packages gen in the test binary that the package may import.
// The library may itself be under test, or lie in the same module, as in its own module.
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
			continue // it would be an import cycle
		}
		if _, err := library.Known(root, dir); err != nil {
			return err
		}
		f.Generators = append(f.Generators, q.ImportPath)
	}
	slices.Sort(f.Generators)
	return nil
}

// mayImport implements the go command's rule for internal packages.
func mayImport(from, path string) bool {
	at := strings.LastIndex("/"+path+"/", "/internal/")
	if at < 0 {
		return true
	}
	above := strings.TrimSuffix(path[:at], "/")
	return above == "" || from == above || strings.HasPrefix(from, above+"/")
}
