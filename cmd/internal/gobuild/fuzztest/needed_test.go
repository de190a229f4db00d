package fuzztest

import (
	"slices"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestNeeded checks that a FuzzXxx needs its file, and those that declare the names that it uses,
// directly or not.
func TestNeeded(t *testing.T) {
	dir := moduletest.Tree(t, `-- p/a_test.go --
package p

import "testing"

func FuzzA(f *testing.F) { helper(f) }

func init() {}
-- p/b_test.go --
package p_test

import "testing"

func FuzzB(f *testing.F) { p.Exported() }
-- p/export_test.go --
package p

var Exported = inner
-- p/helper_test.go --
package p

import "testing"

func helper(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { check{}.do(s) }) }
-- p/check_test.go --
package p

type check struct{}

func (check) do(string) {}

func init() {}
-- p/other_test.go --
package p

import "testing"

func TestNew(t *testing.T) { New() }
`)
	for fuzz, want := range map[string][]string{
		"FuzzA": {"a_test.go", "check_test.go", "helper_test.go"}, "FuzzB": {"b_test.go", "export_test.go"}, "FuzzC": nil,
	} {
		if got, err := Needed(Tree{dir, "p"}, fuzz); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", fuzz, got, err)
		}
	}
	o, err := LayOver(Tree{dir, "p"}, Tree{moduletest.Tree(t, "-- p/p.go --\npackage p\n-- p/old_test.go --\npackage p\n"), "p"}, nil, []string{"a_test.go"})
	if err != nil || !slices.Equal(o.Tests, []string{"a_test.go"}) || !slices.Equal(o.Dropped, []string{"old_test.go"}) || len(o.Overlay) != 2 {
		t.Errorf("%+v, %v", o, err)
	}
}
