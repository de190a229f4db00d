package change

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/change/revision"
)

const vendored = `-- go.mod --
module example.com/m

go 1.24

require example.com/d v1.0.0
-- vendor/modules.txt --
# example.com/d v1.0.0
## explicit; go 1.20
example.com/d
-- vendor/example.com/d/d.go --
package d

const Size = 4

func D(x int) int {
	if x > Size {
		return 1
	}
	return 2
}
-- m.go --
package m

import (
	"encoding/json"
	"fmt"
	"time"

	"example.com/d"
)

const Wait = 2 * time.Second

type Config struct {
	Name string ` + "`json:\"name\"`" + `
}

func Read(data []byte) (c Config, err error) {
	if len(data) == 0 {
		return c, fmt.Errorf("none")
	}
	err = json.Unmarshal(data, &c)
	return c, err
}

func Timeout() time.Duration { return Wait }

func Value(x int) int { return d.D(x) }
-- m_test.go --
package m
`

// TestRepository checks the way from revisions to points, for a repository with uncommitted changes
// and a vendor folder.
func TestRepository(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	lay(t, dir, vendored)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GOFLAGS", "")
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	edit := func(name string, parts ...string) {
		t.Helper()
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.NewReplacer(parts...).Replace(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("m.go", "2 * time.Second", "time.Duration(2000) * time.Millisecond", "`json:\"name\"`", "`json:\"title\"`")
	edit("vendor/example.com/d/d.go", "return 2", "return 3", "Size = 4", "Size = 1 << 3")
	edit("m_test.go", "package m", "package m\n\nfunc helper() {}")
	lay(t, dir, "-- new.go --\npackage m\n\nfunc Fresh() {}\n")

	ctx := context.Background()
	p, err := revision.Resolve(ctx, revision.Request{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	old := loaded(t, Options{Dir: p.Base.Home, Env: p.Base.Env})
	new := loaded(t, Options{Dir: p.Head.Home, Env: p.Head.Env})
	r, err := Compare(ctx, old, new)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r, new, []string{
		`tag Read: join "err = json.Unmarshal(data, &c)"`,
		`function Fresh: entry "func Fresh() {}"`,
		`statement D: join "return 3"`,
		`constant D: entry "func D(x int) int {"`,
	}, []string{"tests: Test files changed, without counted blocks: m_test.go"})
	for _, p := range r.Points {
		if p.Kind != Function && (!strings.Contains(p.Old.File, "/files/") || p.Old.Line == 0) {
			t.Errorf("the old place of %s %s is %+v", p.Kind, p.Function, p.Old)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOFLAGS", "")
	lay(t, dir, "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.txt --\n")
	for _, patterns := range [][]string{nil, {"./none"}} {
		if _, err := Load(context.Background(), Options{Dir: dir, Patterns: patterns}); exit.Code(err) != exit.UsageCode {
			t.Errorf("packages %q: %v", patterns, err)
		}
	}
	asked := []*Package{{Path: "example.com/d/p", Module: "example.com/d", Version: "v1.0.0", Asked: true}, {Path: "fmt", Standard: true}}
	if err := none(Options{Dir: dir}, nil, asked); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "example.com/d@OLD example.com/d@v1.0.0") {
		t.Errorf("a package of a dependency: %v", err)
	}
	lay(t, dir, "-- m.go --\npackage m\n\nimport _ \"example.com/missing\"\n")
	tree := loaded(t, Options{Dir: dir})
	r, err := Compare(context.Background(), tree, tree)
	if err != nil || len(r.Points) > 0 {
		t.Errorf("a package whose import is missing: %+v, %v", r, err)
	}
}
