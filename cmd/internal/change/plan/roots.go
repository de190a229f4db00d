package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/change"
	"parallax/cmd/internal/gobuild/fuzztest"
)

// roots lists the packages from which calls are followed. Other packages that these do not import
// cannot run a change point: a process only runs functions of the packages that it links.
type roots struct {
	plain  []string // patterns for the go command, read without tests
	tested []string // read with tests: their FuzzXxx may reach a point
	fuzz   []string // all FuzzXxx of the requested packages, by full name, sorted
	listed bool     // fuzz is complete, since the sources were read
}

// rootsOf finds the packages that import one with a change point, directly or not. It includes
// tests if they do so and have a FuzzXxx that may be run. A function named by the user needs only
// its own package.
func (p *Plan) rootsOf(q *Request, now *change.Tree) (r roots) {
	switch {
	case q.Only != "":
		return roots{plain: []string{q.Only}, listed: true}
	case q.Module != "": // the tree belongs to the module, not to the harness
		return roots{tested: q.Patterns}
	}
	above := p.above(now)
	standard := standardFolder(now)
	for _, pkg := range now.Packages {
		if !pkg.Asked {
			continue
		}
		names := fuzzOf(pkg)
		r.fuzz = append(r.fuzz, names...)
		tests := above[pkg.Path] || slices.ContainsFunc(pkg.TestImports, func(path string) bool {
			is, known := above[mapped(pkg, path)]
			return is || !known && !isStandard(standard, path)
		})
		matched := slices.ContainsFunc(names, func(name string) bool {
			_, base := split(name)
			return q.Match == nil || q.Match.MatchString(base)
		})
		switch {
		case matched && tests:
			r.tested = append(r.tested, pkg.Path)
		case above[pkg.Path] && len(pkg.Files) > 0:
			r.plain = append(r.plain, pkg.Path)
		}
	}
	slices.Sort(r.fuzz)
	if r.listed = len(r.plain)+len(r.tested) > 0; !r.listed {
		r.tested = q.Patterns
	}
	return r
}

// above reports for each package of a tree whether it has a change point, or depends on one that
// has.
func (p *Plan) above(t *change.Tree) map[string]bool {
	above := map[string]bool{}
	for i := range p.Points {
		above[p.Points[i].Package] = true
	}
	byPath := map[string]*change.Package{}
	for _, pkg := range t.Packages {
		byPath[pkg.Path] = pkg
	}
	done := map[string]bool{}
	var visit func(path string) bool
	visit = func(path string) bool {
		pkg := byPath[path]
		if pkg == nil || done[path] {
			return above[path]
		}
		done[path] = true
		for _, imported := range pkg.Imports {
			if visit(mapped(pkg, imported)) {
				above[path] = true
			}
		}
		return above[path]
	}
	for _, pkg := range t.Packages {
		above[pkg.Path] = visit(pkg.Path)
	}
	return above
}

// mapped returns the package that an import refers to.
func mapped(pkg *change.Package, path string) string {
	if to, ok := pkg.ImportMap[path]; ok {
		return to
	}
	return path
}

// standardFolder returns the folder of the standard library's sources, or "" if no package of it is
// known.
func standardFolder(t *change.Tree) string {
	for _, pkg := range t.Packages {
		if dir, ok := strings.CutSuffix(filepath.ToSlash(pkg.Dir), "/"+pkg.Path); ok && pkg.Standard {
			return dir
		}
	}
	return ""
}

// isStandard reports whether a package that only tests import belongs to the standard library.
func isStandard(folder, path string) bool {
	if folder == "" {
		return path == "testing"
	}
	_, err := os.Stat(filepath.Join(folder, path))
	return err == nil
}

// fuzzOf lists the FuzzXxx of a package by full name.
func fuzzOf(pkg *change.Package) (full []string) {
	for _, file := range pkg.Tests {
		in, names := fuzztest.Names(file)
		path := pkg.Path
		if strings.HasSuffix(in, "_test") {
			path += "_test"
		}
		for _, name := range names {
			full = append(full, path+"."+name)
		}
	}
	return full
}
