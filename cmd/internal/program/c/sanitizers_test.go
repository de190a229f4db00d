package c

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/internal/feature"
	"parallax/internal/oracle"
)

// TestNoPtrace checks that no input is blamed where ptrace is forbidden, as in containers.
// LeakSanitizer then ends the process.
func TestNoPtrace(t *testing.T) {
	const source = head + `
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  struct sock_filter f[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog p = {4, f};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
}
static void *volatile keep;
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (is(d, n, "leak")) { keep = malloc(10); keep = 0; }
  if (is(d, n, "over")) return ((volatile const uint8_t *)d)[n];
  return 0;
}`
	g := open(t, Config{Path: harness(t, source, "sanitize"), Build: "sanitize", Leaks: true})
	for i, r := range try(t, g, "a", "leak", "b", "over", "leak") {
		if want := i == 3; want != (r.End != nil) {
			t.Errorf("input %d: %v %s", i, r.Outcome, r.Message)
		}
	}
	if notes := strings.Join(g.Notes(), "\n"); !strings.Contains(notes, "ptrace") {
		t.Errorf("notes: %s", notes)
	}
}

// TestOwnSanitizers runs the user's own build with sanitizers.
func TestOwnSanitizers(t *testing.T) {
	const source = head + `
#include <pthread.h>
static volatile int shared;
static void *add(void *p) { (void)p, shared++; return 0; }
static void *volatile keep;
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  volatile char u[4];
  if (is(d, n, "uninit") && u[n % 4] == 1) return 2;
  if (is(d, n, "over")) return ((volatile const uint8_t *)d)[n];
  if (is(d, n, "leak")) { keep = malloc(10); keep = 0; }
  if (is(d, n, "race")) { pthread_t t; pthread_create(&t, 0, add, 0); shared++; pthread_join(t, 0); }
  if (is(d, n, "left")) return 1 << (n * 8);
  return 0;
}`
	for _, test := range []struct{ flag, in, want string }{
		{"memory", "uninit", "MemorySanitizer: use-of-uninitialized-value"},
		{"thread", "race", "ThreadSanitizer: data race"},
		{"address", "over", "AddressSanitizer: heap-buffer-overflow"},
		{"address", "leak", "LeakSanitizer: detected memory leaks"},
		{"undefined", "left", "UndefinedBehaviorSanitizer: shift exponent 32 is too large for 32-bit type 'int'"},
	} {
		g := open(t, Config{Path: harness(t, source, "", "-fsanitize="+test.flag), Leaks: true})
		results := try(t, g, "a", test.in, "b")
		for n := 1; test.flag == "thread" && results[1].End == nil && n < 20; n++ { // it drops a report if it has lost one of the stacks
			results = try(t, g, "a", test.in, "b")
		}
		if results[0].End != nil || results[2].End != nil || results[1].End == nil || results[1].Message != test.want {
			t.Errorf("%s: %q %q %q", test.flag, results[0].Message, results[1].Message, results[2].Message)
			continue
		}
		if len(results[1].End.Frames) == 0 {
			t.Errorf("%s: no frames in\n%s", test.flag, results[1].End.Text)
		}
	}
}

// TestSharedLibraries checks that blocks in shared libraries have the same numbers in all builds
// and count for the path length. Libraries that are closed again are dropped.
func TestSharedLibraries(t *testing.T) {
	dir := t.TempDir()
	lib := func(name, text string) string {
		t.Helper()
		source, path := filepath.Join(dir, name+".c"), filepath.Join(dir, "lib"+name+".so")
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("clang-19", "-g", "-O1", "-shared", "-fPIC", "-fsanitize-coverage=inline-8bit-counters,pc-table,trace-pc",
			"-fno-sanitize-link-runtime", source, "-c", "-o", source+".o").CombinedOutput()
		if err == nil {
			out, err = exec.Command("clang-19", "-shared", "-fPIC", source+".o", runtimeDir+"/../shared/shared.c", "-o", path).CombinedOutput()
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return path
	}
	linked := lib("linked", "int linked(const char *d, unsigned long n) { int r = 0; for (unsigned long i = 0; i < n; i++) if (d[i] == 'l') r++; return r; }\n")
	loaded := lib("loaded", "int loaded(int c) { return c == 'x' ? 3 : 4; }\n")
	closed := lib("closed", "int closed(int c) { return c == 'x' ? 3 : 4; }\n")
	source := head + `
#include <dlfcn.h>
int linked(const char *, unsigned long);
static int (*loaded)(int);
static void *gone;
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  dlclose(dlopen("` + closed + `", RTLD_NOW));
  void *l = dlopen("` + loaded + `", RTLD_NOW);
  gone = dlopen("` + closed + `", RTLD_NOW);
  loaded = (int (*)(int))dlsym(l, "loaded");
  return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  if (n < 2) return 0;
  if (is(d, n, "close")) dlclose(gone);
  return linked((const char *)d, n) * 10 + loaded(d[0]);
}`
	var before []Result
	var regions []Region
	inputs := []string{"", "xll", "xllllllll", "abc", "close", "xll"}
	for _, build := range []string{"", "operands", "sanitize"} {
		more := []string{"-fsanitize-coverage=trace-pc", linked, "-Wl,--export-dynamic-symbol=__sanitizer_cov_*_init,--export-dynamic-symbol=plx_path_init,--export-dynamic-symbol=plx_gone"}
		if build != "" {
			more = more[1:]
		}
		g := open(t, Config{Path: harness(t, source, build, more...), Build: build, Order: build == "operands"})
		if len(g.Regions()) != 4 {
			t.Fatalf("%s: regions %+v", build, g.Regions())
		}
		results := try(t, g, inputs...)
		copyResults(results)
		for i, r := range results {
			if r.End != nil || r.Code != map[string]int32{"xll": 23, "xllllllll": 83, "abc": 4, "close": 14}[inputs[i]] {
				t.Fatalf("%s, %q: %d %s", build, inputs[i], r.Code, r.Message)
			}
		}
		if results[1].Length >= results[2].Length || results[1].Set != results[5].Set || results[1].Length != results[5].Length {
			t.Errorf("%s: lengths %d, %d, %d", build, results[1].Length, results[2].Length, results[5].Length)
		}
		switch build {
		case "":
			before, regions = results, g.Regions()
		case "operands":
			for i, r := range g.Regions() {
				if r.First != regions[i].First || r.Counters != regions[i].Counters || i != 1 && r.File != regions[i].File {
					t.Errorf("region %d: %+v, before %+v", i, r, regions[i])
				}
			}
			for i, r := range results {
				var a, b feature.Trace
				before[i].Trace(&a, 0)
				r.Trace(&b, 0)
				if r.Set != before[i].Set || r.Counts != before[i].Counts || len(b.First) != len(a.Hits) {
					t.Errorf("%q: other blocks than in the program: %v, %v in the order %v", inputs[i], a.Hits, b.Hits, b.First)
				}
			}
		}
		if results[0].Outcome != oracle.Accepted {
			t.Errorf("%+v", results[0])
		}
	}
}
