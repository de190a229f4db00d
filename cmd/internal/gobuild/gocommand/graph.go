package gocommand

import "slices"

// Graph holds the output of go list for packages and all their dependencies.
type Graph struct {
	All []*Package // dependencies first

	byPath map[string]*Package
}

// NewGraph makes a graph of packages in the order of go list -deps.
func NewGraph(all []*Package) *Graph {
	g := &Graph{All: all, byPath: map[string]*Package{}}
	for _, p := range all {
		g.byPath[p.ImportPath] = p
	}
	return g
}

// Package returns the package with the import path, nil if there is none.
func (g *Graph) Package(path string) *Package { return g.byPath[path] }

// Written returns the package that was asked for by a path: an import path, or a folder as it was
// given to go list.
func (g *Graph) Written(path string) *Package { return Written(g.All, path) }

// Closure lists a package and what it imports, directly or not, in the order of All.
func (g *Graph) Closure(path string) []string {
	reached := map[string]bool{path: true}
	for i := len(g.All) - 1; i >= 0; i-- { // dependencies come first
		p := g.All[i]
		if !reached[p.ImportPath] {
			continue
		}
		for _, name := range p.Imports {
			reached[p.Imported(name)] = true
		}
	}
	var out []string
	for _, p := range g.All {
		if reached[p.ImportPath] {
			out = append(out, p.ImportPath)
		}
	}
	return out
}

// Reaches reports whether the package is, or imports directly or not, the package at path.
func (g *Graph) Reaches(from *Package, path string) bool {
	seen := map[string]bool{}
	var visit func(q *Package) bool
	visit = func(q *Package) bool {
		if q == nil || seen[q.ImportPath] {
			return false
		}
		seen[q.ImportPath] = true
		if q.ImportPath == path {
			return true
		}
		for _, name := range q.Imports {
			if visit(g.byPath[q.Imported(name)]) {
				return true
			}
		}
		return false
	}
	return visit(from)
}

// Imported is the import path of the package that an import of p leads to, which differs where
// packages are vendored.
func (p *Package) Imported(name string) string {
	if actual, ok := p.ImportMap[name]; ok {
		return actual
	}
	return name
}

// Written returns the package that was asked for by a path: an import path, or a folder as it was
// given to go list.
func Written(pkgs []*Package, path string) *Package {
	for _, p := range pkgs {
		if p.ImportPath == path {
			return p
		}
		if slices.Contains(p.Match, path) {
			return p
		}
	}
	return nil
}
