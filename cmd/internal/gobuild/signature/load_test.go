package signature

import (
	"path/filepath"
	"slices"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestLoadedStandardLibrary checks that all that a signature may name is loaded, and that
// declarations that the standard library needs for its own bodies are not.
func TestLoadedStandardLibrary(t *testing.T) {
	dir := moduletest.Tree(t, `-- lib.go --
package lib

import (
	"deep"
	"std"
)

// Make has a type that its body does not show.
var Make = func() int { return deep.Count() }

func Parse(s string) (std.Time, error) { return std.Now(), std.ErrOld }

func Convert(n std.Number, list [std.Size]byte) *std.Reader { return nil }
-- std.go --
package std

import (
	"deep"
	"inner"
)

var ErrOld = makeError("old") // its type is that of an unexported function

func makeError(text string) error { return nil }

var _ error = deep.Error{}

var table, other = deep.Table(), recursive

var recursive = func() int { return len(table) }

func private(t deep.Thing) {}

func (t Time) hidden(n inner.Number) {}

type Time struct{ ns inner.Number }

type Number = inner.Number

const Size = len(sized)

var sized [4]byte

type Reader struct{ last *reader }

type reader struct{ err error }

func Now() Time { return Time{} }
-- inner.go --
package inner

import "deep"

var kept = deep.New()

type Number int32
`)
	file := func(name string) []string { return []string{filepath.Join(dir, name+".go")} }
	l := newLoader(gocommand.NewGraph([]*gocommand.Package{
		{ImportPath: "lib", Name: "lib", GoFiles: file("lib")},
		{ImportPath: "std", Name: "std", Standard: true, GoFiles: file("std")},
		{ImportPath: "inner", Name: "inner", Standard: true, GoFiles: file("inner")},
		{ImportPath: "deep", Name: "deep", Standard: true},
	}), "amd64")
	scope := l.load("lib").Scope()
	for name, want := range map[string]string{
		"Parse":   "func(s string) (std.Time, error)",
		"Make":    "func() int",
		"Convert": "func(n std.Number, list [4]byte) *std.Reader",
	} {
		if got := scope.Lookup(name).Type().String(); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	std := l.load("std").Scope()
	if got := std.Lookup("Time").Type().Underlying().String(); got != "struct{ns inner.Number}" {
		t.Errorf("Time is %s", got)
	}
	if got := std.Lookup("ErrOld").Type().String(); got != "error" {
		t.Errorf("ErrOld is %s", got)
	}
	if names, want := std.Names(), []string{"ErrOld", "Now", "Number", "Reader", "Size", "Time", "makeError", "reader", "sized"}; !slices.Equal(names, want) {
		t.Errorf("loaded are %q, want %q", names, want)
	}
	if l.done["deep"] != nil {
		t.Error("a package is loaded that only bodies and private variables need")
	}
}
