package gobuild

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestFuzzOddPackages plans packages with unusual properties: package main, external tests alone,
// names that are taken, and a path with a dot in its last element. It also plans a folder behind a
// link, and files that the user's overlay adds and replaces.
func TestFuzzOddPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/odd.v3

go 1.22
-- main.go --
package main

import "example.com/odd.v3/lib"

func valid(s string) bool { return len(s) > 1 && lib.V(s) }

func main() { valid("") }
-- main_test.go --
package main

import "testing"

func FuzzMain(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) { valid(s) })
}
-- x_test.go --
package main_test

import "testing"

func FuzzExternal(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {})
}
-- plx_inject_test.go --
package main

import "testing"

func TestTaken(t *testing.T) {}
-- plxharness/taken.go --
package plxharness
-- lib/lib.go --
package lib

func V(s string) bool { return len(s) > 2 }
-- only/x_test.go --
package only_test

import (
	"testing"

	"example.com/odd.v3/lib"
)

func FuzzOnly(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {
		if lib.V(s) {
			t.Log("long")
		}
	})
}
`)
	moduletest.Untouched(t, dir)
	p := planFuzz(t, fuzzRequest(t, dir, "."))
	want := "example.com/odd.v3 [main.go main_test.go plx_inject_test.go]\nexample.com/odd.v3/lib [lib.go]\nexample.com/odd.v3_test [x_test.go]"
	if got := instrumentedFiles(p); got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if p.main != "example.com/odd.v3/plxharness2" {
		t.Errorf("package main is %s", p.main)
	}
	binary, _ := buildFuzz(t, p)
	runFuzz(t, p, binary)

	extra := moduletest.Tree(t, `
-- lib.go --
package lib

func V(s string) bool { return len(s) > 2 || s == "overlaid" }
-- zz.go --
package only

import "testing"

func FuzzAdded(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {})
}
-- overlay.json --
{"Replace": {"LINK/lib/lib.go": "EXTRA/lib.go", "LINK/only/added_test.go": "EXTRA/zz.go"}}
`)
	link := filepath.Join(extra, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(extra, "overlay.json")
	text, _ := os.ReadFile(overlay)
	os.WriteFile(overlay, []byte(strings.NewReplacer("LINK", link, "EXTRA", extra).Replace(string(text))), 0o666)
	t.Setenv("GOFLAGS", "-trimpath -overlay="+overlay)
	p = planFuzz(t, fuzzRequest(t, filepath.Join(link, "lib"), "../only"))
	if got, want := instrumentedFiles(p), "example.com/odd.v3/lib [lib.go]\nexample.com/odd.v3/only [zz.go]\nexample.com/odd.v3/only_test [x_test.go]"; got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if f := p.fuzz.Funcs[0]; f.Name != "FuzzAdded" || f.File != filepath.Join(link, "only", "added_test.go") {
		t.Errorf("%+v", f)
	}
	binary, _ = buildFuzz(t, p)
	runFuzz(t, p, binary)
}

// TestFuzzVendorAndReplace checks that the library does not count as tested. Neither vendoring nor
// a replaced requirement is an obstacle.
func TestFuzzVendorAndReplace(t *testing.T) {
	dir := moduletest.Tree(t, moduletest.RequiresLibrary+`
-- l.go --
package l

func V(s string) bool { return len(s) > 1 && s[0] == 'x' }
-- l_test.go --
package l

import (
	"testing"

	"parallax"
)

func FuzzDiff(f *testing.F) { f.Add("x"); parallax.Diff(f, V, V) }
`)
	goRun(t, dir, "mod", "vendor")
	moduletest.Untouched(t, dir)
	p := planFuzz(t, fuzzRequest(t, dir))
	if got, want := instrumentedFiles(p), "example.com/l [l.go l_test.go]"; got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	p.NoteUncounted(0)
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "no code that the tests of example.com/l execute") {
		t.Errorf("notes %q", p.Notes)
	}
	if text := string(fuzztest.Inject(p.fuzz, "l", fuzztest.Aids{})); !strings.Contains(text, "package l\n") || !p.fuzz.CallsDiff() {
		t.Errorf("injected:\n%s", text)
	}
	binary, _ := buildFuzz(t, p)
	if out := runFuzz(t, p, binary); !strings.Contains(out, "driven FuzzDiff\n") {
		t.Errorf("Diff was not driven:\n%s", out)
	}

	// A copy in the module itself is no part of it either, and the two do not get into each other's
	// way.
	dir = moduletest.Tree(t, moduletest.RequiresLibrary+strings.TrimPrefix(moduletest.HasLibrary[strings.Index(moduletest.HasLibrary, "-- internal"):], "\n")+`
-- l.go --
package l

func V(s string) bool { return len(s) > 1 && s[0] == 'x' }
-- l_test.go --
package l

import (
	"testing"

	old "parallax"

	"example.com/l/internal/parallax"
)

func FuzzDiff(f *testing.F) { f.Add("x"); parallax.Diff(f, V, V) }
func FuzzOld(f *testing.F)  { f.Add("x"); old.Diff(f, V, V) }
`)
	moduletest.Untouched(t, dir)
	p = planFuzz(t, fuzzRequest(t, dir))
	if got, want := instrumentedFiles(p), "example.com/l [l.go l_test.go]"; got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(p.Libraries, " "); got != "example.com/l/internal/parallax parallax" && got != "parallax example.com/l/internal/parallax" {
		t.Errorf("libraries %s", got)
	}
	binary, _ = buildFuzz(t, p)
	if out := runFuzz(t, p, binary); !strings.Contains(out, "driven FuzzDiff\n") || !strings.Contains(out, "driven FuzzOld\n") {
		t.Errorf("Diff was not driven:\n%s", out)
	}

	// A requirement that lies in a folder of the user's, from the module that replaces it.
	dir = moduletest.Tree(t, workspace)
	moduletest.Untouched(t, dir)
	p = planFuzz(t, fuzzRequest(t, filepath.Join(dir, "n"), "example.com/r"))
	if got := strings.Join(p.Own, " "); got != "example.com/r example.com/r_test" {
		t.Errorf("own %s", got)
	}
	binary, _ = buildFuzz(t, p)
	runFuzz(t, p, binary)
}

// TestFuzzLibraryDoesNotFit checks a library with which the tool's file would not compile, and a
// missing one.
func TestFuzzLibraryDoesNotFit(t *testing.T) {
	const tests = `
