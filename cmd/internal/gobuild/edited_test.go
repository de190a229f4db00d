package gobuild

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// Functions of the user's module are built with those of modules that it does not require.

func TestEditedGoMod(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.work --
go 1.22

use (
	./m
	./n
)
-- m/go.mod --
module example.com/m

go 1.22

require (
	example.com/r v1.0.0
	golang.org/x/mod v0.20.0
)

replace example.com/r => ../r
-- m/go.sum --
golang.org/x/mod v0.20.0 h1:utOm6MM3R3dnawAiJgn0y+xvuYRsm1RKM/4giyfDgV0=
golang.org/x/mod v0.20.0/go.mod h1:hTbmBsO62+eylJbnUtE2MGJUyE7QWk4xUqPFrRgJ+7c=
-- m/m.go --
package m

import (
	"example.com/n"
	"example.com/r"
	"golang.org/x/mod/semver"
)

func Valid(s string) bool { return r.Valid(s) && n.Valid(s) && semver.IsValid("v"+s) }
-- n/go.mod --
module example.com/n

go 1.22
-- n/n.go --
package n

func Valid(s string) bool { return true }
-- r/go.mod --
module example.com/r

go 1.22
-- r/r.go --
package r

func Valid(s string) bool { return len(s) > 3 }
`)
	moduletest.Untouched(t, dir)
	m := filepath.Join(dir, "m")
	p := resolve(t, m, "./.Valid", "github.com/blang/semver/v4.Parse@v4.0.0", "golang.org/x/mod/semver.IsValid")
	if p.root.Kind != buildroot.Edited || p.CompareValues {
		t.Errorf("root %v, values compared: %t", p.root.Kind, p.CompareValues)
	}
	if l := p.Language; l != "1.22" {
		t.Errorf("a reproducer needs Go %s, want 1.22", l)
	}
	if v := p.Programs[2].Version; v != "v0.20.0" {
		t.Errorf("x/mod is at %s, want v0.20.0", v)
	}
	got := runWorker(t, p, "1.2.3")
	if want := "[string] false\nm.Valid accepted\nv4.Parse@v4.0.0 accepted any:1.2.3\nsemver.IsValid rejected"; got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
	if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, "values are not compared") || !strings.Contains(notes, "v4.Parse@v4.0.0 gives semver.Version") {
		t.Errorf("notes: %s", notes)
	}

	// The version that the module selects anyway.
	t.Setenv("GOWORK", "off")
	if _, err := Resolve(context.Background(), request(t, filepath.Join(dir, "n"), "./.Valid", "golang.org/x/mod/semver.IsValid@v0.20.0")); err != nil {
		t.Error(err)
	}
	_, err := Resolve(context.Background(), request(t, m, "golang.org/x/mod/semver.IsValid", "golang.org/x/mod/module.CheckPath@v0.21.0"))
	moduletest.WantError(t, err, exit.UsageCode, "golang.org/x/mod", "v0.20.0", "v0.21.0", "two versions of one module cannot share a binary")
}

// TestEditedGoModDowngrade checks a version that the user's module could only have without another
// requirement.
func TestEditedGoModDowngrade(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/m

go 1.25

require golang.org/x/mod v0.36.0

require golang.org/x/tools v0.44.0 // indirect
-- m.go --
package m

import "golang.org/x/mod/semver"

func Valid(s string) bool { return semver.IsValid(s) }
`)
	moduletest.Untouched(t, dir)
	_, err := Resolve(context.Background(), request(t, dir, "./.Valid", "golang.org/x/tools/txtar.Parse@v0.43.0"))
	moduletest.WantError(t, err, exit.UsageCode, "golang.org/x/tools/txtar.Parse@v0.43.0 cannot be built with your module", "golang.org/x/mod v0.36.0 =>", "downgraded")
}
