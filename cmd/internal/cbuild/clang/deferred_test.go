package clang

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDeferredVariants checks that variants can be made when only the program and its folder remain
// of the build.
func TestDeferredVariants(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.write(map[string]string{"plain.c": "int plain(int x) { return x + 1; }\n", "over.c": `#include <stdlib.h>
#include <string.h>
#if __has_feature(address_sanitizer)
#define PAD 0
#else
#define PAD 64
#endif
int plain(int);
int over(const char *s, unsigned long n) {
  volatile char *p = malloc(4 + PAD);
  char copy[64];
  memcpy(copy, s, 4);
  int r = copy[0] == '!' ? p[plain(3)] & 0 : 0;
  free((void *)p);
  return r;
}
`, "h2.c": "int over(const char *, unsigned long);\nint LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return n > 4 && over(d, n); }\n", "bad": "!xxxxx"})
	b.silent("mkdir lib && parallax-cc -g -O1 -D_FORTIFY_SOURCE=2 -Werror -c over.c && gcc -c plain.c && ar rcs lib/libover.a over.o plain.o && parallax-cc -g -O1 h2.c -Llib -lover -o h")
	b.silent("test ! -e h.parallax/operands && test ! -e h.parallax/sanitize")
	b.silent("rm -r lib *.c *.o")
	built, err := Open(b.path("h"))
	if err != nil || len(built.Later) != 2 || len(built.Missing) != 0 {
		t.Fatalf("%+v %v", built, err)
	}
	if out, code := b.try("parallax-cc --make h"); code != 0 || out != "" {
		t.Fatalf("exit code %d: %s", code, out)
	}
	built = b.open("h", CmpLog, Sanitize)
	out, code := b.try("ASAN_OPTIONS=detect_leaks=0:symbolize=0 " + built.Variants[Sanitize] + " bad")
	if code == 0 || !strings.Contains(out, "heap-buffer-overflow") || topOfStack(t, built.Variants[Sanitize], out) != "over.c:13" {
		t.Errorf("exit code %d: %s", code, out)
	}
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	b.silent("mkdir moved && strip h && mv h h.parallax moved")
	b.open("moved/h", CmpLog, Sanitize)
	b.silent("rm moved/h.parallax/*.made")
	b.open("moved/h", CmpLog, Sanitize)
}

// TestForeignKit checks that the compiler in another user's kit is executed only with consent.
func TestForeignKit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	b := newBox(t)
	b.writeSmall()
	b.write(map[string]string{"evil": "touch " + b.path("executed") + "\n"})
	b.faulty("*-fsanitize=address*-x*cpp-output*", ". "+b.path("evil"))
	clang, err := faultyClang()
	if err != nil {
		t.Fatal(err)
	}
	b.env = append(b.env, "PARALLAX_CLANG="+clang, "PARALLAX_RUNTIME="+b.path("theirs"))
	b.silent("mkdir theirs && parallax-cc h.o a.c b.o -o h")
	t.Setenv("FAULT", b.path("fault"))
	t.Setenv("PARALLAX_RUNTIME", b.path("mine"))
	built, err := Open(b.path("h"))
	if err != nil || len(built.Later) != 2 {
		t.Fatalf("%+v %v", built, err)
	}
	for _, v := range Variants[1:] {
		if _, err := built.Make(context.Background(), v, Making{}); err != nil || !strings.Contains(built.Missing[v], "linked with another cache") {
			t.Errorf("%s: %v, %q", v, err, built.Missing[v])
		}
	}
	if _, err := os.Stat(b.path("executed")); err == nil {
		t.Error("the compiler that the kit names was executed")
	}
	if err := built.Adopt(); err != nil {
		t.Fatal(err)
	}
	if built, err = Open(b.path("h")); err != nil {
		t.Fatal(err)
	}
	if _, err := built.Make(context.Background(), Sanitize, Making{}); err != nil || strings.Contains(built.Missing[Sanitize], "linked with another cache") {
		t.Errorf("%v, %q", err, built.Missing[Sanitize])
	}
	if _, err := os.Stat(b.path("executed")); err != nil {
		t.Error(err)
	}
}

