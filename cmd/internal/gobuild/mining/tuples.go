package mining

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// Tests call functions with constants, or list the constants in a table. Constants that follow one
// another and fit all arguments are a seed. They belong together more often than any strings.

// maxTuples bounds the seeds of consecutive constants in a package, so that strings have room.
const maxTuples = 100

// tuples returns the seeds of a test file's consecutive constants, in the order of the source. from
// describes the package.
func tuples(shape input.Shape, file, from string) (seeds []corpus.Seed) {
	if len(shape) < 2 {
		return nil
	}
	fset := token.NewFileSet()
	f, _ := gosyntax.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		var list []ast.Expr
		switch n := n.(type) {
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && messages[s.Sel.Name] {
				return true
			}
			list = n.Args
		case *ast.CompositeLit:
			list = n.Elts
		}
		for ; len(list) >= len(shape) && len(seeds) < maxTuples; list = list[1:] {
			if flat, ok := pack(shape, list); ok {
				at := fset.Position(list[0].Pos())
				seeds = append(seeds, corpus.Seed{Flat: flat, From: fmt.Sprintf("constants in %s:%d of %s", filepath.Base(at.Filename), at.Line, from)})
			}
		}
		return true
	})
	return seeds
}

// pack makes an input of the first expressions of a list, if they are constants that fit.
func pack(shape input.Shape, list []ast.Expr) (flat []byte, ok bool) {
	file := "go test fuzz v1\n"
	for i, k := range shape {
		e := list[i]
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			e = pair.Value
		}
		text, ok := constantValue(e, k)
		if !ok {
			return nil, false
		}
		file += fmt.Sprintf("%v(%s)\n", k, text)
	}
	flat, err := shape.Import([]byte(file))
	return flat, err == nil
}

// constantValue returns a constant expression as Go's corpus files write an argument of a kind.
// Conversions do not matter. A text that spells a number may be one, as some tests write their
// tables in texts.
func constantValue(e ast.Expr, k input.Kind) (text string, ok bool) {
	sign := ""
	switch x := e.(type) {
	case *ast.CallExpr:
		if len(x.Args) == 1 && isConversion(x.Fun) {
			return constantValue(x.Args[0], k)
		}
	case *ast.Ident:
		return x.Name, k == input.Bool && (x.Name == "true" || x.Name == "false")
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			e, sign = x.X, "-"
		}
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || k == input.Bool {
		return "", false
	}
	text = lit.Value
	if lit.Kind == token.STRING || lit.Kind == token.CHAR {
		var err error
		if text, err = strconv.Unquote(text); err != nil || len(text) > maxLiteral {
			return "", false
		}
	}
	switch {
	case signature.TextLike(k):
		return strconv.Quote(text), lit.Kind == token.STRING
	case lit.Kind == token.CHAR:
		return strconv.Itoa(int([]rune(text)[0])), true
	}
	_, err := strconv.ParseFloat(text, 64)
	return sign + text, err == nil || lit.Kind != token.STRING
}

// isConversion reports whether a callee is a type by its syntax: a slice, or a predeclared type.
func isConversion(fun ast.Expr) bool {
	if list, ok := fun.(*ast.ArrayType); ok {
		return list.Len == nil
	}
	name, ok := fun.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = input.ParseKind(name.Name)
	return ok
}
