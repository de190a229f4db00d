package clang

import (
	"strings"
	"testing"
)

// TestPathsAreCounted checks that paths are counted with all options for calls and assembler.
func TestPathsAreCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	b := newBox(t)
	b.env = append(b.env, "PARALLAX_BUILDS=fast")
	b.write(map[string]string{"h.c": `#include <stdio.h>
__attribute__((visibility("hidden"))) extern unsigned long plx_path[8];
volatile int sink;
__attribute__((no_sanitize("coverage"), noinline)) static unsigned long take(void) {
  unsigned long all = 0;
  for (int i = 0; i < 8; i++) all += plx_path[i], plx_path[i] = 0;
  return all;
}
int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) {
  take();
  for (unsigned long i = 0; i < n; i++) if (d[i] > 'b') sink++;
  printf("%lu\n", take());
  return 0;
}
`, "in": "abcdefgh"})
	want := ""
	for _, flags := range []string{"", "-masm=intel", "-fno-plt", "-mcmodel=large", "-fPIC -fno-plt -masm=intel", "-mspeculative-load-hardening",
		"-fcf-protection=full", "-mretpoline", "-fno-integrated-as", "-gsplit-dwarf", "-fsanitize=safe-stack", "-ffunction-sections -Wl,--gc-sections"} {
		b.run("parallax-cc -O1 -g " + flags + " h.c -o h")
		got := b.run("./h in 2>/dev/null")
		if want == "" {
			want = got
		}
		if got != want || got == "0\n" {
			t.Errorf("%s: %q, and %q without", flags, got, want)
		}
		if flags != "-mspeculative-load-hardening" && !strings.Contains(b.run("objdump -d --no-show-raw-insn h"), "plx_path>") {
			t.Errorf("%s: the code does not count itself", flags)
		}
	}
}

// TestAssemblerArguments checks that further arguments reach the assembler.
func TestAssemblerArguments(t *testing.T) {
	b := newBox(t)
	b.write(map[string]string{"some where/data": "x", "h.c": `__asm__(".section .rodata\nblob: .incbin \"data\"\n.text");
int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return n > 3 && d[0] == FLAG; }
`})
	b.run("parallax-cc -g '-Isome where' -DFLAG=1 -Wa,--fatal-warnings h.c -o h")
}

// TestLibrariesAreFound checks that an archive's variants are linked however the linker finds it,
// or that a message says otherwise.
func TestLibrariesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many times")
	}
	b := newBox(t)
	b.write(map[string]string{
		"p.c": `#include <stdlib.h>
int p_over(const char *s, unsigned long n) {
  volatile char *p = malloc(4);
  int r = s[0] == '!' && p[n] == 1;
  free((void *)p);
  return r;
}
`,
		"h.c":     "int p_over(const char *, unsigned long);\nint LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return n > 4 && p_over(d, n); }\n",
		"words":   "-Llib -lp\n",
		"p.ld":    "INPUT(lib/libp.a)\n",
		"bad":     "!xxxxx",
		"lib/any": "",
	})
	b.silent("PARALLAX_BUILDS=now parallax-cc -g -O1 -c p.c h.c && ar rcs lib/libp.a p.o")
	for _, words := range []string{"lib/libp.a", "-Llib -lp", "-L lib -l p", "-Wl,-Llib,-lp", "-Wl,-L,lib -Wl,-l,p", "-Xlinker -L -Xlinker lib -Xlinker -lp",
		"-Wl,--library-path=lib,--library=p", "-Wl,--library-path,lib -Wl,--library,p", "-Llib -l:libp.a", "-Wl,@words", "@words",
		"--library-directory=lib -lp", "-Wl,--start-group,lib/libp.a,--end-group", "-Wl,--push-state,-Bstatic -Llib -lp -Wl,--pop-state"} {
		b.silent("parallax-cc h.o " + words + " -o h")
		built := b.open("h", CmpLog, Sanitize)
		if out, code := b.try(built.Variants[Sanitize] + " bad"); code == 0 || !strings.Contains(out, "heap-buffer-overflow") {
			t.Errorf("%s: the sanitize variant has the library as it is for fuzzing: %s", words, out)
		}
	}
	b.buildAllVariants()
	out := b.run("parallax-cc h.o p.ld -o h")
	built := b.open("h", Sanitize)
	if strings.Count(out, "lib/libp.a") < 2 || !strings.Contains(built.Missing[CmpLog], "name it by its path") {
		t.Errorf("a linker script: %q, no operands variant because %q", out, built.Missing[CmpLog])
	}
}

func TestAdvice(t *testing.T) {
	b := newBox(t)
	b.write(map[string]string{"h.c": "int LLVMFuzzerRunDriver(int *, char ***, int (*)(const unsigned char *, unsigned long));\n" +
		"static int f(const unsigned char *d, unsigned long n) { return d && n > 3; }\nint main(int c, char **v) { return LLVMFuzzerRunDriver(&c, &v, f); }\n"})
	if out, code := b.try("parallax-cc h.c -o h"); code == 0 || !strings.Contains(out, "leave main out") {
		t.Errorf("exit code %d: %s", code, out)
	}
}
