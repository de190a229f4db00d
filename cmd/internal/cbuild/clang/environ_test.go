package clang

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrepared checks a build that parallax starts. It uses its compiler although the user's files
// are not found or writable, and __FILE__ does not contain its folder.
func TestPrepared(t *testing.T) {
	p, err := Prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := newBox(t)
	tree, err := filepath.EvalSymlinks(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(nowhere, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b.env = append(append(b.env, "HOME="+nowhere, "XDG_CACHE_HOME="+nowhere), p.Environ(tree)...)
	b.write(map[string]string{"src/h.c": `#include <parallax.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parallax_output(__FILE__, sizeof __FILE__);
  return 0;
}
`})
	b.run(`parallax-cc -c "$PWD/src/h.c" -o h.o && parallax-cc h.o -o h`)
	built := b.open("h", CmpLog, Sanitize)
	for v, path := range built.Variants {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// the debug information has it
		if !strings.Contains(strings.ReplaceAll(string(text), tree+"/src/h.c\x00", ""), "src/h.c\x00") {
			t.Errorf("the %s build has the whole path in __FILE__", v)
		}
	}
	table, err := ReadTable(built.Path)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Files) != 1 || table.Files[0].Path != filepath.Join(tree, "src", "h.c") {
		t.Errorf("the table is of %v", table.Files)
	}
	again, err := Prepare(t.Context())
	if err != nil || again.Identity != p.Identity {
		t.Errorf("the compiler is another one: %v, %v", again, err)
	}
	t.Setenv("PARALLAX_BUILDS", "now")
	if again, err = Prepare(t.Context()); err != nil || again.Identity == p.Identity {
		t.Errorf("with other builds the compiler is the same: %v, %v", again, err)
	}
}
