package clang

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFailedBuilds checks that failures end with clang's exit code, with one sentence of advice if
// clang's message has none.
func TestFailedBuilds(t *testing.T) {
	tests := []struct {
		name, build string
		code        int
		says        []string
		once        string // text that occurs exactly once
	}{
		{"syntax error", "parallax-cc -c bad.c", 1, []string{"bad.c:1:"}, "error:"},
		{"syntax error with make -j", "MAKEFLAGS='-j --jobserver-auth=3,4' parallax-cc -c bad.c", 1, []string{"bad.c:1:"}, "error:"},
		{"syntax error at a link", "parallax-cc bad.c -o h", 1, []string{"bad.c:1:"}, "error: "},
		{"no entry point", "parallax-cc a.c b.c -o h", 1, []string{"no main function and no LLVMFuzzerTestOneInput"}, "parallax cc:"},
		{"entry point of C++", "parallax-c++ h.cc -o h", 1, []string{`extern "C"`}, "parallax c++:"},
		{"same symbols", "cp a.c a2.c; parallax-cc h.c a.c a2.c b.c -o h", 1, []string{"multiple definition", "a harness for each"}, "parallax cc:"},
		{"undefined symbol", "parallax-cc h.c a.c -o h", 1, []string{"b_sum"}, ""},
		{"linked by gcc", "parallax-cc -c a.c b.c; gcc tool.c a.o b.o -o h", 1, []string{"__sanitizer_cov"}, ""},
		{"no such clang", "PARALLAX_CLANG=clang-99 parallax-cc -c a.c", 4, []string{"PARALLAX_CLANG names clang-99", "apt-get install clang-19"}, "parallax cc:"},
		{"no clang", "PATH=$ONLY parallax-cc -c a.c", 4, []string{"clang 16 or newer", "apt-get install clang-19"}, "parallax cc:"},
		{"old clang", "PARALLAX_CLANG=./old parallax-cc -c a.c", 4, []string{"is clang 14.0.6, and 16 or newer is needed", "apt-get install clang-19"}, "parallax cc:"},
		{"gcc in the place of clang", "PARALLAX_CLANG=gcc parallax-cc -c a.c", 4, []string{"gcc is not clang"}, "parallax cc:"},
		{"damaged object", "parallax-cc -c a.c b.c; sed -i s/plxobj1/plxobj0/ a.o; parallax-cc h.c a.o b.o -o h", 4, []string{"a.o", "build it again"}, "parallax cc:"},
		{"output that cannot be written", "parallax-cc -c a.c -o missing/a.o", 1, []string{"missing/a.o"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBox(t)
			b.write(small)
			b.write(map[string]string{"bad.c": "int f(void) { return x; }\n", "old": "#!/bin/sh\necho 'Debian clang version 14.0.6'\n",
				"h.cc": "int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long) { return 0; }\n"})
			only := t.TempDir()
			self, _ := os.Executable()
			if err := os.Symlink(self, filepath.Join(only, "parallax-cc")); err != nil {
				t.Fatal(err)
			}
			b.env = append(b.env, "ONLY="+only)
			out, code := b.try(test.build)
			if code != test.code {
				t.Errorf("exit code %d, want %d: %s", code, test.code, out)
			}
			for _, text := range test.says {
				if !strings.Contains(out, text) {
					t.Errorf("it does not say %q:\n%s", text, out)
				}
			}
			if n := strings.Count(out, test.once); test.once != "" && n != 1 {
				t.Errorf("it says %q %d times:\n%s", test.once, n, out)
			}
			for _, left := range []string{"h", "h.parallax", "bad.o"} {
				if _, err := os.Stat(b.path(left)); err == nil {
					t.Errorf("it leaves %s", left)
				}
			}
		})
	}
}

// TestVariantLeftOut checks that a variant that cannot be built is omitted with a reason, which is
// printed once per build.
func TestVariantLeftOut(t *testing.T) {
	b := newBox(t)
	b.buildAllVariants()
	b.group = true
	b.write(small)
	// as one without its runtime
	b.faulty("*-fsanitize=address*", "echo 'error: no sanitizers here' >&2; exit 1")
	out := b.run("parallax-cc h.c a.c b.c -o h; parallax-cc h.c a.c b.c -o h")
	if n := strings.Count(out, "no sanitize variant"); n != 4 || !strings.Contains(out, "a.c has no sanitize variant: error: no sanitizers here") {
		t.Errorf("it is said %d times, want once for each source and the program:\n%s", n, out)
	}
	if built := b.open("h", CmpLog); !strings.Contains(built.Missing[Sanitize], "no sanitizers here") {
		t.Errorf("the reason: %q", built.Missing[Sanitize])
	}
	out = b.run("parallax-cc -m32 -c -o /dev/null -x c /dev/null; parallax-cc -m32 -c -o /dev/null -x c /dev/null; parallax-cc -flto h.c a.c b.c -o h; parallax-cc -flto h.c a.c b.c -o h")
	for _, text := range []string{"-m32 asks for", "-flto is left out"} {
		if strings.Count(out, text) != 1 {
			t.Errorf("%q is not said once:\n%s", text, out)
		}
	}
}

