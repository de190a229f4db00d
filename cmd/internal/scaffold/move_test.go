package scaffold

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Imports change and nothing else does; what was formatted stays so.
func TestImporting(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"sorted": {
			"package p\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/p\"\n\t\"parallax\"\n\t\"parallax/repair\"\n)\n\nvar _ = `\"parallax\"`\n",
			"package p\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/internal/parallax\"\n\t\"example.com/m/internal/parallax/repair\"\n\t\"example.com/m/p\"\n)\n\nvar _ = `\"parallax\"`\n",
		},
		"not formatted": {
			"package  p\nimport (  plx `parallax`;  . \"parallax/repair\" // here\n)\n",
			"package  p\nimport (  plx \"example.com/m/internal/parallax\";  . \"example.com/m/internal/parallax/repair\" // here\n)\n",
		},
		"moved lines": {
			"//line x.go:9\npackage p\n\nimport \"parallax\"\n\nvar _ = parallax.Diff\n",
			"//line x.go:9\npackage p\n\nimport \"example.com/m/internal/parallax\"\n\nvar _ = parallax.Diff\n",
		},
		"others": {
			"package p\n\nimport (\n\t\"parallax/cmd\"\n\t\"x/parallax\"\n)\n",
			"package p\n\nimport (\n\t\"parallax/cmd\"\n\t\"x/parallax\"\n)\n",
		},
		"no Go": {"pakage \"parallax\"", "pakage \"parallax\""},
	} {
		if got := string(importing([]byte(tt.text), "example.com/m/internal/parallax")); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, tt.want)
		}
	}
}

// What is moved is said, and what is not.
func TestMove(t *testing.T) {
	dir := moving(t)
	if err := os.Chmod(filepath.Join(dir, "a_test.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"vendor/modules.txt": ""})
	r, err := Init(context.Background(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"changed the import of the library to example.com/m/internal/parallax in a_test.go, sub/b_test.go",
		"removed from go.mod: require parallax; replace parallax => ./third_party/parallax",
		"sub/testdata/p/golden_test.go is left as it is",
		"rm -r third_party/parallax\ngo mod vendor",
	} {
		if all := strings.Join(append(append(r.Done, r.Notes...), r.Next...), "\n"); !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); string(text) != "module example.com/m\n\ngo 1.22\n" {
		t.Errorf("go.mod:\n%s", text)
	}
	if info, err := os.Stat(filepath.Join(dir, "a_test.go")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if !isFolder(filepath.Join(dir, "third_party", "parallax")) {
		t.Error("the old folder was removed")
	}
}

// A library that the user has from elsewhere stays where it is, and so do the lines.
func TestChosenLibraryStays(t *testing.T) {
	_, folder := newModule(t)
	initialised(t, Options{Dir: filepath.Dir(filepath.Dir(folder))}, "wrote")
	dir, _ := newModule(t)
	mod := "module example.com/m\n\ngo 1.22\n\nrequire parallax v0.0.0\n\nreplace parallax => " + folder + "\n"
	write(t, dir, map[string]string{"go.mod": mod, "a_test.go": "package m\n\nimport _ \"parallax\"\n"})
	write(t, folder, map[string]string{"go.mod": "module parallax\n\ngo 1.22\n"})
	initialised(t, Options{Dir: dir}, "is not a copy made by parallax init, and is left unchanged")
	refused(t, Options{Dir: dir, Library: "x/parallax"}, "leave --library out, or remove that line first")
	older(t, folder)
	refused(t, Options{Dir: dir}, "update it with")
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); string(text) != mod || isFolder(filepath.Join(dir, "internal")) {
		t.Errorf("the module was changed:\n%s", text)
	}
}

// No file imports the library by its old paths afterwards, and another time nothing changes.
func FuzzImporting(f *testing.F) {
	f.Add([]byte("package p\n\nimport (\n\t\"parallax\"\n\tr \"parallax/repair\"\n)\n"))
	f.Add([]byte("//line x:1\npackage p; import . `parallax`; import \"parallax\""))
	f.Add([]byte("package p\r\n\r\nimport \"parallax\"\r\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		once := importing(text, "example.com/m/internal/parallax")
		if len(oldImports(once)) > 0 || !bytes.Equal(importing(once, "example.com/m/internal/parallax"), once) {
			t.Errorf("%q becomes %q", text, once)
		}
	})
}