// TestForeignRecipe checks recipes in an archive of another user.
func TestForeignRecipe(t *testing.T) {
	const own = "/usr/bin/own-clang"
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		clang string
		args  []string
		bad   bool
	}{
		{own, []string{"-O1", "-g", "-std=c11", "-fno-omit-frame-pointer", "--sysroot=/x", "-mllvm", "-inline-threshold=1"}, false},
		{here, []string{"-O1"}, true},
		{"./clang", []string{"-O1"}, true},
		{own, []string{"-fplugin=/tmp/evil.so"}, true},
		{own, []string{"-fpass-plugin=/tmp/evil.so"}, true},
		{own, []string{"-Xclang", "-load", "-Xclang", "/tmp/evil.so"}, true},
		{own, []string{"-B/tmp", "-O1"}, true},
		{own, []string{"-B", "/tmp"}, true},
		{own, []string{"-fno-integrated-as"}, true},
		{own, []string{"--config=/tmp/evil"}, true},
		{own, []string{"@/tmp/evil"}, true},
		{own, []string{"/tmp/evil.c"}, true},
	} {
		r := &recipe{recipeHead: recipeHead{Source: "a.c", Clang: tt.clang, Args: tt.args}}
		if why := r.untrusted(own); (why != "") != tt.bad {
			t.Errorf("%s %q: %q", tt.clang, tt.args, why)
		}
	}
}

// TestDeferredFailures checks the reasons why a variant cannot be made later, and whether they are
// stored.
func TestDeferredFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	tests := []struct {
		name, spoil, says string
		mended            string // a line after which it is made
	}{
		{"compiler fails", "echo 'echo error: no sanitizers here >&2; exit 1' > does", "no sanitizers here", ""},
		{"compiler is killed", "echo 'kill -9 $$' > does", "ended by a signal (killed)", ": > does"},
		{"compiler crashes", "echo 'echo error: crashed >&2; exit 139' > does", "the compiler crashed", ""},
		{"compiler runs out of memory", "echo 'echo LLVM ERROR: out of memory >&2; echo PLEASE submit a bug report >&2; exit 134' > does", "LLVM ERROR: out of memory", ": > does"},
		{"linker crashes", "echo 'echo clang: error: unable to execute command: Segmentation fault >&2; exit 254' > does", "the compiler crashed", ""},
		{"source speaks of memory", "echo 'echo a.c:1:2: error: No space left on device >&2; exit 1' > does", "No space left", ""},
		{"linker is killed", "echo 'echo clang: error: unable to execute command: Killed >&2; exit 254' > does", "unable to execute command", ": > does"},
		{"disk is full", "echo 'echo error: x.o: No space left on device >&2; exit 1' > does", "No space left", ": > does"},
		{"no clang", "mv clang gone", "which is not there any more", "mv gone clang"},
		{"another clang", "mv clang kept; printf '#!/bin/sh\\necho clang version 20.1.0\\n' > clang; chmod +x clang", "is clang 20.1.0 now", "mv kept clang"},
		{"no kit", "rm h.parallax/later", "is not there: move or copy the folder", ""},
		{"kit of another build", "echo >> h.parallax/later", "belongs to another build", ""},
	}
	// One program serves all, as it was linked or with one variant made already. Its clang is a
	// link that can be taken away.
	b := newBox(t)
	b.writeSmall()
	b.faulty("*-fsanitize=address*-x*cpp-output*", ". "+b.path("does"))
	b.write(map[string]string{"does": ""})
	clang, err := faultyClang()
	if err == nil {
		err = os.Symlink(clang, b.path("clang"))
	}
	if err != nil {
		t.Fatal(err)
	}
	b.env = append(b.env, "PARALLAX_CLANG="+b.path("clang"))
	b.silent("parallax-cc h.o a.c b.o -o h && mkdir linked half && cp -a h h.parallax linked")
	b.open("h", CmpLog)
	b.silent("cp -a h h.parallax half")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := *b
			b.t = t
			from := "half"
			if strings.Contains(test.name, "clang") || strings.Contains(test.name, "kit") {
				from = "linked"
			}
			b.silent("rm -rf h h.parallax && cp -a " + from + "/h " + from + "/h.parallax . && : > does")
			b.silent(test.spoil)
			want := 3
			if strings.Contains(test.name, "kit") {
				want = 0 // Open reports it
			}
			if out, code := b.try("parallax-cc --make h"); code != want || !strings.Contains(out, test.says) {
				t.Errorf("exit code %d, want %d, and %q: %s", code, want, test.says, out)
			}
			built, err := Open(b.path("h"))
			if err != nil {
				t.Fatal(err)
			}
			if test.mended == "" {
				if why := built.Missing[Sanitize]; !strings.Contains(why, test.says) {
					t.Errorf("it is missing because %q", why)
				}
				return
			}
			b.silent(test.mended)
			b.open("h", CmpLog, Sanitize)
		})
	}
}

