package gobuild

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/internal"
)

// fuzzRequest looks for FuzzXxx as a user standing in dir.
func fuzzRequest(t *testing.T, dir string, patterns ...string) fuzztest.Request {
	return fuzztest.Request{Dir: dir, Parallax: moduletest.Self(t), Patterns: patterns}
}

// planFuzz plans the only package that the patterns reach, with the fake library.
func planFuzz(t *testing.T, req fuzztest.Request) *Plan {
	t.Helper()
	return planFuzzWith(t, req, fakeLibrary(t))
}

func planFuzzWith(t *testing.T, req fuzztest.Request, library []internal.File) *Plan {
	t.Helper()
	pkgs, _, err := fuzztest.List(context.Background(), req)
	if err != nil || len(pkgs) != 1 {
		t.Fatalf("ListFuzz: %d packages, %v", len(pkgs), err)
	}
	p, err := PlanFuzz(context.Background(), Request{Options: buildroot.Options{Dir: req.Dir, Out: t.TempDir(), Parallax: req.Parallax}, Libraries: moduletest.Libraries(), library: library}, pkgs[0])
	if err != nil {
		t.Fatalf("PlanFuzz: %v", err)
	}
	return p
}

// buildFuzz builds the plan, compares the block tables with the binary's counters and returns the
// binary.
func buildFuzz(t *testing.T, p *Plan) (binary string, tables []*flow.Table) {
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

func instrumentedFiles(p *Plan) string {
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

// workspace has two modules and one that replaces a requirement. Package a has internal and
// external tests, cgo, files of every kind, and package c, which its external tests import, imports
// it.
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
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, workspace)
	moduletest.Untouched(t, dir)
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
	if got := instrumentedFiles(p); got != want {
		t.Errorf("instrumented:\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(p.Own, " "); got != "example.com/m example.com/m/internal/a_test" || p.GoVersion == "" || p.Target != "" || len(p.Programs) > 0 {
		t.Errorf("own %s, plan %+v", got, p)
	}
	for _, q := range p.Packages {
		if !slices.Contains(p.Closure, q.ImportPath) {
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

	operands, err := p.BuildCmpLog(context.Background())
	if err != nil {
		t.Fatalf("BuildCmpLog: %v", err)
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
func checkNames(t *testing.T, tables []*flow.Table, out string) {
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
