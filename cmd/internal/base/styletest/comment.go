package styletest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"
)

const maxColumns = 100 // of a line of a comment; a tab counts as one

// named matches names of code in a sentence, such as b.Len, Options or shownInput.
var named = regexp.MustCompile(`\b\w+(?:\.\w+)+\b|([a-z,;:] )[A-Z]\w*|\b[a-z]+[A-Z]\w*`)

// Comments calls problem for each rule that a comment of a Go file breaks. It leaves out indented
// lines, which are code and lists, directives, and the output of examples. It does not check the
// length of comments after code.
func Comments(path string, problem func(at token.Position, text string)) error {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	code := map[int]bool{} // lines with code
	names := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		code[set.Position(n.Pos()).Line], code[set.Position(n.End()).Line] = true, true
		return true
	})
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && !opens(f.Doc.Text(), f.Name.Name) {
			problem(set.Position(f.Pos()), "the comment does not begin with "+f.Name.Name)
		}
	}
	for _, group := range tree.Comments {
		if strings.HasPrefix(group.Text(), "Output:") { // of an example
			continue
		}
		at := set.Position(group.Pos())
		for i, paragraph := range paragraphs(group.Text()) {
			if first, rest, _ := strings.Cut(paragraph, " "); i == 0 && names[first] {
				paragraph = "\x00 " + rest
			}
			check := Prose
			if code[at.Line] {
				check = Words
			}
			for _, p := range check(named.ReplaceAllString(plain(paragraph), "$1"+"\x00")) {
				problem(at, p)
			}
		}
		for _, line := range group.List {
			at := set.PositionFor(line.Pos(), false)
			if n := at.Column - 1 + utf8.RuneCountInString(line.Text); n > maxColumns && !code[at.Line] && flowing(line.Text) {
				problem(at, fmt.Sprintf("%d columns", n))
			}
		}
	}
	return nil
}

// opens reports whether the comment of a function begins with its name, if it has one. Examples and
// the functions that the runtime calls may begin otherwise.
func opens(text, name string) bool {
	if text == "" || name == "main" || name == "init" || strings.HasPrefix(name, "Example") {
		return true
	}
	first, _, _ := strings.Cut(strings.Join(strings.Fields(text), " "), " ")
	return strings.TrimRight(first, ",:.") == name
}

// flowing reports whether a line of a comment is text, and not a directive, code or a list.
func flowing(line string) bool {
	return strings.HasPrefix(line, "// ") && !strings.HasPrefix(line, "//  ")
}

// paragraphs returns the paragraphs of a comment without its indented lines.
func paragraphs(text string) (list []string) {
	var lines []string
	for _, line := range append(strings.Split(text, "\n"), "") {
		switch {
		case line == "":
			list, lines = append(list, strings.Join(lines, " ")), nil
		case line[0] != ' ' && line[0] != '\t':
			lines = append(lines, line)
		}
	}
	return list
}
