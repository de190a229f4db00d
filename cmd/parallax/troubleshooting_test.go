package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// TestTroubleshooting checks that each message of the page on troubleshooting is in a literal of
// the source, with … for inserted values. Messages are in alphabetical order, and each row has a
// remedy.
func TestTroubleshooting(t *testing.T) {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "troubleshooting.md"))
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|(.*)\\|$").FindAllStringSubmatch(string(page), -1) {
		messages = append(messages, m[1])
		if cells := strings.Split(m[2], " | "); len(cells) != 2 || strings.TrimSpace(cells[0]) == "" || strings.TrimSpace(cells[1]) == "" {
			t.Errorf("%q has no cause and remedy", m[1])
		}
	}
	if rows := strings.Count(string(page), "\n|") - 2; len(messages) != rows || rows < 20 {
		t.Errorf("%d of %d rows begin with a message in backticks", len(messages), rows)
	}
	letters := func(s string) string {
		return strings.ToLower(strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }))
	}
	if !slices.IsSortedFunc(messages, func(a, b string) int { return strings.Compare(letters(a), letters(b)) }) {
		t.Error("the messages are not in alphabetical order")
	}
	texts := sourceTexts(t, filepath.Join(root, "cmd"), filepath.Join(root, "internal"))
	for _, m := range messages {
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, m) }) {
			t.Errorf("no text of the source has %q", m)
		}
	}
}

// sourceTexts returns the string literals below some folders without those of tests. A sum of
// literals is one text, and … replaces the verbs of a format.
func sourceTexts(t *testing.T, dirs ...string) (texts []string) {
	t.Helper()
	verb := regexp.MustCompile(`%[-+# 0]*[0-9]*(\.[0-9]+)?(\[[0-9]+\])?[a-zA-Z]`)
	var text func(e ast.Expr) (string, bool)
	text = func(e ast.Expr) (string, bool) {
		switch e := e.(type) {
		case *ast.BasicLit:
			s, err := strconv.Unquote(e.Value)
			return s, err == nil && e.Kind == token.STRING
		case *ast.BinaryExpr:
			a, left := text(e.X)
			b, right := text(e.Y)
			return a + b, left && right && e.Op == token.ADD
		}
		return "", false
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				if s, ok := text(e); ok {
					texts = append(texts, verb.ReplaceAllString(s, "…"))
					return false
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}
