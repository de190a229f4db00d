package revision

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// proxy publishes modules in a folder that is the only proxy. Each has a path, a version and the
// text of a tree.
func proxy(t *testing.T, modules ...[3]string) {
	t.Helper()
	dir := t.TempDir()
	for _, m := range modules {
		at := filepath.Join(dir, filepath.FromSlash(m[0]), "@v", m[1])
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		tree := moduletest.Tree(t, m[2])
		mod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
		if err != nil {
			mod = []byte("module " + m[0] + "\n")
		}
		f, err := os.Create(at + ".zip")
		if err != nil {
			t.Fatal(err)
		}
		if err := zip.CreateFromDir(f, module.Version{Path: m[0], Version: m[1]}, tree); err != nil {
			t.Fatal(err)
		}
		f.Close()
		os.WriteFile(at+".mod", mod, 0o644)
		os.WriteFile(at+".info", fmt.Appendf(nil, "{\"Version\":%q}", m[1]), 0o644)
	}
	built, err := exec.Command("go", "env", "GOCACHE").Output() // it is in the user's cache
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(built)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GOPROXY", "file://"+dir)
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
}

const (
	help = "-- go.mod --\nmodule example.com/help\n\ngo 1.20\n-- h.go --\npackage help\n\nconst H = 1\n"
	mod2 = "-- go.mod --\nmodule example.com/mod\n\ngo 1.23\n\nrequire (\n\texample.com/dep v1.0.0\n\texample.com/help v1.0.0\n)\n\nreplace example.com/dep => ../dep\n" +
		"-- m.go --\npackage mod\n\nimport \"example.com/dep\"\n\nfunc F(s string) int { return len(s) + dep.D }\n" +
		"-- m_test.go --\npackage mod\n\nimport (\n\t\"testing\"\n\n\t\"example.com/help\"\n)\n\nfunc FuzzF(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { F(s); _ = help.H }) }\n" +
		"-- go.work --\ngo 1.23\n\nuse .\nuse ./sub\n-- sub/go.mod --\nmodule example.com/mod/sub\n"
	mod1 = "-- m.go --\npackage mod\n\nimport \"example.com/dep\"\n\nfunc F(s string) int { return dep.D }\n"
	mod3 = "-- go.mod --\nmodule example.com/mod\n\ngo 1.23\n-- m.go --\npackage mod\n\nfunc G(s string) int { return 0 }\n"
)

func dep(value string) string {
	return "-- go.mod --\nmodule example.com/dep\n\ngo 1.20\n-- d.go --\npackage dep\n\nconst D = " + value + "\n"
}

func publish(t *testing.T) {
	t.Helper()
	other := "-- go.mod --\nmodule example.com/other\n\ngo 1.20\n\nrequire example.com/mod v1.3.0\n-- o.go --\npackage other\n"
	proxy(t, [3]string{"example.com/help", "v1.0.0", help}, [3]string{"example.com/dep", "v1.0.0", dep("1")}, [3]string{"example.com/dep", "v1.9.0", dep("9")},
		[3]string{"example.com/mod", "v1.0.0", mod1}, [3]string{"example.com/mod", "v1.2.0", mod2}, [3]string{"example.com/mod", "v1.3.0", mod3}, [3]string{"example.com/other", "v1.0.0", other})
}

func pairOf(t *testing.T, base, head string) *Pair {
	t.Helper()
	return resolved(t, Request{Modules: [2]string{"example.com/mod@" + base, "example.com/mod@" + head}})
}

