package harness

import (
	"context"
	"debug/elf"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/instrument/golang"
)

// planFuzz plans the only package that the patterns reach.
func planFuzz(t *testing.T, req FuzzRequest) *Plan {
	t.Helper()
	pkgs, _, err := ListFuzz(context.Background(), req)
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("ListFuzz: %d packages, %v", len(pkgs), err)
	}
	p, err := PlanFuzz(context.Background(), req, pkgs[0])
	if err != nil {
		t.Fatalf("PlanFuzz: %v", err)
	}
	return p
}

// buildFuzz builds the plan, compares the block tables with the binary's counters and returns the binary.
func buildFuzz(t *testing.T, p *Plan) (binary string, tables []*golang.Table) {
	t.Helper()
	binary, err := p.Build(context.Background())
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	if tables, err = p.Tables(); err != nil {
		t.Fatal(err)
	}
	counters := variables(t, binary, ".plxCov")
	for _, table := range tables {
		n, linked := counters[table.Package]
		if delete(counters, table.Package); linked && n != len(table.Blocks) {
			t.Errorf("%s: %d blocks, %d counters", table.Package, len(table.Blocks), n)
		} else if !linked && len(table.Blocks) > 0 {
			t.Errorf("%s: %d blocks, and no counters", table.Package, len(table.Blocks))
		}
	}
	if len(counters) > 0 {
		t.Errorf("counters without a table: %v", counters)
	}
	return binary, tables
}

// variables are the sizes of package-level variables of a name, by package.
func variables(t *testing.T, binary, suffix string) map[string]int {
	t.Helper()
	f, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, s := range symbols {
		if pkg, ok := strings.CutSuffix(s.Name, suffix); ok {
			pkg, _ = url.PathUnescape(pkg)
			found[pkg] = int(s.Size)
		}
	}
	return found
}

// runFuzz runs a test binary in the package's folder: its seeds, as go test does.
func runFuzz(t *testing.T, p *Plan, binary string) string {
	t.Helper()
	cmd := exec.Command(binary, "-test.run=^Fuzz", "-test.v")
	cmd.Dir = p.fuzz.Dir
	cmd.Env = append(os.Environ(), "FAKE_WORKER=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "installed\n") {
		t.Errorf("the test binary: %v\n%s", err, out)
	}
	for _, f := range p.fuzz.Funcs {
		if !strings.Contains(string(out), "--- PASS: "+f.Name) {
			t.Errorf("%s did not run:\n%s", f.Name, out)
		}
	}
	return string(out)
}

func instrumented(p *Plan) string {
	var paths []string
	for _, q := range p.Packages {
		var files []string
		for _, f := range q.Files {
			files = append(files, filepath.Base(f))
		}
		if sort.Strings(files); q.Standard {
			files = []string{"std"}
		}
		paths = append(paths, fmt.Sprintf("%s %s", q.ImportPath, files))
	}
	return strings.Join(paths, "\n")
}

