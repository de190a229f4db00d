package callgraph

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/flow"
)

func TestErrors(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name, text string
		patterns   []string
		ctx        context.Context
		code       int
		want       string
	}{
		{"no such package", "-- a.go --\npackage m", []string{"./gone"}, nil, exit.UsageCode, "gone"},
		{"nothing matches", "-- a.txt --", []string{"./..."}, nil, exit.UsageCode, "no packages match ./..."},
		{"a file that is no Go", "-- a.go --\npackage m\nfunc {", []string{"."}, nil, exit.BuildCode, "a.go:2:6"},
		{"type errors alone", "-- a.go --\npackage m\nvar x int = \"\"", []string{"."}, nil, exit.BuildCode, "a.go:2:13"},
		{"missing module", "-- a.go --\npackage m\nimport \"example.invalid/x\"\nvar _ = x.X", []string{"."}, nil, exit.BuildCode, "example.invalid/x"},
		{"missing import path", "-- a.go --\npackage m", []string{"example.invalid/x"}, nil, exit.UsageCode, "example.invalid/x"},
		{"canceled", "-- a.go --\npackage m", []string{"."}, canceled, 0, "context canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("GOPROXY", "off")
			m := newModule(t, test.text)
			if test.ctx == nil {
				test.ctx = context.Background()
			}
			_, err := Load(test.ctx, m.request(test.patterns...))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one with %q", err, test.want)
			}
			var coded *exit.Error
			if test.code != 0 && (!errors.As(err, &coded) || coded.Code != test.code) {
				t.Errorf("exit code of %v is not %d", err, test.code)
			}
		})
	}
	t.Run("no module", func(t *testing.T) {
		t.Setenv("GOWORK", "off")
		if _, err := Load(context.Background(), Request{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "go.mod") {
			t.Errorf("error %v", err)
		}
	})
}

// TestCancel cancels Load at each of its steps.
func TestCancel(t *testing.T) {
	m := newModule(t, "-- a.go --\npackage m\nimport _ \"net/http\"")
	for n := range 4 {
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		req := m.request(".")
		req.Progress = func(string) {
			if steps++; steps > n {
				cancel()
			}
		}
		_, err := Load(ctx, req)
		if steps > n && !errors.Is(err, context.Canceled) {
			t.Errorf("canceled at step %d: error %v", n, err)
		}
		cancel()
	}
}

// TestBroken checks that packages with errors are left out, and the others are kept.
func TestBroken(t *testing.T) {
	m := newModule(t, `-- go.mod --
module m

go 1.23
-- good/a.go --
package good
func A() { b() }
func b() {}
-- bad/a.go --
package bad
import "m/good"
func A() { good.A(); gone() }
func B() Missing { return nil }
-- uses/a.go --
package uses
import ("m/bad"; "m/good")
func A() { good.A(); bad.A() }
-- doubtful/a.go --
package doubtful
import "m/bad"
func A() { x := bad.B(); _ = x }
-- tests/a.go --
package tests
func A() { b() }
func b() {}
var x = c()
func c() int { return 1 }
-- tests/a_test.go --
package tests
var y = d()
func d() int { return "" }
`)
	g := m.load("./...")
	notes := strings.Join(g.Notes, "\n")
	for _, want := range []string{"in package m/bad are not known: " + m.path("bad/a.go") + ":4:10", "in package m/doubtful are not known: it uses", "in the tests of package m/tests are not known"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note has %q:\n%s", want, notes)
		}
	}
	if len(g.Notes) != 3 {
		t.Errorf("notes:\n%s", notes)
	}
	tables := []*flow.Table{m.table("m/good", false), m.table("m/bad", false), m.table("m/uses", false), m.table("m/tests", false)}
	missing := g.Fill(tables)
	if len(missing) != 1 || !strings.Contains(missing[0], "2 of 2 functions of m/bad") {
		t.Errorf("Fill: %q", missing)
	}
	if got := tables[0].Blocks[0].Calls; !slices.Equal(got, []string{"m/good.b"}) {
		t.Errorf("good.A calls %v", got)
	}
	if b := tables[1].Blocks[0]; !b.Indirect || len(b.Calls) > 0 {
		t.Errorf("bad.A: %+v", b)
	}
	if got := tables[2].Blocks[0].Calls; !slices.Equal(got, []string{"m/bad.A", "m/good.A"}) {
		t.Errorf("uses.A calls %v", got)
	}
	if got := tables[3].Blocks[0].Calls; !slices.Equal(got, []string{"m/tests.b"}) {
		t.Errorf("tests.A calls %v", got)
	}
}

// TestCgo checks a package with C, whose calls have positions from //line directives of cgo's.
func TestCgo(t *testing.T) {
	m := newModule(t, `-- a.go --
package m

// static int twice(int x) { return 2 * x; }
import "C"

func A(x int) int {
	if x > 0 && b(x) {
		return int(C.twice(C.int(c(x)))) + func() int { return c(1) }()
	}
	return 0
}
-- b.go --
package m

func b(x int) bool { return x > 1 }
func c(x int) int  { return x }
`)
	g := m.load(".")
	if len(g.Notes) > 0 {
		t.Skipf("no C compiler: %s", g.Notes)
	}
	tab := m.table("m", false)
	for _, n := range g.Fill([]*flow.Table{tab}) {
		t.Error(n)
	}
	got := map[string]string{}
	for _, b := range tab.Blocks {
		got[b.Kind.String()+" "+tab.Funcs[b.Func].Name] = strings.Join(b.Calls, " ")
	}
	for at, want := range map[string]string{"and A": "m.b", "then A": "m.A.func1 m.c", "entry A.func1": "m.c", "entry A": ""} {
		if got[at] != want {
			t.Errorf("%s calls %q, want %q", at, got[at], want)
		}
	}
	t.Run("not compiled", func(t *testing.T) {
		t.Setenv("CC", "/nonexistent/cc")
		t.Setenv("GOCACHE", t.TempDir())
		m.write("c/a.go", "package c\n// int x;\nimport \"C\"\nfunc A() C.int { return C.x }\n")
		m.write("d.go", "package m\nfunc D() { c(1) }\n")
		os.Remove(m.path("a.go"))
		g := m.load("./...")
		if !slices.ContainsFunc(g.Notes, func(n string) bool { return strings.Contains(n, "package m/c are not known: its files that use cgo") }) {
			t.Errorf("notes %q", g.Notes)
		}
	})
}

