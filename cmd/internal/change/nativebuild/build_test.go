package nativebuild

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/subject"
)

// TestBuild checks that both versions are built once from their own files, and that the user's tree
// does not change.
func TestBuild(t *testing.T) {
	t.Setenv("PARALLAX_BUILDS", "fast") // skip the other builds
	dir := project(t, "lib.c", strings.Replace(library, "n < 3", "n < 4", 1), "lib.o", "a product of the user's own")
	before := state(dir)
	r, steps := request(t, dir)
	p, err := Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if state(dir) != before {
		t.Error("the work tree has changed")
	}
	run := func(v *Version, input string) string {
		name := filepath.Join(dir, "..", "input")
		if err := os.WriteFile(name, []byte(input), 0o644); err != nil {
			t.Fatal(err)
		}
		out, _ := exec.Command(v.Binary, name).CombinedOutput() // the exit code means a rejection
		return string(out)
	}
	if now, was := run(p.New, "a\x01b"), run(p.Old, "a\x01b"); !strings.Contains(now, "rejected") || !strings.Contains(was, "accepted") {
		t.Errorf("the new version says %q, the old one %q", now, was)
	}
	if now, was := run(p.New, "a\x01bc"), run(p.Old, "a\x01bc"); now != was || !strings.HasPrefix(now, "fuzz.c\x00") {
		t.Errorf("the new version says %q, the old one %q", now, was)
	}
	if home := p.Home(filepath.Join(p.New.Root, "lib.c")); home != filepath.Join(dir, "lib.c") || p.Home(filepath.Join(p.Old.Root, "lib.c")) != filepath.Join(r.Old.Dir, "lib.c") || p.Home("/x") != "/x" {
		t.Errorf("the user's file is %s", home)
	}
	if b := p.Built(); len(b) != 2 || b[0].Binary != p.New.Binary || b[1].Dir != p.Old.Dir {
		t.Errorf("what was built is %v", b)
	}

	again := func(want ...string) *Pair {
		t.Helper()
		*steps = nil
		p, err := Build(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		built := slices.DeleteFunc(slices.Clone(*steps), func(s string) bool { return !strings.HasPrefix(s, "building") })
		if !slices.Equal(built, want) {
			t.Errorf("built again: %q, want %q", built, want)
		}
		p.Close()
		return p
	}
	if q := again(); q.New.Binary != p.New.Binary {
		t.Error("the same version is elsewhere")
	}
	os.Remove(p.Old.Binary)
	again("building the old version: make fuzz")
	write(t, dir, "lib.h", "#define LIMIT 11\nint check(const unsigned char *, unsigned long);\n")
	again("building the new version: make fuzz")
	r.Command = []string{"make", "fuzz_x"}
	again("building the new version: make fuzz_x", "building the old version: make fuzz_x")
	r.Env = append(r.Env, "CFLAGS=-O2")
	again("building the new version: make fuzz_x", "building the old version: make fuzz_x")
	r.Old = nil
	if q := again(); q.Old != nil || len(q.Built()) != 1 {
		t.Errorf("the new version alone is %+v", q)
	}
}

// TestChanges checks that change points are found in the compiler's table.
func TestChanges(t *testing.T) {
	t.Setenv("PARALLAX_BUILDS", "fast")
	dir := project(t, "lib.c", strings.Replace(library, "s[0] != 'a'", "s[0] == 'b'", 1), "lib.h", "#define LIMIT 12\nint check(const unsigned char *, unsigned long);\n")
	r, _ := request(t, dir)
	p, err := Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := &flow.Space{}
	s.Add(&flow.Table{Package: "new", Funcs: []flow.Func{{Name: "features", Count: 7}}, Blocks: make([]flow.Block, 7)}, 0)
	for i, v := range []*Version{p.New, p.Old} {
		table, err := clang.ReadTable(v.Binary)
		if err != nil {
			t.Fatal(err)
		}
		table.Package = [...]string{"new", "old"}[i]
		s.Add(table, i)
	}
	// the sources of a version that does not build suffice
	for _, old := range []*Version{p.Old, nil} {
		q := *p
		q.Old = old
		found, blocks, err := q.Changes(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		var points []string
		for i, at := range found.Points {
			points = append(points, string(at.Kind)+" "+at.Function)
			if len(blocks[i]) == 0 {
				t.Errorf("point %+v has no block", at)
			}
			for _, b := range blocks[i] {
				if _, at := s.Block(b); filepath.Base(at.File) != "lib.c" || s.Function(b) < 7 {
					t.Errorf("point %+v has block %d", found.Points[i], b)
				}
			}
		}
		if !slices.Equal(points, []string{"source check", "constant check"}) && !slices.Equal(points, []string{"constant check", "source check"}) {
			t.Errorf("points are %q; notes %q", points, found.Notes)
		}
	}
}

// TestFaults checks the errors of failed builds: the version, and a fix.
func TestFaults(t *testing.T) {
	t.Setenv("PARALLAX_BUILDS", "fast")
	broken := strings.Replace(library, "return 1;", "return one;", 1)
	outside := filepath.Join(t.TempDir(), "outside")
	for _, c := range []struct {
		name    string
		changes []string
		edit    func(r *Request)
		old     bool // the old version fails
		code    int
		want    []string
	}{
		{name: "the new version", changes: []string{"lib.c", broken}, code: exit.BuildCode, want: []string{"the new version: make fuzz ended with exit status 2:\n", "use of undeclared identifier 'one'"}},
		{name: "the old version", changes: []string{"Makefile", "fuzz:\n\tparallax cc fuzz.c lib.c -o fuzz_x\n"}, edit: func(r *Request) { r.Command = []string{"make", "CC=false", "fuzz"} },
			old: true, code: exit.BuildCode, want: []string{"the old version: make CC=false fuzz ended with exit status 2:\n", "Error 1"}},
		{name: "no binary", edit: func(r *Request) { r.Binary = "fuzz_y" }, code: exit.UsageCode,
			want: []string{"the new version: its build (make fuzz) makes no fuzz_y, which binary in [regress] names; it makes fuzz_x"}},
		{name: "no binary in the old version", changes: []string{"Makefile", "fuzz: fuzz.c lib.c\n\t$(CC) $^ -o fuzz_y\n"}, edit: func(r *Request) { r.Binary = "fuzz_y" }, old: true, code: exit.BuildCode,
			want: []string{"the old version: its build (make fuzz) makes no fuzz_y"}},
		{name: "no command", edit: func(r *Request) { r.Command = []string{"parallax-no-such-command"} }, code: exit.UsageCode,
			want: []string{"there is no command parallax-no-such-command on PATH"}},
		{name: "no script", edit: func(r *Request) { r.Command = []string{"./build.sh"} }, code: exit.BuildCode, want: []string{"the new version: it has no ./build.sh"}},
		{name: "no script in the old version", changes: []string{"build.sh", "#!/bin/sh\nmake fuzz\n"}, edit: func(r *Request) { r.Command = []string{"./build.sh"} }, old: true,
			code: exit.BuildCode, want: []string{"the old version: it has no ./build.sh"}},
		{name: "no interpreter", changes: []string{"build.sh", "#!/no/such/interpreter\n"}, edit: func(r *Request) { r.Command = []string{"./build.sh"} }, code: exit.UsageCode,
			want: []string{"./build.sh, which build in [regress] names, cannot be started"}},
		{name: "writes elsewhere", changes: []string{"Makefile", "fuzz:\n\techo 1 > " + outside + "\n"}, code: exit.BuildCode, want: []string{"the new version: make fuzz ended with"}},
		{name: "no harness", changes: []string{"Makefile", "fuzz:\n\t: > fuzz_x\n"}, code: exit.UsageCode, want: []string{"the new version: ", "fuzz_x is not a program for this machine"}},
		{name: "another compiler", changes: []string{"Makefile", "fuzz:\n\t/usr/bin/gcc -shared -fPIC lib.c -o fuzz_x\n"}, code: exit.UsageCode, want: []string{"the new version: ", "has no counters"}},
		{name: "says nothing", edit: func(r *Request) { r.Command = []string{"false"} }, code: exit.BuildCode, want: []string{"the new version: false ended with exit status 1 and said nothing"}},
		{name: "a signal", edit: func(r *Request) { r.Command = []string{"sh", "-c", "echo now; kill -9 $$"} }, code: exit.BuildCode, want: []string{"was ended by a signal (killed):\n  now"}},
		{name: "much to say", edit: func(r *Request) { r.Command = []string{"sh", "-c", "seq 100000; exit 3"} }, code: exit.BuildCode, want: []string{"ended with exit status 3:\n  99981\n", "\n  100000"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := request(t, project(t, c.changes...))
			if c.edit != nil {
				c.edit(&r)
			}
			p, err := Build(t.Context(), r)
			if err == nil {
				p.Close()
				t.Fatal("it is built")
			}
			var old *subject.OldError
			if errors.As(err, &old) != c.old || exit.Code(err) != c.code {
				t.Errorf("the old version's: %v, exit code %d", old != nil, exit.Code(err))
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
		})
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a build wrote outside of its tree")
	}
}

// TestInterrupted checks that a canceled build ends at once, and is repeated later.
func TestInterrupted(t *testing.T) {
	r, _ := request(t, project(t, "build.sh", "#!/bin/sh\ntest -e wait && sleep 600\nmake fuzz\n", "wait", ""))
	r.Command, r.Old = []string{"./build.sh"}, nil
	ctx, cancel := context.WithCancel(t.Context())
	r.Progress = func(s string) {
		if strings.HasPrefix(s, "building") {
			cancel()
		}
	}
	if _, err := Build(ctx, r); !errors.Is(err, context.Canceled) {
		t.Errorf("the build ended with %v", err)
	}
}

// TestProjectInFolder checks that a project in a folder of the repository is built there, next to
// the rest of it.
func TestProjectInFolder(t *testing.T) {
	dir := project(t)
	write(t, dir, "sub/Makefile", "fuzz_x: ../fuzz.c ../lib.c\n\t$(CC) -O1 $^ -o $@\n")
	r, _ := request(t, filepath.Join(dir, "sub"))
	r.Command = []string{"make"}
	_, err := Build(t.Context(), r)
	var old *subject.OldError
	if !errors.As(err, &old) || !strings.Contains(err.Error(), "the old version: it has no folder sub") {
		t.Errorf("a base without the folder: %v", err)
	}
	r.Old = nil
	p, err := Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.New.Dir != filepath.Join(p.New.Root, "sub") || p.New.Binary != filepath.Join(p.New.Dir, "fuzz_x") {
		t.Errorf("built %+v", p.New)
	}
}