// TestProbe checks that tests of build systems get clang's output only, and build one variant only.
func TestProbe(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.write(map[string]string{"conftest.c": "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0; }\n"})
	b.silent("parallax-cc -flto conftest.c -o conftest && ./conftest conftest.c 2>/dev/null")
	if _, err := os.Stat(b.path("conftest.parallax")); err == nil {
		t.Error("a test of a build system has variants")
	}
	b.silent("parallax-cc -c conftest.c && if grep -q plxobj1 conftest.o; then exit 1; fi")
}

func TestOpen(t *testing.T) {
	b := newBox(t)
	b.buildAllVariants()
	b.write(small)
	b.silent("parallax-cc h.c a.c b.c -o h && cp h stale && cp -r h.parallax stale.parallax && echo >> stale.parallax/operands")
	b.silent("mkdir moved && cp -r h h.parallax moved && parallax-cc -c a.c && objcopy -R .parallax.build h stripped && gcc tool.c a.c b.c -o plain && ln -s h link")
	b.write(map[string]string{"script": "#!/bin/sh\n# libtool\n", "empty": "", "short": "\x7fELF\x02\x01"})
	for name, says := range map[string]string{
		"missing": "there is no program", "script": "libtool keeps", "empty": "is not a program", "short": "is not a program", "a.o": "is an object file", "stripped": "lost the note",
		"plain": "has no counters", "h.parallax/operands": "is the operands variant", "h.c": "is not a program", "h.parallax": "is a directory",
	} {
		if _, err := Open(b.path(name)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("opening %s: %v, want %q", name, err, says)
		}
	}
	b.open("link", CmpLog, Sanitize)
	built := b.open("moved/h", CmpLog, Sanitize)
	if want := b.path("moved/h.parallax/operands"); built.Variants[CmpLog] != want {
		t.Errorf("the operands variant is %s, want %s", built.Variants[CmpLog], want)
	}
	if built := b.open("stale", Sanitize, CmpLog); built.Variants[CmpLog] != b.path("h.parallax/operands") {
		t.Errorf("the damaged variant is taken: %s", built.Variants[CmpLog])
	}
	b.silent("rm -r moved/h.parallax h.parallax/operands; echo >> h.parallax/sanitize")
	for v, says := range map[Variant]string{CmpLog: "is not there", Sanitize: "another build"} {
		if built := b.open("moved/h"); !strings.Contains(built.Missing[v], says) {
			t.Errorf("the %s variant is missing because %q, want %q", v, built.Missing[v], says)
		}
	}
}

// TestInterrupted checks that an interrupted build leaves no temporary and no partial files.
func TestInterrupted(t *testing.T) {
	b := newBox(t)
	b.write(small)
	b.faulty("*a.c*", "exec sleep 60")
	b.silent("parallax-cc -c b.c") // the runtime is there
	temp := t.TempDir()
	cmd := exec.Command("parallax-cc", "-c", "a.c")
	for _, e := range b.env {
		if path, ok := strings.CutPrefix(e, "PATH="); ok {
			cmd.Path = filepath.Join(strings.Split(path, ":")[0], "parallax-cc")
		}
	}
	cmd.Err = nil
	cmd.Dir, cmd.Env = b.dir, append(b.env, "TMPDIR="+temp)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		if made, _ := filepath.Glob(filepath.Join(temp, "parallax-cc-*")); len(made) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nothing is built")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("it ended with %v", err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	if _, err := os.Stat(b.path("a.o")); err == nil {
		t.Error("it leaves an object")
	}
}

// TestFirstUse checks that concurrent compilers build the runtime once and all use it, also without
// a home folder.
func TestFirstUse(t *testing.T) {
	b := newBox(t)
	b.write(small)
	temp := t.TempDir()
	for name, value := range map[string]string{"HOME": "/nonexistent", "XDG_CACHE_HOME": "", "TMPDIR": temp} {
		b.env = append(b.env, name+"="+value)
		t.Setenv(name, value) // the user who opens the program has also linked it
	}
	b.silent("parallax-cc -c a.c & parallax-cc -c b.c & parallax-cc -c h.c & wait; parallax-cc a.o b.o h.o -o h")
	b.open("h", CmpLog, Sanitize)
}
