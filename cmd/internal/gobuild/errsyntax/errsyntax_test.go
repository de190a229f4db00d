package errsyntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

func parse(t *testing.T, text string) ast.Expr {
	t.Helper()
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestComparesWithNil checks which conditions are about an error.
func TestComparesWithNil(t *testing.T) {
	for text, want := range map[string]token.Token{
		"err != nil": token.NEQ, "(err) == nil": token.EQL, "parseErr != nil": token.NEQ, "s.err != nil": token.NEQ, "s.Err() != nil": token.NEQ,
		"errs[i] != nil": token.NEQ, "n > 1 && err != nil": token.NEQ, "c == 0 || err != nil": token.NEQ, "n > 1 && err == nil": token.ILLEGAL,
		"x != nil": token.ILLEGAL, "err != io.EOF": token.ILLEGAL, "err": token.ILLEGAL, "n == 1": token.ILLEGAL,
	} {
		if got := ComparesWithNil(parse(t, text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestMakes checks which calls make an error.
func TestMakes(t *testing.T) {
	for text, want := range map[string]bool{
		"errors.New(s)": true, "fmt.Errorf(s)": true, "p.syntaxError(n)": true, "fail(n)": true, "NewThing[int](n)": true, "errors.Join(a, b)": true,
		"o.set(n)": false, "strconv.Atoi(s)": false, "table[0](s)": false, "func() error { return nil }()": false,
	} {
		if got := Makes(parse(t, text).(*ast.CallExpr)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
