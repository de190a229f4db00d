package styletest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// vague lists words that are no names of functions: they do not say what a function does.
var vague = []string{"again", "anew", "beside", "fewer", "given", "gone", "happening", "later", "stand", "taken", "tell", "tells", "told"}

// Names calls problem for each function of a Go file with a vague name.
func Names(path string, problem func(at token.Position, text string)) error {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && slices.Contains(vague, strings.ToLower(f.Name.Name)) {
			problem(set.Position(f.Pos()), "the name "+f.Name.Name+" does not say what the function does")
		}
	}
	return nil
}
