package harness

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/gocommand"
)

// fuzzRepair is how the test file that is added names the function that repairs mutants; the zero value is none. Its
// signature is checked by the worker, which knows what the FuzzXxx takes.
type fuzzRepair struct {
	path string // of its package, to import; empty: it is in the package of the file
	name string
}

func (f fuzzRepair) imports() string {
	if f.path == "" {
		return ""
	}
	return fmt.Sprintf("parallaxInjectedRepair %q\n", f.path)
}

func (f fuzzRepair) call() string {
	switch {
	case f.name == "":
		return ""
	case f.path == "":
		return "parallaxInjectedTarget.Repair(" + f.name + ")\n"
	}
	return "parallaxInjectedTarget.Repair(parallaxInjectedRepair." + f.name + ")\n"
}

// injectedInside reports whether the file that is added belongs to the package itself, and not to its external tests.
func (p *FuzzPackage) injectedInside() bool {
	for _, f := range p.Funcs {
		if !f.External {
			return true
		}
	}
	return false
}

// findFuzzRepair finds the function that --repair names: in a package that the tests may import, or in the package of the
// FuzzXxx, where its test files count too.
func (p *Plan) findFuzzRepair(ctx context.Context) (fuzzRepair, error) {
	written := p.req.Repair
	if written == "" {
		return fuzzRepair{}, nil
	}
	f, err := funcname.ParseInside(written)
	switch {
	case err != nil:
		return fuzzRepair{}, exit.Usage("--repair %w", err)
	case f.Version != "":
		return fuzzRepair{}, exit.Usage("--repair %s: tests are built with the versions of their go.mod: leave @%s away", written, f.Version)
	case f.Receiver != "":
		return fuzzRepair{}, exit.Usage("--repair %s is a method: name a function", written)
	}
	list, err := p.root.List(ctx, "--", f.Package)
	if err != nil {
		return fuzzRepair{}, err
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
		return fuzzRepair{}, exit.Usage("--repair %s: there is no package %s%s", written, f.Package, why)
	}
	plain := declares(q.Dir, f.Name, q.GoFiles, q.CgoFiles)
	inside := plain || declares(q.Dir, f.Name, q.TestGoFiles)
	outside := declares(q.Dir, f.Name, q.XTestGoFiles)
	here := q.ImportPath == p.fuzz.ImportPath
	switch {
	case here && p.fuzz.injectedInside() && inside, here && !p.fuzz.injectedInside() && outside:
		return fuzzRepair{name: f.Name}, nil
	case here && p.fuzz.injectedInside() && outside:
		return fuzzRepair{}, exit.Usage("--repair %s is in package %s_test, and the FuzzXxx are in package %s: move it there", written, q.Name, q.Name)
	case !(plain || here && inside):
		return fuzzRepair{}, exit.Usage("--repair %s: package %s has no function %s that its importers see", written, q.ImportPath, f.Name)
	case !token.IsExported(f.Name):
		return fuzzRepair{}, exit.Usage("--repair %s: the function is not exported, so that only tests in package %s itself can call it", written, q.Name)
	case q.Name == "main" && !here:
		return fuzzRepair{}, exit.Usage("--repair %s: %s is a main package, which cannot be imported: move the function to a package of its own", written, q.ImportPath)
	}
	return fuzzRepair{path: q.ImportPath, name: f.Name}, nil
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
