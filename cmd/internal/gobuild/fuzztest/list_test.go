package fuzztest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// request looks for FuzzXxx as a user standing in dir.
func request(t *testing.T, dir string, patterns ...string) Request {
	return Request{Dir: dir, Parallax: moduletest.Self(t), Patterns: patterns}
}

// listing renders packages with their FuzzXxx: "path: FuzzA x_test.go:3 diff external, ...".
func listing(pkgs []*Package) string {
	var lines []string
	for _, p := range pkgs {
		var names []string
		for _, f := range p.Funcs {
			name := fmt.Sprintf("%s %s:%d", f.Name, filepath.Base(f.File), f.Line)
			if f.Diff {
				name += " diff"
			}
			if f.External {
				name += " external"
			}
			names = append(names, name)
		}
		lines = append(lines, p.ImportPath+": "+strings.Join(names, ", "))
	}
	return strings.Join(lines, "\n")
}

func TestListFuzz(t *testing.T) {
	dir := moduletest.Tree(t, moduletest.RequiresLibrary+`
-- l.go --
package l

func V(s string) bool { return s != "" }
-- a_test.go --
package l

import (
	"testing"

	plx "parallax"
)

type suite struct{}

func (suite) FuzzMethod(f *testing.F) {}

func (suite) compare(f *testing.F) { plx.Diff(f, V, V) }

func FuzzA(f *testing.F)     { plx.Diff(f, V, V) }
func Fuzz(*testing.F)        {}
func Fuzzy(f *testing.F)     {}
func Fuzz_1(f *testing.F)    { helper(f) }
func FuzzÄ(f *testing.F)     { suite{}.compare(f) }
func FuzzDeep(f *testing.F)  { deep(f) }
func fuzzSmall(f *testing.F) {}

func helper(f *testing.F) { plx.Diff(f, V) }
func deep(f *testing.F)   { helper(f) }
-- b_test.go --
package l

import . "testing"

// FuzzB has a comment.
func FuzzB(f *F) {
	f.Fuzz(func(t *T, s string) { V(s) })
}
-- x_test.go --
package l_test

import (
	tt "testing"

	"example.com/l"
	. "parallax"
)

func FuzzX(f *tt.F) {
	func() { Diff(f, l.V) }()
}

func FuzzHelper(f *tt.F) { helper(f) }

func helper(f *tt.F) { f.Skip() }
-- excluded_test.go --
//go:build special

package l

import "testing"

func FuzzSpecial(f *testing.F) {}
-- sub/none/none.go --
package none
-- sub/twins/a_test.go --
package twins

import "testing"

func FuzzTwin(f *testing.F) {}
func FuzzOne(f *testing.F)  {}
-- sub/twins/x_test.go --
package twins_test

import "testing"

func FuzzTwin(f *testing.F) {}
-- sub/inpackage/help.go --
package inpackage

import (
	"parallax"
	"testing"
)

func Compare(f *testing.F) { parallax.Diff(f) }
-- sub/inpackage/in_test.go --
package inpackage

import "testing"

func FuzzIn(f *testing.F) { Compare(f) }
-- sub/testdata/hidden/h_test.go --
package hidden

import "testing"

func FuzzHidden(f *testing.F) {}
`)
	const (
		root      = "example.com/l: FuzzA a_test.go:15 diff, Fuzz a_test.go:16, Fuzz_1 a_test.go:18 diff, FuzzÄ a_test.go:19 diff, FuzzDeep a_test.go:20, FuzzB b_test.go:6, FuzzX x_test.go:10 diff external, FuzzHelper x_test.go:14 external"
		inpackage = "example.com/l/sub/inpackage: FuzzIn in_test.go:5 diff"
		twins     = "example.com/l/sub/twins: FuzzOne a_test.go:6"
	)
	moduletest.Untouched(t, dir)
	for _, tt := range []struct {
		from     string
		patterns string
		match    string
		diff     bool
		tags     string
		want     string
		note     string
	}{
		{"", "", "", false, "", root, ""},
		{"", "./...", "", false, "", root + "\n" + inpackage + "\n" + twins, "FuzzTwin is declared in package twins and in twins_test"},
		{"sub", "./inpackage/...", "", false, "", inpackage, ""},
		{"sub", "./... example.com/l/sub/twins ./twins", "n$", false, "", inpackage, "example.com/l/sub/twins has none of the chosen FuzzXxx"},
		{"", "all", "", false, "", root + "\n" + inpackage + "\n" + twins, "left out: packages that do not belong to a module of yours"},
		{"", "example.com/l", "^FuzzA$", false, "", "example.com/l: FuzzA a_test.go:15 diff", ""},
		{"", ".", "zzH", false, "", "example.com/l: FuzzHelper x_test.go:14 external", ""},
		{"", "./...", "[X1n]", true, "", "example.com/l: Fuzz_1 a_test.go:18 diff, FuzzX x_test.go:10 diff external\n" + inpackage, ""},
		{"", ".", "Spec", false, "special", "example.com/l: FuzzSpecial excluded_test.go:7", ""},
		{"", "./sub/testdata/hidden", "", false, "", "example.com/l/sub/testdata/hidden: FuzzHidden h_test.go:5", ""},
		{"", "./third_party/parallax", "", false, "", "", "run parallax in the folder of the module"},
		{"third_party/parallax", ".", "", false, "", "parallax: FuzzOwn own_test.go:5", ""},
	} {
		req := request(t, filepath.Join(dir, tt.from), strings.Fields(tt.patterns)...)
		req.Diff, req.Tags = tt.diff, tt.tags
		if tt.match != "" {
			req.Match = regexp.MustCompile(tt.match)
		}
		pkgs, notes, err := List(context.Background(), req)
		if err != nil && tt.want != "" {
			t.Errorf("%s: %v", tt.patterns, err)
			continue
		}
		if err != nil {
			notes = []string{err.Error()}
		}
		if got := listing(pkgs); got != tt.want {
			t.Errorf("%s: found\n%s\nwant\n%s", tt.patterns, got, tt.want)
		}
		if all := strings.Join(notes, "\n"); tt.note != "" && !strings.Contains(all, tt.note) || tt.note == "" && all != "" {
			t.Errorf("%s: notes %q, want one with %q", tt.patterns, notes, tt.note)
		}
		for _, p := range pkgs {
			if p.Dir == "" || p.ModuleDir == "" || p.Module == "" || p.Name == "" {
				t.Errorf("%+v", p)
			}
		}
	}
	t.Setenv("GOFLAGS", "-tags=special -json -v -count=1")
	if pkgs, _, err := List(context.Background(), request(t, dir, ".")); err != nil || !strings.Contains(listing(pkgs), "FuzzSpecial") {
		t.Errorf("with tags in GOFLAGS: %v\n%s", err, listing(pkgs))
	}
}

