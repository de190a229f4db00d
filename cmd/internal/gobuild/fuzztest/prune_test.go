package fuzztest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestPrune checks that declarations that a FuzzXxx does not need are blanked out, and that the
// rest stays in place.
func TestPrune(t *testing.T) {
	const text = `package p

import (
	"testing"

	_ "embed"
	"example.com/go-newer/v2"
	only "strings"
	. "fmt"
)

// TestNew is of what is new.
func TestNew(t *testing.T) { newer.New(only.ToUpper("é")); table.check() }

type cases []string

func (c cases) check() {}

var table = cases{"a"}

type seeds int

func (s *seeds) all() []string { return nil }

var _ = seeds(1)

func init() { Println() }

/* FuzzP stays. */ func FuzzP(f *testing.F) { helper(f); P() }

func BenchmarkP(b *testing.B) { FuzzP(nil) }
`
	dir := moduletest.Tree(t, "-- go.mod --\nmodule example.com/m\n-- p/p.go --\npackage p\n-- p/p_test.go --\n"+text+
		"-- p/helper_test.go --\npackage p\n\nimport \"testing\"\n\nfunc helper(f *testing.F) {}\n")
	tree := Tree{dir, "p"}
	out := t.TempDir()
	files, err := Prune(tree, tree, "FuzzP", []string{"helper_test.go", "p_test.go"}, out)
	if err != nil || len(files) != 1 || files["p_test.go"] != filepath.Join(out, "p_test.go") {
		t.Fatalf("%v, %v", files, err)
	}
	got, err := os.ReadFile(files["p_test.go"])
	if err != nil || len(got) != len(text) {
		t.Fatalf("%d bytes of %d, %v", len(got), len(text), err)
	}
	lines, want := strings.Split(string(got), "\n"), strings.Split(text, "\n")
	gone := func(line string) bool {
		for _, word := range []string{"new", "New", "only", "cases", "Benchmark"} {
			if strings.Contains(line, word) {
				return true
			}
		}
		return false
	}
	for i, line := range want {
		if gone(line) {
			line = ""
		}
		if strings.TrimSpace(line) != strings.TrimSpace(lines[i]) || line != "" && line != lines[i] {
			t.Errorf("line %d is %q, want %q", i+1, lines[i], line)
		}
	}
}

// TestPruneRenamed checks that a renamed module, package and folder get their old names.
func TestPruneRenamed(t *testing.T) {
	from := Tree{moduletest.Tree(t, `-- go.mod --
module example.com/m/v2
-- r/p.go --
package q
-- r/p_test.go --
package q_test

import (
	"example.com/m/v2/inner"
	"example.com/m/v2/r"
	"example.com/m/v20"
)

func FuzzP() { q.P(inner.P(), m.P()) }
`), "r"}
	onto := Tree{moduletest.Tree(t, "-- go.mod --\nmodule example.com/m\n-- p/p.go --\npackage p\n"), "p"}
	files, err := Prune(from, onto, "FuzzP", []string{"p_test.go"}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(files["p_test.go"])
	if want := `package p_test

import (
	"example.com/m/inner"
	q "example.com/m/p"
	"example.com/m/v20"
)

func FuzzP() { q.P(inner.P(), m.P()) }
`; string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
