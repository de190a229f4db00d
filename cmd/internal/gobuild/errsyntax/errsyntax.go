// Package errsyntax recognizes errors in the syntax of Go, where types are unknown: by names.
//
// A program that rejects an input returns an error of its own in the failed check, and its callers
// pass the error on. So the program decides where it makes the error.
package errsyntax

import (
	"go/ast"
	"go/token"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// maker matches names of functions that make an error.
var maker = lazyregexp.New(`(?i)err|fail|invalid|^New|^Wrap|^Join$`)

// Makes reports whether a call makes an error, rather than returning one of another function.
func Makes(call *ast.CallExpr) bool { return maker().MatchString(LastName(call.Fun)) }

// ComparesWithNil returns the operator with which a condition compares an error with nil, or
// ILLEGAL if it does not.
func ComparesWithNil(cond ast.Expr) token.Token {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return token.ILLEGAL
	}
	if e.Op == token.LAND || e.Op == token.LOR {
		if ComparesWithNil(e.X) == token.NEQ || ComparesWithNil(e.Y) == token.NEQ {
			return token.NEQ
		}
		return token.ILLEGAL
	}
	name := LastName(e.X)
	y, isNil := ast.Unparen(e.Y).(*ast.Ident)
	if !isNil || y.Name != "nil" || !strings.HasPrefix(name, "err") && !strings.HasSuffix(name, "Err") {
		return token.ILLEGAL
	}
	return e.Op
}

// LastName returns the last name of a variable, a field or a called function, or "" for other
// expressions.
func LastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		return LastName(e.Fun)
	case *ast.IndexExpr:
		return LastName(e.X)
	case *ast.IndexListExpr:
		return LastName(e.X)
	}
	return ""
}
