package golang

import (
	"go/ast"
	"go/token"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/errsyntax"
)

func (w *walker) values(list []ast.Expr) {
	for _, e := range list {
		w.value(e)
	}
}

// value walks an expression in the order of evaluation. The language fixes it from left to right
// for calls and binary logical operations, which are all that matters here. Types are not entered:
// array lengths must stay constant.
func (w *walker) value(e ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if w.short(e) {
			join := w.point()
			w.cond(e, join, join)
			w.cur = join
			return
		}
		w.value(e.X)
		w.value(e.Y)
	case *ast.CallExpr:
		w.call(e)
	case *ast.FuncLit:
		w.closure(e)
	case *ast.CompositeLit:
		w.values(e.Elts)
	case *ast.KeyValueExpr:
		w.value(e.Key)
		w.value(e.Value)
	case *ast.ParenExpr:
		w.value(e.X)
	case *ast.UnaryExpr:
		w.value(e.X)
	case *ast.StarExpr:
		w.value(e.X)
	case *ast.SelectorExpr:
		w.value(e.X)
	case *ast.IndexExpr:
		w.value(e.X)
		w.value(e.Index)
	case *ast.IndexListExpr:
		w.value(e.X)
	case *ast.SliceExpr:
		w.value(e.X)
		w.value(e.Low)
		w.value(e.High)
		w.value(e.Max)
	case *ast.TypeAssertExpr:
		w.value(e.X)
	}
}

// short reports whether e is a && or || whose right operand is counted.
func (w *walker) short(e *ast.BinaryExpr) bool {
	return (e.Op == token.LAND || e.Op == token.LOR) && w.plain == 0
}

// cond walks an expression that decides between two nodes.
func (w *walker) cond(e ast.Expr, yes, no int) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		w.cond(e.X, yes, no)
		return
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			w.cond(e.X, no, yes)
			return
		}
	case *ast.BinaryExpr:
		if !w.short(e) {
			break
		}
		kind := flow.And
		if e.Op == token.LOR {
			kind = flow.Or
		}
		right := w.block(kind, e.Y.Pos(), e.Y.Pos())
		w.edit(e.Y.Pos(), formOpen, right)
		if kind == flow.And {
			w.cond(e.X, right, no)
		} else {
			w.cond(e.X, yes, right)
		}
		w.cur = right
		w.fn.extend(right, e.Y.End())
		w.cond(e.Y, yes, no)
		w.edit(e.Y.End(), formClose, right)
		return
	}
	w.value(e)
	w.fn.edge(w.cur, yes)
	w.fn.edge(w.cur, no)
}

// call walks a call. The operands of unsafe's functions are not evaluated. Those of len and cap can
// be part of a constant, which a counting call inside would make invalid.
func (w *walker) call(e *ast.CallExpr) {
	switch f := e.Fun.(type) {
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && w.file.unsafeNames[x.Name] {
			w.plain++
			defer func() { w.plain-- }()
		}
	case *ast.Ident:
		if f.Name == "len" || f.Name == "cap" {
			w.plain++
			defer func() { w.plain-- }()
		}
	}
	w.value(e.Fun)
	w.values(e.Args)
	w.site(e.Lparen, errsyntax.LastName(e.Fun))
}
