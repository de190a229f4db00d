package styletest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

const minMessage = 4 // words; shorter literals are keys and names

var (
	verb    = regexp.MustCompile(`%[-+# 0-9.*]*[a-zA-Z]`)
	scripts = regexp.MustCompile(`\$(?:box|here|status|input)\b`) // of a shell, whose functions have names
)

// Texts calls message for each literal of a Go file that programs may print, and declared for each
// declared name.
func Texts(path string, message, declared func(at token.Position, text string)) error {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Ident:
			declared(set.Position(n.Pos()), n.Name)
		case *ast.Field:
			for _, name := range n.Names {
				declared(set.Position(name.Pos()), name.Name)
			}
			return n.Tag == nil // tags are for programs
		case ast.Expr:
			if text, ok := joined(n); ok {
				message(set.Position(n.Pos()), text)
				return false
			}
		}
		return true
	})
	return nil
}

// joined returns the text of string literals joined by +.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, ok := joined(e.X)
		y, also := joined(e.Y)
		return x + y, ok && also && e.Op == token.ADD
	}
	return "", false
}

// Message checks a text that a program may print. It does not check the length of sentences, which
// may depend on values.
func Message(text string) (problems []string) {
	text = verb.ReplaceAllString(codeSpan.ReplaceAllString(text, code), code)
	if len(strings.Fields(text)) < minMessage || scripts.MatchString(text) {
		return nil
	}
	for _, s := range Sentences(text) {
		problems = append(problems, sentence(s)...)
	}
	return problems
}

// Help checks the paragraphs of a help text. Indented paragraphs are examples and pass.
func Help(text string) (problems []string) {
	for _, paragraph := range strings.Split(codeSpan.ReplaceAllString(text, code), "\n\n") {
		if !strings.HasPrefix(paragraph, "  ") {
			problems = append(problems, Prose(paragraph)...)
		}
	}
	return problems
}
