package c

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/program/programtest"
)

// TestMain lets the test's own executable be the sandbox.
func TestMain(m *testing.M) {
	programtest.Sandbox()
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// built holds harnesses that are compiled once for all tests.
var built struct {
	mu   sync.Mutex
	dir  string
	done map[string]string
}

const runtimeDir = "../../cbuild/clang/runtime"

// flagsOf has the flags of the builds, as in parallax cc. They are copied here so that the tests of
// this package need only clang.
var flagsOf = map[string][]string{
	"":         {"-fsanitize-coverage=inline-8bit-counters,pc-table,control-flow"},
	"operands": {"-fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp", "-fno-builtin"},
	"sanitize": {"-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fsanitize-coverage=inline-8bit-counters,pc-table"},
}

var wraps = []string{"memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strstr", "memmem"}

// harness compiles a harness in one of the builds.
func harness(t testing.TB, source, build string, more ...string) string {
	t.Helper()
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		t.Fatal("these tests need clang-19: sudo apt-get install clang-19 libclang-rt-19-dev")
	}
	b := &built
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "c-test-"); err != nil {
			t.Fatal(err)
		}
		b.done = map[string]string{}
	}
	key := build + "|" + strings.Join(more, " ") + "|" + source
	if path, ok := b.done[key]; ok {
		return path
	}
	run := func(args ...string) {
		if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
			t.Fatalf("clang-19 %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	archive := filepath.Join(b.dir, "lib"+build+".a")
	if _, err := os.Stat(archive); err != nil {
		sources, _ := filepath.Glob(filepath.Join(runtimeDir, "*.c"))
		ar := []string{"rcs", archive}
		for _, s := range sources {
			o := filepath.Join(b.dir, build+strings.TrimSuffix(filepath.Base(s), ".c")+".o")
			args := []string{"-O2", "-g", "-Wall", "-Werror", "-c", s, "-o", o}
			if build == "operands" {
				args = append(args, "-DPLX_GUARDS")
			}
			run(args...)
			ar = append(ar, o)
		}
		if out, err := exec.Command("ar", ar...).CombinedOutput(); err != nil {
			t.Fatalf("ar: %v\n%s", err, out)
		}
	}
	path := filepath.Join(b.dir, "harness"+strings.ReplaceAll(time.Now().Format(".150405.000000000"), ".", "-"))
	file := path + ".c"
	if strings.Contains(source, "#include <stdexcept>") {
		file = path + ".cc"
	}
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	compile := append([]string{"-g", "-O1", "-I", runtimeDir, "-c", file, "-o", path + ".o"}, flagsOf[build]...)
	args := []string{path + ".o", "-o", path, "-no-pie"}
	for _, word := range more {
		if strings.HasPrefix(word, "-fsanitize") {
			compile = append(compile, word)
		}
		if !strings.HasPrefix(word, "-fsanitize-coverage") {
			args = append(args, word)
		}
	}
	run(compile...)
	if build == "sanitize" { // clang would link a sanitizer's runtime for coverage, which has handlers of its own
		args = append(args, flagsOf[build][0])
	}
	args = append(args, archive)
	if build == "operands" {
		for _, w := range wraps {
			args = append(args, "-Wl,--wrap="+w)
		}
	}
	if strings.HasSuffix(file, ".cc") {
		args = append(args, "-lstdc++")
	}
	run(args...)
	b.done[key] = path
	return path
}

// complete sets fields that tests do not care about.
func (c *Config) complete(t testing.TB) {
	c.Name = "harness"
	c.Sandbox.Tool, c.Sandbox.Dir = programtest.Tool(t), t.TempDir()
	if c.Env == nil {
		c.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"}
	}
	if c.Limits == (limits.Limits{}) {
		c.Limits = limits.Limits{Timeout: 2 * time.Second, Memory: 1 << 30, Output: 1 << 20, Processes: 16}
	}
	if c.MaxInput == 0 {
		c.MaxInput = 1 << 16
	}
}

// open starts a harness.
func open(t testing.TB, c Config) *Program {
	t.Helper()
	c.complete(t)
	g, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// try runs inputs in one batch.
func try(t testing.TB, g *Program, inputs ...string) []Result {
	t.Helper()
	results := make([]Result, len(inputs))
	if err := g.Run(t.Context(), programtest.Inputs(inputs...), results); err != nil {
		t.Fatal(err)
	}
	return results
}

const head = `
#include <parallax.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static int is(const uint8_t *d, size_t n, const char *s) { return n == strlen(s) && !memcmp(d, s, n); }
`
