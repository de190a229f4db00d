package gobuild

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// Functions of the user's module and workspace: overlays, links, vendored and replaced modules, and
// what does not build.

// local is a module with an old go line and two levels of internal packages.
const local = `
-- go.mod --
module example.com/m

go 1.16
-- m.go --
package m

import "errors"

func Valid(b []byte) bool { return len(b) > 2 }
func Check(s string) error {
	if len(s) > 2 {
		return nil
	}
	return errors.New("short")
}
-- a/internal/x/x.go --
package x

func Valid(b string) bool { return len(b) > 3 }
-- a/b/internal/y/y.go --
package y

func Valid(b []byte) bool { return len(b) > 4 }
-- c/internal/z/z.go --
package z

func Valid(b []byte) bool { return false }
-- cmd/main.go --
package main

func Valid(b []byte) bool { return false }

func main() {}
-- broken/broken.go --
package broken

func Valid(b []byte) bool { return undefined }
-- syntax/syntax.go --
package syntax

func Valid(b []byte) bool { return }}
-- empty/README --
nothing
`

func TestModule(t *testing.T) {
	dir := moduletest.Tree(t, local)
	moduletest.Untouched(t, dir)
	p := resolve(t, dir, "./.Valid", "example.com/m.Check", "./a/internal/x.Valid", "example.com/m/a/b/internal/y.Valid")
	if want := "example.com/m/a/b/plxharness"; p.main != want {
		t.Errorf("package main is %s, want %s", p.main, want)
	}
	if len(p.Packages) != 3 || len(p.Own) != 1 || p.Own[0] != "example.com/m" {
		t.Errorf("packages %v, own %v", p.Packages, p.Own)
	}
	want := "[[]byte] false\nm.Valid accepted\nm.Check accepted\nx.Valid accepted\ny.Valid rejected"
	if got := runWorker(t, p, "1234"); got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
	binary, err := p.BuildCmpLog(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if found := variables(t, binary, ".plxOps"); len(found) != 3 || len(variables(t, binary, ".plxCov")) > 0 {
		t.Errorf("operands are recorded by %v", found)
	}
	if out, err := exec.Command(binary, "1234").CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
		t.Errorf("the worker that records operands prints %q, %v; want %q", out, err, want)
	}
	// In a folder below, and again into the same Out.
	req := request(t, filepath.Join(dir, "a", "b"), "../internal/x.Valid", "unicode/utf8.ValidString")
	for range 2 {
		p, err := Resolve(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := runWorker(t, p, "12"), "[string] false\nx.Valid rejected\nutf8.ValidString accepted"; got != want {
			t.Errorf("worker prints %q, want %q", got, want)
		}
	}
}

// TestUserOverlayAndSymlink checks that the user's own overlay stays in force, and a module may be
// reached by a symbolic link.
func TestUserOverlayAndSymlink(t *testing.T) {
	dir := moduletest.Tree(t, local)
	moduletest.Untouched(t, dir)
	extra := moduletest.Tree(t, `
-- o.json --
{"Replace": {"DIR/m.go": "EXTRA/m.go"}}
-- m.go --
package m

func Valid(b []byte) bool { return string(b) == "overlaid" }
`)
	name := filepath.Join(extra, "o.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(extra, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.NewReplacer("DIR", link, "EXTRA", extra).Replace(string(text)))
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-overlay="+name)
	p := resolve(t, link, "./.Valid", "./a/internal/x.Valid")
	if got, want := runWorker(t, p, "overlaid"), "[[]byte] false\nm.Valid accepted\nx.Valid accepted"; got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
	for _, q := range p.Packages {
		if q.ImportPath == "example.com/m" && q.Files[0] != filepath.Join(extra, "m.go") {
			t.Errorf("files of the overlaid package: %q", q.Files)
		}
	}
}

func TestDiskFull(t *testing.T) {
	p := resolve(t, t.TempDir(), "encoding/json.Valid")
	moduletest.WantError(t, p.buildError("# p\n/usr/bin/link: write /tmp/x: no space left on device"), exit.InfraCode, "no space left")
	req := *p.req
	req.Out = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(req.Out, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Resolve(context.Background(), req)
	moduletest.WantError(t, err, exit.InfraCode, "folder of the harness")
}

func TestModuleErrors(t *testing.T) {
	dir := moduletest.Tree(t, local)
	moduletest.Untouched(t, dir)
	for _, tt := range []struct {
		functions string
		code      int
		parts     []string
	}{
		{"./a/internal/x.Valid ./c/internal/z.Valid", exit.UsageCode, []string{"internal to different parts", "example.com/m/a", "example.com/m/c"}},
		{"./cmd.Valid ./.Valid", exit.UsageCode, []string{"main package"}},
		{"./nowhere.Valid ./.Valid", exit.UsageCode, []string{"./nowhere.Valid", "there is no package ./nowhere"}},
		{"./empty.Valid ./.Valid", exit.UsageCode, []string{"there is no package ./empty"}},
		{"./.Valyd ./.Valid", exit.UsageCode, []string{"has no function Valyd (it has Valid)"}},
		{"./.(*T).M ./.Valid", exit.UsageCode, []string{"has no type T"}},
		{"example.com/other/x.Valid ./.Valid", exit.UsageCode, []string{"no module that yours requires has package example.com/other/x", "example.com/other/x.Valid@latest"}},
		{"a/internal/x.Valid ./.Valid", exit.UsageCode, []string{"did you mean ./a/internal/x.Valid?"}},
		{"broken.Valid ./.Valid", exit.UsageCode, []string{"did you mean ./broken.Valid?"}},
		{"json.Valid ./.Valid", exit.UsageCode, []string{"no package json", "encoding/json"}},
		{"encoding/json.Valid@v1.0.0 ./.Valid", exit.UsageCode, []string{"belongs to the standard library"}},
		{"encoding/json.Valid encoding/json.Valid", exit.UsageCode, []string{"named twice"}},
		{"./.Valid example.com/m.Valid", exit.UsageCode, []string{"are the same function"}},
		{"./.Valid example.com/m.Valid@v1.0.0", exit.UsageCode, []string{"two versions of one module cannot share a binary"}},
		{"internal/bytealg.Count ./.Valid", exit.UsageCode, []string{"internal to the standard library"}},
		{"./.Valid", exit.OK, nil},
	} {
		_, err := Resolve(context.Background(), request(t, dir, strings.Fields(tt.functions)...))
		if tt.code == exit.OK {
			if err != nil {
				t.Errorf("%s: %v", tt.functions, err)
			}
			continue
		}
		t.Run(tt.functions, func(t *testing.T) { moduletest.WantError(t, err, tt.code, tt.parts...) })
	}
}

func TestDoesNotBuild(t *testing.T) {
	dir := moduletest.Tree(t, local)
	p := resolve(t, dir, "./broken.Valid", "./.Valid")
	_, err := p.Build(context.Background())
	moduletest.WantError(t, err, exit.BuildCode, "program broken.Valid does not build", "broken.go:3", "undefined: undefined")
	if strings.Contains(err.Error(), "m.Valid") {
		t.Errorf("names the program that is right: %v", err)
	}
	p = resolve(t, dir, "./syntax.Valid", "encoding/json.Valid")
	_, err = p.Build(context.Background())
	moduletest.WantError(t, err, exit.BuildCode, "program syntax.Valid does not build", "syntax.go:3")
}

func TestWorkspaceReplaceAndVendor(t *testing.T) {
	const modules = `
-- go.work --
go 1.22

use (
	./m
	./n
)
-- m/go.mod --
module example.com/m

go 1.22
-- m/m.go --
package m

func Valid(b []byte) bool { return len(b) > 2 }
-- n/go.mod --
module example.com/n

go 1.22

require example.com/r v1.0.0

replace example.com/r => ../r
-- n/internal/x/x.go --
package x

import "example.com/r"

func Valid(b []byte) bool { return r.Valid(b) && r.Valid(b) }
-- r/go.mod --
module example.com/r

go 1.22
-- r/r.go --
package r

func Valid(b []byte) bool { return len(b) > 3 }
-- o/go.mod --
module example.com/o

go 1.22
-- o/o.go --
package o

func Valid(b []byte) bool { return len(b) > 4 }
-- r/internal/s/s.go --
package s

func Valid(b []byte) bool { return true }
`
	dir := moduletest.Tree(t, modules)
	moduletest.Untouched(t, dir)
	const want = "[[]byte] false\nm.Valid accepted\nx.Valid rejected\nr.Valid rejected"
	for _, from := range []string{".", "m", "n"} {
		p := resolve(t, filepath.Join(dir, from), "example.com/m.Valid", "example.com/n/internal/x.Valid", "example.com/r.Valid")
		if p.main != "example.com/n/plxharness" {
			t.Errorf("from %s: package main is %s", from, p.main)
		}
		if from != "m" { // which differs in the folder only
			if got := runWorker(t, p, "123"); got != want {
				t.Errorf("from %s: worker prints %q, want %q", from, got, want)
			}
		}
	}
	_, err := Resolve(context.Background(), request(t, filepath.Join(dir, "n"), "example.com/r/internal/s.Valid", "example.com/r.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "is internal to module example.com/r")
	_, err = Resolve(context.Background(), request(t, filepath.Join(dir, "n"), "example.com/r.Valid@v1.0.0", "example.com/n/internal/x.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "replaces module example.com/r")

	// A module below the workspace that it does not use.
	for _, from := range []string{"./.Valid", "example.com/o.Valid"} {
		_, err = Resolve(context.Background(), request(t, filepath.Join(dir, "o"), from, "encoding/json.Valid"))
		moduletest.WantError(t, err, exit.UsageCode, from+": its module in "+filepath.Join(dir, "o")+" is not in the workspace "+filepath.Join(dir, "go.work")+", which",
			"add it by `go work use "+filepath.Join(dir, "o")+"`, or set GOWORK=off")
	}
	_, err = Resolve(context.Background(), request(t, filepath.Join(dir, "n"), "../o.Valid", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "../o.Valid: its module in "+filepath.Join(dir, "o")+" is not in the workspace ")
	_, err = Resolve(context.Background(), request(t, filepath.Join(dir, "n"), "example.com/n/none.Valid", "encoding/json.Valid"))
	if err == nil || strings.Contains(err.Error(), "workspace") {
		t.Errorf("a package that a module of the workspace lacks: %v", err)
	}

	// Vendored, and without the workspace.
	t.Setenv("GOWORK", "off")
	vendored := moduletest.Tree(t, modules)
	goRun(t, filepath.Join(vendored, "n"), "mod", "vendor")
	moduletest.Untouched(t, vendored)
	if err := os.RemoveAll(filepath.Join(vendored, "r", "r.go")); err != nil { // the copy counts
		t.Fatal(err)
	}
	p := resolve(t, filepath.Join(vendored, "n"), "./internal/x.Valid", "example.com/r.Valid")
	if got, want := runWorker(t, p, "1234"), "[[]byte] false\nx.Valid accepted\nr.Valid accepted"; got != want {
		t.Errorf("vendored: worker prints %q, want %q", got, want)
	}
	os.WriteFile(filepath.Join(vendored, "r", "r.go"), []byte("package r\n\nfunc Valid(b []byte) bool { return len(b) > 3 }\n"), 0o666)
}

func TestModuleForANewerGo(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "local")
	dir := moduletest.Tree(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.99\n-- m.go --\npackage m\n\nfunc F(b []byte) bool { return true }\n")
	_, err := Resolve(context.Background(), request(t, dir, "./.F", "encoding/json.Valid"))
	moduletest.WantError(t, err, exit.UsageCode, "too old", "1.99")
}
