package buildroot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestAttach checks that a module is attached where its requirement does no harm. The user's go.mod
// stays, and a second call writes nothing.
func TestAttach(t *testing.T) {
	libraries, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(libraries, link); err != nil {
		t.Fatal(err)
	}
	m := Module{Path: "x.invalid/lib", Files: []File{{Path: "a/a.go", Text: []byte("package a")}}}
	for _, test := range []struct {
		name, tree, flags string
		kind              Kind
		attached          bool
	}{
		{name: "user", tree: "-- go.mod --\nmodule example.com/m\n\ngo 1.21\n", attached: true, kind: User},
		{name: "flags", tree: "-- go.mod --\nmodule example.com/m\n\ngo 1.26.0\n", flags: "-trimpath -tags=x", attached: true, kind: User},
		{name: "overlay", tree: "-- go.mod --\nmodule old\n-- o.json --\n{\"Replace\": {\"go.mod\": \"new.mod\"}}\n-- new.mod --\nmodule example.com/m\n\ngo 1.22\n", flags: "-overlay=o.json", attached: true, kind: User},
		{name: "old", tree: "-- go.mod --\nmodule example.com/m\n\ngo 1.20\n", kind: User},
		{name: "no line", tree: "-- go.mod --\nmodule example.com/m\n", kind: User},
		{name: "broken", tree: "-- go.mod --\nmodule example.com/m\ngo 1.22\nrequire }\n", kind: User},
		{name: "vendor", tree: "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n-- vendor/modules.txt --\n", kind: User},
		{name: "-mod", tree: "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n", flags: "-mod=mod", kind: User},
		{name: "-modfile", tree: "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n", flags: "--modfile=other.mod", kind: User},
		{name: "scratch", tree: "-- go.mod --\nmodule harness.invalid/harness\n\ngo 1.26\n", kind: Scratch, attached: true},
		{name: "edited", tree: "-- go.mod --\nbroken\n-- mod/go.mod --\nmodule example.com/m\n\ngo 1.21.3\n", kind: Edited, attached: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := moduletest.Tree(t, test.tree)
			out := t.TempDir()
			if test.kind != User {
				out = dir // where such a go.mod is ours
			} else {
				moduletest.Untouched(t, dir)
			}
			goMod := filepath.Join(dir, "go.mod")
			r := &Root{Options: Options{Dir: dir, Out: out}, Kind: test.kind, Env: gocommand.Env{GOMOD: goMod, GOFLAGS: test.flags}, dir: dir}
			var before os.FileInfo
			for _, parent := range []string{libraries, link} { // which are the same
				attached, err := r.Attach(m, "", parent)
				if attached != test.attached || err != nil {
					t.Fatalf("attached %v, %v, want %v", attached, err, test.attached)
				}
				if !attached {
					if len(r.instead) > 0 {
						t.Errorf("an overlay of %v", r.instead)
					}
					return
				}
				name := map[Kind]string{User: filepath.Join(out, "attached.mod"), Scratch: goMod, Edited: filepath.Join(dir, "mod", "go.mod")}[test.kind]
				text, err := os.ReadFile(name)
				if err != nil || !strings.HasPrefix(string(text), "module ") || strings.Count(string(text), "x.invalid/lib v0.0.0\n") != 1 || strings.Count(string(text), "x.invalid/lib => "+libraries) != 1 {
					t.Fatalf("%v\n%s", err, text)
				}
				if test.kind == User && r.instead[goMod] != name {
					t.Errorf("an overlay of %v", r.instead)
				}
				after, err := os.Stat(name)
				if err != nil || before != nil && !after.ModTime().Equal(before.ModTime()) {
					t.Errorf("%s is written again: %v", name, err)
				}
				before = after
			}
		})
	}
	kept, _ := filepath.Glob(filepath.Join(libraries, "*", "a", "a.go"))
	if len(kept) != 1 {
		t.Fatalf("the module is kept in %v", kept)
	}

	// A file that was lost comes back, and other files are another folder.
	if err := os.Remove(kept[0]); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]File{m.Files, {{Path: "a/a.go", Text: []byte("package a // b")}}} {
		if _, err := (Module{m.Path, files}).keep(libraries); err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := filepath.Glob(filepath.Join(libraries, "*", "a", "a.go")); len(all) != 2 {
		t.Errorf("the modules are kept in %v", all)
	}
	if _, err := m.keep(filepath.Join(kept[0], "below")); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}
