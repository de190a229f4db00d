package styletest

import (
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../../../.."

// exceptions are documents that are not checked, with the reason.
var exceptions = map[string]string{
	"docs/dev/style.md": "it quotes what the rules forbid",
}

// TestDocuments checks the documents of the repository.
func TestDocuments(t *testing.T) {
	for _, name := range documents(t, "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/README.md", "docs/*.md", "examples/*.md") {
		if exceptions[name] != "" {
			continue
		}
		for _, p := range Document(read(t, name)) {
			t.Errorf("%s:%d: %s", name, p.Line, p.Text)
		}
	}
}

// TestSizes checks that the documents for users stay readable in all, and those for the first hour
// in one sitting.
func TestSizes(t *testing.T) {
	users, path := 0, 0
	for _, name := range documents(t, "docs/*.md") {
		if !strings.HasPrefix(name, "docs/dev/") {
			users += len(read(t, name))
		}
	}
	if users > 330_000 {
		t.Errorf("docs without docs/dev has %d bytes, more than 330,000: each fact has one place, and research is in docs/dev", users)
	}
	for _, name := range []string{"README.md", "docs/tutorials/first-difference.md", "docs/explanation/finding.md"} {
		path += len(read(t, name))
	}
	if path > 13_000 {
		t.Errorf("README, the first tutorial and the page on findings have %d bytes, more than 13,000", path)
	}
	if n := len(strings.Fields(read(t, "docs/dev/architecture.md"))); n > 4000 {
		t.Errorf("docs/dev/architecture.md has %d words, more than 4,000: packages describe themselves in their comments", n)
	}
}

// TestMessages checks the texts that the tool and the packages for users print, and all
// identifiers.
func TestMessages(t *testing.T) {
	dirs := []string{":(glob)*.go"}
	for _, dir := range []string{"cmd", "internal", "gen", "repair", "schema", "drivers"} {
		dirs = append(dirs, dir+"/*.go")
	}
	for _, name := range documents(t, dirs...) {
		if strings.Contains(name, "/testdata/") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cmd/internal/base/styletest/") {
			continue
		}
		err := Texts(filepath.Join(root, name), func(at token.Position, text string) {
			for _, p := range Message(text) {
				t.Errorf("%s:%d: %s", name, at.Line, p)
			}
		}, func(at token.Position, identifier string) {
			if american.MatchString(identifier) {
				t.Errorf("%s:%d: %s: American spelling", name, at.Line, identifier)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestComments checks the comments of all Go files, except test data.
func TestComments(t *testing.T) {
	for _, name := range documents(t, "*.go") {
		if strings.Contains("/"+name, "/testdata/") {
			continue
		}
		err := Comments(filepath.Join(root, name), func(at token.Position, text string) {
			t.Errorf("%s:%d: %s", name, at.Line, text)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestCommentRules checks a comment that breaks rules, next to code, indented lines and names that
// do not.
func TestCommentRules(t *testing.T) {
	long := strings.Repeat("word ", maxSentence) + "end."
	text := "// Package p tells.\npackage p\n\n// F is Beside, x.Tells and aTell, with `tell`.\n//\n//\ttell\n//   - tell\n//\n// " +
		strings.ReplaceAll(long, " ", "\n// ") + "\nfunc F() {} // " + long + " It tells.\n\n// " + strings.Repeat("w", 97) + "\n// " + strings.Repeat("w", 98) +
		"\n//   " + strings.Repeat("w", 98) + "\n//go:" + strings.Repeat("w", 98) + "\n\n// tell is G. It tells.\nfunc tell() {}\n\n// tell is H.\nfunc tell() {}\n\n// It is I.\nfunc F() {}\n"
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var lines []int
	if err := Comments(path, func(at token.Position, _ string) { lines = append(lines, at.Line) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(lines, []int{49, 1, 4, 35, 38, 42}) {
		t.Errorf("problems in lines %v, want 1 (word), 4 (length), 35 (word), 38 (columns), 42 (word), 49 (name)", lines)
	}
}

// TestRules breaks each rule once, and breaks none.
func TestRules(t *testing.T) {
	long := strings.Repeat("word ", maxSentence)
	for _, test := range []struct {
		page, want string
	}{
		{"It tells nothing.", "tell"}, {"It comes to an end.", "comes to"}, {"It stands here.", "stand"}, {"It is put down to chance.", "put down to"},
		{"parallax looked into it.", "examine"}, {"It starts anew.", "again"}, {"Judging takes time.", "triage"}, {"Each, one of which fails.", "sentence"},
		{"That is what counts.", "name the thing"}, {"It lies beside it.", "next to"}, {"Nobody knows.", "actor"}, {"It is normalised.", "American"},
		{long + "more.", "26 words"}, {"What it does is unknown.", "clause"}, {"| a | " + long + " |", "cell"}, {"## What is it", "heading"},
		{"```\nIt tells.\n```\n\n    It tells.\n\n`tell` and " + long[10:], ""}, {"Is it? " + long[5:] + "e.g. this.", "26 words"},
		{"It runs. " + long + "end. It ends.", "26 words"}, {"`a`, `b`, `c`, " + long[25:] + "and one, two, three, four.", ""}, {"## Behavior", ""}, {"## Is it?", ""},
	} {
		problems := Document(test.page)
		if test.want == "" && len(problems) > 0 || test.want != "" && (len(problems) == 0 || !strings.Contains(problems[0].Text, test.want)) {
			t.Errorf("%q: %v, want %q", test.page, problems, test.want)
		}
	}
}

// documents returns the files of the repository that match.
func documents(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", root, "ls-files"}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if _, err := os.Stat(filepath.Join(root, name)); err == nil { // else removed, and not committed yet
			names = append(names, name)
		}
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
