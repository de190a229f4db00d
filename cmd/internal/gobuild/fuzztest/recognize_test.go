package fuzztest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

const callsCopy = `
-- l_test.go --
package l

import (
	"testing"

	"example.com/l/internal/parallax"
)

func FuzzDiff(f *testing.F) { parallax.Diff(f) }
`

// TestRecogniseAsksOnce checks that the go command lists packages once if the module has a copy of
// the library. If the library is a module of its own, it is also asked for that.
func TestRecogniseAsksOnce(t *testing.T) {
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\necho $1 >> '"+log+"'\nexec '"+real+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	apart := strings.Replace(moduletest.HasLibrary, "go 1.22\n", "go 1.22\n\nrequire example.com/l/internal/parallax v0.0.0\n\nreplace example.com/l/internal/parallax => ./internal/parallax\n", 1) +
		"-- internal/parallax/go.mod --\nmodule example.com/l/internal/parallax\n"
	for _, tt := range []struct {
		name, tree string
		lists      int
	}{{"its own", moduletest.HasLibrary, 1}, {"another module", apart, 2}} {
		os.Remove(log)
		dir := moduletest.Tree(t, tt.tree+callsCopy)
		found, _, err := List(context.Background(), request(t, dir, "./..."))
		if err != nil {
			t.Fatal(err)
		}
		if got := listing(found); got != "example.com/l: FuzzDiff l_test.go:9 diff" {
			t.Errorf("%s: %s", tt.name, got)
		}
		if text, _ := os.ReadFile(log); strings.Count(string(text), "list") != tt.lists {
			t.Errorf("%s: the go command was asked to\n%s", tt.name, text)
		}
	}
}