// workspace has two modules and one that replaces a requirement. Package a has internal and external tests, cgo, files of
// every kind, and package c, which its external tests import, imports it.
const workspace = `
-- go.work --
go 1.22

use (
	./m
	./n
)
-- n/go.mod --
module example.com/n

go 1.22

require example.com/r v1.0.0

replace example.com/r => ../r
-- n/n.go --
package n

import "example.com/r"

func V(s string) bool { return len(s) > 1 && r.V(s) }
-- r/go.mod --
module example.com/r

go 1.22
-- r/r.go --
package r

func V(s string) bool { return len(s) > 2 }
-- r/r_test.go --
package r

import "testing"

func FuzzR(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) { V(s) })
}
-- m/go.mod --
module example.com/m

go 1.16
-- m/internal/a/a.go --
package a

import (
	_ "embed"
	"encoding/hex"
	"strings"
)

//go:embed a.txt
var text string

var plx = 1 // a name like ours

func init() { where() }

var early = func() int { where(); return plx }()

func V(s string) bool {
	if strings.HasPrefix(s, "literal-of-a") {
		_, err := hex.DecodeString(s)
		return err == nil
	}
	return s == text
}
-- m/internal/a/where.go --
package a

import (
	"fmt"
	"runtime"
)

func where() {
	pc, file, line, _ := runtime.Caller(1)
	fmt.Println("at", file, line, runtime.FuncForPC(pc).Name())
}
-- m/internal/a/native.go --
package a

// static int twice(int n) { return 2 * n; }
import "C"

func init() { where() }

var native = func() int { where(); return 3 }()

func Twice(n int) int {
	if n > native {
		return int(C.twice(C.int(n)))
	}
	return 0
}
-- m/internal/a/grammar.go --
//line grammar.y:10
package a

//line grammar.y:20
func parse(s string) int {
	switch s {
	case "x":
		return 1
	}
	return 0
}
-- m/internal/a/special.go --
//go:build special

package a

func special() bool { return plx > 0 && early > 0 }
-- m/internal/a/special_windows.go --
package a

func special() string { return 3 }
-- m/internal/a/a.txt --
embedded
-- m/internal/a/testdata/t.txt --
tested
-- m/internal/a/a_test.go --
package a

import (
	"embed"
	"testing"
)

//go:embed testdata
var folder embed.FS

func init() { where() }

var late = func() int { where(); return 2 }()

func FuzzA(f *testing.F) {
	if data, err := folder.ReadFile("testdata/t.txt"); err != nil || string(data) != "tested\n" {
		f.Fatal(err)
	}
	f.Add("literal-of-test")
	f.Fuzz(func(t *testing.T, s string) {
		if s == "literal-of-test" && late > 0 {
			where()
		}
		if V(s) && Twice(parse(s)) > 3 && special() {
			t.Fatal("not for seeds")
		}
	})
}
-- m/internal/a/other_test.go --
package a

import "net/url"

func other(s string) bool { return s == "literal-of-other-test" && url.QueryEscape(s) == s }
-- m/internal/a/x_test.go --
package a_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"testing"

	"example.com/m/internal/c"
)

func TestMain(m *testing.M) {
	fmt.Println("TestMain")
	os.Exit(m.Run())
}

func FuzzX(f *testing.F) {
	f.Add("x", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if c.U(s) {
			base64.StdEncoding.DecodeString(s)
		}
	})
}
-- m/internal/c/c.go --
package c

import (
	"example.com/m/internal/a"
	"example.com/n"
)

func U(s string) bool { return a.V(s) || n.V(s) && s == "literal-of-c" }
`

func TestFuzzWorkspace(t *testing.T) {
	dir := tree(t, workspace)
	untouched(t, dir)
	t.Setenv("GOFLAGS", "-count=1 -v '-ldflags=-s -w' -covermode=set -json")
	req := fuzzRequest(t, dir, "./m/...")
	req.Tags = "special"
	p := planFuzz(t, req)
	want := `encoding/base64 [std]
encoding/hex [std]
example.com/m/internal/a [a.go a_test.go grammar.go native.go other_test.go special.go where.go]
example.com/m/internal/a_test [x_test.go]
example.com/m/internal/c [c.go]
example.com/n [n.go]
example.com/r [r.go]`
	if got := instrumented(p); got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(p.Own, " "); got != "example.com/m example.com/m/internal/a_test" || p.GoVersion == "" || p.Target != "" || len(p.Programs) > 0 {
		t.Errorf("own %s, plan %+v", got, p)
	}
	for _, q := range p.Packages {
		if !contains(p.Closure, q.ImportPath) {
			t.Errorf("the closure lacks %s", q.ImportPath)
		}
	}
	words := map[string]bool{}
	for _, w := range p.Dictionary {
		words[string(w)] = true
	}
	if !words["literal-of-a"] || !words["literal-of-test"] || !words["literal-of-c"] || words["literal-of-other-test"] {
		t.Errorf("dictionary %q", p.Dictionary)
	}
	binary, tables := buildFuzz(t, p)
	out := runFuzz(t, p, binary)
	if !strings.Contains(out, "TestMain\n") {
		t.Errorf("TestMain did not run:\n%s", out)
	}
	checkNames(t, tables, out)

	// Built again, everything comes from the cache and the same binary results.
	before, _ := os.ReadFile(binary)
	if _, err := p.Build(context.Background()); err != nil {
		t.Error(err)
	}
	if after, _ := os.ReadFile(binary); string(before) != string(after) {
		t.Error("two builds differ")
	}

	operands, err := p.BuildOperands(context.Background())
	if err != nil {
		t.Fatalf("BuildOperands: %v", err)
	}
	if operands == binary || len(variables(t, operands, ".plxCov")) > 0 {
		t.Error("the binary that records operands has counters")
	}
	if found := variables(t, operands, ".plxOps"); found["example.com/m/internal/a"] == 0 || found["example.com/m/internal/c"] == 0 {
		t.Errorf("operands are recorded by %v", found)
	}
	runFuzz(t, p, operands)
}