// TestLibraryOfTheModule checks that the library is recognized by the end of its path and by its
// declarations, in any module.
func TestLibraryOfTheModule(t *testing.T) {
	dir := moduletest.Tree(t, moduletest.HasLibrary+`
-- foreign/parallax/parallax.go --
package parallax

import "testing"

const Version = 2

func Diff(f *testing.F) {}
-- copied/copied_test.go --
package copied

import (
	"testing"

	"example.com/l/internal/parallax"
)

func FuzzCopied(f *testing.F) { parallax.Diff(f) }
-- named/named_test.go --
package named_test

import (
	"testing"

	. "example.com/l/foreign/parallax"
	p "example.com/l/internal/parallax"
)

func FuzzForeign(f *testing.F) { Diff(f) }
func FuzzOurs(f *testing.F)    { p.Diff(f) }
-- foreign/foreign_test.go --
package foreign

import (
	"testing"

	"example.com/l/foreign/parallax"
)

func FuzzNone(f *testing.F) { parallax.Diff(f) }
-- missing/missing_test.go --
package missing

import (
	"testing"

	"example.com/l/gone/parallax"
)

func FuzzMissing(f *testing.F) { parallax.Diff(f) }
-- elsewhere/elsewhere_test.go --
package elsewhere

import (
	"testing"

	"example.com/other/parallax"
)

func FuzzElsewhere(f *testing.F) { parallax.Diff(f) }
-- help/help.go --
package help

import (
	"testing"

	"example.com/l/internal/parallax"
)

func compare(f *testing.F) { parallax.Diff(f) }
-- help/help_test.go --
package help

import "testing"

func FuzzHelped(f *testing.F) { compare(f) }
`)
	moduletest.Untouched(t, dir)
	pkgs, _, err := List(context.Background(), request(t, dir, "./..."))
	want := `example.com/l/copied: FuzzCopied copied_test.go:9 diff
example.com/l/elsewhere: FuzzElsewhere elsewhere_test.go:9
example.com/l/foreign: FuzzNone foreign_test.go:9
example.com/l/help: FuzzHelped help_test.go:5 diff
example.com/l/missing: FuzzMissing missing_test.go:9 diff
example.com/l/named: FuzzForeign named_test.go:10 external, FuzzOurs named_test.go:11 diff external`
	if got := listing(pkgs); err != nil || got != want {
		t.Errorf("%v, found\n%s\nwant\n%s", err, got, want)
	}
	for _, p := range pkgs {
		paths := strings.Join(p.Libraries, " ")
		switch p.Name {
		case "copied", "help", "named":
			if paths != "example.com/l/internal/parallax" {
				t.Errorf("%s: %s", p.Name, paths)
			}
		case "elsewhere", "foreign":
			if paths != "" {
				t.Errorf("%s: %s", p.Name, paths)
			}
		}
	}
}

