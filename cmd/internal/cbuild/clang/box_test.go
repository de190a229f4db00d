package clang

import (
	"bytes"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The test binary is the compiler when its name is the compiler's. The tests then run what make and
// CMake run.
func init() {
	if name, ok := strings.CutPrefix(filepath.Base(os.Args[0]), "parallax-"); ok {
		os.Exit(Main(name, os.Args[1:]))
	}
}

// A box is a folder in which a user builds.
type box struct {
	t   *testing.T
	dir string
	env []string

	group bool // a line of shell has a process group of its own, like a build
}

func newBox(t *testing.T) *box {
	t.Helper()
	if _, err := find(); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b := &box{t: t, dir: t.TempDir()}
	bin := t.TempDir()
	for _, name := range []string{"parallax-cc", "parallax-c++"} {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	// ASan's leak checker does not work where processes are traced.
	b.env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "ASAN_OPTIONS=detect_leaks=0", "LC_ALL=C", "PARALLAX_BUILDS=", "MAKEFLAGS=")
	return b
}

// buildAllVariants makes all variants be built at once from here on.
func (b *box) buildAllVariants() { b.env = append(b.env, "PARALLAX_BUILDS=now") }

func (b *box) write(files map[string]string) {
	b.t.Helper()
	for name, text := range files {
		path := filepath.Join(b.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			b.t.Fatal(err)
		}
	}
}

// try runs a line of shell and returns its output and exit code.
func (b *box) try(line string) (string, int) {
	b.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = b.dir, b.env, &syscall.SysProcAttr{Setpgid: b.group}
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		b.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// run runs a line of shell that must succeed.
func (b *box) run(line string) string {
	b.t.Helper()
	out, code := b.try(line)
	if code != 0 {
		b.t.Fatalf("%s: exit code %d\n%s", line, code, out)
	}
	return out
}

// silent runs a line of shell that must succeed without output.
func (b *box) silent(line string) {
	b.t.Helper()
	if out := b.run(line); out != "" {
		b.t.Fatalf("%s says\n%s", line, out)
	}
}

func (b *box) path(name string) string { return filepath.Join(b.dir, name) }

// open opens a harness, checks that it has the wanted variants, and runs each of them.
func (b *box) open(name string, want ...Variant) *Build {
	b.t.Helper()
	built, err := Open(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, v := range want {
		if notes, err := built.Make(b.t.Context(), v, Making{}); err != nil || len(notes) > 0 {
			b.t.Fatalf("making the %s variant of %s: %v %q", v, name, err, notes)
		}
	}
	for _, v := range Variants {
		path, ok := built.Variants[v]
		if wanted := v == Fast || contains(want, v); ok != wanted {
			b.t.Fatalf("%s variant of %s: there %v, wanted %v: %s", v, name, ok, wanted, built.Missing[v])
		}
		if !ok {
			continue
		}
		b.write(map[string]string{"an-input": "x"})
		cmd := exec.Command(path, b.path("an-input"))
		cmd.Env = b.env
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("accepted")) {
			b.t.Fatalf("running the %s variant of %s: %v\n%s", v, name, err, out)
		}
	}
	if points, err := counters(built.Variants[Fast], "__sancov_cntrs", 1); err != nil {
		b.t.Fatal(err)
	} else if path, ok := built.Variants[CmpLog]; ok {
		if guards, err := counters(path, "__sancov_guards", 4); err != nil || guards != points {
			b.t.Fatalf("%s has %d counters, its operands variant %d (%v)", name, points, guards, err)
		}
	}
	return built
}

func contains(list []Variant, v Variant) bool {
	for _, w := range list {
		if v == w {
			return true
		}
	}
	return false
}

// counters returns the number of counters in a section.
func counters(path, section string, size uint64) (uint64, error) {
	f, err := elf.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if s := f.Section(section); s != nil {
		return s.Size / size, nil
	}
	return 0, nil
}

// small is a library with a harness: three files, one with comparisons that the operands variant
// wraps.
var small = map[string]string{
	"a.h": "int a_check(const char *, unsigned long);\nint b_sum(const char *, unsigned long);\n",
	"a.c": `#include <string.h>
#include "a.h"
int a_check(const char *s, unsigned long n) {
  if (n >= 4 && !memcmp(s, "abcd", 4)) return b_sum(s, n);
  return 0;
}
`,
	"b.c": `#include "a.h"
int b_sum(const char *s, unsigned long n) {
  int sum = 0;
  for (unsigned long i = 0; i < n; i++) sum += s[i] > 'k' ? s[i] : 1;
  return sum;
}
`,
	"h.c": `#include <stdint.h>
#include <stddef.h>
#include <parallax.h>
#include "a.h"
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int r = a_check((const char *)data, size);
  parallax_output(&r, sizeof r);
  return r > 100 ? 1 : 0;
}
`,
	"tool.c": `#include <stdio.h>
#include "a.h"
int main(void) { return printf("%d\n", a_check("abcd", 4)) < 0; }
`,
}
