package styletest

import (
	"go/ast"
	"go/token"
)

// Sleeps calls problem for each call of time.Sleep in a Go file that waits and hopes, with the name
// of the function at the top. A loop that asks for an event again may sleep, and so may a process
// that hangs until it is killed, for time.Hour.
func Sleeps(path string, problem func(at token.Position, function string)) error {
	return functions(path, func(set *token.FileSet, f *ast.FuncDecl) {
		var nodes []ast.Node // from the function to the present one
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				nodes = nodes[:len(nodes)-1]
				return true
			}
			nodes = append(nodes, n)
			if c, ok := n.(*ast.CallExpr); ok && isTime(c.Fun, "Sleep") && !isTime(c.Args[0], "Hour") && !inLoop(nodes) {
				problem(set.Position(c.Pos()), f.Name.Name)
			}
			return true
		})
	})
}

// isTime reports whether an expression is a name of package time.
func isTime(x ast.Expr, name string) bool {
	s, ok := x.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == "time"
}

// inLoop reports whether the last node is in a loop of its function.
func inLoop(nodes []ast.Node) bool {
	for i := len(nodes) - 1; i >= 0; i-- {
		switch nodes[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.FuncLit:
			return false
		}
	}
	return false
}
