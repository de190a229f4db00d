package confirm

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/call"
	ccompiler "parallax/cmd/internal/model/compiler"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/original"
)

// signature builds a signature from letters for the arguments and, after a colon, the result. i and
// l mean int and long, u unsigned long, z a size, and s a string. b means bytes, p a pointer, a an
// address, and v nothing.
func signature(function, types string) *call.Signature {
	const elements = 6
	args, result, _ := strings.Cut(types, ":")
	s := &call.Signature{Function: function}
	for i, letter := range args {
		a := extract.Argument{Name: "arg_" + string(rune('0'+i)), Before: 8, Behind: 8 + elements}
		switch letter {
		case 'i', 'l', 'u', 'z':
			a.Kind, a.Bits, a.Signed, a.Before, a.Behind = "scalar", 64, letter == 'l', 0, 0
			if letter == 'i' {
				a.Bits, a.Signed = 32, true
			}
			if letter == 'z' {
				a.Size, a.Assumed = true, elements
			}
		case 's':
			a.Kind, a.Bits, a.Bytes = "string", 8, elements+1
		case 'b':
			a.Kind, a.Bits, a.Bytes = "bytes", 8, elements
		case 'p':
			a.Kind, a.Bits, a.Bytes, a.Behind = "pointer", 64, 8, 16
		}
		s.Arguments = append(s.Arguments, a)
	}
	s.Result = map[string]extract.Result{
		"i": {Name: "ret", Kind: "scalar", Bits: 32, Signed: true}, "l": {Name: "ret", Kind: "scalar", Bits: 64, Signed: true},
		"u": {Name: "ret", Kind: "scalar", Bits: 64}, "a": {Name: "ret", Kind: "address", Bits: 64}, "v": {Name: "ret", Kind: "void"},
	}[result]
	return s
}

