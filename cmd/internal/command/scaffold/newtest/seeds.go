package newtest

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/mining"
)

const (
	maxTestSeeds = 3  // seeds in a test
	maxTestSeed  = 60 // bytes of a seed
)

// mine finds seeds in the tests and examples of the packages: texts that are passed to the
// functions, or to f.Add in their fuzz tests. Other texts in tests have unknown meanings.
func (t *plan) mine() {
	var perPackage [][]corpus.Seed
	for _, c := range t.calls {
		var texts []mining.Text
		for _, names := range [][]string{c.Package.TestGoFiles, c.Package.XTestGoFiles} {
			for _, name := range names {
				if f, err := fuzztest.ParseFile(name, filepath.Join(c.Package.Dir, name), 0); err == nil {
					for _, text := range passedTo(f.Tree, c.Func.Name) {
						texts = append(texts, mining.Text{Value: text})
					}
				}
			}
		}
		perPackage = append(perPackage, mining.Combine(t.shape, texts, ""))
	}
	t.seeds = corpus.Flats(mining.Deal(perPackage, maxTestSeeds))
}

// passedTo lists the texts that a file passes to a function of this name, or to Add in a FuzzXxx
// that calls it.
func passedTo(f *ast.File, name string) []string {
	var texts []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		fuzz := fn.Recv == nil && fuzztest.IsName(fn.Name.Name) && fuzztest.Refers(fn.Body, func(_, other string) bool { return other == name })
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			callee := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				callee = fun.Name
			case *ast.SelectorExpr:
				callee = fun.Sel.Name
			}
			if callee != name && !(fuzz && callee == "Add") {
				return true
			}
			for _, arg := range call.Args {
				if text, ok := textOf(arg); ok && presentable(text) {
					texts = append(texts, text)
				}
			}
			return true
		})
	}
	return texts
}

// textOf returns the value of a string literal or of a converted one.
func textOf(e ast.Expr) (string, bool) {
	if conversion, ok := e.(*ast.CallExpr); ok && len(conversion.Args) == 1 {
		if list, ok := conversion.Fun.(*ast.ArrayType); ok && list.Len == nil {
			e = conversion.Args[0]
		}
	}
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// presentable reports whether a text is readable in a test.
func presentable(text string) bool {
	return text != "" && len(text) <= maxTestSeed && strings.IndexFunc(text, func(c rune) bool {
		return !unicode.IsPrint(c) || c == unicode.ReplacementChar
	}) < 0
}
