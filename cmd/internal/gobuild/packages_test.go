package gobuild

import (
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestPackagesOfAWrapper checks that packages of the standard library that the user's wrapper
// imports directly are instrumented. Packages that everything imports are not.
func TestPackagesOfAWrapper(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/w

go 1.22
-- a/a.go --
package a

import (
	"net/netip"
	"strings"
)

func Valid(s string) bool { _, err := netip.ParseAddr(strings.TrimSpace(s)); return err == nil }
-- b/b.go --
package b

func Valid(s string) bool { return s == "b" }
`)
	p := resolve(t, dir, "./a.Valid", "./b.Valid")
	notes := len(p.Notes)
	p.NoteUncounted(1)
	p.NoteUncounted(1)
	if len(p.Notes) != notes+1 || !strings.Contains(p.Notes[notes], "no code of b.Valid is instrumented") {
		t.Errorf("notes %q", p.Notes)
	}
	var got []string
	for _, q := range p.Packages {
		got = append(got, q.ImportPath)
	}
	want := []string{"example.com/w/a", "example.com/w/b", "net/netip"}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("instrumented: %q, want %q", got, want)
	}
}