// caller returns a native of a signature with a compiled driver. code is a library in C, or "" for
// the C library.
func caller(t *testing.T, s *call.Signature, code string) *native {
	t.Helper()
	c, err := compile(context.Background(), s, exec.LookPath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	n := &native{signature: s, program: c.program, timeout: 10 * time.Second}
	t.Cleanup(n.stop)
	if code == "" {
		return n
	}
	n.library = filepath.Join(t.TempDir(), "lib.so")
	cc := exec.Command("cc", "-O1", "-w", "-shared", "-fPIC", "-o", n.library, "-xc", "-")
	cc.Stdin = strings.NewReader(code)
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return n
}

// functions lists functions of musl's module, with the alphabet of their strings.
var functions = map[string]struct{ types, alphabet string }{
	"isalnum": {"i:i", ""}, "isalpha": {"i:i", ""}, "isascii": {"i:i", ""}, "isblank": {"i:i", ""}, "iscntrl": {"i:i", ""}, "isdigit": {"i:i", ""},
	"isgraph": {"i:i", ""}, "islower": {"i:i", ""}, "isprint": {"i:i", ""}, "ispunct": {"i:i", ""}, "isspace": {"i:i", ""}, "isupper": {"i:i", ""},
	"isxdigit": {"i:i", ""}, "toascii": {"i:i", ""}, "tolower": {"i:i", ""}, "toupper": {"i:i", ""},
	"abs": {"i:i", ""}, "labs": {"l:l", ""}, "llabs": {"l:l", ""},
	"atoi": {"s:i", " \t+-0129x"}, "atol": {"s:l", " \t+-0129x"}, "atoll": {"s:l", " \t+-0129x"},
	"strtol": {"spi:l", " +-0129xXaz"}, "strtoul": {"spi:u", " +-0129xXaz"}, "strtoll": {"spi:l", " +-0129xXaz"}, "strtoull": {"spi:u", " +-0129xXaz"},
	"bcmp": {"bbz:i", "ab"}, "memcmp": {"bbz:i", "ab\xff"}, "memmove": {"bbz:a", "ab"}, "memcpy": {"bbz:a", "ab"}, "mempcpy": {"bbz:a", "ab"},
	"bcopy": {"bbz:v", "ab"}, "bzero": {"bz:v", "ab"}, "memset": {"biz:a", "ab"}, "memccpy": {"bbiz:a", "ab"}, "memchr": {"biz:a", "ab"},
	"memmem": {"bzbz:a", "ab"}, "swab": {"bbz:v", "abc"},
	"index": {"si:a", "ab"}, "strchr": {"si:a", "ab"}, "rindex": {"si:a", "ab"}, "strrchr": {"si:a", "ab"}, "strchrnul": {"si:a", "ab"},
	"strcasecmp": {"ss:i", "aAbB_"}, "strncasecmp": {"ssz:i", "aAbB_"}, "strcmp": {"ss:i", "ab\xff"}, "strncmp": {"ssz:i", "ab\xff"},
	"strcat": {"ss:a", "ab"}, "strncat": {"ssz:a", "ab"}, "strcpy": {"ss:a", "ab"}, "strncpy": {"ssz:a", "ab"}, "stpcpy": {"ss:a", "ab"}, "stpncpy": {"ssz:a", "ab"},
	"strlen": {"s:u", "ab"}, "strnlen": {"sz:u", "ab"}, "strspn": {"ss:u", "ab"}, "strcspn": {"ss:u", "abc"}, "strpbrk": {"ss:a", "abc"}, "strstr": {"ss:a", "ab"},
	"strsep": {"ps:a", "ab"}, "strtok_r": {"ssp:a", "ab"}, "strlcpy": {"ssz:u", "ab"}, "strlcat": {"ssz:u", "ab"},
}

// differing describes the calls on which glibc and musl differ, and why.
var differing = map[string]struct {
	why   string
	holds func(c call.Call) bool
}{
	"strtok_r": {"glibc leaves the place behind the last token where musl leaves NULL: C says what the next call does, and not what is kept", always},
	"strtol":   {noBase, badBase}, "strtoul": {noBase, badBase}, "strtoll": {noBase, badBase}, "strtoull": {noBase, badBase},
}

const noBase = "the base is none, and musl stores the end of what it did not read, and glibc nothing: C has no such base"

func always(call.Call) bool    { return true }
func badBase(c call.Call) bool { return c[2].Int == 1 || c[2].Int > 36 }

// drawn draws a call: buffers with characters of the alphabet, and numbers close to characters.
func drawn(r *rand.Rand, s *call.Signature, alphabet string) call.Call {
	c := s.Decode(nil)
	for i := range s.Arguments {
		switch a := &s.Arguments[i]; {
		case a.Kind == "scalar" && a.Assumed > 0:
			c[i].Int = r.Uint64N(uint64(a.Assumed) + 1)
		case a.Kind == "scalar":
			numbers := []uint64{0, 1, 10, 16, 36, 'a', 'b', 'A', '0', ' ', r.Uint64N(256), r.Uint64N(256), r.Uint64N(128)}
			if s.Result.Kind == "scalar" && len(s.Arguments) == 1 && !strings.HasPrefix(s.Function, "is") && !strings.HasPrefix(s.Function, "to") {
				numbers = append(numbers, r.Uint64(), r.Uint64()&0xffffffff)
			}
			c[i].Int = numbers[r.IntN(len(numbers))] & (1<<a.Bits - 1)
		case a.Kind != "pointer":
			n := len(c[i].Data)
			if a.Kind == "string" {
				n--
			}
			for k := range c[i].Data[:n] {
				if r.IntN(6) > 0 {
					c[i].Data[k] = alphabet[r.IntN(len(alphabet))]
				}
			}
		}
	}
	return c
}

// TestNativeAgrees checks that this machine's C library and musl agree in results, pointers and
// memory, for all calls that C defines.
func TestNativeAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	compared, lacking := 0, 0
	for _, name := range sorted(functions) {
		f := functions[name]
		s := signature(name, f.types)
		o, err := original.Musl(s)
		if err != nil {
			t.Error(err)
			continue
		}
		n := caller(t, s, "")
		differs, may := 0, differing[name]
		for range 60 {
			c := drawn(r, s, f.alphabet)
			run, err := o.Run(c)
			if err != nil {
				t.Fatal(err)
			}
			if run.Undefined != "" {
				continue
			}
			got, library, err := n.call(context.Background(), c)
			if errors.Is(err, errMissing) {
				lacking++
				t.Logf("%s lacks %s", library, name)
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", s.Quote(c), err)
			}
			want := s.Text(c, &run.Effect, s.Comparator())
			if text := got.failed + s.Text(c, &got.effect, s.Comparator()); text != want {
				differs++
				if may.why == "" || !may.holds(c) {
					t.Errorf("%s: %s: %s, and musl: %s", s.Quote(c), library, text, want)
				}
			}
			compared++
		}
		if may.why != "" && differs == 0 {
			t.Errorf("%s is said to differ, and does not: %s", name, may.why)
		}
		n.stop()
	}
	t.Logf("%d calls of %d functions, of which the C library lacks %d", compared, len(functions), lacking)
	if compared < 3000 {
		t.Errorf("%d calls were compared", compared)
	}
}

