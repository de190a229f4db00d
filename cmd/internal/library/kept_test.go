package library

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A file is unchanged whatever version control does to its line ends and wherever its module's path is written in it.
func TestUnchanged(t *testing.T) {
	marked := string(Mark([]byte("package p\n\nimport \"example.com/m/internal/parallax/internal/oracle\"\n")))
	for name, text := range map[string]string{
		"as it was":    marked,
		"line ends":    strings.ReplaceAll(marked, "\n", "\r\n"),
		"another path": strings.Replace(marked, "example.com/m/", "example.com/renamed/v2/", 1),
	} {
		if !Unchanged([]byte(text)) {
			t.Errorf("%s: changed", name)
		}
	}
	head, rest, _ := strings.Cut(marked, "\n\n")
	for name, text := range map[string]string{
		"another import": strings.Replace(marked, "oracle", "input", 1),
		"more":           marked + "// mine\n",
		"no header":      rest,
		"header alone":   head,
		"empty":          "",
	} {
		if Unchanged([]byte(text)) {
			t.Errorf("%s: unchanged", name)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if k, made, err := Open(filepath.Join(dir, "nowhere")); k != nil || made || err != nil {
		t.Errorf("%v, %v, %v", k, made, err)
	}
	write(t, dir, "parallax.go", "package parallax\n")
	if _, made, err := Open(dir); made || err != nil {
		t.Errorf("without a header: %v, %v", made, err)
	}
	write(t, dir, "parallax.go", string(Mark([]byte("package parallax\n"))))
	write(t, dir, "repair/repair.go", "package repair\n")
	write(t, dir, "BUILD", "")
	k, made, err := Open(dir)
	if !made || err != nil || k.Version != parallax.Version || len(k.Files) != 2 || strings.Join(k.Others, " ") != "BUILD" {
		t.Errorf("%+v, %v, %v", k, made, err)
	}
	if !bytes.Equal(k.Files["repair/repair.go"], []byte("package repair\n")) {
		t.Errorf("%q", k.Files)
	}
}

// What has the library's name, and even its version, is not the library.
func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{
		"package parallax\n\nconst Version = 2\n\nvar Driver func(f *testing.F, h *Harness)\n":           true,
		"package parallax\r\n\r\nconst Version = 2\r\n\r\nvar Driver func(f *testing.F, h *Harness)\r\n": true,
		"package parallax\n\nconst Version = 2\n":                                                        false,
		"package parallax\n\nfunc Diff() {}\n":                                                           false,
		"package parallaxes\n\nconst Version = 2\n\nvar Driver func(f *testing.F, h *Harness)\n":         false,
	} {
		dir := t.TempDir()
		write(t, dir, "p.go", text)
		if Holds(dir) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if Holds("") || Holds(filepath.Join(t.TempDir(), "nowhere")) {
		t.Error("a folder that is not there holds the library")
	}
	if !Holds(filepath.Join("..", "..", "..")) {
		t.Error("the library is not known")
	}
}
