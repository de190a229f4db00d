package gosyntax

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestParseFile checks that a file with syntax of a later release is parsed whole. Errors in all
// releases remain.
func TestParseFile(t *testing.T) {
	generic := strings.Repeat("func (t T) Map[P, Q any](f func(int) P) (p P) { if t { return f(1) }; return }\n\n", 20)
	tree, err := ParseFile(token.NewFileSet(), "a.go", "package a\n\n"+generic+"func Last() {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Decls) != 21 {
		t.Errorf("%d declarations, want 21", len(tree.Decls))
	}
	for _, d := range tree.Decls {
		if f := d.(*ast.FuncDecl); f.Name.Name == "Map" && len(f.Body.List) != 2 {
			t.Errorf("the body of Map has %d statements, want 2", len(f.Body.List))
		}
	}
	_, err = ParseFile(token.NewFileSet(), "a.go", "package a\n\n"+generic+"func Last( {}\n", 0)
	if err == nil || !strings.HasPrefix(err.Error(), "a.go:43:") {
		t.Errorf("error %v, want one at line 43", err)
	}
	if _, err := ParseFile(token.NewFileSet(), "no such file", nil, 0); err == nil {
		t.Error("no error for a file that is not there")
	}
}
