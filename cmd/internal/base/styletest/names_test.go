package styletest

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFunctionNames checks the names of functions and tests of the library and the tool.
func TestFunctionNames(t *testing.T) {
	for _, name := range documents(t, "*.go") {
		if strings.Contains("/"+name, "/testdata/") || strings.HasPrefix(name, "bench/") || strings.HasPrefix(name, "examples/") || strings.HasPrefix(name, "puzzles/") {
			continue
		}
		err := Names(filepath.Join(root, name), func(at token.Position, text string) { t.Errorf("%s:%d: %s", name, at.Line, text) })
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestVagueNames checks that methods and tests count too, and that longer names do not.
func TestVagueNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(path, []byte("package p\n\nfunc tell() {}\nfunc (T) Told() {}\nfunc tellAll() {}\nfunc TestOnceMore() {}\nfunc TestOnceMoreOften() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := Names(path, func(token.Position, string) { n++ }); err != nil || n != 3 {
		t.Errorf("%d names, %v, want 3", n, err)
	}
}
