package nativebuild

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/change/revision"
	"parallax/cmd/internal/process/quota/doorstest"
	"parallax/cmd/internal/program/programtest"
)

// TestMain lets the test binary run as the tool: the sandbox, and the compilers.
func TestMain(m *testing.M) {
	programtest.Sandbox()
	if len(os.Args) == 3 && os.Args[1] == "doors" {
		os.Exit(doorstest.Main(os.Args[2]))
	}
	if len(os.Args) > 1 && (os.Args[1] == "cc" || os.Args[1] == "c++") {
		os.Exit(clang.Main(os.Args[1], os.Args[2:]))
	}
	os.Exit(cached(m))
}

// cached runs the tests with a cache of their own, but with the user's compiler runtime.
func cached(m *testing.M) int {
	if user, err := os.UserCacheDir(); err == nil {
		runtime := filepath.Join(user, "parallax", "cc")
		if os.MkdirAll(runtime, 0o755) == nil {
			os.Setenv("PARALLAX_RUNTIME", runtime)
		}
	}
	dir, err := os.MkdirTemp("", "nativebuild")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_CACHE_HOME", dir)
	return m.Run()
}

const library = `#include "lib.h"
int check(const unsigned char *s, unsigned long n) {
  if (n < 3) return 1;
  if (s[0] != 'a') return 2;
  return s[1] > LIMIT;
}
`

const harness = `#include <stdint.h>
#include <parallax.h>
#include "lib.h"
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int r = check(data, size);
  parallax_output(__FILE__, sizeof __FILE__);
  return r;
}
`

// files is a project as alternating paths and texts. Absolute paths name its library and object
// files.
var files = []string{
	"lib.h", "#define LIMIT 10\nint check(const unsigned char *, unsigned long);\n", "lib.c", library, "fuzz.c", harness, ".gitignore", "*.o\n/fuzz_x\n*.parallax/\n",
	"Makefile", "CC = gcc\n.PHONY: fuzz\nfuzz: fuzz_x\nfuzz_x: fuzz.o lib.o\n\t$(CC) -o $@ $^\n%.o: %.c lib.h\n\t$(CC) -g -O1 -c $(CURDIR)/$< -o $@\n",
}

// project makes a repository with a committed version, and another version in the work tree.
// changes are further files.
func project(t *testing.T, changes ...string) (dir string) {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = filepath.Join(t.TempDir(), "project")
	write(t, dir, files...)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	write(t, dir, changes...)
	return dir
}

func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(files[i+1]), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// request returns a request for the work tree and the latest commit of a project.
func request(t *testing.T, dir string) (r Request, steps *[]string) {
	t.Helper()
	p, err := revision.Resolve(t.Context(), revision.Request{Dir: dir, Base: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	steps = &[]string{}
	r = Request{New: &p.Head, Old: &p.Base, Command: []string{"make", "fuzz"}, Binary: "fuzz_x", Tool: programtest.Tool(t), Env: []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}}
	r.Progress = func(text string) { *steps = append(*steps, text) }
	return r, steps
}

// state describes the full contents of a folder.
func state(dir string) string {
	var b strings.Builder
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if info, err := d.Info(); err == nil {
			fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return b.String()
}