// TestLineDirectives places calls of generated code where they are in its file.
func TestLineDirectives(t *testing.T) {
	m := newModule(t, "-- a.go --\npackage m\n\n//line gen.y:1\nfunc a() { b() }\n//line gen.y:1\nfunc b() { a(); func() { b() }() }\n")
	m.write("b.go", "\ufeffpackage m; func c() { a() }\n")
	tab := m.table("m", false)
	for _, n := range m.load(".").Fill([]*flow.Table{tab}) {
		t.Error(n)
	}
	var got []string
	for _, b := range tab.Blocks {
		got = append(got, strings.Join(b.Calls, " "))
	}
	if want := []string{"m.b", "m.a m.b.func1", "m.b", "m.a"}; !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
}

func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("reads modules")
	}
	m := newModule(t, "-- a.go --\npackage m\nfunc A() { b() }\nfunc b() {}\n-- a_test.go --\npackage m\nfunc T() { A() }\n-- tag.go --\n//go:build tag\n\npackage m\nfunc C() {}\n")
	req := m.request(".")
	req.Tests = false // which read the standard library, so that they come last
	built := 0
	load := func() *Graph {
		t.Helper()
		built = 0
		req.Progress = func(step string) {
			if strings.HasPrefix(step, "reading which functions") {
				built++
			}
		}
		g, err := Load(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	first := load()
	kept, _ := filepath.Glob(filepath.Join(req.Cache, "*"))
	if built != 1 || len(kept) != 1 {
		t.Fatalf("built %d times, kept %q", built, kept)
	}
	again := load()
	if built != 0 {
		t.Error("built again though nothing changed")
	}
	if a, b := string(encode(first)), string(encode(again)); a != b {
		t.Error("the graph that was kept is another one")
	}
	data, _ := os.ReadFile(kept[0])
	for name, damaged := range map[string][]byte{"cut": data[:len(data)/2], "empty": {}, "changed": append(append([]byte(nil), data[:20]...), append([]byte{data[20] ^ 1}, data[21:]...)...)} {
		os.WriteFile(kept[0], damaged, 0o666)
		if load(); built != 1 {
			t.Errorf("a file that is %s was read", name)
		}
	}
	changes := []struct {
		name string
		make func()
	}{
		{"a file", func() { m.write("a.go", "package m\nfunc A() { b(); b() }\nfunc b() {}\n") }},
		{"a new file", func() { m.write("b.go", "package m\n") }},
		{"go.mod", func() { m.write("go.mod", "module m\n\ngo 1.22\n") }},
		{"tags", func() { req.Tags = "tag" }},
		{"tests", func() { req.Tests = true }},
		{"a test", func() { m.write("a_test.go", "package m\nfunc T() { b() }\n") }},
	}
	for _, c := range changes {
		c.make()
		if load(); built != 1 {
			t.Errorf("not built again after a change of %s", c.name)
		}
	}
	req.Tests = false
	req.Cache = filepath.Join(m.path("a.go"), "below a file")
	if load(); built != 1 {
		t.Error("not built without a cache")
	}
}

// TestCost logs the CPU time of this process and of the go command for two modules, where logs are
// shown (-v). Machines differ too much for a limit. Otherwise the large one is read, once.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads large modules")
	}
	modules := []struct{ module, path string }{
		{"github.com/dop251/goja@v0.0.0-20260917113740-793a2a65c13b", "github.com/dop251/goja"},
		{"github.com/BurntSushi/toml@v1.6.0", "github.com/BurntSushi/toml"},
	}
	loads := []string{"cold", "kept"}
	if !testing.Verbose() {
		modules, loads = modules[:1], loads[:1]
	}
	for _, test := range modules {
		t.Run(test.path, func(t *testing.T) {
			m := downloaded(t, test.module)
			req := m.request(".")
			req.Tests = false
			for _, when := range loads {
				before := cpu()
				g, err := Load(context.Background(), req)
				if err != nil {
					t.Skip(err)
				}
				tab := m.table(test.path, false)
				for _, n := range g.Fill([]*flow.Table{tab}) {
					t.Error(n)
				}
				calls, indirect := 0, 0
				for _, b := range tab.Blocks {
					if calls += len(b.Calls); b.Indirect {
						indirect++
					}
				}
				t.Logf("%s: %.2f CPU seconds with the block table; %d blocks, %d calls, %d blocks with unknown callees", when, (cpu() - before).Seconds(), len(tab.Blocks), calls, indirect)
			}
		})
	}
}

func cpu() time.Duration {
	total := int64(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		syscall.Getrusage(who, &u)
		total += u.Utime.Nano() + u.Stime.Nano()
	}
	return time.Duration(total)
}
