package gobuild

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/gobuild/golang"
	"parallax/cmd/internal/gobuild/gomod"
)

// leadingZero is accepted by Masterminds/semver from v3.4.0 on: "Restore the ability to have
// leading 0's when parsing with NewVersion", says its CHANGELOG.md. v3.3.1 rejects it.
const (
	leadingZero = "01.2.3"
	masterminds = "github.com/Masterminds/semver/v3"
)

// TestRequestedVersion checks that a module has the requested version in each kind of root,
// whatever functions and go.mod require.
func TestRequestedVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/m

go 1.22

require github.com/Masterminds/semver/v3 v3.4.0

replace github.com/Masterminds/semver/v3 v3.4.0 => github.com/Masterminds/semver/v3 v3.2.0
-- m.go --
package m

import "github.com/Masterminds/semver/v3"

func Parse(s string) error { _, err := semver.NewVersion(s); return err }
func None(s string) bool { return false }
`)
	moduletest.Untouched(t, dir)
	const function = masterminds + ".NewVersion@v3.4.0"
	for _, tt := range []struct {
		name, dir string
		functions []string
	}{
		{"scratch", t.TempDir(), []string{function, "encoding/hex.DecodeString"}},
		{"module", dir, []string{"./.Parse", "./.None"}},
		{"edited", dir, []string{"./.Parse", function}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for version, want := range map[string]string{"v3.3.1": "rejected", "v3.4.0": "accepted"} {
				req := request(t, tt.dir, tt.functions...)
				req.Instead = []gomod.Instead{{Module: masterminds, Version: version}}
				p, err := Resolve(context.Background(), req)
				if err != nil {
					t.Fatal(err)
				}
				got := strings.Split(runWorker(t, p, leadingZero), "\n")[1]
				if !strings.Contains(got, " "+want) {
					t.Errorf("with %s: %s, want %s", version, got, want)
				}
				var at string
				for _, m := range p.Modules() {
					if m.Path == masterminds {
						at = m.Version
					}
				}
				if at != version {
					t.Errorf("the plan says that the module is at %s, want %s", at, version)
				}
			}
		})
	}
}

// TestInsteadFolder checks that a module may come from a folder, and be required where go.mod does
// not.
func TestInsteadFolder(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/m

go 1.22
-- m.go --
package m

import "example.com/lib"

func Parse(s string) bool { return lib.Parse(s) }
func None(s string) bool { return false }
`)
	lib := moduletest.Tree(t, `
-- a b/go.mod --
module example.com/lib

go 1.22
-- a b/lib.go --
package lib

func Parse(s string) bool { return s == "yes" }
`)
	moduletest.Untouched(t, dir)
	moduletest.Untouched(t, lib)
	req := request(t, dir, "./.Parse", "./.None")
	req.Instead = []gomod.Instead{{Module: "example.com/lib", Dir: filepath.Join(lib, "a b"), Require: true}}
	p, err := Resolve(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := runWorker(t, p, "yes"), "[string] false\nm.Parse accepted\nm.None rejected"; got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
	req.Instead[0].Dir = filepath.Join(lib, "nowhere")
	if p, err = Resolve(context.Background(), req); err == nil {
		_, err = p.Build(context.Background())
	}
	moduletest.WantError(t, err, exit.BuildCode, "nowhere does not exist")
}

func TestInsteadErrors(t *testing.T) {
	req := request(t, t.TempDir(), "github.com/google/uuid.Parse@v1.6.0", "net.ParseMAC")
	req.Instead = []gomod.Instead{{Module: "github.com/google/uuid", Version: "v1.99.0"}}
	_, err := Resolve(context.Background(), req)
	moduletest.WantError(t, err, exit.UsageCode, "v1.99.0")
}

func TestFuzzInstead(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/m

go 1.22

require github.com/google/uuid v1.6.0
-- go.sum --
github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=
github.com/google/uuid v1.6.0/go.mod h1:TIyPZe4MgqvfeYDBFedMoGGpEw/LqOeaOT+nhxU+yHo=
-- m_test.go --
package m

import (
	"testing"

	"github.com/google/uuid"
)

func FuzzParse(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { uuid.Parse(s) }) }
`)
	moduletest.Untouched(t, dir)
	pkgs, _, err := fuzztest.List(context.Background(), fuzzRequest(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	req := request(t, dir)
	req.Instead = []gomod.Instead{{Module: "github.com/google/uuid", Version: "v1.3.0"}}
	p, err := PlanFuzz(context.Background(), req, pkgs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Modules() {
		if m.Path == "github.com/google/uuid" && m.Version != "v1.3.0" {
			t.Errorf("the module is at %s", m.Version)
		}
	}
	args := strings.Join(p.buildArguments("out", golang.Options{}), " ")
	if !strings.Contains(args, "-modfile="+filepath.Join(req.Out, "mod", "go.mod")) {
		t.Errorf("the go command is given %s", args)
	}
}
