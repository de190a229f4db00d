// Package moduletest has helpers for tests of packages that work on users' modules. One text holds
// the files of a module. Checks compare the files and errors.
package moduletest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

// Tree writes a txtar-like list of files, "-- name --" before each, and returns their folder.
func Tree(t *testing.T, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	var name string
	var body strings.Builder
	flush := func() {
		if name == "" {
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		body.Reset()
	}
	for _, line := range strings.SplitAfter(text, "\n") {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "-- ") && strings.HasSuffix(trimmed, " --") {
			flush()
			name = strings.TrimSpace(trimmed[3 : len(trimmed)-3])
			continue
		}
		body.WriteString(line)
	}
	flush()
	return dir
}

// Self returns the path of the test binary. It acts as the parallax executable if its TestMain
// knows the commands.
func Self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// Untouched fails the test if anything below dir is not as it was.
func Untouched(t *testing.T, dir string) {
	t.Helper()
	snapshot := func() string {
		var b strings.Builder
		filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, _ := os.ReadFile(name)
				b.WriteString(name + "\n" + string(text) + "\n")
			} else {
				b.WriteString(name + "/\n")
			}
			return nil
		})
		return b.String()
	}
	before := snapshot()
	t.Cleanup(func() {
		if snapshot() != before {
			t.Errorf("%s was changed", dir)
		}
	})
}

// WantError checks the exit code of an error and that its message holds every part.
func WantError(t *testing.T, err error, code int, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", parts)
	}
	if got := exit.Code(err); got != code {
		t.Errorf("exit code %d, want %d: %v", got, code, err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %q:\n%v", part, err)
		}
	}
}

// RequiresLibrary holds the files of a module that requires a fake of the library.
const RequiresLibrary = `
-- go.mod --
module example.com/l

go 1.22

require parallax v0.0.0

replace parallax => ./third_party/parallax
-- third_party/parallax/go.mod --
module parallax

go 1.22
-- third_party/parallax/parallax.go --
` + library + `-- third_party/parallax/own_test.go --
package parallax

import "testing"

func FuzzOwn(f *testing.F) {}
`

// HasLibrary holds the files of a module that has a copy of a fake of the library.
const HasLibrary = `
-- go.mod --
module example.com/l

go 1.22
-- internal/parallax/parallax.go --
` + library + `-- internal/parallax/internal/oracle/oracle.go --
package oracle
`

const library = `package parallax

import "testing"

const Version = 3

type Harness struct{ Name string }

var Driver func(*testing.F, *Harness)

func Diff(f *testing.F, implementations ...func(string) bool) {
	if Driver != nil {
		Driver(f, &Harness{Name: f.Name()})
	}
}
`