// TestDeferredFolder checks that an unwritable folder is reported, and that files of an earlier
// link are not mixed with those of a new one.
func TestDeferredFolder(t *testing.T) {
	b := newBox(t)
	b.writeSmall()
	b.silent("parallax-cc h.o a.c b.o -o h && parallax-cc --make h")
	before, err := digestFile(b.path("h.parallax/operands"))
	if err != nil {
		t.Fatal(err)
	}
	b.silent("cp -r h.parallax old && sed -i s/abcd/abce/ a.c && parallax-cc h.o a.c b.o -o h && test ! -e h.parallax/operands && cp old/operands old/operands.made h.parallax")
	b.open("h", CmpLog, Sanitize)
	if after, err := digestFile(b.path("h.parallax/operands")); err != nil || after == before {
		t.Errorf("the variant is that of the program before (%v)", err)
	}
	if err := explainDiskError("x", &os.PathError{Op: "open", Path: "y", Err: syscall.EROFS}); err == nil || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("%v", err)
	}
	if err := explainDiskError("x", syscall.ENOSPC); err == nil || !strings.Contains(err.Error(), "make room there") {
		t.Errorf("%v", err)
	}
}

// TestConcurrentMakers checks that several processes make a variant once. A waiting process ends
// with its context, and calls Waiting after a moment.
func TestConcurrentMakers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds with make many times")
	}
	b := newBox(t)
	b.writeSmall()
	b.faulty("*-o*recipe-0/*", "echo x >> "+b.path("count")+"; sleep 5")
	b.silent("parallax-cc h.o a.c b.o -o h")
	done := make(chan string, 2)
	for range 2 {
		go func() {
			out, code := b.try("parallax-cc --make h")
			if code != 0 {
				out += " failed"
			}
			done <- out
		}()
	}
	built, err := Open(b.path("h"))
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(b.path("count")); err == nil {
			break
		}
		time.Sleep(pause)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := built.Make(ctx, CmpLog, Making{Waiting: cancel}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	out := <-done + <-done
	if strings.Count(out, "another process makes the operands build") != 1 || strings.Contains(out, "failed") {
		t.Errorf("they say %q", out)
	}
	if n := b.run("wc -l < count"); n != "2\n" {
		t.Errorf("%s compilations for two variants", n)
	}
}

// TestKilledMaker checks that a killed maker leaves no compiler and no files that block the next
// one or accumulate.
func TestKilledMaker(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	b := newBox(t)
	b.writeSmall()
	b.write(map[string]string{"slow": ""})
	b.faulty("*cpp-output*", "echo $$ > "+b.path("pid")+"; if test -e "+b.path("slow")+"; then exec sleep 100; fi")
	b.silent("parallax-cc h.o a.c b.o -o h")
	b.run("parallax-cc --make h & maker=$!; until test -s pid; do sleep 0.1; done; kill -9 $maker; wait $maker; sleep 0.5; if grep '^State:.[RSD]' /proc/$(cat pid)/status 2>/dev/null; then exit 1; fi; rm slow pid")
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making*")); len(left) != 1 {
		t.Errorf("left: %q", left)
	}
	b.open("h", CmpLog, Sanitize)
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	b.write(map[string]string{"slow": ""})
	b.silent("parallax-cc h.o a.c b.o -o h")
	if _, code := b.try("timeout -s INT 2 parallax-cc --make h"); code != 124 {
		t.Errorf("^C: exit code %d", code)
	}
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making*")); len(left) > 0 {
		t.Errorf("^C leaves %q", left)
	}
}

