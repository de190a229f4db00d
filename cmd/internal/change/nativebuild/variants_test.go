package nativebuild

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/process/quota/doorstest"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/c"
)

// TestVariantSandbox checks that builds of variants have the same restrictions as the first build.
// The build's compiler tries to escape.
func TestVariantSandbox(t *testing.T) {
	if testing.Short() {
		t.Skip("builds in a box many times")
	}
	real, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := doorstest.Outside{Pids: []int{os.Getpid(), os.Getppid()}, Secret: "PATH", Name: fmt.Sprintf("parallax-later-%d", os.Getpid())}
	o.Put(t, t.TempDir())
	mine := filepath.Join(t.TempDir(), "mine")
	script := fmt.Sprintf(`#!/bin/sh
here=%%s
log=$here/at-once
test -d $here/fuzz_x.parallax && log=$here/fuzz_x.parallax/later-doors
if ! test -s $log; then
  %q doors '%s' >$log 2>&1
  test $log = $here/at-once || for f in %q $here/lib.c; do echo x >>$f; done 2>/dev/null
  env >$log.env
fi
exec %q "$@"
`, tool, o.Argument(), mine, real)
	dir := project(t, "evil.sh", script, "build.sh", `#!/bin/sh
sed "s|%s|$PWD|" evil.sh >evil && chmod +x evil
mkdir runtime
PARALLAX_CLANG=$PWD/evil PARALLAX_RUNTIME=$PWD/runtime cc -g -O1 fuzz.c lib.c -o fuzz_x
`)
	t.Setenv("OF_THE_USER", "secret")
	r, _ := request(t, dir)
	r.Old, r.Command = nil, []string{"./build.sh"}
	p, err := Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	doors := func(name string) []string {
		text, err := os.ReadFile(filepath.Join(p.New.Root, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), ", ")
	}
	atOnce, source := doors("at-once"), state(filepath.Join(p.New.Root, "lib.c"))
	if _, notes := prepare(t, p, r.Tool); len(notes) == 0 {
		t.Error("there is a runtime for its compiler")
	}
	for _, door := range doors("fuzz_x.parallax/later-doors") {
		if !slices.Contains(atOnce, door) {
			t.Errorf("open: %s (to the build itself: %q)", door, atOnce)
		}
	}
	if env := strings.Join(doors("fuzz_x.parallax/later-doors.env"), ""); strings.Contains(env, "OF_THE_USER") {
		t.Error("it sees the user's environment")
	}
	if _, err := os.Stat(mine); err == nil || state(filepath.Join(p.New.Root, "lib.c")) != source {
		t.Error("it has written outside of its folder")
	}
}

// TestVariantsOutside checks that files outside of the build tree are not written, and that nothing
// is built without a sandbox.
func TestVariantsOutside(t *testing.T) {
	r, _ := request(t, project(t))
	r.Old = nil
	p, err := Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	folder, elsewhere := p.New.Binary+".parallax", filepath.Join(t.TempDir(), "elsewhere")
	built, err := clang.Open(p.New.Binary)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := built.Make(t.Context(), clang.CmpLog, clang.Making{}); err != nil || !strings.Contains(built.Missing[clang.CmpLog], "ran in a box") {
		t.Errorf("%v %q", err, built.Missing[clang.CmpLog])
	}
	if err := os.Rename(folder, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, folder); err != nil {
		t.Fatal(err)
	}
	if _, err = clang.Open(p.New.Binary); err != nil {
		t.Fatal(err)
	}
	before := state(elsewhere)
	if _, notes := prepare(t, p, r.Tool); !strings.Contains(strings.Join(notes, "\n"), "is not below") || state(elsewhere) != before {
		t.Errorf("notes %q", notes)
	}
	if err := errors.Join(os.Remove(folder), os.Rename(elsewhere, folder)); err != nil {
		t.Fatal(err)
	}
	n, notes := prepare(t, p, r.Tool)
	if n.CmpLog == "" || n.Sanitize == "" || n.Unfinished() || len(notes) > 0 {
		t.Errorf("builds %q and %q, notes %q", n.CmpLog, n.Sanitize, notes)
	}
}

// prepare builds the variants of the new version, as a campaign does.
func prepare(t *testing.T, p *Pair, tool string) (n *c.Variants, notes []string) {
	t.Helper()
	s := &c.Settings{Binary: p.New.Binary}
	prepared, err := s.Prepare(&program.Common{Name: "new"}, &program.Preparation{
		Ctx: t.Context(), Tool: tool, Dir: t.TempDir(), Say: func(string) {}, Note: func(note string) { notes = append(notes, note) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return prepared.(*c.Variants), notes
}
