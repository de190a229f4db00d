package clang

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBuilds checks typical builds of users. All of them make a harness called h. If the
// compilation of a file does not matter, its object exists already.
func TestBuilds(t *testing.T) {
	tests := []struct {
		name, build string
		files       map[string]string
		lacks       Variant
		plain       []string
	}{
		{name: "one command", build: "parallax-cc h.c a.c b.c -o h"},
		{name: "objects", build: "for f in a b h; do parallax-cc -O2 -c $f.c -o $f.o; done; parallax-cc a.o b.o h.o -o h"},
		{name: "several sources", build: "parallax-cc -c a.c b.c h.c && parallax-cc a.o b.o h.o -o h"},
		{name: "archive", build: "parallax-cc -c a.c b.c && ar rcs liba.a a.o b.o && parallax-cc h.c liba.a -o h"},
		{name: "searched archive", build: "mkdir l && parallax-cc -c a.c && ar rcs l/liba.a a.o b.o && parallax-cc h.o -L l -la -o h"},
		{name: "thin archive", build: "mkdir l && parallax-cc -c a.c && ar rcsT l/liba.a a.o b.o && parallax-cc h.o l/liba.a -o h"},
		{name: "linker words", build: "mkdir l && parallax-cc -c a.c && ar rcs l/liba.a a.o b.o && parallax-cc h.o -Ll -Wl,--push-state,-Bstatic,-la,--pop-state -Wl,-Map=h.map -o h"},
		{name: "whole archive", build: "parallax-cc -c a.c && ar rcs libh.a a.o b.o h.o && parallax-cc -Wl,--whole-archive,libh.a,--no-whole-archive -o h"},
		{name: "entry in an archive", build: "parallax-cc -c a.c && ar rcs libh.a a.o b.o h.o && parallax-cc libh.a -o h"},
		{name: "entry in an archive, asked for", build: "parallax-cc -c a.c && ar rcs libh.a a.o b.o h.o && parallax-cc -fsanitize=fuzzer libh.a -o h"},
		{name: "long member names", build: "parallax-cc -c a.c -o a-name-of-more-than-fifteen-letters-a.o; mv b.o a-name-of-more-than-fifteen-letters-b.o; ar rcs liba.a a-name*.o && parallax-cc h.o liba.a -o h"},
		{name: "same member names", build: "mkdir x y && parallax-cc -c a.c -o x/m.o && mv b.o y/m.o && ar qcs liba.a x/m.o y/m.o && parallax-cc h.o liba.a -o h"},
		{name: "llvm-ar and strip", build: "parallax-cc -g -c a.c && ar rcs liba.a a.o b.o && strip -g liba.a && ranlib liba.a && parallax-cc h.o liba.a -o h && strip h"},
		{name: "partial link", build: "parallax-cc -c a.c b.c && parallax-cc -r a.o b.o -o ab.o && parallax-cc h.o ab.o -o h"},
		{name: "partial link by ld", build: "parallax-cc -c a.c b.c && ld -r a.o b.o -o ab.o && parallax-cc h.o ab.o -o h"},
		{name: "response file", build: `echo '-DX="a b" -O1 "h.c" a.c' > r && echo 'b.o -o h' >> r && parallax-cc @r`},
		{name: "standard input", build: "parallax-cc -I. -x c -c -o h.o - < h.c && cat a.c b.c | parallax-cc -I. h.o -x c - -o h"},
		{name: "rules for make", build: "for f in a h; do parallax-cc -MD -MP -MF $f.d -MT $f.o -c $f.c -o $f.o; done; grep -q '^a.o:' a.d && grep -q ' a.h' a.d && parallax-cc *.o -o h"},
		{name: "rules by the preprocessor", build: "for f in a h; do parallax-cc -Wp,-MD,$f.d -c $f.c -o $f.o; done; grep -q '^a.o:' a.d && grep -q ' a.h' a.d && parallax-cc *.o -o h"},
		{name: "make", build: "make -j2 CC=parallax-cc", files: map[string]string{"Makefile": "h: h.o liba.a\n\t$(CC) -o $@ $^\nliba.a: a.o b.o\n\t$(AR) rcs $@ $^\n"}},
		{name: "warnings are errors", build: "parallax-cc -Werror -Wall -Wextra -O2 -D_FORTIFY_SOURCE=2 -pipe h.c a.c b.o -o h"},
		{name: "sections", build: "parallax-cc -O1 -ffunction-sections -fdata-sections -Wl,--gc-sections h.c a.c b.o -o h"},
		{name: "not position-independent", build: "parallax-cc -fno-pie -no-pie h.c a.c b.o -o h"},
		{name: "lto", build: "parallax-cc -flto -O2 -c a.c && parallax-cc -flto=thin h.c a.o b.o -o h 2>&1"},
		{name: "coverage of their own", build: "parallax-cc -fsanitize-coverage=trace-pc-guard -fsanitize=fuzzer-no-link -c a.c && parallax-cc -fsanitize=fuzzer h.c a.o b.o -o h"},
		{name: "undefined behavior", build: "parallax-cc -fsanitize=fuzzer,undefined h.c a.c b.o -o h"},
		{name: "address", build: "parallax-cc -c -fsanitize=address a.c && parallax-cc -fsanitize=fuzzer,address h.c a.o b.o -o h", lacks: Sanitize},
		{name: "static", build: "parallax-cc -static h.o a.c b.o -o h 2>&1", lacks: Sanitize},
		{name: "assembler", build: "parallax-cc -c s.S && parallax-cc h.o a.c b.o s.S -o h && parallax-cc h.o a.c b.o s.o -o h",
			files: map[string]string{"s.S": ".globl s\ns: ret\n.section .note.GNU-stack,\"\",@progbits\n"}, plain: []string{"s.o"}},
		{name: "gcc beside", build: "gcc -c b.c && parallax-cc -c a.c && ar rcs liba.a a.o b.o && parallax-cc h.o liba.a -o h", plain: []string{"liba.a(b.o)"}},
		{name: "gcc's library", build: "gcc -c a.c b.c && ar rcs liba.a a.o b.o && parallax-cc h.c liba.a -o h", plain: []string{"liba.a"}},
		{name: "no main, no file of that name", build: "mkdir -p out && parallax-cc h.o a.c b.o -o out/h && mv out/h out/h.parallax ."},
		{name: "precompiled header", build: "parallax-cc -x c-header a.h -o a.pch && parallax-cc -Xclang -include-pch -Xclang a.pch -Xclang -include -Xclang a.h -c a.c && parallax-cc h.o a.o b.o -o h"},
		{name: "precompiled header beside", build: "parallax-cc -x c-header a.h -o a.h.pch && parallax-cc -include a.h -c a.c && parallax-cc h.o a.o b.o -o h"},
		{name: "comparisons that the compiler knows", build: "for o in 0 1 2 3; do parallax-cc -O$o -c k.c -o k$o.o; done; parallax-cc -O2 -DK=4 k.c -r -o k4.o; parallax-cc -O2 -DK=5 k.c h.o a.c b.o k[0-4].o -o h",
			files: map[string]string{"k.c": `#include <string.h>
#define CAT(a, b) a##b
#define NAME(k) CAT(known, k)
#ifndef K
#define K __COUNTER__
#endif
__attribute__((weak)) int NAME(K)(const char *s, const char *t, unsigned long n) {
  int r = 0;
  if (!memcmp(s, t, 0)) r++;
  if (!strncmp(s, t, n & 0)) r += 2;
  if (!strcmp("a", "b") || !strcmp(s, "")) r += t[3];
  if (!memcmp(s, "x", 1) && !strcmp(t, t)) r = n > 7 ? r * 3 : r - 1;
  if (strstr(s, "") == s && strstr(t, "q")) r += 9;
  return r;
}
`}},
		{name: "c++", build: "parallax-c++ -std=c++17 -O1 h.cc -o h", files: map[string]string{"h.cc": `#include <map>
#include <string>
#include <stdexcept>
#include <cstdint>
struct A { virtual ~A() {} virtual int f() { return 1; } };
struct B : A { int f() override { return 0; } };
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) {
  std::map<std::string, int> m;
  m[std::string(d, d + n)]++;
  try { if (n > 9) throw std::runtime_error("long"); } catch (std::exception &) { return 1; }
  A *a = new B; int r = a->f(); delete a;
  return r;
}
`}},
		{name: "c++ linked by the c compiler", build: "parallax-c++ -c h.cc && parallax-cc h.o -lstdc++ -o h", files: map[string]string{"h.cc": `#include <vector>
struct A { virtual ~A() {} virtual int f() { return 1; } };
struct B : A { int f() override { return 0; } };
extern "C" int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) {
  std::vector<A *> v; v.push_back(new B); int r = v[0]->f(); delete v[0]; return r;
}
`}},
	}
	atOnce := []string{"one command", "objects", "archive", "partial link", "partial link by ld", "assembler", "c++"}
	quick := []string{"archive", "c++"}
	for _, test := range tests {
		if testing.Short() && !slices.Contains(quick, test.name) {
			continue // make test-all runs all of them
		}
		run := func(t *testing.T, settings ...string) {
			b := newBox(t)
			b.env = append(b.env, settings...)
			b.writeSmall()
			b.write(test.files)
			if out := b.run("set -e; " + test.build); out != "" && !strings.HasPrefix(out, "parallax cc: ") && !strings.Contains(test.build, "make") {
				t.Errorf("it says\n%s", out)
			}
			want := []Variant{CmpLog, Sanitize}
			want = slices.DeleteFunc(want, func(v Variant) bool { return v == test.lacks })
			built := b.open("h", want...)
			if !slices.Equal(built.Plain, test.plain) {
				t.Errorf("without instrumentation: %q, want %q", built.Plain, test.plain)
			}
			if test.lacks != "" && built.Missing[test.lacks] == "" {
				t.Errorf("no reason for no %s variant", test.lacks)
			}
			if built.Clang == "" || built.Dir != b.dir || len(built.Link) == 0 {
				t.Errorf("the note says %+v", built)
			}
			b.run(`if grep -rl plxobj1 h h.parallax; then exit 1; fi`) // the linker must omit them
		}
		t.Run(test.name, func(t *testing.T) { run(t) })
		if slices.Contains(atOnce, test.name) {
			t.Run(test.name+", now", func(t *testing.T) { run(t, "PARALLAX_BUILDS=now") })
		}
	}
}

