package internal

import (
	"bytes"
	"go/parser"
	"go/token"
	"sort"
	"strconv"
	"strings"
	"testing"
)

func TestFilesAreTheLibrarysSources(t *testing.T) {
	files := Files()
	if len(files) == 0 {
		t.Fatal("no files embedded")
	}
	if !sort.SliceIsSorted(files, func(i, j int) bool { return files[i].Path < files[j].Path }) {
		t.Error("not sorted by path")
	}
	found := false
	for _, f := range files {
		if strings.HasSuffix(f.Path, "_test.go") || strings.Count(f.Path, "/") != 1 {
			t.Errorf("%s: not a source file of a package", f.Path)
		}
		found = found || f.Path == "input/input.go"
		if bytes.Contains(f.Text, []byte("\n//go:embed ")) {
			t.Errorf("%s: embeds files, which a copy of the library would lack", f.Path)
		}
	}
	if !found {
		t.Error("input/input.go is missing")
	}
}

// TestLibraryImportsOnlyStandard checks that workers need only the standard library and the library
// itself.
func TestLibraryImportsOnlyStandard(t *testing.T) {
	for _, f := range Files() {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.ImportsOnly)
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
			continue
		}
		for _, s := range parsed.Imports {
			name, _ := strconv.Unquote(s.Path.Value)
			first, _, _ := strings.Cut(name, "/")
			if strings.Contains(first, ".") || name == "C" || first == "parallax" && !strings.HasPrefix(name, "parallax/internal/") {
				t.Errorf("%s imports %s", f.Path, name)
			}
		}
	}
}
