package gocommand

import (
	"strings"
	"testing"
)

func TestGraph(t *testing.T) {
	g := NewGraph([]*Package{
		{ImportPath: "unsafe"},
		{ImportPath: "vendor/x", Imports: []string{"unsafe"}},
		{ImportPath: "b", Imports: []string{"unsafe"}},
		{ImportPath: "a", Imports: []string{"x", "missing"}, ImportMap: map[string]string{"x": "vendor/x"}, Match: []string{"./a"}},
		{ImportPath: "c", Imports: []string{"a", "b"}},
	})
	for path, want := range map[string]string{"a": "unsafe vendor/x a", "b": "unsafe b", "c": "unsafe vendor/x b a c", "none": ""} {
		if got := strings.Join(g.Closure(path), " "); got != want {
			t.Errorf("the closure of %s is %q, want %q", path, got, want)
		}
	}
	for _, tt := range []struct {
		from, to string
		want     bool
	}{{"a", "vendor/x", true}, {"a", "x", false}, {"a", "a", true}, {"a", "b", false}, {"c", "unsafe", true}, {"none", "a", false}} {
		if got := g.Reaches(g.Package(tt.from), tt.to); got != tt.want {
			t.Errorf("%s reaches %s: %t", tt.from, tt.to, got)
		}
	}
	if p := g.Written("./a"); p == nil || p.ImportPath != "a" || g.Written("./b") != nil {
		t.Errorf("written as ./a: %v", p)
	}
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]string{"a/b": " false", "a/internal/b": "a true", "internal/x": " true", "a/internal/b/internal": "a/internal/b true"} {
		root, internal := InternalRoot(path)
		if got := root + " " + map[bool]string{true: "true", false: "false"}[internal]; got != want {
			t.Errorf("InternalRoot(%s) = %s, want %s", path, got, want)
		}
	}
	if !Within("a/b", "a") || !Within("a", "a") || Within("ab", "a") {
		t.Error("Within compares no elements")
	}
	if Absolute("/d", "") != "" || Absolute("/d", "/x") != "/x" || Absolute("/d", "x") != "/d/x" {
		t.Error("Absolute")
	}
}

// TestPackagesThatAct checks that a package acts on the machine by its imports, or by those of
// imported packages outside of the standard library.
func TestPackagesThatAct(t *testing.T) {
	g := NewGraph([]*Package{
		{ImportPath: "syscall", Standard: true},
		{ImportPath: "os", Standard: true, Imports: []string{"syscall"}},
		{ImportPath: "fmt", Standard: true, Imports: []string{"os"}},
		{ImportPath: "time", Standard: true, Imports: []string{"syscall"}},
		{ImportPath: "encoding/gob", Standard: true, Imports: []string{"fmt", "os"}},
		{ImportPath: "strings", Standard: true},
		{ImportPath: "golang.org/x/sys/cpu", Imports: []string{"os"}},
		{ImportPath: "pure", Imports: []string{"fmt", "time", "encoding/gob", "golang.org/x/sys/cpu", "strings"}},
		{ImportPath: "direct", Imports: []string{"fmt", "os"}},
		{ImportPath: "vendor/wrapper", Imports: []string{"os"}},
		{ImportPath: "one", Imports: []string{"pure", "wrapper"}, ImportMap: map[string]string{"wrapper": "vendor/wrapper"}},
		{ImportPath: "two", Imports: []string{"pure", "one"}},
		{ImportPath: "three", Imports: []string{"two"}},
		{ImportPath: "compiled", Imports: []string{"C"}},
		{ImportPath: "broken", Error: &PackageError{Err: "no Go files"}},
		{ImportPath: "onbroken", Imports: []string{"broken"}},
	})
	for path, want := range map[string]string{
		"pure": "", "strings": "", "fmt": "", "time": "",
		"os":           "its package is os",
		"encoding/gob": "its package imports os",
		"direct":       "its package imports os",
		"one":          "its package imports vendor/wrapper, which imports os",
		"two":          "its package reaches vendor/wrapper, which imports os",
		"three":        "its package reaches vendor/wrapper, which imports os",
		"compiled":     "its package imports C",
		"broken":       "its package cannot be read: no Go files",
		"onbroken":     "its package imports broken, which cannot be read: no Go files",
	} {
		if got := g.Acts(g.Package(path)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