// checkNames compares functions that ran, "at file line name", with the tables.
func checkNames(t *testing.T, tables []*golang.Table, out string) {
	t.Helper()
	seen := 0
	for _, line := range strings.Split(out, "\n") {
		fields := strings.Fields(line)
		if len(fields) != 4 || fields[0] != "at" {
			continue
		}
		seen++
		found := false
		for _, table := range tables {
			for _, f := range table.Funcs {
				if strconv.Itoa(f.Line) == fields[2] && f.File == fields[1] || f.Name == "FuzzA.func1" && fields[1] == f.File {
					found = found || table.Package+"."+f.Name == fields[3]
				}
			}
		}
		if !found {
			t.Errorf("no table has %s", line)
		}
	}
	if seen < 7 {
		t.Errorf("%d functions said where they are:\n%s", seen, out)
	}
}

// Package main, an external test alone, names that are taken, a path with a dot in its last element, a folder reached
// through a link, files that an overlay of the user's adds and replaces.
func TestFuzzOddPackages(t *testing.T) {
	dir := tree(t, `
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
	untouched(t, dir)
	p := planFuzz(t, fuzzRequest(t, dir, "."))
	want := "example.com/odd.v3 [main.go main_test.go plx_inject_test.go]\nexample.com/odd.v3/lib [lib.go]\nexample.com/odd.v3_test [x_test.go]"
	if got := instrumented(p); got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if p.main != "example.com/odd.v3/plxharness2" {
		t.Errorf("the harness is %s", p.main)
	}
	binary, _ := buildFuzz(t, p)
	runFuzz(t, p, binary)

	extra := tree(t, `
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
	if got, want := instrumented(p), "example.com/odd.v3/lib [lib.go]\nexample.com/odd.v3/only [zz.go]\nexample.com/odd.v3/only_test [x_test.go]"; got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if f := p.fuzz.Funcs[0]; f.Name != "FuzzAdded" || f.File != filepath.Join(link, "only", "added_test.go") {
		t.Errorf("%+v", f)
	}
	binary, _ = buildFuzz(t, p)
	runFuzz(t, p, binary)
}

// The library is no part of what is tested, and neither vendoring nor a replaced requirement is in the way.
func TestFuzzVendorAndReplace(t *testing.T) {
	dir := tree(t, requiresLibrary+`
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
	untouched(t, dir)
	p := planFuzz(t, fuzzRequest(t, dir))
	if got, want := instrumented(p), "example.com/l [l.go l_test.go]"; got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	p.NoteUncounted(0)
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "none of the code that the tests of example.com/l run") {
		t.Errorf("notes %q", p.Notes)
	}
	if text := string(injectFile(p.fuzz, "l")); !strings.Contains(text, "package l\n") || !p.fuzz.diff() {
		t.Errorf("injected:\n%s", text)
	}
	binary, _ := buildFuzz(t, p)
	if out := runFuzz(t, p, binary); !strings.Contains(out, "driven FuzzDiff\n") {
		t.Errorf("Diff was not driven:\n%s", out)
	}

	// A requirement that lies in a folder of the user's, from the module that replaces it.
	dir = tree(t, workspace)
	untouched(t, dir)
	p = planFuzz(t, fuzzRequest(t, filepath.Join(dir, "n"), "example.com/r"))
	if got := strings.Join(p.Own, " "); got != "example.com/r example.com/r_test" {
		t.Errorf("own %s", got)
	}
	binary, _ = buildFuzz(t, p)
	runFuzz(t, p, binary)
}

func TestFuzzDoesNotBuild(t *testing.T) {
	dir := tree(t, `
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
	untouched(t, dir)
	for _, tt := range []struct {
		pkg   string
		parts []string
	}{
		{"./undefined", []string{"the tests of example.com/b/undefined do not build", "undefined/undefined_test.go:5:28: undefined: undefined"}},
		{"./missing", []string{"missing/missing_test.go:6:2: no required module provides package example.com/nowhere"}},
		{"./below", []string{"the tests of example.com/b/below do not build", "broken/broken.go:3:24: cannot use 1"}},
	} {
		_, err := planFuzz(t, fuzzRequest(t, dir, tt.pkg)).Build(context.Background())
		wantError(t, err, exit.BuildCode, tt.parts...)
		for _, noise := range []string{"FAIL", "plx", "toolexec"} {
			if strings.Contains(err.Error(), noise) {
				t.Errorf("the error has %q in it:\n%v", noise, err)
			}
		}
	}
	p := &Plan{r: &resolver{}, fuzz: &FuzzPackage{ImportPath: "p"}}
	err := p.buildError("# testing\nparallax: instrumenting testing: package testing of go1.99 has changed: no place for it. Choose another\nFAIL\tp [build failed]\n")
	wantError(t, err, exit.UsageCode, "package testing of go1.99 has changed: no place for it. Choose another")
}

// The library itself, as embedded, makes a worker of a test binary.
func TestFuzzRealLibrary(t *testing.T) {
	dir := tree(t, `
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
	req.library = nil
	p := planFuzz(t, req)
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
