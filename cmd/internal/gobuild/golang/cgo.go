package golang

import (
	"go/ast"
	"go/token"
	"strings"
)

// cgoClosure recognizes the closures that cgo puts around calls whose pointer arguments it checks.
// The user's file has none there, so they get no blocks, or ids computed from the user's file would
// differ. It returns the user's expressions inside, in order.
func cgoClosure(f *file, lit *ast.FuncLit) (args []ast.Expr, ok bool) {
	if !strings.HasSuffix(f.path, ".cgo1.go") || len(lit.Body.List) == 0 {
		return nil, false
	}
	for _, s := range lit.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE && cgoName(s.Lhs[0]) {
				args, ok = append(args, s.Rhs...), true
			}
		case *ast.DeclStmt:
			d := s.Decl.(*ast.GenDecl)
			for _, spec := range d.Specs {
				if v, isVar := spec.(*ast.ValueSpec); isVar && cgoName(v.Names[0]) {
					args, ok = append(args, v.Values...), true
				}
			}
		}
	}
	return args, ok
}

func cgoName(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && strings.HasPrefix(id.Name, "_cgo")
}
