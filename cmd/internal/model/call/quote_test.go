package call

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/model/extract"
)

// compiled compiles a C program without warnings and runs it.
func compiled(t *testing.T, source string) string {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Fatal("gcc is missing: install the package gcc")
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, "quoted.c"), filepath.Join(dir, "quoted")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	// -std=c11 enables trigraphs.
	if out, err := exec.Command(cc, "-std=c11", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-pointer-sign", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	out, err := exec.Command(program).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	return string(out)
}

// TestLiteral checks that a C compiler reads the original bytes from a literal.
func TestLiteral(t *testing.T) {
	texts := []string{"", "abc", "??=??/??'", "a??", "\\\"'%s", "\x001", "\x00\x009", "\xff1\xa5f", "\n\t\r\v", "??????(", "/*", "//", "\x7f8"}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	texts = append(texts, string(every))
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		data := make([]byte, rng.IntN(12))
		for i := range data {
			data[i] = "?/=(')<>!-\\\"0189a\x00\x01\x0a\xa5\xff"[rng.IntN(22)]
		}
		texts = append(texts, string(data))
	}
	var b strings.Builder
	b.WriteString("#include <stdio.h>\nstatic void dump(const char *s, unsigned long n) { while (n--) printf(\"%02x\", (unsigned char)*s++); printf(\"\\n\"); }\nint main(void) {\n")
	for _, s := range texts {
		l := Literal([]byte(s))
		for _, c := range l {
			if c < ' ' || c > '~' {
				t.Errorf("%q has the character %q", l, c)
			}
		}
		fmt.Fprintf(&b, "dump(%s, sizeof %s - 1);\n", l, l)
	}
	b.WriteString("return 0; }\n")
	lines := strings.Split(compiled(t, b.String()), "\n")
	for i, s := range texts {
		if lines[i] != hex.EncodeToString([]byte(s)) {
			t.Errorf("%q is written as %s, which is %s", s, Literal([]byte(s)), lines[i])
		}
	}
}

// TestQuote checks that a quoted call compiles and passes the call's arguments, with enough memory
// behind each pointer.
func TestQuote(t *testing.T) {
	s := everything()
	edges := []string{
		"", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x00\x00\x00\x80", "\x01\x02\x03\x80\x03\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x01a\x00b\x00A\x00\x00\x00\x00\x00\x00\x00wx\x00\x00\x00\x00\x00\x80",
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		flat := make([]byte, s.Size())
		for i := range flat {
			flat[i] = byte(rng.Uint32() >> rng.IntN(32))
		}
		edges = append(edges, string(flat))
	}
	var b strings.Builder
	b.WriteString(`#include <stdint.h>
#include <stdio.h>
static char *end;
static void dump(const void *p, int n) { const unsigned char *s = p; printf(p ? "*" : "null"); while (p && n--) printf("%02x", *s++); printf(" "); }
static int n0, n2;
static void f(const char *a, int32_t b, const void *c, uint64_t d, const char *e, const char *f, const int32_t *g, char **h, int32_t i, uint64_t j, uint16_t k, uint64_t l, _Bool m) {
	dump(a, n0); printf("%x ", (unsigned)b); dump(c, n2); printf("%lx ", (unsigned long)d); dump(e, 4); dump(f, 4); dump(g, 4);
	printf("%s ", h == &end ? "end" : "?"); printf("%x %lx %x %lx %x\n", (unsigned)i, (unsigned long)j, k, (unsigned long)l, m);
}
int main(void) {
`)
	var want []string
	for _, flat := range edges {
		c := s.Decode([]byte(flat))
		// A string has its bytes and a zero; bytes have their whole size.
		n0, n2 := len(trimmed(c[0].Data, 1))+1, len(trimmed(c[2].Data, 4))+4
		fmt.Fprintf(&b, "n0 = %d; n2 = %d;\n%s;\n", n0, n2, s.Quote(c))
		want = append(want, fmt.Sprintf("*%x %x *%x %x *%x null *%x end %x %x %x %x %x", c[0].Data[:n0], c[1].Int, c[2].Data[:n2], c[3].Int, c[4].Data, c[6].Data,
			c[8].Int, c[9].Int, c[10].Int, c[11].Int, c[12].Int))
	}
	b.WriteString("return 0; }\n")
	lines := strings.Split(compiled(t, b.String()), "\n")
	for i, w := range want {
		if lines[i] != w {
			t.Errorf("%s gives\n%s, want\n%s", s.Quote(s.Decode([]byte(edges[i]))), lines[i], w)
		}
	}
}

// TestQuoted checks the form of calls that users read.
func TestQuoted(t *testing.T) {
	size := extract.Argument{Name: "arg_2", Kind: "scalar", Bits: 64, Size: true, Assumed: 4}
	number := extract.Argument{Name: "arg_1", Kind: "scalar", Bits: 32, Signed: true}
	content := extract.Argument{Name: "arg_0", Kind: "bytes", Bits: 8, Bytes: 4, Before: 8, Behind: 12}
	for _, test := range []struct {
		function string
		args     []extract.Argument
		c        Call
		want     string
	}{
		{"strchr", []extract.Argument{text, number}, Call{{Data: []byte("ab\x00\x00\x00")}, {Int: 0xffffffff}}, `strchr("ab", -1)`},
		{"strchr", []extract.Argument{text, number}, Call{{Data: []byte("a\x00b\x00\x00")}, {}}, `strchr("a\000b", 0)`},
		{"memchr", []extract.Argument{content, number, size}, Call{{Data: []byte("abcd")}, {Int: 97}, {Int: 4}}, `memchr("abcd", 97, 4)`},
		{"memchr", []extract.Argument{content, number, size}, Call{{Data: []byte("a\x00\x00\x00")}, {Int: 97}, {Int: 4}}, `memchr((char[4]){"a"}, 97, 4)`},
		{"strtol", []extract.Argument{text, end, number}, Call{{Data: make([]byte, 5)}, {Data: make([]byte, 8)}, {Int: 10}}, `strtol("", &end, 10)`},
		{"time", []extract.Argument{{Name: "arg_0", Kind: "cell", Null: true}}, Call{{}}, `time(NULL)`},
		{"f", []extract.Argument{{Kind: "scalar", Bits: 64, Signed: true}, {Kind: "scalar", Bits: 64}}, Call{{Int: 1 << 63}, {Int: 1 << 63}}, `f((-9223372036854775807-1), 9223372036854775808u)`},
		{"getuid", nil, Call{}, `getuid()`},
	} {
		s := &Signature{Function: test.function, Arguments: test.args}
		if got := s.Quote(test.c); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}
