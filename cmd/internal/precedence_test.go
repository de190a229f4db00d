package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrecedence checks that no expression mixes the additive operators + and - with | and ^
// without parentheses. In Go they bind alike, from left to right: x<<32 | 1<<32 - 1 is (x<<32 |
// 1<<32) - 1. The compiler of the C runtime warns of the same.
func TestPrecedence(t *testing.T) {
	for _, e := range []struct {
		text  string
		mixed bool
	}{{"x<<32 | 1<<32 - 1", true}, {"a + b ^ c", true}, {"a ^ b + c", true}, {"x<<32 | (1<<32 - 1)", false}, {"a | b | c", false}, {"a + b - c", false}} {
		if x, err := parser.ParseExpr(e.text); err != nil || mixes(x.(*ast.BinaryExpr)) != e.mixed {
			t.Errorf("%s: mixed %v, %v", e.text, !e.mixed, err)
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if b, ok := n.(*ast.BinaryExpr); ok && mixes(b) {
				t.Errorf("%s: | or ^ stands with + or -, without parentheses", set.Position(b.OpPos))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// mixes reports whether an operand of | or ^ is a sum, or one of a sum is made by | or ^, without
// parentheses.
func mixes(b *ast.BinaryExpr) bool {
	for _, side := range []ast.Expr{b.X, b.Y} {
		inner, ok := side.(*ast.BinaryExpr)
		if ok && (sums(b.Op) && joins(inner.Op) || joins(b.Op) && sums(inner.Op)) {
			return true
		}
	}
	return false
}

func sums(op token.Token) bool  { return op == token.ADD || op == token.SUB }
func joins(op token.Token) bool { return op == token.OR || op == token.XOR }
