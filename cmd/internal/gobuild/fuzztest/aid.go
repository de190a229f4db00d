package fuzztest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Aids holds the functions that the user names for the FuzzXxx of a package.
type Aids struct {
	Repair    Aid // repairs mutants
	Generator Aid // draws inputs
}

// Aid is a function or variable that the user names for a FuzzXxx, in the form of the added test
// file. The zero value means none. The worker, which knows the arguments of the FuzzXxx, checks its
// type.
type Aid struct {
	Written string // by the user
	path    string // of its package, to import; empty: it is in the package of the file
	name    string
}

// Canonical names it relative to the folder of the package, independent of the user's folder.
func (f Aid) Canonical() string {
	switch {
	case f.name == "":
		return ""
	case f.path == "":
		return "./." + f.name
	}
	return f.path + "." + f.name
}

// imports are the packages that the aids are in.
func (a Aids) imports() string {
	text := ""
	for _, f := range []struct {
		as   string
		path string
	}{{"parallaxInjectedRepair", a.Repair.path}, {"parallaxInjectedGenerator", a.Generator.path}} {
		if f.path != "" {
			text += fmt.Sprintf("%s %q\n", f.as, f.path)
		}
	}
	return text
}

// calls hand the aids over.
func (a Aids) calls() string {
	text := ""
	if f := a.Repair; f.name != "" {
		text += "parallaxInjectedTarget.Repair(" + f.in("parallaxInjectedRepair") + ")\n"
	}
	if f := a.Generator; f.name != "" { // which may panic where it is evaluated
		text += fmt.Sprintf("parallaxInjectedTarget.Draw(%q, func() any { return %s })\n", f.Written, f.in("parallaxInjectedGenerator"))
	}
	return text
}

// in is the name in the file that is added, which imports the package as this.
func (f Aid) in(as string) string {
	if f.path == "" {
		return f.name
	}
	return as + "." + f.name
}

// FindAids finds what --repair and --generator name.
func FindAids(ctx context.Context, root *buildroot.Root, pkg *Package, repair, generator string) (a Aids, err error) {
	if a.Repair, err = findAid(ctx, root, pkg, "--repair", repair); err != nil {
		return Aids{}, err
	}
	if a.Generator, err = findAid(ctx, root, pkg, "--generator", generator); err != nil {
		return Aids{}, err
	}
	return a, nil
}

// findAid finds the function that a flag names. It is in a package that the tests may import, or in
// the package of the FuzzXxx, including its test files.
func findAid(ctx context.Context, root *buildroot.Root, pkg *Package, flag, written string) (Aid, error) {
	if written == "" {
		return Aid{}, nil
	}
	f, err := funcname.ParseInside(written)
	switch {
	case err != nil:
		return Aid{}, exit.Usage(flag+" %w", err)
	case f.Version != "":
		return Aid{}, exit.Usage(flag+" %s: tests are built with the versions of their go.mod: leave @%s out", written, f.Version)
	case f.Receiver != "":
		return Aid{}, exit.Usage(flag+" %s is a method: name a function", written)
	}
	list, err := root.List(ctx, "--", f.Package)
	if err != nil {
		return Aid{}, err
	}
	q := gocommand.Written(list, f.Package)
	if q == nil && len(list) == 1 {
		q = list[0]
	}
	if q == nil || len(q.GoFiles)+len(q.CgoFiles)+len(q.TestGoFiles)+len(q.XTestGoFiles) == 0 {
		why := ""
		if q != nil && q.Error != nil {
			why = ": " + strings.ReplaceAll(strings.TrimSpace(q.Error.Err), "\n", " ")
		}
		return Aid{}, exit.Usage(flag+" %s: there is no package %s%s", written, f.Package, why)
	}
	plain := declares(q.Dir, f.Name, q.GoFiles, q.CgoFiles)
	inside := plain || declares(q.Dir, f.Name, q.TestGoFiles)
	outside := declares(q.Dir, f.Name, q.XTestGoFiles)
	here := q.ImportPath == pkg.ImportPath
	switch {
	case here && pkg.Inside() && inside, here && !pkg.Inside() && outside:
		return Aid{Written: written, name: f.Name}, nil
	case here && pkg.Inside() && outside:
		return Aid{}, exit.Usage(flag+" %s is in package %s_test, and the FuzzXxx are in package %s: move it there", written, q.Name, q.Name)
	case !(plain || here && inside):
		return Aid{}, exit.Usage(flag+" %s: package %s exports no function %s", written, q.ImportPath, f.Name)
	case !token.IsExported(f.Name):
		return Aid{}, exit.Usage(flag+" %s: the function is not exported, so only tests in package %s itself can call it", written, q.Name)
	case q.Name == "main" && !here:
		return Aid{}, exit.Usage(flag+" %s: %s is a main package, which cannot be imported: move the function to a package of its own", written, q.ImportPath)
	case here || !pkg.Inside(): // which nothing that it imports can import
		return Aid{Written: written, path: q.ImportPath, name: f.Name}, nil
	}
	deps, err := root.List(ctx, "-deps", "--", q.ImportPath)
	if err != nil {
		return Aid{}, err
	}
	if slices.ContainsFunc(deps, func(d *gocommand.Package) bool { return d.ImportPath == pkg.ImportPath }) {
		return Aid{}, exit.Usage(flag+" %s: package %s imports %s, so that the tests in it cannot import that package: move the FuzzXxx to package %s_test, or the function into a test file of that package", written, q.ImportPath, pkg.ImportPath, pkg.Name)
	}
	return Aid{Written: written, path: q.ImportPath, name: f.Name}, nil
}

// declares reports whether one of the files has a function or variable of the name.
func declares(dir, name string, lists ...[]string) bool {
	for _, files := range lists {
		for _, file := range files {
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, file)
			}
			tree, _ := gosyntax.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if tree == nil {
				continue
			}
			for _, d := range tree.Decls {
				if named(d, name) {
					return true
				}
			}
		}
	}
	return false
}

func named(d ast.Decl, name string) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Recv == nil && d.Name.Name == name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			v, ok := s.(*ast.ValueSpec)
			for i := 0; ok && d.Tok == token.VAR && i < len(v.Names); i++ {
				if v.Names[i].Name == name {
					return true
				}
			}
		}
	}
	return false
}
