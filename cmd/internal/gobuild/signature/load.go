package signature

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"

	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/gobuild/gocommand"
)

// loader type-checks declarations from source. Before checking, it drops function bodies,
// declarations of the standard library that only bodies need, and imports that become unused. A
// small part of the import closure remains. Errors are tolerated: a declaration that does not
// resolve has an invalid type, and the compiler reports the reason.
type loader struct {
	graph *gocommand.Graph
	fset  *token.FileSet
	sizes types.Sizes
	done  map[string]*types.Package
}

func newLoader(graph *gocommand.Graph, arch string) *loader {
	return &loader{graph: graph, fset: token.NewFileSet(), sizes: types.SizesFor("gc", arch), done: map[string]*types.Package{"unsafe": types.Unsafe}}
}

// load returns the package's declarations, empty if there is no such package.
func (l *loader) load(path string) *types.Package {
	if p, ok := l.done[path]; ok {
		return p
	}
	p := l.graph.Package(path)
	if p == nil {
		empty := types.NewPackage(path, filepath.Base(path))
		empty.MarkComplete()
		l.done[path] = empty
		return empty
	}
	var files []*ast.File
	for _, names := range [][]string{p.GoFiles, p.CgoFiles} {
		for _, file := range names {
			if f, _ := gosyntax.ParseFile(l.fset, file, nil, parser.SkipObjectResolution); f != nil {
				dropBodies(f)
				files = append(files, f)
			}
		}
	}
	if p.Standard {
		dropPrivate(files)
	}
	for _, f := range files {
		l.dropImports(p, f)
	}
	config := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            l.sizes,
		Error:            func(error) {},
		Importer: importerFunc(func(name string) (*types.Package, error) {
			return l.load(p.Imported(name)), nil
		}),
	}
	pkg, _ := config.Check(path, l.fset, files, nil)
	l.done[path] = pkg
	return pkg
}

func dropBodies(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Body = nil
		case *ast.FuncLit:
			n.Body.List = nil
		}
		return true
	})
}

// dropPrivate drops unexported functions and variables of a package that no remaining declaration
// mentions. In the standard library they lead from errors to the runtime.
func dropPrivate(files []*ast.File) {
	private := map[string][]ast.Node{} // by name: declarations that stay only where they are mentioned
	hide := func(n ast.Node, names ...*ast.Ident) bool {
		if slices.ContainsFunc(names, (*ast.Ident).IsExported) {
			return false
		}
		for _, x := range names {
			private[x.Name] = append(private[x.Name], n)
		}
		return true
	}
	var stay []ast.Node
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil || !hide(d, d.Name) {
					stay = append(stay, d)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); !ok || d.Tok != token.VAR || !hide(v, v.Names...) {
						stay = append(stay, s)
					}
				}
			}
		}
	}
	delete(private, "_") // parameters have that name, too
	stays := map[ast.Node]bool{}
	for i := 0; i < len(stay); i++ {
		stays[stay[i]] = true
		ast.Inspect(stay[i], func(n ast.Node) bool {
			if x, ok := n.(*ast.Ident); ok {
				stay = append(stay, private[x.Name]...)
				delete(private, x.Name)
			}
			return true
		})
	}
	for _, f := range files {
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			if g, ok := d.(*ast.GenDecl); ok {
				g.Specs = slices.DeleteFunc(g.Specs, func(s ast.Spec) bool { return !stays[s] })
				return len(g.Specs) == 0
			}
			return !stays[d]
		})
	}
}

// dropImports drops the imports that nothing left refers to.
func (l *loader) dropImports(p *gocommand.Package, f *ast.File) {
	used := map[string]bool{}
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	decls := f.Decls[:0]
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			decls = append(decls, d)
			continue
		}
		var keep []ast.Spec
		for _, s := range g.Specs {
			spec := s.(*ast.ImportSpec)
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			name := ""
			if spec.Name != nil {
				name = spec.Name.Name
			} else {
				if q := l.graph.Package(p.Imported(path)); q != nil {
					name = q.Name
				}
			}
			if name == "" || name == "." || used[name] {
				keep = append(keep, s)
			}
		}
		if g.Specs = keep; len(keep) > 0 {
			decls = append(decls, g)
		}
	}
	f.Decls = decls
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
