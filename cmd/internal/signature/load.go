package signature

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"

	"parallax/cmd/internal/gocommand"
)

// loader type-checks declarations from source. Function bodies are dropped before checking, and with them the imports
// that only bodies need, which leaves a small part of the import closure. Errors are tolerated: a declaration that does
// not resolve has an invalid type, and the compiler will say why.
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
			if f, _ := parser.ParseFile(l.fset, file, nil, parser.SkipObjectResolution); f != nil {
				l.prune(p, f)
				files = append(files, f)
			}
		}
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

// prune drops function bodies and the imports that nothing left refers to.
func (l *loader) prune(p *gocommand.Package, f *ast.File) {
	used := map[string]bool{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			fn.Body = nil
		}
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
