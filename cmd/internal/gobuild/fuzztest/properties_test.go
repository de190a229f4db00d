package fuzztest

import (
	"context"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestListProperties checks that Gen selects tests that reach gen.Check or gen.Fuzz, also by
// functions and methods of the package.
func TestListProperties(t *testing.T) {
	dir := moduletest.Tree(t, moduletest.RequiresLibrary+`
-- third_party/parallax/gen/gen.go --
package gen
-- other/gen/gen.go --
package gen
-- l.go --
package l
-- a_test.go --
package l

import (
	"testing"

	g "parallax/gen"
)

type suite struct{}

func (suite) check(t *testing.T) { deep(t) }

func deep(t *testing.T) { g.Check(t, nil) }

func TestB(t *testing.T)      { t.Run("sub", func(t *testing.T) { g.Check(t, nil) }) }
func TestDeep(t *testing.T)   { suite{}.check(t) }
func TestPlain(t *testing.T)  {}
func Testing(t *testing.T)    { deep(t) }
func FuzzA(f *testing.F)      { g.Fuzz(f, nil) }
func FuzzPlain(f *testing.F)  { f.Fuzz(nil) }
func TestMain(m *testing.M)   { g.Check(nil, nil) }
-- b_test.go --
package l_test

import (
	"testing"

	"example.com/l/other/gen"
)

func TestOther(t *testing.T) { gen.Check(t, nil) }
`)
	r := request(t, dir, ".")
	r.Gen = true
	pkgs, _, err := List(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := listing(pkgs), "example.com/l: TestB a_test.go:15, TestDeep a_test.go:16, FuzzA a_test.go:19"; got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	r.Patterns = []string{"./other/gen"}
	if _, _, err := List(context.Background(), r); err == nil || !strings.Contains(err.Error(), "no TestXxx that calls gen.Check") {
		t.Errorf("a package without: %v", err)
	}
}
