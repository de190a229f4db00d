package synthesis

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
	"parallax/cmd/internal/program/gofunc"
)

const newer = `-- go.mod --
module example.com/m/v2

go 1.22
-- m.go --
package m

import "io"

func LoadBytes(data []byte, strict bool) (map[string]int, error) { return nil, nil }
func New(s string) bool { return true }
func Retyped(s string, n int) bool { return true }
func Widened(s string) (a, b int, err error) { return 0, 0, nil }
func Read(r io.Reader) error { return nil }
func Lines(lines []string) error { return nil }
func Grown(s string, more ...string) bool { return true }
func With(s string, opts ...func()) bool { return true }
func Generic[T any](s string) bool { return true }
func None() bool { return true }

func Variadic(keyvals ...any) bool { return true }
func Joined(parts ...string) string { return "" }
func hidden(s string) bool { return true }

var Hook func(string) bool

type T struct{ N int }

func (t *T) Unmarshal(data []byte) error { return nil }
func (t T) Has(name string) bool { return false }
func (t *T) hidden(s string) {}

type Box[E any] struct{}

func (b Box[E]) Put(s string) {}

type Same = T
type Able interface{ Do(s string) }
-- jws/jws.go --
package jws

func Parse(in []byte) (string, error) { return "", nil }
-- encoding/yaml/y.go --
package yaml

func Parse(s string) error { return nil }
-- internal/low/low.go --
package low

func Low(s string) int { return 0 }
-- fresh/f.go --
package fresh

func F(s string) bool { return true }
-- cmd/tool/main.go --
package main

func Run(s string) {}
func main() {}
`

// older returns the earlier version of the module: without New and fresh, and with another major
// version.
func older() string {
	return strings.NewReplacer(
		"example.com/m/v2", "example.com/m", "func New", "func newer", "s string, more ...string", "s string", "n int", "n string", "(a, b int, err error) { return 0, 0, nil }", "(int, error) { return 0, nil }",
		"-- fresh/f.go --\npackage fresh", "-- gone/f.go --\npackage gone", "in []byte", "in string",
	).Replace(newer)
}