// misbehaving is a library of functions that fail.
const misbehaving = `
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int mine[4];
static char *kept;
int fine(char *s) { return s[0]; }
int null(char *s) { return *(volatile int *)0; }
int beyond(char *s) { return s[4096]; }
int spin(char *s) { for (;;) __asm__ volatile(""); }
int ends(char *s) { _exit(7); }
int kernel(char *s) { write(1, "nonsense", 8); return kill(getppid(), SIGKILL); }
int far(char *s) { s[24] = 0; return 0; }
int near(char *s) { s[-8] = 1; s[20] = 2; return -1; }
int forgets(char *s) { return kept != 0 || !(kept = s); }
void *own(char *s) { return mine; }
void *end(char *s) { return s + strlen(s); }
int stores(char *s, void **p) { *p = 0; return 0; }
int leaves(char *s, void **p) { return 0; }
int reads(char *s, void **p) { return *p ? *(volatile int *)*p : 3; }
int guarded(char *s, void **p) { *p = s - 2; p[1] = 0; return 0; }
signed char small(signed char c, unsigned short u) { return c + (u == 65535); }
int none(void) { return 42; }
int nullable(char *s, char *t) { return s ? t != 0 : 2 + (t != 0); }
`

// TestNativeMisbehaves checks that each failure of a function is an answer, and that the next call
// is answered too.
func TestNativeMisbehaves(t *testing.T) {
	small := signature("small", "ii:i")
	small.Arguments[0].Bits, small.Arguments[1].Bits, small.Arguments[1].Signed, small.Result.Bits = 8, 16, false, 8
	nullable := signature("nullable", "ss:i")
	nullable.Arguments[0].Nullable, nullable.Arguments[1].Nullable = true, true
	word := call.Call{{Data: []byte("ab\x00\x00\x00\x00\x00")}}
	pair := append(word, call.Value{Data: make([]byte, 8)})
	for _, test := range []struct {
		s    *call.Signature
		c    call.Call
		want string
	}{
		{signature("fine", "s:i"), word, "returns 97"},
		{signature("null", "s:i"), word, "is ended by SIGSEGV"},
		{signature("beyond", "s:i"), word, "is ended by SIGSEGV"},
		{signature("spin", "s:i"), word, "does not return within 50ms"},
		{signature("ends", "s:i"), word, "ends the process with status 7"},
		{signature("kernel", "s:i"), word, "asks the kernel for something, which it may not here"},
		{signature("far", "s:i"), word, "writes far outside of what arg_0 points to"},
		{signature("near", "s:i"), word, `returns -1, writes "\001" at arg_0-8, writes "\002" at arg_0+20`},
		{signature("forgets", "s:i"), word, "returns 0"},
		{signature("own", "s:a"), word, "returns an address outside of all buffers"},
		{signature("end", "s:a"), word, "returns arg_0+2"},
		{signature("stores", "sp:i"), pair, "returns 0, stores NULL in *arg_1"},
		{signature("leaves", "sp:i"), pair, "returns 0"},
		{signature("reads", "sp:i"), pair, "returns 3"},
		{signature("guarded", "sp:i"), pair, `returns 0, stores arg_0-2 in *arg_1, writes "\000\000\000\000\000\000\000\000" at arg_1+8`},
		{small, call.Call{{Int: 0xfe}, {Int: 65535}}, "returns -1"},
		{signature("none", ":i"), call.Call{}, "returns 42"},
		{nullable, call.Call{{}, word[0]}, "returns 3"},
		{nullable, call.Call{word[0], {}}, "returns 0"},
	} {
		n := caller(t, test.s, misbehaving)
		if test.s.Function == "spin" {
			n.timeout = 50 * time.Millisecond
		}
		for range 2 {
			got, _, err := n.call(context.Background(), test.c)
			text := got.failed
			if text == "" {
				text = test.s.Text(test.c, &got.effect, test.s.Comparator())
			}
			if err != nil || text != test.want {
				t.Errorf("%s: %q, %v, want %q", test.s.Function, text, err, test.want)
			}
		}
		n.stop()
	}
}

