package fuzztest

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/buildroot"
	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/gocommand"
)

// Repair is how the test file that is added names the function that repairs mutants; the zero value is none. Its
// signature is checked by the worker, which knows what the FuzzXxx takes.
type Repair struct {
	path string // of its package, to import; empty: it is in the package of the file
	name string
}

func (f Repair) imports() string {
	if f.path == "" {
		return ""
	}
	return fmt.Sprintf("parallaxInjectedRepair %q\n", f.path)
}

func (f Repair) call() string {
	switch {
	case f.name == "":
		return ""
	case f.path == "":
		return "parallaxInjectedTarget.Repair(" + f.name + ")\n"
	}
	return "parallaxInjectedTarget.Repair(parallaxInjectedRepair." + f.name + ")\n"
}

// FindRepair finds the function that --repair names: in a package that the tests may import, or in the package of the
// FuzzXxx, where its test files count too.
func FindRepair(ctx context.Context, root *buildroot.Root, pkg *Package, written string) (Repair, error) {
	if written == "" {
		return Repair{}, nil
	}
	f, err := funcname.ParseInside(written)
	switch {
	case err != nil:
		return Repair{}, exit.Usage("--repair %w", err)
	case f.Version != "":
		return Repair{}, exit.Usage("--repair %s: tests are built with the versions of their go.mod: leave @%s out", written, f.Version)
	case f.Receiver != "":
		return Repair{}, exit.Usage("--repair %s is a method: name a function", written)
	}
	list, err := root.List(ctx, "--", f.Package)
	if err != nil {
		return Repair{}, err
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
		return Repair{}, exit.Usage("--repair %s: there is no package %s%s", written, f.Package, why)
	}
	plain := declares(q.Dir, f.Name, q.GoFiles, q.CgoFiles)
	inside := plain || declares(q.Dir, f.Name, q.TestGoFiles)
	outside := declares(q.Dir, f.Name, q.XTestGoFiles)
	here := q.ImportPath == pkg.ImportPath
	switch {
	case here && pkg.Inside() && inside, here && !pkg.Inside() && outside:
		return Repair{name: f.Name}, nil
	case here && pkg.Inside() && outside:
		return Repair{}, exit.Usage("--repair %s is in package %s_test, and the FuzzXxx are in package %s: move it there", written, q.Name, q.Name)
	case !(plain || here && inside):
		return Repair{}, exit.Usage("--repair %s: package %s exports no function %s", written, q.ImportPath, f.Name)
	case !token.IsExported(f.Name):
		return Repair{}, exit.Usage("--repair %s: the function is not exported, so only tests in package %s itself can call it", written, q.Name)
	case q.Name == "main" && !here:
		return Repair{}, exit.Usage("--repair %s: %s is a main package, which cannot be imported: move the function to a package of its own", written, q.ImportPath)
	}
	return Repair{path: q.ImportPath, name: f.Name}, nil
}

// declares reports whether one of the files has a function or variable of the name.
func declares(dir, name string, lists ...[]string) bool {
	for _, files := range lists {
		for _, file := range files {
			if !filepath.IsAbs(file) {
				file = filepath.Join(dir, file)
			}
			tree, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
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