// TestMixedObjects checks that objects with variants and those with recipes can be mixed in
// archives and partial links, in any order.
func TestMixedObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	b := newBox(t)
	b.writeSmall()
	b.silent("cp b.o kept.o")
	b.write(map[string]string{"data": "x", "d.c": "__asm__(\".section .rodata\\n.incbin \\\"data\\\"\\n.text\");\n"})
	for i, build := range []string{
		"PARALLAX_BUILDS=now parallax-cc -c a.c; parallax-cc -c b.c; ld -r b.o a.o -o ab.o; parallax-cc h.o ab.o -o h",
		"parallax-cc -c a.c; PARALLAX_BUILDS=now parallax-cc -c b.c; parallax-cc -r b.o a.o -o ab.o; parallax-cc h.o ab.o -o h",
		"parallax-cc -c a.c; parallax-cc -r a.o b.c -o ab.o; PARALLAX_BUILDS=now parallax-cc h.o ab.o -o h",
		"parallax-cc -c a.c b.c; ar rcs lib.a a.o b.o; PARALLAX_BUILDS=now parallax-cc h.o lib.a -o h",
		"parallax-cc -c d.c; rm data; parallax-cc h.o a.c kept.o d.o -o h",
		"parallax-cc -c a.c; gcc -c b.c; parallax-cc -r a.o b.o -o ab.o; rm a.o b.o; parallax-cc h.o ab.o -o h",
		"parallax-cc -c a.c; gcc -c b.c; ar rcs libb.a b.o; parallax-cc -r a.o -L. -lb -Wl,-u,b_sum -o ab.o; rm a.o b.o libb.a; parallax-cc h.o ab.o -o h",
		"parallax-cc -E a.c -o a.i; parallax-cc -c a.i; parallax-cc -E b.c | parallax-cc -x cpp-output -c - -o b.o; parallax-cc h.o a.o b.o -o h",
	} {
		if out := b.run("set -e; rm -rf h h.parallax a.o b.o ab.o d.o; " + build); strings.Contains(out, "variant") {
			t.Errorf("%d: %s", i, out)
		}
		b.open("h", CmpLog, Sanitize)
	}
	// An object without variants among those that are joined: there are no counters for it in the
	// operands variant.
	b.run("rm -rf h h.parallax a.o b.o ab.o d.o; parallax-cc -c a.c; PARALLAX_BUILDS=fast parallax-cc -c b.c; parallax-cc -r a.o b.o -o ab.o; rm a.o b.o; parallax-cc h.o ab.o -o h")
	b.open("h", Sanitize)
	b.run("rm -rf h h.parallax a.o b.o ab.o d.o; parallax-cc -c a.c; gcc -c b.c; PARALLAX_BUILDS=fast parallax-cc -r a.o b.o -o ab.o; parallax-cc h.o ab.o -o h")
	if built := b.open("h", Sanitize); !strings.Contains(built.Missing[CmpLog], "PARALLAX_BUILDS") {
		t.Errorf("no operands variant because %q", built.Missing[CmpLog])
	}
}

// TestCrashAtOneSource checks that a source that crashes the compiler is in the sanitize variant
// without sanitizers, and that later users are informed, too.
func TestCrashAtOneSource(t *testing.T) {
	b := newBox(t)
	b.writeSmall()
	b.faulty("*-fsanitize=address*/b.c*", "echo PLEASE submit a bug report >&2; echo clang: error: clang frontend command failed >&2; exit 1")
	b.silent("parallax-cc h.o a.c b.c -o h")
	const says = "b.c: the compiler crashed: clang: error: clang frontend command failed: it is part of the sanitize variant without sanitizers"
	for range 2 {
		if out, code := b.try("parallax-cc --make h"); code != 0 || !strings.Contains(out, says) {
			t.Errorf("exit code %d: %s", code, out)
		}
	}
	built, err := Open(b.path("h"))
	if err != nil || built.Variants[Sanitize] == "" {
		t.Fatalf("%+v %v", built, err)
	}
}