// TestNativeDriver checks that missing functions are reported and an ended driver is started again.
// A canceled call leaves no process, and a call that does not fit is refused.
func TestNativeDriver(t *testing.T) {
	ctx := context.Background()
	word := call.Call{{Data: []byte("ab\x00\x00\x00\x00\x00")}}
	lacks := caller(t, signature("parallax_has_no_such_function", "s:i"), misbehaving)
	if _, library, err := lacks.call(ctx, word); !errors.Is(err, errMissing) || library == "" {
		t.Errorf("a function that is not there: %q, %v", library, err)
	}

	n := caller(t, signature("fine", "s:i"), misbehaving)
	for range 3 {
		if got, _, err := n.call(ctx, word); err != nil || got.effect.Ret != 'a' {
			t.Fatalf("%d, %v", got.effect.Ret, err)
		}
		if err := syscall.Kill(n.process.leader.Pid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := n.call(ctx, call.Call{{Data: []byte("too short")}}); err == nil || !strings.Contains(err.Error(), "points to 9 bytes, not to 7") {
		t.Errorf("a call that does not fit: %v", err)
	}

	spin := caller(t, signature("spin", "s:i"), misbehaving)
	var err error
	if spin.process, err = spin.start(ctx); err != nil {
		t.Fatal(err)
	}
	pid := spin.process.leader.Pid()
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, _, err := spin.call(ctx, word); !errors.Is(err, context.Canceled) || spin.process != nil {
		t.Errorf("given up: %v", err)
	}
	if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
		t.Errorf("the driver that was given up: %v", err)
	}
	broken := &native{signature: n.signature, program: n.program, library: "/nothing/is/here.so", timeout: time.Second}
	if _, _, err := broken.call(context.Background(), word); err == nil || !strings.Contains(err.Error(), "here.so") {
		t.Errorf("a library that is not there: %v", err)
	}
}

// TestCompileErrors checks that failures to build a driver are reported with a fix.
func TestCompileErrors(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx := context.Background()
	absent := func(string) (string, error) { return "", exec.ErrNotFound }
	_, err := compile(ctx, signature("strlen", "s:u"), absent)
	if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "apt-get install gcc libc6-dev") {
		t.Errorf("without a compiler: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(bad, []byte("#!/bin/sh\necho dlfcn.h: no such file >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = compile(ctx, signature("strlen", "s:u"), func(string) (string, error) { return bad, nil })
	if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "dlfcn.h: no such file") {
		t.Errorf("without headers: %v", err)
	}
	defer func(was time.Duration) { ccompiler.Limit = was }(ccompiler.Limit)
	ccompiler.Limit = 200 * time.Millisecond
	if err := os.WriteFile(bad, []byte("#!/bin/sh\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err = compile(ctx, signature("strlen", "s:u"), func(string) (string, error) { return bad, nil })
	if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "compiling the driver of C functions: the C compiler "+bad+" did not end within 200ms") {
		t.Errorf("a compiler that hangs: %v", err)
	}
	wide := signature("strlen", "s:u")
	wide.Result.Bits = 128
	var types *typeError
	if _, err := compile(ctx, wide, absent); !errors.As(err, &types) || !strings.Contains(err.Error(), "128 bits") {
		t.Errorf("a result that C does not have: %v", err)
	}
}

// TestCompileOnce checks that functions of one type share one compiled driver.
func TestCompileOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	times := 0
	count := func(name string) (string, error) { times++; return exec.LookPath(name) }
	var programs []string
	for _, function := range []string{"strlen", "other", "strlen"} {
		c, err := compile(context.Background(), signature(function, "s:u"), count)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, c.program)
		c.close()
	}
	if times != 1 || programs[0] != programs[1] || programs[0] != programs[2] {
		t.Errorf("compiled %d times: %v", times, programs)
	}
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
