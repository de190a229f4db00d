package fuzztest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"parallax/cmd/internal/base/gosyntax"
)

// Needed returns the test files of a package that a FuzzXxx needs to compile, by base name. They
// are its own, those that declare the names it uses, and so on. It compares only names, so it
// returns a file too many rather than one too few. A missing FuzzXxx needs none.
func Needed(t Tree, fuzz string) ([]string, error) {
	names, err := testFiles(t.path())
	if err != nil {
		return nil, err
	}
	files := map[string]*ast.File{}
	declares := map[string][]string{} // files, by name of a declaration
	set := token.NewFileSet()
	for _, name := range names {
		f, err := gosyntax.ParseFile(set, t.path(name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files[name] = f
		for _, d := range declared(f) {
			declares[d] = append(declares[d], name)
		}
	}
	needed := slices.Clone(declares[fuzz])
	for i := 0; i < len(needed); i++ {
		ast.Inspect(files[needed[i]], func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				for _, name := range declares[id.Name] {
					if !slices.Contains(needed, name) {
						needed = append(needed, name)
					}
				}
			}
			return true
		})
	}
	slices.Sort(needed)
	return needed, nil
}

// declared are the names that a file declares for its package, and those of methods.
func declared(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if name := d.Name.Name; name != "init" && name != "_" {
				names = append(names, name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						if id.Name != "_" {
							names = append(names, id.Name)
						}
					}
				}
			}
		}
	}
	return names
}