-- l_test.go --
package l

import (
	"testing"

	"example.com/l/internal/parallax"
)

func FuzzDiff(f *testing.F) { parallax.Diff(f) }
`
	for _, tt := range []struct{ files, part string }{
		{strings.Replace(moduletest.HasLibrary, "const Version = 3", "const Version = 1", 1), "update it with\n\tparallax init"},
		{strings.Replace(moduletest.HasLibrary, "const Version = 3", "const Version = 99", 1), "install the parallax that made it"},
		{"-- go.mod --\nmodule example.com/l\n\ngo 1.22\n", "import the library as example.com/l/internal/parallax, which is not there"},
	} {
		dir := moduletest.Tree(t, tt.files+tests)
		pkgs, _, err := fuzztest.List(context.Background(), fuzzRequest(t, dir))
		if err != nil || len(pkgs) != 1 {
			t.Fatalf("%d packages, %v", len(pkgs), err)
		}
		_, err = PlanFuzz(context.Background(), Request{Options: buildroot.Options{Dir: dir, Out: t.TempDir(), Parallax: moduletest.Self(t)}, library: fakeLibrary(t)}, pkgs[0])
		moduletest.WantError(t, err, exit.UsageCode, tt.part)
	}
}

func TestFuzzDoesNotBuild(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/b

go 1.22
-- undefined/undefined_test.go --
package undefined

import "testing"

func FuzzU(f *testing.F) { undefined() }
-- missing/missing_test.go --
package missing

import (
	"testing"

	"example.com/nowhere"
)

func FuzzM(f *testing.F) { nowhere.V() }
-- below/below_test.go --
package below_test

import (
	"testing"

	"example.com/b/broken"
)

func FuzzB(f *testing.F) { broken.V() }
-- broken/broken.go --
package broken

func V() bool { return 1 }
`)
	moduletest.Untouched(t, dir)
	for _, tt := range []struct {
		pkg   string
		parts []string
	}{
		{"./undefined", []string{"the tests of example.com/b/undefined do not build", "undefined/undefined_test.go:5:28: undefined: undefined"}},
		{"./missing", []string{"missing/missing_test.go:6:2: no required module provides package example.com/nowhere"}},
		{"./below", []string{"the tests of example.com/b/below do not build", "broken/broken.go:3:24: cannot use 1"}},
	} {
		_, err := planFuzz(t, fuzzRequest(t, dir, tt.pkg)).Build(context.Background())
		moduletest.WantError(t, err, exit.BuildCode, tt.parts...)
		for _, noise := range []string{"FAIL", "plx", "toolexec"} {
			if strings.Contains(err.Error(), noise) {
				t.Errorf("the error has %q in it:\n%v", noise, err)
			}
		}
	}
	p := &Plan{root: &buildroot.Root{}, fuzz: &fuzztest.Package{ImportPath: "p"}}
	err := p.buildError("# testing\nparallax: instrumenting testing: package testing of go1.99 has changed: no place for it. Choose another\nFAIL\tp [build failed]\n")
	moduletest.WantError(t, err, exit.UsageCode, "package testing of go1.99 has changed: no place for it. Choose another")
}

// TestFuzzRealLibrary checks that the library itself, as embedded, makes a worker of a test binary.
func TestFuzzRealLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/real

go 1.16
-- only/x_test.go --
package only_test

import "testing"

func FuzzReal(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) {})
}
`)
	req := fuzzRequest(t, dir, "./...")
	p := planFuzzWith(t, req, nil)
	binary, _ := buildFuzz(t, p)
	cmd := exec.Command(binary, "-test.run=^FuzzReal$")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "PASS\n" {
		t.Errorf("as a test: %v\n%s", err, out)
	}
	cmd = exec.Command(binary, "-test.run=^FuzzReal$")
	cmd.Env = append(os.Environ(), "PARALLAX_WORKER=1")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "parallax worker: ") || !strings.Contains(string(out), "shared memory") {
		t.Errorf("as a worker without a supervisor: %v\n%s", err, out)
	}
}

// TestFuzzGeneratorImports checks that packages that only files of generators import do not count
// as tested.
func TestFuzzGeneratorImports(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/l

go 1.22
-- l.go --
package l

import "net/url"

func V(s string) bool { _, err := url.Parse(s); return err == nil }
-- make.go --
//parallax:generator

package l

import "encoding/csv"

func quoted(s string) string { return string(csv.NewReader(nil).Comma) + s }
-- make_test.go --
//parallax:generator

package l

import (
	"testing"

	"encoding/hex"
)

func FuzzMade(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) { V(quoted(hex.EncodeToString([]byte(s)))) })
}
-- l_test.go --
package l

import (
	"testing"

	"encoding/base32"
)

func FuzzV(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) { V(base32.StdEncoding.EncodeToString([]byte(s))) })
}
`)
	p := planFuzz(t, fuzzRequest(t, dir))
	if got, want := instrumentedFiles(p), "encoding/base32 [std]\nexample.com/l [l.go l_test.go make.go make_test.go]\nnet/url [std]"; got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
}
