package clang

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A build makes one variant, and the others can be made when nothing of the build is left but the program and its folder.
func TestMadeLater(t *testing.T) {
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
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	b.silent("mkdir moved && strip h && mv h h.parallax moved")
	b.open("moved/h", CmpLog, Sanitize)
	b.silent("rm moved/h.parallax/*.made")
	b.open("moved/h", CmpLog, Sanitize)
}

// What is said where a variant cannot be made later, and whether that is remembered.
func TestNotMadeLater(t *testing.T) {
	tests := []struct {
		name, spoil, says string
		mended            string // a line after which it is made
	}{
		{"compiler fails", "echo 'echo error: no sanitizers here >&2; exit 1' > fault", "no sanitizers here", ""},
		{"compiler is killed", "echo 'kill -9 $$' > fault", "ended by a signal (killed)", ": > fault"},
		{"compiler crashes", "echo 'echo error: crashed >&2; exit 139' > fault", "the compiler crashed", ": > fault"},
		{"linker is killed", "echo 'echo clang: error: unable to execute command: Killed >&2; exit 254' > fault", "unable to execute command", ": > fault"},
		{"disk is full", "echo 'echo error: x.o: No space left on device >&2; exit 1' > fault", "No space left", ": > fault"},
		{"no clang", "mv clang gone", "which is not there any more", "mv gone clang"},
		{"another clang", "cp clang kept; printf '#!/bin/sh\\necho clang version 20.1.0\\n' > clang", "is clang 20.1.0 now", "cp kept clang"},
		{"no kit", "rm h.parallax/later", "is not there: move or copy the folder", ""},
		{"kit of another build", "echo >> h.parallax/later", "belongs to another build", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBox(t)
			b.write(small)
			real, err := find()
			if err != nil {
				t.Fatal(err)
			}
			if real, err = exec.LookPath(real); err != nil {
				t.Fatal(err)
			}
			b.write(map[string]string{"fault": "", "clang": "#!/bin/sh\ncase \" $* \" in *-fsanitize=address*-x*cpp-output*) . " + b.path("fault") + ";; esac\nexec " + real + " \"$@\"\n"})
			b.env = append(b.env, "PARALLAX_CLANG="+b.path("clang"))
			b.silent("parallax-cc h.c a.c b.c -o h")
			b.silent(test.spoil)
			want := 3
			if strings.Contains(test.name, "kit") {
				want = 0 // Open tells
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

// A folder that cannot be written is told, and what is linked anew is not mixed with what was.
func TestFolderOfLater(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.silent("parallax-cc h.c a.c b.c -o h && parallax-cc --make h")
	before, err := digestFile(b.path("h.parallax/operands"))
	if err != nil {
		t.Fatal(err)
	}
	b.silent("cp -r h.parallax old && sed -i s/abcd/abce/ a.c && parallax-cc h.c a.c b.c -o h && test ! -e h.parallax/operands && cp old/operands old/operands.made h.parallax")
	b.open("h", CmpLog, Sanitize)
	if after, err := digestFile(b.path("h.parallax/operands")); err != nil || after == before {
		t.Errorf("the variant is that of the program before (%v)", err)
	}
	if err := onDisk("x", &os.PathError{Op: "open", Path: "y", Err: syscall.EROFS}); err == nil || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("%v", err)
	}
	if err := onDisk("x", syscall.ENOSPC); err == nil || !strings.Contains(err.Error(), "make room there") {
		t.Errorf("%v", err)
	}
}

// Several processes that need a variant at once make it once; one that waits ends with its context, and says so after a moment.
func TestMadeAtOnce(t *testing.T) {
	b := newBox(t)
	b.write(small)
	real, _ := find()
	b.write(map[string]string{"clang": "#!/bin/sh\ncase \" $* \" in *-o*recipe-0.o*) echo x >> " + b.path("count") + "; sleep 5;; esac\nexec " + real + " \"$@\"\n"})
	b.env = append(b.env, "PARALLAX_CLANG="+b.path("clang"))
	b.silent("parallax-cc h.c -DX -c && parallax-cc h.o a.c b.c -o h")
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

// A maker that is killed leaves no compiler and nothing that is in the way of the next, or piles up.
func TestKilledMaker(t *testing.T) {
	b := newBox(t)
	b.write(small)
	real, _ := find()
	b.write(map[string]string{"slow": "", "clang": "#!/bin/sh\ncase \" $* \" in *cpp-output*) echo $$ > " + b.path("pid") + "; if test -e " + b.path("slow") + "; then exec sleep 100; fi;; esac\nexec " + real + " \"$@\"\n"})
	b.env = append(b.env, "PARALLAX_CLANG="+b.path("clang"))
	b.silent("parallax-cc h.c a.c b.c -o h")
	b.run("parallax-cc --make h & maker=$!; until test -s pid; do sleep 0.1; done; kill -9 $maker; wait $maker; sleep 0.5; if grep '^State:.[RSD]' /proc/$(cat pid)/status 2>/dev/null; then exit 1; fi; rm slow pid")
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making")); len(left) != 1 {
		t.Errorf("left: %q", left)
	}
	b.open("h", CmpLog, Sanitize)
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	b.write(map[string]string{"slow": ""})
	b.silent("parallax-cc h.c a.c b.c -o h")
	if _, code := b.try("timeout -s INT 2 parallax-cc --make h"); code != 124 {
		t.Errorf("^C: exit code %d", code)
	}
	if left, _ := filepath.Glob(b.path("h.parallax/.*.making")); len(left) > 0 {
		t.Errorf("^C leaves %q", left)
	}
}

// Objects with variants and those with recipes go together, in archives and partial links, in whatever order.
func TestNowAndLater(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.write(map[string]string{"data": "x", "d.c": "__asm__(\".section .rodata\\n.incbin \\\"data\\\"\\n.text\");\n"})
	for i, build := range []string{
		"PARALLAX_BUILDS=now parallax-cc -c a.c; parallax-cc -c b.c; ld -r b.o a.o -o ab.o; parallax-cc h.c ab.o -o h",
		"parallax-cc -c a.c; PARALLAX_BUILDS=now parallax-cc -c b.c; parallax-cc -r b.o a.o -o ab.o; parallax-cc h.c ab.o -o h",
		"parallax-cc -c a.c; parallax-cc -r a.o b.c -o ab.o; PARALLAX_BUILDS=now parallax-cc h.c ab.o -o h",
		"parallax-cc -c a.c b.c; ar rcs lib.a a.o b.o; PARALLAX_BUILDS=now parallax-cc h.c lib.a -o h",
		"parallax-cc -c d.c; rm data; parallax-cc h.c a.c b.c d.o -o h",
		"parallax-cc -E a.c -o a.i; parallax-cc -c a.i; parallax-cc -E b.c | parallax-cc -x cpp-output -c - -o b.o; parallax-cc h.c a.o b.o -o h",
	} {
		if out := b.run("set -e; rm -rf h h.parallax *.o; " + build); strings.Contains(out, "variant") {
			t.Errorf("%d: %s", i, out)
		}
		b.open("h", CmpLog, Sanitize)
	}
}
