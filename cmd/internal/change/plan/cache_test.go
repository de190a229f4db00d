package plan

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/change"
	"parallax/cmd/internal/flow"
)

// TestStore checks that an entry is found for the same files and executable only, and that damaged
// entries are ignored.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tool, source := file("tool", "1"), file("a.go", "package a")
	tree := &change.Tree{Root: dir, Go: "go1.26", Packages: []*change.Package{{Path: "m/a", Main: true, Files: []string{source}}, {Path: "fmt", Standard: true, Files: []string{"gone.go"}}}}
	first := key(tool, tree, tree)
	if first == "" || key(tool, tree, tree) != first || key(tool, tree) == first {
		t.Fatalf("keys %q", first)
	}
	s := buildcache.Results(filepath.Join(dir, "store"))
	k := &cachedChanges{Points: []cachedPoint{{change.Point{ID: "1", Blocks: []int{3}}, []cachedSpot{{"a.go", 1, 2, 3}}, []flow.Position{{File: "a.go", Line: 1, Col: 1}}}}, Notes: []change.Note{{Kind: "tests", Text: "t"}}}
	write(s, first, k)
	if got := read(s, first); !reflect.DeepEqual(got, k) {
		t.Errorf("read %+v", got)
	}
	file("a.go", "package b")
	if again := key(tool, tree, tree); again == first || again == "" || read(s, again) != nil {
		t.Error("another file has the same key")
	}
	// Vendored packages with a version, and test data, can be edited. Notes mention them.
	for _, name := range []string{"vendor/d/d.go", "testdata/1"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		file(name, "package a")
	}
	tree.Packages = append(tree.Packages, &change.Package{Path: "d", Dir: filepath.Join(dir, "vendor/d"), Version: "v1.0.0", Files: []string{filepath.Join(dir, "vendor/d/d.go")}})
	tree.Packages[0].Dir = dir
	before := key(tool, tree)
	for _, name := range []string{"vendor/d/d.go", "testdata/1", "testdata/2"} {
		file(name, "package other")
		if again := key(tool, tree); again == before || again == "" {
			t.Errorf("another %s has the same key", name)
		} else {
			before = again
		}
	}
	tree.Packages[0].Files = []string{filepath.Join(dir, "absent.go")}
	if key(tool, tree) != "" || read(s, "") != nil {
		t.Error("a file that cannot be read has a key")
	}
	if err := os.WriteFile(filepath.Join(string(s), first), []byte("{"), 0o644); err != nil || read(s, first) != nil {
		t.Errorf("what is damaged was read, %v", err)
	}
	write("", "x", k)
}
