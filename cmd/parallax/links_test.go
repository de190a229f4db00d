package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	mdLink  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	mdFence = regexp.MustCompile("(?ms)^```.*?^```|^    .*?$")
)

// TestLinks checks that each link of a document leads to a file of the repository, and to a heading
// in it.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	out, err := exec.Command("git", "-C", root, "ls-files", "*.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	headings := map[string]map[string]bool{}
	for _, name := range strings.Fields(string(out)) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed, and not committed yet
		}
		for _, m := range mdLink.FindAllStringSubmatch(mdFence.ReplaceAllString(string(data), ""), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			path, fragment, _ := strings.Cut(m[1], "#")
			to := filepath.Join(root, filepath.Dir(name), path)
			if path == "" {
				to = filepath.Join(root, name)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s is not there", name, m[1])
				continue
			}
			if fragment == "" || filepath.Ext(to) != ".md" {
				continue
			}
			if headings[to] == nil {
				headings[to] = headingsOf(t, to)
			}
			if !headings[to][fragment] {
				t.Errorf("%s: %s has no such heading", name, m[1])
			}
		}
	}
}

// headingsOf are the anchors of a page's headings, as GitHub makes them.
func headingsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	anchors := map[string]bool{}
	for _, line := range strings.Split(mdFence.ReplaceAllString(string(data), ""), "\n") {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		anchors[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(title))] = true
	}
	return anchors
}
