package sources

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSources checks that only sources of the campaign are read, although a record may name any
// file.
func TestSources(t *testing.T) {
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for name, text := range map[string]string{
		"go.work":           "go 1.22\n\nuse (\n\t./app\n\t./sibling\n)\n",
		"app/go.mod":        "module example.com/app\n\ngo 1.22\n\nreplace example.com/lib => ../lib\n",
		"app/sub/sub.go":    "package sub\n",
		"app/app.go":        "package app\n",
		"app/secret.txt":    "secret\n",
		"lib/lib.go":        "package lib\n",
		"sibling/go.mod":    "module example.com/sibling\n\ngo 1.22\n",
		"sibling/s.go":      "package sibling\n",
		"other/other.go":    "package other\n",
		"other/.env":        "secret\n",
		"app/fifo.go/x.txt": "a folder\n",
		"bare/bare.go":      "package bare\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"app/link.go": "app/secret.txt", "app/out.go": "other/other.go", "app/in.go": "app/app.go"} {
		if err := os.Symlink(path(to), path(from)); err != nil {
			t.Skip(err)
		}
	}
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	_, self, _, _ := runtime.Caller(0)
	goroot := filepath.Join(goEnv(path("app")).GOROOT, "src", "net", "url", "url.go")
	for _, tt := range []struct {
		dir, file string
		read      bool
	}{
		{path("app/sub"), path("app/sub/sub.go"), true},
		{path("app/sub"), path("app/app.go"), true},
		{path("app/sub"), path("lib/lib.go"), true},
		{path("app/sub"), path("sibling/s.go"), true},
		{path("app/sub"), path("app/in.go"), true},
		{path("app/sub"), goroot, true},
		{path("gone"), goroot, true},
		{path("app/sub"), path("other/other.go"), false},
		{path("app/sub"), path("app/sub/../../other/other.go"), false},
		{path("app/sub"), path("app/secret.txt"), false},
		{path("app/sub"), path("app/link.go"), false},
		{path("app/sub"), path("app/out.go"), false},
		{path("app/sub"), path("app/fifo.go"), false},
		{path("app/sub"), path("app/none.go"), false},
		{path("app/sub"), path("other/.env"), false},
		{path("app/sub"), self, false},
		{path("app/sub"), "/etc/passwd", false},
		{"", path("app/app.go"), false},
		{"", "sources.go", false},
	} {
		data, err := Of(tt.dir)(tt.file)
		if (err == nil) != tt.read || !tt.read && len(data) > 0 {
			t.Errorf("%q of a campaign in %q: %d bytes, %v", tt.file, tt.dir, len(data), err)
		}
	}
	if data, err := Of(path("other"), path("bare"))(path("bare/bare.go")); err != nil || len(data) == 0 {
		t.Errorf("the second campaign's: %v", err)
	}
}

// TestSourcesOfTheFolder checks that the go command is not asked for a file in the campaign's own
// folder.
func TestSourcesOfTheFolder(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	asked := filepath.Join(bin, "asked")
	for name, text := range map[string]string{filepath.Join(bin, "go"): "#!/bin/sh\n: >" + asked + "\necho '{}'\n", filepath.Join(dir, "a.go"): "package a\n"} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	read := Of(dir)
	if data, err := read(filepath.Join(dir, "a.go")); err != nil || len(data) == 0 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if _, err := os.Stat(asked); err == nil {
		t.Error("the go command was asked")
	}
	if _, err := read(filepath.Join(bin, "go.go")); err == nil {
		t.Error("a file that is not there was read")
	}
	other := filepath.Join(t.TempDir(), "b.go")
	if err := os.WriteFile(other, []byte("package b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := read(other); err == nil {
		t.Error("a file of another folder was read")
	}
	if _, err := os.Stat(asked); err != nil {
		t.Errorf("the go command was not asked of another file: %v", err)
	}
}
