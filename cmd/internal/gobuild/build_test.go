package gobuild

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

func TestScratch(t *testing.T) {
	p := resolve(t, t.TempDir(), "encoding/json.Valid", "github.com/goccy/go-json.Valid@v0.10.5")
	if want := "json.Valid+go-json.Valid@v0.10.5"; p.Target != want {
		t.Errorf("target %q, want %q", p.Target, want)
	}
	var paths []string
	for _, q := range p.Packages {
		paths = append(paths, q.ImportPath)
	}
	if !slices.Contains(paths, "encoding/json") || !slices.Contains(paths, "github.com/goccy/go-json/internal/decoder") || slices.Contains(paths, "strconv") {
		t.Errorf("instrumented packages: %q", paths)
	}
	if len(p.Seeds) == 0 || len(p.Dictionary) == 0 {
		t.Errorf("%d seeds, %d words in the dictionary", len(p.Seeds), len(p.Dictionary))
	}
	if want := []string{"encoding/json", "github.com/goccy/go-json"}; strings.Join(p.Own, " ") != strings.Join(want, " ") {
		t.Errorf("own %q, want %q", p.Own, want)
	}

	p = resolve(t, t.TempDir(), "golang.org/x/mod/semver.IsValid@v0.36.0", "github.com/Masterminds/semver/v3.StrictNewVersion@v3.3.1", "github.com/blang/semver/v4.Parse@v4.0.0")
	want := "[string] false\nsemver.IsValid@v0.36.0 rejected\nv3.StrictNewVersion@v3.3.1 accepted any:1.2.3\nv4.Parse@v4.0.0 accepted any:1.2.3"
	if got := runWorker(t, p, "1.2.3"); got != want {
		t.Errorf("worker prints %q, want %q", got, want)
	}
}

// TestForwardingPackages checks that a package of the standard library that forwards to an internal
// package of its name is instrumented with it. One of its functions is under test. If only a
// function under test imports it, its files that forward are marked.
func TestForwardingPackages(t *testing.T) {
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/f

go 1.22
-- f.go --
package f

import (
	"crypto/sha256"
	"strconv"
)

func Number(s string, bits int) (float64, error) { return strconv.ParseFloat(s, bits) }

func Other(s string, bits int) (float64, error) { return strconv.ParseFloat(s, bits) }

func Sum(b []byte) [32]byte { return sha256.Sum256(b) }

func Again(b []byte) [32]byte { return sha256.Sum256(b) }
`)
	for _, c := range []struct {
		functions []string
		pkg, twin string
		counted   bool
	}{
		{[]string{"strconv.ParseFloat", "./.Number"}, "strconv", "internal/strconv", true},
		{[]string{"./.Number", "./.Other"}, "strconv", "internal/strconv", false},
		{[]string{"crypto/sha256.Sum256", "./.Sum"}, "crypto/sha256", "crypto/internal/fips140/sha256", true},
		{[]string{"./.Sum", "./.Again"}, "crypto/sha256", "crypto/internal/fips140/sha256", false},
	} {
		p := resolve(t, dir, c.functions...)
		if p.graph.Package(c.twin) == nil {
			continue // this release of Go has the code in the package itself
		}
		tables, err := p.Tables()
		if err != nil {
			t.Fatal(err)
		}
		marked, twin, files := 0, false, map[string]bool{}
		for _, table := range tables {
			twin = twin || table.Package == c.twin
			if table.Package == c.pkg {
				marked = len(table.Forwarding)
				for _, f := range table.Funcs {
					files[f.File] = true
				}
				for name := range table.Forwarding {
					if !files[name] {
						t.Errorf("%v: %s holds no function", c.functions, name)
					}
				}
			}
		}
		if twin != c.counted || marked > 0 == c.counted || marked == len(files) && c.pkg == "strconv" {
			t.Errorf("%v: %s counted %v, want %v; %d files of %d marked", c.functions, c.twin, twin, c.counted, marked, len(files))
		}
	}
}

// TestTablesMatchCounters checks that block tables have as many blocks as the binary has counters.
// It also tries cgo, embedded files, build constraints and -trimpath.
func TestTablesMatchCounters(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, `
-- go.mod --
module example.com/c

go 1.22
-- c.go --
package c

// static int twice(int n) { return 2 * n; }
import "C"

func Valid(n int) bool {
	if n > 3 && n < 10 {
		return C.twice(C.int(n)) > 7
	}
	return false
}
-- plain.go --
package c

import (
	"embed"
	"net"
)

//go:embed data.txt
var data embed.FS

func Plain(s string) bool {
	for range s {
		if _, err := net.ResolveIPAddr("ip", s); err == nil {
			return true
		}
	}
	return false
}
-- other_windows.go --
package c

func Other(n int) bool { return n > 3 && n < 5 }
-- data.txt --
x
`)
	t.Setenv("GOFLAGS", "-trimpath '-ldflags=-s -w'")
	req := request(t, dir, "./.Plain", "net.ParseCIDR")
	req.Instrument = []string{"strconv", "image/..."}
	p, err := Resolve(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, "--instrument image/... matches no package") || strings.Contains(notes, "strconv") {
		t.Errorf("notes: %s", notes)
	}
	binary, err := p.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	counters := variables(t, binary, ".plxCov")
	tables, err := p.Tables()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"example.com/c", "net", "strconv"} {
		if counters[want] == 0 {
			t.Errorf("no counters of %s", want)
		}
	}
	for _, table := range tables {
		if n := counters[table.Package]; n != len(table.Blocks) || n == 0 {
			t.Errorf("%s: %d blocks, %d counters", table.Package, len(table.Blocks), n)
		}
	}
	if len(counters) != len(tables) {
		t.Errorf("counters of %v, %d tables", counters, len(tables))
	}
	delete(counters, "internal/strconv") // where most of strconv is since Go 1.26
	if len(counters) != 3 {
		t.Errorf("counters of %v; want example.com/c, net and strconv", counters)
	}
}

// TestRealLibrary checks that the library itself, as embedded, makes a worker: in a scratch module
// and in a user's module with an old go line.
func TestRealLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds workers")
	}
	dir := moduletest.Tree(t, local)
	for _, functions := range [][]string{
		{"golang.org/x/mod/semver.IsValid@v0.36.0", "github.com/blang/semver/v4.Parse@v4.0.0"}, // so that the library is compiled as it is for others
		{"./a/internal/x.Valid", "encoding/json.Valid"},
	} {
		req := request(t, dir, functions...)
		req.library = nil
		p, err := Resolve(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		binary, err := p.Build(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(binary).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "worker of parallax") {
			t.Errorf("started by hand, the worker says %q, %v", out, err)
		}
		tables, err := p.Tables()
		if err != nil {
			t.Fatal(err)
		}
		if len(tables) != len(p.Packages) || len(tables) == 0 || len(tables[0].Blocks) == 0 {
			t.Errorf("%d tables for %d packages", len(tables), len(p.Packages))
		}
		for i, table := range tables {
			if table.Package != p.Packages[i].ImportPath {
				t.Errorf("table %d is of %s, want %s", i, table.Package, p.Packages[i].ImportPath)
			}
		}
	}
}