// TestTool checks that tools with a main function run normally, are linked once, and have no
// folder.
func TestTool(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.silent("parallax-cc -c a.c b.c && ar rcs liba.a a.o b.o && parallax-cc tool.c liba.a -o tool")
	if out := b.run("./tool"); out != "4\n" {
		t.Errorf("the tool says %q", out)
	}
	if _, err := os.Stat(b.path("tool.parallax")); err == nil {
		t.Error("a tool has variants")
	}
	if _, err := Open(b.path("tool")); err == nil || !strings.Contains(err.Error(), "main function of its own") {
		t.Errorf("opening it: %v", err)
	}
}

// TestSharedLibrary checks that shared libraries announce their counters to programs of parallax,
// also with a version script, and load into others.
func TestSharedLibrary(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.write(map[string]string{"v.map": "{ global: a_check; local: *; };\n", "lib/empty": ""})
	b.silent("parallax-cc -fPIC -shared -Wl,-z,defs -Wl,--version-script=v.map a.c b.c -o lib/liba.so")
	b.silent("parallax-cc h.c -Llib -la -Wl,-rpath,'$ORIGIN/lib' -o h")
	b.open("h", CmpLog, Sanitize)
	b.silent("gcc tool.c -Llib -la -Wl,-rpath,'$ORIGIN/lib' -o tool")
	if out := b.run("./tool"); out != "4\n" {
		t.Errorf("the tool says %q", out)
	}
	b.write(map[string]string{"count.c": `#include <stdio.h>
static long n;
void __sanitizer_cov_8bit_counters_init(char *a, char *b) { n += b - a; }
int a_check(const char *, unsigned long);
int main(void) { a_check("", 0); printf("%ld\n", n); return 0; }
`})
	b.silent("clang-19 count.c -Llib -la -Wl,-rpath,'$ORIGIN/lib' -Wl,--export-dynamic-symbol=__sanitizer_cov_8bit_counters_init -o count")
	if out := b.run("./count"); out == "0\n" {
		t.Error("the library announces no counters")
	}
	if _, err := Open(b.path("lib/liba.so")); err == nil {
		t.Error("a shared library opens as a harness")
	}
}

