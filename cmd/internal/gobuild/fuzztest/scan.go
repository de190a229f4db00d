package fuzztest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/gobuild/library"
)

// File is a parsed test file, or a file of the package that it tests.
type File struct {
	name    string // as the user has it, absolute
	path    string // where its text is
	imports []string
	named   map[string]string // packages that may be the library by their import paths, by what the file calls them; "." if dot-imported
	library map[string]string // those of them that are; set by search.recognize
	gens    map[string]string // libraries whose package gen the file imports, by what the file calls that; those that are none are taken out by search.recognize
	Tree    *ast.File
	fset    *token.FileSet
}

// placedError is an error with its position in a file.
type placedError struct {
	file      string
	line, col int
	text      string
}

func (e *placedError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.file, e.line, e.col, e.text)
}

// ParseFile reads a file. The error is worded and placed as the compiler's.
func ParseFile(name, path string, mode parser.Mode) (*File, error) {
	f := &File{name: name, path: path, fset: token.NewFileSet()}
	var err error
	if f.Tree, err = gosyntax.ParseFile(f.fset, path, nil, mode|parser.SkipObjectResolution); err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) {
			at := list[0].Pos
			return nil, &placedError{name, at.Line, at.Column, list[0].Msg}
		}
		return nil, err
	}
	for _, s := range f.Tree.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		f.imports = append(f.imports, path)
		name := library.Name
		if s.Name != nil {
			name = s.Name.Name
		}
		f.importsGen(s, path)
		if library.Named(path) && name != "_" {
			if f.named == nil {
				f.named = map[string]string{}
			}
			f.named[name] = path
		}
	}
	return f, nil
}

// fuzzFuncs returns the declarations that go test takes for fuzz targets, by go test's own rules.
// One with another signature is an error, as it is there.
func (f *File) fuzzFuncs() ([]*ast.FuncDecl, error) {
	var found []*ast.FuncDecl
	for _, d := range f.Tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !IsName(fn.Name.Name) {
			continue
		}
		why := ""
		if !TakesF(fn.Type) {
			why = "must be: func " + fn.Name.Name + "(f *testing.F)"
		}
		if fn.Type.TypeParams.NumFields() > 0 {
			why = "test functions cannot have type parameters"
		}
		if why != "" {
			at := f.fset.Position(fn.Pos())
			return nil, &placedError{f.name, at.Line, at.Column, "wrong signature for " + fn.Name.Name + ", " + why}
		}
		found = append(found, fn)
	}
	return found, nil
}

// IsName is go test's rule: what follows Fuzz does not begin with a lower-case letter.
func IsName(name string) bool {
	rest, ok := strings.CutPrefix(name, "Fuzz")
	if !ok || rest == "" {
		return ok
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLower(r)
}

// TakesF reports whether a function takes a *testing.F and returns nothing. Like go test it checks
// only the type's name, since package testing may be imported under any name.
func TakesF(t *ast.FuncType) bool {
	if t.Results.NumFields() > 0 || len(t.Params.List) != 1 || len(t.Params.List[0].Names) > 1 {
		return false
	}
	p, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := p.X.(type) {
	case *ast.Ident:
		return x.Name == "F"
	case *ast.SelectorExpr:
		return x.Sel.Name == "F"
	}
	return false
}

// diffs are the functions of a package whose bodies refer to the library's Diff; methods begin with
// a dot.
func diffs(files []*File) map[string]bool {
	found := map[string]bool{}
	for _, f := range files {
		if len(f.library) == 0 {
			continue
		}
		for _, d := range f.Tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && Refers(fn.Body, f.isDiff) {
				name := fn.Name.Name
				if fn.Recv != nil {
					name = "." + name
				}
				found[name] = true
			}
		}
	}
	return found
}

// isDiff reports whether an expression is the library's Diff in this file.
func (f *File) isDiff(pkg, name string) bool {
	if pkg == "" {
		pkg = "."
	}
	return name == "Diff" && f.library[pkg] != ""
}

// Refers reports whether a body holds a name that the test takes: alone, or selected from another
// name. What it is selected from is "." where that is no name, as in f().Name.
func Refers(body ast.Node, takes func(of, name string) bool) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of := "."
			if x, ok := n.X.(*ast.Ident); ok {
				of = x.Name
			}
			found = found || takes(of, n.Sel.Name) || Refers(n.X, takes)
			return false
		case *ast.Ident:
			found = found || takes("", n.Name)
		}
		return !found
	})
	return found
}

// callsDiff reports whether a function refers to Diff itself, or to a function or method of its
// package that does.
func callsDiff(fn *ast.FuncDecl, with map[string]bool) bool {
	return with[fn.Name.Name] || fn.Body != nil && len(with) > 0 && Refers(fn.Body, func(of, name string) bool {
		if of == "" {
			return with[name]
		}
		return with["."+name]
	})
}
