package gencheck

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"parallax/cmd/internal/base/gosyntax"
	"parallax/cmd/internal/gobuild/library"
)

// missingDraws finds draws that no input reached, in functions in which inputs reached other draws.
// A function that no target calls may not be a generator.
func missingDraws(targets []*Target) (found []Mistake) {
	lines := map[string]map[int]bool{}
	for _, t := range targets {
		for at := range t.lines {
			if lines[at.File] == nil {
				lines[at.File] = map[int]bool{}
			}
			lines[at.File][at.Line] = true
		}
	}
	var files []string
	for file := range lines {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		for _, d := range draws(file) {
			if d.drawn(lines[file]) || !slices.ContainsFunc(d.siblings, func(o *draw) bool { return o.drawn(lines[file]) }) {
				continue
			}
			found = append(found, Mistake{Kind: neverDrawn, File: file, Line: d.first, Label: d.label,
				Text: fmt.Sprintf("no input reached this draw, and all reached others in its function: is the branch before it too seldom taken? Draw %q by t.Flip or OneOf, or take it away", d.label)})
		}
	}
	return found
}

// draw is a call that draws, with a constant label.
type draw struct {
	label       string
	first, last int // lines
	siblings    []*draw
}

func (d *draw) drawn(lines map[int]bool) bool {
	for n := d.first; n <= d.last; n++ {
		if lines[n] {
			return true
		}
	}
	return false
}

// draws returns the calls of a file that draw: by Draw of a generator, or by methods of T. An
// unreadable file has none.
func draws(file string) (all []*draw) {
	fset := token.NewFileSet()
	tree, err := gosyntax.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil || !importsGen(tree) {
		return nil
	}
	var functions []*[]*draw
	var walk func(n ast.Node, in *[]*draw)
	walk = func(n ast.Node, in *[]*draw) {
		ast.Inspect(n, func(n ast.Node) bool {
			var body *ast.BlockStmt
			switch f := n.(type) {
			case *ast.FuncDecl:
				body = f.Body
			case *ast.FuncLit:
				body = f.Body
			case *ast.CallExpr:
				if d := drawOf(fset, f); d != nil {
					all, *in = append(all, d), append(*in, d)
				}
			}
			if body == nil {
				return true
			}
			inner := &[]*draw{}
			functions = append(functions, inner)
			walk(body, inner)
			return false
		})
	}
	outermost := &[]*draw{}
	walk(tree, outermost)
	for _, f := range append(functions, outermost) {
		for _, d := range *f {
			d.siblings = *f
		}
	}
	return all
}

func importsGen(tree *ast.File) bool {
	return slices.ContainsFunc(tree.Imports, func(s *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(s.Path.Value)
		root, ok := library.Root(path)
		return ok && path == root+"/"+library.Gen
	})
}

// drawOf returns the draw of a call, or nil.
func drawOf(fset *token.FileSet, call *ast.CallExpr) *draw {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	n := map[string]int{"Draw": 2, "Choose": 2, "Flip": 1, "Count": 2, "IntRange": 3}[f.Sel.Name]
	if n == 0 || len(call.Args) != n {
		return nil
	}
	i := 0
	if f.Sel.Name == "Draw" {
		i = 1
	}
	text, ok := call.Args[i].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return nil
	}
	label, err := strconv.Unquote(text.Value)
	if err != nil {
		return nil
	}
	return &draw{label: label, first: fset.Position(f.Sel.Pos()).Line, last: fset.Position(call.End()).Line}
}