// TestLinkedWhileMade checks two links and two makers: the second maker waits for the first, which
// finds its kit replaced.
func TestLinkedWhileMade(t *testing.T) {
	b := newBox(t)
	b.writeSmall()
	b.faulty("*-x*cpp-output*/a.c*", "if mkdir "+b.path("first")+" 2>/dev/null; then for i in $(seq 600); do test -e "+b.path("linked")+" && break; sleep 0.1; done; fi")
	b.silent("parallax-cc h.o a.c b.c -o h")
	done := make(chan string)
	go func() {
		out, _ := b.try("parallax-cc --make h")
		done <- out
	}()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(pause) {
		if _, err := os.Stat(b.path("first")); err == nil {
			break
		}
	}
	b.silent("sed -i s/abcd/abce/ a.c && parallax-cc h.o a.c b.c -o h")
	if left := making(b.path("h.parallax"), CmpLog); len(left) != 1 {
		t.Errorf("the link has removed the folder of a maker: %q", left)
	}
	b.write(map[string]string{"linked": ""})
	b.open("h", CmpLog, Sanitize)
	if out := <-done; !strings.Contains(out, "linked again meanwhile") {
		t.Errorf("the first says %q", out)
	}
	b.open("h", CmpLog, Sanitize)
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	b.silent("mkdir h.parallax/.operands.making-1 && parallax-cc h.o a.c b.c -o h && test ! -e h.parallax/.operands.making-1")
}

// TestLinkerReadsFiles checks that further files that the linker reads are not needed later.
func TestLinkerReadsFiles(t *testing.T) {
	b := newBox(t)
	b.writeSmall()
	b.silent("parallax-cc -c a.c")
	b.write(map[string]string{"list": "{ a_check; };\n", "version": "{ global: *; };\n"})
	for _, option := range []string{"-Wl,--dynamic-list=list", "-Wl,--version-script,version", "-Xlinker --dynamic-list -Xlinker list", "@words"} {
		b.write(map[string]string{"words": "-Wl,--dynamic-list=list"})
		b.silent("rm -rf h h.parallax; parallax-cc h.o a.o b.o " + option + " -o h && mkdir moved && mv h h.parallax moved && mv list version moved")
		if built := b.open("moved/h", CmpLog, Sanitize); len(built.Later) > 0 {
			t.Errorf("%s: later %v", option, built.Later)
		}
		b.silent("mv moved/list moved/version . && rm -r moved")
	}
	for word, want := range map[string]bool{"-T": true, "-Tx.ld": true, "-Ttext=0x1000": false, "-Tbss": false, "--script=x": true, "-version-script": true, "--export-dynamic": false, "x": false, "-rpath": false} {
		if got := readsFile(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

// TestNamesInObjects checks that a later compilation records the same names as an immediate one, in
// any folder.
func TestNamesInObjects(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.write(map[string]string{"sub/s.cc": "struct S { S(); int x; } s;\nS::S() : x(1) {}\nextern \"C\" int b_sum(const char *s, unsigned long n) { return ::s.x + s[0]; }\n"})
	b.silent("parallax-c++ -c sub/s.cc && parallax-cc -c a.c && parallax-c++ -x c h.c -x none a.o s.o -o h")
	b.open("h", CmpLog, Sanitize)
	for _, v := range Variants[1:] {
		program, err := os.ReadFile(b.path("h.parallax/" + string(v)))
		if err != nil {
			t.Fatal(err)
		}
		if text := string(program); !strings.Contains(text, "_GLOBAL__sub_I_s.cc") || !strings.Contains(text, "sub/s.cc") || strings.Contains(text, ".making") || strings.Contains(text, "recipe-") {
			t.Errorf("%s: %v %v %v %v", v, strings.Contains(text, "_GLOBAL__sub_I_s.cc"), strings.Contains(text, "sub/s.cc"), strings.Contains(text, ".making"), strings.Contains(text, "recipe-"))
		}
	}
}

func TestJobs(t *testing.T) {
	if n, ok := available("MemTotal:  9 kB\nMemAvailable:   24029716 kB\n"); n != 24029716 || !ok {
		t.Error(n, ok)
	}
	if _, ok := available("MemTotal: 9 kB\n"); ok {
		t.Error("memory that is not told")
	}
	if n := jobs(true); n < 1 || n > lowJobs {
		t.Errorf("%d compilers beside a campaign", n)
	}
}