// TestVariantsDiffer checks that the operands variant wraps its functions, and that the sanitize
// variant detects errors.
func TestVariantsDiffer(t *testing.T) {
	b := newBox(t)
	b.write(map[string]string{"h.c": `#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) {
  volatile unsigned char *p = malloc(4);
  p[0] = n > 3 && !strncmp((const char *)d, "over", 4) ? p[n] : 0;
  int r = p[0] && 0;
  free((void *)p);
  return r;
}
`})
	b.silent("parallax-cc -g h.c -o h")
	built := b.open("h", CmpLog, Sanitize)
	b.write(map[string]string{"bad": "overflow"})
	if out, code := b.try("./h bad"); code != 0 {
		t.Errorf("the program itself: exit code %d: %s", code, out)
	}
	out, code := b.try("ASAN_OPTIONS=detect_leaks=0:symbolize=0 " + built.Variants[Sanitize] + " bad")
	if code == 0 || !strings.Contains(out, "heap-buffer-overflow") || topOfStack(t, built.Variants[Sanitize], out) != "h.c:5" {
		t.Errorf("the sanitize variant: exit code %d: %s", code, out)
	}
	if out := b.run("nm " + built.Variants[CmpLog]); !strings.Contains(out, "__wrap_strncmp") {
		t.Error("the operands variant wraps nothing")
	}
	if out := b.run("nm h"); strings.Contains(out, "__asan") || strings.Contains(out, "__wrap") || strings.Contains(out, "__ubsan") {
		t.Error("the program itself has what belongs to its variants")
	}
}