func trees(t *testing.T) *Pair {
	t.Helper()
	v := func(text, short string) revision.Version {
		dir := moduletest.Tree(t, text)
		moduletest.Untouched(t, dir)
		return revision.Version{Dir: dir, Home: filepath.Join(dir, "jws"), Modules: []string{"."}, Short: short, Env: []string{"GOWORK=off"}}
	}
	p, err := Open(context.Background(), Request{New: v(newer, "b2b2b2b"), Old: v(older(), "a1a1a1a")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFunctions(t *testing.T) {
	p := trees(t)
	var got []string
	for _, f := range p.Functions() {
		if f.Zero && !slices.Contains(f.Notes, f.Path+": it is called on a zero T only") {
			t.Errorf("%s: %q", f.Path, f.Notes)
		}
		got = append(got, fmt.Sprintf("%s%s %t %t %d", f.Path, f.Parameters, f.Zero, f.Text, len(f.Notes)))
	}
	want := `Grown(s string, more ...string) false true 1
Joined(parts ...string) false true 1
LoadBytes(data []byte, strict bool) false true 0
Read(r io.Reader) false true 0
Widened(s string) false true 1
With(s string, opts ...func()) false true 1
T.Has(name string) true true 1
(*T).Unmarshal(data []byte) false true 0
encoding/yaml.Parse(s string) false true 0
internal/low.Low(s string) false true 0
jws.Parse(in []byte) false true 0`
	if strings.Join(got, "\n") != want {
		t.Errorf("functions\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestFind(t *testing.T) {
	p := trees(t)
	for _, tt := range []struct{ name, path, part string }{
		{name: "LoadBytes", path: "LoadBytes"},
		{name: "./.LoadBytes", path: "LoadBytes"},
		{name: "example.com/m/v2.LoadBytes", path: "LoadBytes"},
		{name: "example.com/m.LoadBytes", path: "LoadBytes"},
		{name: "jws.Parse", path: "jws.Parse"},
		{name: "./jws.Parse", path: "jws.Parse"},
		{name: "example.com/m/v2/jws.Parse", path: "jws.Parse"},
		{name: "encoding/yaml.Parse", path: "encoding/yaml.Parse"},
		{name: "T.Unmarshal", path: "(*T).Unmarshal"},
		{name: "(*T).Unmarshal", path: "(*T).Unmarshal"},
		{name: "example.com/m/v2.(*T).Unmarshal", path: "(*T).Unmarshal"},
		{name: "Hook", path: "Hook"},
		{name: "internal/low.Low", path: "internal/low.Low"},

		{name: "LoadByte", part: "--func LoadByte: in b2b2b2b package example.com/m/v2 has no function LoadByte (it has LoadBytes"},
		{name: "Parse", part: "has no function Parse; there is encoding/yaml.Parse, jws.Parse"},
		{name: "Unmarshall", part: `(did you mean "(*T).Unmarshal"?)`},
		{name: "Has", part: `(did you mean "T.Has"?)`},
		{name: "jwt.Parse", part: `module example.com/m/v2 has no package example.com/m/v2/jwt (did you mean "jws"?)`},
		{name: "yaml.Parse", part: `(did you mean "encoding/yaml.Parse"?)`},
		{name: "gone.F", part: "b2b2b2b has no package example.com/m/gone any more"},
		{name: "fresh.F", part: "fresh.F is new: a1a1a1a has no package example.com/m/fresh"},
		{name: "New", part: "New is new: in a1a1a1a package example.com/m has no function New"},
		{name: "Retyped", part: "Retyped has another signature in the old version:\n\tb2b2b2b  func(s string, n int) bool\n\ta1a1a1a  func(s string, n string) bool"},
		{name: "Read", path: "Read"},
		{name: "Lines", part: "Lines cannot be fuzzed as it is: parameter 1 (lines []string): parallax makes values of"},
		{name: "Generic", part: "it is generic"},
		{name: "None", part: "it has no parameter"},
		{name: "Variadic", part: "Variadic cannot be fuzzed as it is: parameter 1 (keyvals ...any): a variadic parameter"},
		{name: "Joined", path: "Joined"},
		{name: "Box.Put", part: "Box is a generic type"},
		{name: "Able.Do", part: "Able is an interface"},
		{name: "cmd/tool.Run", part: "cmd/tool is a main package"},
		{name: "hidden", part: "--func hidden is not exported, so that no harness can call it"},
		{name: "(*T).hidden", part: "(*T).hidden is not exported"},
		{name: "hiddn", part: "hiddn is not a function: write its path"},
		{name: "m.LoadBytes", part: "(package m is in the module's own folder: write --func LoadBytes)"},
		{name: "jws", part: "is not a function: write its path from the module's root"},
		{name: "LoadBytes@v1.2.0", part: "leave @v1.2.0 out, as in --func LoadBytes"},
		{name: "", part: "is not a function"},
	} {
		f, err := p.Find(tt.name)
		switch {
		case tt.part != "":
			if err == nil {
				t.Errorf("%s is %s", tt.name, f.Path)
				continue
			}
			moduletest.WantError(t, err, exit.UsageCode, tt.part)
		case err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case f.Path != tt.path:
			t.Errorf("%s is %s", tt.name, f.Path)
		}
	}
}

// TestUnfit checks that a function that cannot be called directly gets a suggested FuzzXxx and
// commands to run it. In a repository, the FuzzXxx has a place.
func TestUnfit(t *testing.T) {
	p := trees(t)
	_, err := p.Find("Lines")
	moduletest.WantError(t, err, exit.UsageCode, `parameter 1 (lines []string)`, `
	func FuzzLines(f *testing.F) {
		f.Fuzz(func(t *testing.T, data []byte) {
			Lines(data)
		})
	}
`, `
	func Lines(data []byte) error {
		return p0.Lines(strings.Split(string(data), "\n"))
	}
`, `
	import (
		"strings"
		"testing"

		p0 "example.com/m/v2"
	)
`, `
	cd harness && go mod init example.com/harness && go get example.com/m/v2@b2b2b2b && cd ..
	parallax regress example.com/m@a1a1a1a example.com/m/v2@b2b2b2b --harness harness`)
	p.request.New.Commit = "b2"
	_, err = p.Find("Lines")
	moduletest.WantError(t, err, exit.UsageCode, "`parallax init .Lines` writes a FuzzXxx that calls it, for you to complete")
	if strings.Contains(err.Error(), "--harness") {
		t.Errorf("%v", err)
	}
}

// TestMisfits checks that each exported function is fuzzed or a misfit, and that similar misfits
// share a reason.
func TestMisfits(t *testing.T) {
	p := trees(t)
	known := map[string]bool{}
	for _, f := range p.Functions() {
		known[f.Full()] = true
	}
	var got []string
	for _, m := range p.Misfits() {
		if known[m.Full] {
			t.Errorf("%s is fuzzed and a misfit", m.Full)
		}
		known[m.Full] = true
		got = append(got, strings.TrimSpace(strings.TrimPrefix(m.Full, "example.com/m/v2.")+": "+m.Why+" "+m.Which))
	}
	want := `Generic[...]: it is generic
Lines: parallax cannot make an argument parameter 1 (lines []string)
New: only in the new version
None: it has no parameter
Retyped: another signature in the old version
Variadic: parallax cannot make an argument parameter 1 (keyvals ...any)
Box[...].Put: Box is a generic type
example.com/m/v2/cmd/tool.Run: in package main
example.com/m/v2/fresh.F: only in the new version`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("misfits\n%s\nwant\n%s", text, want)
	}
	for _, folder := range p.new.folders {
		for _, c := range p.new.exported(folder) {
			if !known[full(c.Function)] {
				t.Errorf("%s is neither fuzzed nor a misfit", full(c.Function))
			}
		}
	}
	for path, want := range map[string]string{
		"example.com/m/v2/jws": "not exported, and no exported function calls it", "example.com/m/v2/cmd/tool": "in package main", "example.com/x": "not in module example.com/m/v2",
	} {
		if got := p.Unexported(path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// TestVariadic checks that a variadic parameter gets values only if both versions have it. A note
// reports the decision.
func TestVariadic(t *testing.T) {
	p := trees(t)
	for name, want := range map[string]string{
		"Grown": "1 Grown: the variadic parameter more is given nothing", "With": "2 With: the variadic parameter opts is given nothing",
		"Joined": "2 Joined: the variadic parameter parts is given up to 2 values", "LoadBytes": "2",
	} {
		f, err := p.Find(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		making := p.Configuration(f, "/user", 1, 2).Programs[0].Settings.(*gofunc.Function).Making
		if got := strings.TrimSpace(fmt.Sprint(making, " ", strings.Join(f.Notes, " "))); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestConfiguration checks that versions in folders are built there, and published ones in the
// user's folder.
func TestConfiguration(t *testing.T) {
	p := trees(t)
	f, err := p.Find("example.com/m/v2.(*T).Unmarshal")
	if err != nil {
		t.Fatal(err)
	}
	text := func() (out string) {
		c := p.Configuration(f, "/user", 1, 2)
		out = c.Name
		for _, q := range c.Programs {
			fn := q.Settings.(*gofunc.Function)
			out += fmt.Sprintf(" | %s %s %s %s %s %q %q", q.Name, q.Dir, fn.Function, fn.Version, fn.Label, fn.Environ, fn.Require)
		}
		return strings.NewReplacer(p.request.New.Dir, "/new", p.request.Old.Dir, "/old").Replace(out)
	}
	if got, want := text(), `m.(*T).Unmarshal | new /new ./.(*T).Unmarshal  b2b2b2b ["GOWORK=off"] [] | old /old ./.(*T).Unmarshal  a1a1a1a ["GOWORK=off"] []`; got != want {
		t.Errorf("configuration %s, want %s", got, want)
	}
	for _, s := range []*side{p.new, p.old} {
		s.version.Module, s.version.Short = s.module, "v"+s.version.Short[1:2]
	}
	p.old.version.Require = []string{"example.com/d v1.0.0"}
	if got, want := text(), `m.(*T).Unmarshal | new /user example.com/m/v2.(*T).Unmarshal v2  [] [] | old /user example.com/m.(*T).Unmarshal v1  [] ["example.com/d v1.0.0"]`; got != want {
		t.Errorf("configuration %s, want %s", got, want)
	}
	if _, err := p.Find("internal/low.Low"); err == nil || !strings.Contains(err.Error(), "is internal to its module") {
		t.Errorf("a published internal package: %v", err)
	}
}

// TestModule checks that the module is the user's in both versions, even if it moved.
func TestModule(t *testing.T) {
	const two = "-- a/go.mod --\nmodule example.com/a\n\ngo 1.22\n-- a/a.go --\npackage a\n\nfunc A(s string) bool { return true }\n-- b/go.mod --\nmodule example.com/b\n\ngo 1.22\n-- b/b.go --\npackage b\n\nfunc B(s string) bool { return true }\n"
	ctx := context.Background()
	now, before := moduletest.Tree(t, two), moduletest.Tree(t, strings.ReplaceAll(two, "-- b/", "-- c/"))
	r := Request{
		New: revision.Version{Dir: now, Home: now, Modules: []string{"a", "b"}, Short: "new", Env: []string{"GOWORK=off"}},
		Old: revision.Version{Dir: before, Home: before, Modules: []string{"a", "c"}, Short: "old", Env: []string{"GOWORK=off"}},
	}
	_, err := Open(ctx, r)
	moduletest.WantError(t, err, exit.UsageCode, "run parallax in one of the modules: a, b")
	for at, want := range map[string]string{"a": "A", "b": "B"} {
		r.Module, r.New.Home = at, now
		if p, err := Open(ctx, r); err != nil || len(p.Functions()) != 1 || p.Functions()[0].Path != want {
			t.Errorf("module %s: %v", at, err)
		}
		r.Module, r.New.Home = "", filepath.Join(now, at)
		if p, err := Open(ctx, r); err != nil || len(p.Functions()) != 1 || p.Functions()[0].Path != want {
			t.Errorf("in module %s: %v", at, err)
		}
	}
	os.RemoveAll(filepath.Join(before, "c"))
	_, err = Open(ctx, r)
	if err == nil {
		r.Module = "b"
		_, err = Open(ctx, r)
	}
	moduletest.WantError(t, err, exit.UsageCode, "old has no b/go.mod")
}
