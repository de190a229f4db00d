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

// vagueTests lists words that are no names of tests: they do not say what is tested.
var vagueTests = strings.Fields(`
	acts after again alike all alone any anywhere around below beside beyond both carried elsewhere enough everyday
	first for further given gone has held here instead last late later lay least left made many more most near nothing
	notthere of once oncemore only other others outside outward over own part perhaps rest same some sure taken takes
	then there these things together told too toolong upto vague where worse`)

// Names calls problem for each function or test of a Go file with a vague name.
func Names(path string, problem func(at token.Position, text string)) error {
	return functions(path, func(set *token.FileSet, f *ast.FuncDecl) {
		if slices.Contains(vague, strings.ToLower(f.Name.Name)) {
			problem(set.Position(f.Pos()), "the name "+f.Name.Name+" does not say what the function does")
		}
		if test, ok := strings.CutPrefix(f.Name.Name, "Test"); ok && slices.Contains(vagueTests, strings.ToLower(test)) {
			problem(set.Position(f.Pos()), "the name "+f.Name.Name+" does not say what is tested")
		}
	})
}

// functions calls use for each function of a Go file.
func functions(path string, use func(set *token.FileSet, f *ast.FuncDecl)) error {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			use(set, f)
		}
	}
	return nil
}
