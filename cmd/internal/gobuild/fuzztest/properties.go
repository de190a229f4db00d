package fuzztest

import (
	"go/ast"
	"strings"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/gobuild/library"
)

// importsGen notes an import of the library's package gen.
func (f *File) importsGen(s *ast.ImportSpec, path string) {
	root, ok := library.Root(path)
	if !ok || path != root+"/"+library.Gen {
		return
	}
	name := library.Gen
	if s.Name != nil {
		name = s.Name.Name
	}
	if name == "_" {
		return
	}
	if f.gens == nil {
		f.gens = map[string]string{}
	}
	f.gens[name] = root
}

// isProperty reports whether an expression is gen.Check or gen.Fuzz in this file.
func (f *File) isProperty(pkg, name string) bool {
	if pkg == "" {
		pkg = "."
	}
	return (name == "Check" || name == "Fuzz") && f.gens[pkg] != ""
}

// properties are the functions of a package that refer to gen.Check or gen.Fuzz, or to another one
// that does; methods begin with a dot.
func properties(files []*File) map[string]bool {
	found := map[string]bool{}
	for more := true; more; {
		more = false
		for _, f := range files {
			for _, d := range f.Tree.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				name := fn.Name.Name
				if fn.Recv != nil {
					name = "." + name
				}
				if !found[name] && Refers(fn.Body, func(of, to string) bool {
					return f.isProperty(of, to) || of == "" && found[to] || of != "" && f.gens[of] == "" && found["."+to]
				}) {
					found[name], more = true, true
				}
			}
		}
	}
	return found
}

// propertyFuncs returns the FuzzXxx and TestXxx of a file that are among some functions, in their
// order.
func (f *File) propertyFuncs(among map[string]bool) (found []*ast.FuncDecl) {
	for _, d := range f.Tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && among[fn.Name.Name] && (IsName(fn.Name.Name) || isTest(fn.Name.Name)) && fn.Type.Params.NumFields() == 1 {
			found = append(found, fn)
		}
	}
	return found
}

// isTest is go test's rule for tests.
func isTest(name string) bool {
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok || rest == "" || rest == "Main" {
		return ok && rest == ""
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(r)
}