// TestInjectedLibraries checks that the added file sets the driver of each library that the package
// knows.
func TestInjectedLibraries(t *testing.T) {
	p := &Package{Name: "p", Funcs: []Func{{Name: "FuzzA", Diff: true}}, Libraries: []string{"example.com/m/internal/parallax", "parallax"}, Behind: []string{"parallax"}}
	text := string(Inject(p, "x", Aids{}))
	for _, want := range []string{
		`parallaxInjectedLibrary "example.com/m/internal/parallax"`, `parallaxInjectedLibrary2 "parallax"`,
		"parallaxInjectedLibrary.Driver = func(f *parallaxInjectedTesting.F, h *parallaxInjectedLibrary.Harness)",
		"parallaxInjectedLibrary2.Driver = func(f *parallaxInjectedTesting.F, h *parallaxInjectedLibrary2.Harness)",
		"parallaxInjectedTarget.Drive(f, parallaxInjectedConfig.Config(*h))", "parallaxInjectedTarget.Drive(f, parallaxInjectedConfig.Config2(*h).Config())",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func TestListFuzzErrors(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/e

go 1.22

require golang.org/x/mod v0.20.0
-- go.sum --
golang.org/x/mod v0.20.0 h1:utOm6MM3R3dnawAiJgn0y+xvuYRsm1RKM/4giyfDgV0=
golang.org/x/mod v0.20.0/go.mod h1:hTbmBsO62+eylJbnUtE2MGJUyE7QWk4xUqPFrRgJ+7c=
-- good/good_test.go --
package good

import "testing"

func FuzzGood(f *testing.F)   {}
func FuzzBetter(f *testing.F) {}
-- syntax/syntax_test.go --
package syntax

import "testing"

func FuzzSyntax(f *testing.F) {
-- head/head.go --
pakage head
-- signature/signature_test.go --
package signature

import "testing"

func FuzzSignature(f *testing.F, n int) {}
-- generic/generic_test.go --
package generic

import "testing"

func FuzzGeneric[T any](f *testing.F) {}
-- two/a.go --
package one
-- two/b.go --
package two
-- tagged/tagged_test.go --
//go:build special

package tagged

import "testing"

func FuzzTagged(f *testing.F) {}
-- partly/partly.go --
package partly
-- partly/tagged_test.go --
//go:build special

package partly

import "testing"

func FuzzPartly(f *testing.F) {}
-- nothing/nothing.go --
package nothing
-- folder/README --
`)
	moduletest.Untouched(t, dir)
	for _, tt := range []struct {
		patterns string
		match    string
		diff     bool
		code     int
		parts    []string
	}{
		{"./syntax", "", false, exit.BuildCode, []string{"example.com/e/syntax does not build", "syntax/syntax_test.go:5:33: expected '}'"}},
		{"./good ./syntax", "", false, exit.BuildCode, []string{"syntax_test.go:5:33"}},
		{"./syntax/...", "", false, exit.BuildCode, []string{"syntax_test.go:5:33"}},
		{"./head", "", false, exit.BuildCode, []string{"head/head.go:1:1: expected 'package', found pakage"}},
		{"./two", "", false, exit.BuildCode, []string{"found packages one (a.go) and two (b.go)"}},
		{"./signature", "", false, exit.BuildCode, []string{"signature/signature_test.go:5:1: wrong signature for FuzzSignature, must be: func FuzzSignature(f *testing.F)"}},
		{"./generic", "", false, exit.BuildCode, []string{"test functions cannot have type parameters"}},
		{"./tagged", "", false, exit.UsageCode, []string{"build constraints exclude all Go files", "FuzzTagged (", "tagged_test.go)", "--tags"}},
		{"./partly", "", false, exit.UsageCode, []string{"no FuzzXxx in ./partly (1 package read)", "FuzzPartly (", "--tags"}},
		{"./nothing", "", false, exit.UsageCode, []string{"no FuzzXxx in ./nothing", "parallax init"}},
		{"./folder", "", false, exit.UsageCode, []string{"no Go files", "write ./folder/..."}},
		{"./nowhere", "", false, exit.UsageCode, []string{"there is no package ./nowhere", "directory not found"}},
		{"./nowhere/...", "", false, exit.UsageCode, []string{"./nowhere"}},
		{"..", "", false, exit.UsageCode, []string{"..: no Go files in"}},
		{"example.com/other", "", false, exit.UsageCode, []string{"there is no package example.com/other in your module"}},
		{"encoding/jsn", "", false, exit.UsageCode, []string{"there is no package encoding/jsn", "is not in std"}},
		{"./good", "FuzzGood.", false, exit.UsageCode, []string{"no FuzzXxx whose name matches FuzzGood. in ./good", "example.com/e/good.FuzzBetter\n\texample.com/e/good.FuzzGood\n", "regular expression"}},
		{"./good", "", true, exit.UsageCode, []string{"no FuzzXxx that calls parallax.Diff", "example.com/e/good.FuzzGood", "`parallax fuzz`"}},
		{"./good/good_test.go", "", false, exit.UsageCode, []string{"is a file", "./good"}},
		{"./good@latest", "", false, exit.UsageCode, []string{"no version"}},
		{"encoding/json", "", false, exit.UsageCode, []string{"encoding/json belongs to the standard library", "copy the package"}},
		{"encoding/...", "", false, exit.UsageCode, []string{"do not belong to a module of yours"}},
		{"golang.org/x/mod/semver", "", false, exit.UsageCode, []string{"belongs to module golang.org/x/mod@v0.20.0", "downloaded", "clone", "cp -r "}},
		{"./...", "", false, exit.OK, []string{"left out: example.com/e/syntax does not build", "head.go:1:1", "FuzzSignature", "FuzzGeneric", "two"}},
		{"./... example.com/e/good", "Good", false, exit.OK, nil},
	} {
		t.Run(tt.patterns, func(t *testing.T) {
			req := request(t, dir, strings.Fields(tt.patterns)...)
			req.Diff = tt.diff
			if tt.match != "" {
				req.Match = regexp.MustCompile(tt.match)
			}
			pkgs, notes, err := List(context.Background(), req)
			if tt.code != exit.OK {
				moduletest.WantError(t, err, tt.code, tt.parts...)
				return
			}
			if err != nil || len(pkgs) != 1 || pkgs[0].ImportPath != "example.com/e/good" {
				t.Fatalf("%v\n%s", err, listing(pkgs))
			}
			for _, part := range tt.parts {
				if !strings.Contains(strings.Join(notes, "\n"), part) {
					t.Errorf("notes lack %q: %q", part, notes)
				}
			}
		})
	}
}

func TestListFuzzOutsideAModule(t *testing.T) {
	dir := moduletest.Tree(t, `
-- m/go.mod --
module example.com/m

go 1.22
-- m/m_test.go --
package m

import "testing"

func FuzzM(f *testing.F) {}
-- w/go.work --
go 1.22

use ./a
-- w/a/go.mod --
module example.com/a

go 1.22
-- w/a/a_test.go --
package a

import "testing"

func FuzzA(f *testing.F) {}
`)
	_, _, err := List(context.Background(), request(t, dir, "./..."))
	moduletest.WantError(t, err, exit.UsageCode, "there is no go.mod in "+dir)
	_, _, err = List(context.Background(), request(t, dir, "./m/..."))
	moduletest.WantError(t, err, exit.UsageCode, "but one in "+filepath.Join(dir, "m"))
	_, _, err = List(context.Background(), request(t, filepath.Join(dir, "w"), "./..."))
	moduletest.WantError(t, err, exit.UsageCode, "in a workspace, name its modules' folders")
	pkgs, _, err := List(context.Background(), request(t, filepath.Join(dir, "w"), "./a/..."))
	if got, want := listing(pkgs), "example.com/a: FuzzA a_test.go:5"; got != want {
		t.Errorf("in a workspace: %v, %s; want %s", err, got, want)
	}
}

func TestFuzzRelease(t *testing.T) {
	bin, dir := t.TempDir(), moduletest.Tree(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.22\n")
	t.Setenv("PATH", bin)
	script := "#!/bin/sh\necho '{\"GOVERSION\":\"go1.23.4\"}'\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	_, _, err := List(context.Background(), request(t, dir, "."))
	moduletest.WantError(t, err, exit.UsageCode, "go1.23.4", "go1.24 or later", "go1.24 to go1.27")
	for version, noted := range map[string]bool{"go1.24.0": false, "go1.27.4": false, "go1.28rc1": true, "devel go1.29-abc": true} {
		r := &buildroot.Root{Env: gocommand.Env{GOVERSION: version}}
		if err := checkRelease(r); err != nil || len(r.Notes) > 0 != noted {
			t.Errorf("%s: %v, notes %q", version, err, r.Notes)
		}
	}
}