// run runs the go command in a version.
func run(t *testing.T, v Version, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = v.Home, append(os.Environ(), v.Env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestStandalone checks that tests of published modules build as main modules, without unpublished
// parts, and with all dependencies.
func TestStandalone(t *testing.T) {
	publish(t)
	p := pairOf(t, "v1.0.0", "v1.2.0")
	moduletest.Untouched(t, p.Head.Dir)
	own, err := p.Standalone(context.Background(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if !strings.Contains(run(t, own.Head, "test", "-run=Fuzz", "."), "ok") {
		t.Error("the tests of the new version do not run")
	}
	noted(t, own.Head.Notes, "v1.2.0 is built without what it replaces by folders that are not published: example.com/dep => ../dep.")
	if mod := text(t, own.Head.Dir, "go.mod"); strings.Contains(mod, "replace") || !strings.Contains(mod, "go 1.23\n") {
		t.Errorf("go.mod of the new version:\n%s", mod)
	}
	run(t, own.Base, "build", "./...")
	if mod := text(t, own.Base.Dir, "go.mod"); !strings.Contains(mod, "go 1.21\n") || !strings.Contains(mod, "example.com/dep v1.0.0\n") {
		t.Errorf("go.mod of the old version, which had none:\n%s", mod)
	}
	if own.Head.Short != "v1.2.0" || own.Head.Module != "" || own.Head.Home != own.Head.Dir {
		t.Errorf("%+v", own.Head)
	}
	// a file that a test wrote
	os.WriteFile(filepath.Join(own.Head.Dir, "more.go"), []byte("package mod\n"), 0o644)
	again, err := p.Standalone(context.Background(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := os.Stat(filepath.Join(again.Head.Dir, "more.go")); err == nil || again.Head.Dir != own.Head.Dir {
		t.Error("a folder that was changed is used again")
	}
}

const user = `-- go.mod --
module example.com/user

go 1.22

require (
	example.com/beside v0.0.0
	example.com/mod v1.2.0
	example.com/other v1.0.0
)

replace example.com/beside => ../beside
-- deep/h/h.go --
package h

import (
	"example.com/beside"
	"example.com/mod"
	_ "example.com/other"
)

func H(s string) int { return mod.F(s) + beside.B }
-- deep/h/h_test.go --
package h

import "testing"

func FuzzH(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { H(s) }) }
-- .parallax/x --
-- vendor/modules.txt --
`

// TestDependents checks that a module that requires the published one is copied with each version,
// whatever its other requirements are.
func TestDependents(t *testing.T) {
	publish(t)
	ctx := context.Background()
	home := moduletest.Tree(t, "-- beside/go.mod --\nmodule example.com/beside\n\ngo 1.22\n-- beside/b.go --\npackage beside\n\nconst B = 1\n")
	dir := filepath.Join(home, "user")
	if err := os.Rename(moduletest.Tree(t, user), dir); err != nil {
		t.Fatal(err)
	}
	moduletest.Untouched(t, home)
	harness := filepath.Join(dir, "deep/h")
	p := pairOf(t, "v1.0.0", "v1.2.0")
	steps := 0
	d := Dependent{Dir: harness, Progress: func(string) { steps++ }}
	both, err := p.Dependents(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	for v, want := range map[*Version]string{&both.Base: "example.com/mod@v1.0.0 example.com/dep@v1.0.0", &both.Head: "example.com/mod@v1.2.0 example.com/dep@v1.0.0"} {
		got := run(t, *v, "list", "-m", "-f", "{{.Path}}@{{with .Replace}}{{.Version}}{{else}}{{.Version}}{{end}}", "example.com/mod", "example.com/dep")
		if strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("%s is built with %s, want %s", v.Short, got, want)
		}
		if v.Home != filepath.Join(v.Dir, "deep/h") {
			t.Errorf("the harness is in %s", v.Home)
		}
		run(t, *v, "test", "-run=Fuzz", ".")
		for _, name := range []string{".parallax", "vendor"} {
			if _, err := os.Stat(filepath.Join(v.Dir, name)); err == nil {
				t.Errorf("%s is copied", name)
			}
		}
	}
	before := steps
	again, err := p.Dependents(ctx, d)
	if err != nil || again.Head.Dir != both.Head.Dir || steps != before {
		t.Errorf("the same again: %v, %d steps more", err, steps-before)
	}
	again.Close()

	broken := pairOf(t, "v1.2.0", "v1.3.0")
	_, err = broken.Dependents(ctx, d)
	moduletest.WantError(t, err, exit.BuildCode, "the harness in "+harness+" does not build with example.com/mod@v1.3.0", "deep/h/h.go:9:35: undefined: mod.F")
	d.Dir = filepath.Join(home, "beside")
	_, err = p.Dependents(ctx, d)
	moduletest.WantError(t, err, exit.UsageCode, "beside/go.mod does not require example.com/mod: run `go get example.com/mod` there")
	d.Dir = filepath.Join(home, "none")
	_, err = p.Dependents(ctx, d)
	moduletest.WantError(t, err, exit.UsageCode, "there is no such folder")
	_, err = (&Pair{}).Dependents(ctx, d)
	moduletest.WantError(t, err, exit.UsageCode, "versions of a published module")
}

// TestDependentsInWorkspace checks that a workspace's settings apply to copies: its folders, their
// replace lines, and its own.
func TestDependentsInWorkspace(t *testing.T) {
	publish(t)
	home := moduletest.Tree(t, `
-- go.work --
go 1.22

use (
	./user
	./beside
)

replace example.com/lost => ./away/lost
-- beside/go.mod --
module example.com/beside

go 1.22

require example.com/third v0.1.0

replace (
	example.com/third => ../away/third
	example.com/lost => ../away/nowhere
)
-- beside/b.go --
package beside

import "example.com/third"

const B = third.B
-- away/third/go.mod --
module example.com/third
-- away/third/t.go --
package third

const B = 1
-- away/lost/go.mod --
module example.com/lost
-- away/lost/l.go --
package lost
`)
	alone := strings.NewReplacer("\nreplace example.com/beside => ../beside\n", "", "\texample.com/beside v0.0.0\n", "\texample.com/beside v0.0.0\n\texample.com/lost v0.4.0\n",
		"import (\n", "import (\n\t_ \"example.com/lost\"\n").Replace(user)
	if err := os.Rename(moduletest.Tree(t, alone), filepath.Join(home, "user")); err != nil {
		t.Fatal(err)
	}
	p := pairOf(t, "v1.0.0", "v1.2.0")
	both, err := p.Dependents(context.Background(), Dependent{Dir: filepath.Join(home, "user/deep/h")})
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	run(t, both.Base, "test", "-run=Fuzz", ".")
}
