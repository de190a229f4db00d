package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// reach keeps the sites that a FuzzXxx may reach, and records which. A declaration in a test file
// reaches the declarations that it names: functions, variables with their initial values, and all
// methods of types. In the package itself, external tests may call exported declarations, whose
// names get a leading dot.
func (f *callFinder) reach() {
	// maps a declaration to those in test files that it names
	uses := map[types.Object][]types.Object{}
	var roots []types.Object
	names := map[types.Object]string{}
	note := func(decl types.Object, n ast.Node) {
		if decl == nil {
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if to := origin(f.info.Uses[id]); to != nil && to.Pkg() == f.pkg && f.inTest(to) {
					uses[decl] = append(uses[decl], to)
				}
			}
			return true
		})
	}
	for _, file := range f.files {
		if !strings.HasSuffix(file.path, "_test.go") || generated(file.path) {
			continue
		}
		for _, d := range file.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				obj := f.info.Defs[d.Name]
				if obj == nil || d.Body == nil {
					continue
				}
				note(obj, d.Body)
				switch {
				case d.Recv == nil && isFuzz(d.Name.Name):
					names[obj] = d.Name.Name
				case f.pkg.Path() == f.under && d.Name.IsExported() && !isTest(d.Name.Name):
					names[obj] = "." + d.Name.Name
				default:
					if fn, ok := obj.(*types.Func); ok && d.Recv != nil {
						if t := receiver(fn); t != nil {
							uses[t] = append(uses[t], obj)
						}
					}
					continue
				}
				roots = append(roots, obj)
				if fn, ok := obj.(*types.Func); ok && d.Recv != nil {
					if t := receiver(fn); t != nil {
						uses[t] = append(uses[t], obj)
					}
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						for _, id := range s.Names {
							note(f.info.Defs[id], s)
						}
					case *ast.TypeSpec:
						note(f.info.Defs[s.Name], s.Type)
					}
				}
			}
		}
	}
	reached := map[types.Object][]string{}
	for _, root := range roots {
		seen := map[types.Object]bool{}
		var walk func(types.Object)
		walk = func(o types.Object) {
			if seen[o] {
				return
			}
			seen[o] = true
			if r := reached[o]; !slices.Contains(r, names[root]) {
				reached[o] = append(r, names[root])
			}
			for _, to := range uses[o] {
				walk(to)
			}
		}
		walk(root)
	}
	kept := f.sites[:0]
	for _, s := range f.sites {
		if s.Roots = reached[s.decl]; len(s.Roots) > 0 {
			kept = append(kept, s)
		}
	}
	f.sites = kept
}

// origin returns the generic function or variable of an instance.
func origin(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	case nil:
		return nil
	}
	return o
}

// receiver returns the type of a method.
func receiver(fn *types.Func) types.Object {
	t := types.Unalias(fn.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// inTest reports whether a test file declares an object.
func (f *callFinder) inTest(o types.Object) bool {
	return o.Pos() != token.NoPos && strings.HasSuffix(f.position(o.Pos()).Filename, "_test.go")
}

func isFuzz(name string) bool { return strings.HasPrefix(name, "Fuzz") }

// isTest reports whether go test calls a function by itself.
func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Example", "Fuzz"}, func(p string) bool { return strings.HasPrefix(name, p) })
}
