package fuzztest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// Parameters are the names of the parameters of the function literal that a FuzzXxx passes to Fuzz,
// behind its *testing.T. It is nil where the source cannot be read or says it otherwise.
func (f *Func) Parameters() (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), f.File, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != f.Name || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 || names != nil {
				return names == nil
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			lit, is := call.Args[0].(*ast.FuncLit)
			if ok && is && sel.Sel.Name == "Fuzz" {
				names = namesOf(lit.Type)
			}
			return true
		})
	}
	return names
}

// namesOf are the names of a function's parameters but the first; nil where one has none.
func namesOf(t *ast.FuncType) (names []string) {
	for _, field := range t.Params.List {
		if len(field.Names) == 0 {
			return nil
		}
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
	}
	if slices.Contains(names[min(1, len(names)):], "_") {
		return nil
	}
	return names[min(1, len(names)):]
}