// topOfStack returns the top line of the first stack in a sanitizer's report without symbols. The
// report has symbols only if the symbolizer of clang's release is installed.
func topOfStack(t *testing.T, program, report string) string {
	t.Helper()
	top := regexp.MustCompile(`#0 0x[0-9a-f]+ +\(.*\+0x([0-9a-f]+)\)`).FindStringSubmatch(report)
	if top == nil {
		t.Fatalf("no stack in\n%s", report)
	}
	pc, err := strconv.ParseUint(top[1], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenSymbolizer(program)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := s.Frames(pc)
	if len(frames) == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(frames[0].File), frames[0].Line)
}

// TestPassedThrough checks that clang alone handles questions and stages that make no object.
func TestPassedThrough(t *testing.T) {
	b := newBox(t)
	b.write(small)
	for _, line := range []string{"--version", "-dumpmachine", "-print-search-dirs", "-print-file-name=crt1.o", "-v", "-c '-###' a.c", "-E a.c",
		"-dM -E -x c /dev/null", "-M a.c", "-fsyntax-only a.c", "-S a.c -o -", "-c missing.c", "-nonsense a.c"} {
		got, code := b.try("parallax-cc " + line)
		want, wantCode := b.try("clang-19 " + line)
		if got != want || code != wantCode {
			t.Errorf("%s: exit codes %d and %d, it says\n%s\nand clang says\n%s", line, code, wantCode, got, want)
		}
	}
	b.silent("parallax-cc -c a.c -o /dev/null && test -c /dev/null")
	if out, code := b.try("parallax-cc"); code == 0 {
		t.Errorf("no arguments: exit code 0: %s", out)
	}
}

// TestReproducible checks that an object does not depend on the time and the process that makes it,
// and keeps its mode.
func TestReproducible(t *testing.T) {
	b := newBox(t)
	b.buildAllVariants()
	b.write(small)
	b.silent("umask 027; parallax-cc -g -O2 -c a.c -o 1.o && MAKEFLAGS='-j --jobserver-auth=3,4' parallax-cc -g -O2 -c a.c -o 2.o && parallax-cc h.c a.c b.c -o h && cmp 1.o 2.o")
	info, err := os.Stat(b.path("1.o"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(b.path("*.*.*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	f, err := elf.Open(b.path("1.o"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, v := range Variants[1:] {
		if s := f.Section(variantSections + string(v)); s == nil || s.Flags&excluded == 0 {
			t.Errorf("section of %s: %+v", v, s)
		}
	}
}

func TestChosenBuilds(t *testing.T) {
	b := newBox(t)
	b.writeSmall()
	b.silent("PARALLAX_BUILDS=fast parallax-cc h.o a.c b.o -o h")
	b.open("h")
	b.silent("PARALLAX_BUILDS=sanitize,fast parallax-cc h.o a.c b.o -o h")
	b.open("h", Sanitize)
	b.silent("PARALLAX_BUILDS=fast parallax-cc -c a.c")
	b.run("parallax-cc h.o a.o b.o -o h")
	built := b.open("h", Sanitize) // which has the counters of the fast variant for a.c
	if !strings.Contains(built.Missing[CmpLog], "a.o") {
		t.Errorf("no operands variant because %q", built.Missing[CmpLog])
	}
	if out, code := b.try("PARALLAX_BUILDS=quick parallax-cc -c a.c"); code != 2 || !strings.Contains(out, "quick") {
		t.Errorf("exit code %d: %s", code, out)
	}
	b.silent("parallax-cc -c -o conftest.o a.c && PARALLAX_BUILDS= parallax-cc -c a.c")
}

// TestOtherCounters checks that objects with inconsistent variants are detected, whatever the
// cause.
func TestOtherCounters(t *testing.T) {
	b := newBox(t)
	b.buildAllVariants()
	b.writeSmall()
	b.write(map[string]string{"a2.c": small["a.c"] + "int more(int x) { return x > 3 ? more(x - 1) : x; }\n"})
	b.silent("parallax-cc -c a.c && parallax-cc -c a2.c")
	b.silent("objcopy -O binary --only-section=.parallax.operands --set-section-flags .parallax.operands=alloc a2.o o && objcopy --update-section .parallax.operands=o a.o mixed.o")
	out := b.run("parallax-cc h.o mixed.o b.o -o h")
	if built := b.open("h", Sanitize); !strings.Contains(built.Missing[CmpLog], "counters") {
		t.Errorf("it is missing because %q: %s", built.Missing[CmpLog], out)
	}
}
