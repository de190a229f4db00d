package prototype

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
)

// shown renders an argument with a word for each property.
func shown(a extract.Argument) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s%d", a.Name, a.Kind, a.Bits)
	if a.Signed {
		b.WriteString("s")
	}
	if a.Size {
		b.WriteString("z")
	}
	if a.Assumed > 0 {
		fmt.Fprintf(&b, "<=%d", a.Assumed)
	}
	if a.Held != "" {
		b.WriteString("=" + a.Held)
	}
	if a.Nullable {
		b.WriteString("?")
	}
	if a.Bytes > 0 {
		fmt.Fprintf(&b, "[%d %d %d]", a.Before, a.Bytes, a.Behind)
	}
	return b.String()
}

func describe(s *call.Signature) string {
	text := fmt.Sprintf("%s: %s%d", s.Function, s.Result.Kind, s.Result.Bits)
	if s.Result.Signed {
		text += "s"
	}
	for _, a := range s.Arguments {
		text += " " + shown(a)
	}
	return text
}

// TestRead checks the forms of C's types on x86-64.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		text       string
		parameters map[string]Parameter
		want       string
	}{
		{"int clamp(int x, const char *s, size_t n)", nil, "clamp: scalar32s x:scalar32s s:string8[8 9 16] n:scalar64z<=8"},
		{"void f(void);", nil, "f: void0"},
		{"char f()", nil, "f: scalar8s"},
		{"extern unsigned char f(unsigned char, signed char b)", nil, "f: scalar8 arg_0:scalar8 b:scalar8s"},
		{"_Bool f(bool b)", nil, "f: scalar1 b:scalar1"},
		{"short f(unsigned short int a, short b)", nil, "f: scalar16s a:scalar16 b:scalar16s"},
		{"unsigned f(signed a, unsigned int b, int unsigned c)", nil, "f: scalar32 a:scalar32s b:scalar32 c:scalar32"},
		{"long long f(long int a, unsigned long b, long unsigned int long c, size_t n)", nil, "f: scalar64s a:scalar64s b:scalar64 c:scalar64 n:scalar64z"},
		{"uint64_t f(int8_t a, uint16_t b, int32_t c, intptr_t d, ssize_t e)", nil, "f: scalar64 a:scalar8s b:scalar16 c:scalar32s d:scalar64s e:scalar64s"},
		{"void *memchr(const void *s, int c, size_t n)", nil, "memchr: address64 s:bytes8[8 8 16] c:scalar32s n:scalar64z<=8"},
		{"void f(uint8_t *a, unsigned char const *restrict b, int8_t c[])", nil, "f: void0 a:bytes8[8 8 16] b:bytes8[8 8 16] c:bytes8[8 8 16]"},
		{"void f(int *a, unsigned long *const b, bool n)", nil, "f: void0 a:cell32s[8 4 12] b:cell64[8 8 16] n:scalar1"},
		{"long strtol(const char *s, char **end, int base)", map[string]Parameter{"end": {Null: true}, "base": {Value: "10"}, "s": {Elements: 12}},
			"strtol: scalar64s s:string8[8 13 20] end:pointer64?[8 8 16] base:scalar32s=10"},
		{"int f(struct node **list, double **d)", nil, "f: scalar32s list:pointer64[8 8 16] d:pointer64[8 8 16]"},
		{"int sum(const int v[4], size_t n)", nil, "sum: scalar32s v:bytes32[8 16 24] n:scalar64z<=4"},
		{"int sum(const int *v, size_t n, char *t, size_t m)", map[string]Parameter{"v": {Elements: 3}, "m": {AtMost: 500}},
			"sum: scalar32s v:bytes32[8 12 20] n:scalar64z<=3 t:string8[8 9 16] m:scalar64z<=500"},
		{"size_t wcslen(const wchar_t *s)", nil, "wcslen: scalar64 s:string32[8 36 40]"},
		{"void f(char *out, const unsigned char *text)", map[string]Parameter{"out": {As: "bytes"}, "text": {As: "string", Null: true}},
			"f: void0 out:bytes8[8 8 16] text:string8?[8 9 16]"},
		{"int f(int c, unsigned d)", map[string]Parameter{"c": {AtMost: 255}, "d": {Value: "4294967295"}}, "f: scalar32s c:scalar32s<=255 d:scalar32=4294967295"},
		{"  static inline\nconst char * const name ( char const * const s ) ; ", nil, "name: address64 s:string8[8 9 16]"},
		{"int f(char a[static 3])", nil, "f: scalar32s a:string8[8 4 11]"},
	} {
		s, err := Read(test.text, test.parameters)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if got := describe(s); got != test.want {
			t.Errorf("%s:\n%s, not\n%s", test.text, got, test.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		text       string
		parameters map[string]Parameter
		column     int
		want       string
	}{
		{"", nil, 1, "the end instead of a type"},
		{"strlen", nil, 1, "the type strlen is not known"},
		{"int", nil, 4, "instead of the function's name"},
		{"int f", nil, 6, `instead of "("`},
		{"int f(int x", nil, 12, `instead of "," or ")"`},
		{"int f(int x,)", nil, 13, "instead of a type"},
		{"int f(int x y)", nil, 13, `"y" instead of`},
		{"int f(int x) { return x; }", nil, 14, "follows the prototype"},
		{"int f(float x)", nil, 7, "parameter x is floating point"},
		{"int f(const long double *x)", nil, 13, "a pointer to floating point"},
		{"double f(int x)", nil, 1, "the result is floating point"},
		{"int f(struct s x)", nil, 7, "parameter x is struct s"},
		{"int f(FILE *x)", nil, 7, "the type FILE is not known: write the type that it names"},
		{"struct s f(int x)", nil, 1, "the result is struct s"},
		{"int f(union *x)", nil, 13, "instead of the name of the union"},
		{"int f(const char *s, ...)", nil, 22, "variable number"},
		{"int f(int (*g)(int))", nil, 11, "pointer to a function"},
		{"int (*f)(int)", nil, 5, "instead of the function's name"},
		{"int f(int a[2][3])", nil, 15, "a pointer to an array"},
		{"int f(int a[n])", nil, 13, "no number of elements"},
		{"int f(int a[0])", nil, 13, "no number of elements"},
		{"int f(char ***x)", nil, 15, "pointers to pointers"},
		{"int f(bool x[2])", nil, 12, "a pointer to bool"},
		{"int f(void x)", nil, 7, "parameter x is void"},
		{"int f(int x, char x)", nil, 19, "a second parameter is called x"},
		{"int f(unsigned size_t x)", nil, 16, "does not belong behind"},
		{"int f(size_t long x)", nil, 14, "does not belong behind size_t"},
		{"int f(long char x)", nil, 7, "no type"},
		{"int f(long long long x)", nil, 7, "no type"},
		{"int f(short long x)", nil, 7, "no type"},
		{"int f(signed unsigned x)", nil, 7, "no type"},
		{"int f(int int x)", nil, 7, "no type"},
		{"int f(int struct s)", nil, 11, "does not belong"},
		{"int f(int return)", nil, 11, "no name"},
		{"int f(int é)", nil, 11, "instead of"},
		{"int f(int x)", map[string]Parameter{"y": {}}, 0, "there is no parameter called y"},
		{"int f(int)", map[string]Parameter{"arg_0": {AtMost: 3}}, 0, "there is no parameter called arg_0"},
		{"int f(int x)", map[string]Parameter{"x": {Null: true}}, 11, "parameter x: it is a number"},
		{"int f(int x)", map[string]Parameter{"x": {Elements: 3}}, 11, "it is a number"},
		{"int f(signed char x)", map[string]Parameter{"x": {AtMost: 256}}, 19, "at_most = 256 is no number of 8 bits"},
		{"int f(int x)", map[string]Parameter{"x": {AtMost: -1}}, 11, "at_most"},
		{"int f(int x)", map[string]Parameter{"x": {Value: "2147483648"}}, 11, "signed number of 32 bits"},
		{"int f(unsigned x)", map[string]Parameter{"x": {Value: "-1"}}, 16, "unsigned number of 32 bits"},
		{"int f(int x)", map[string]Parameter{"x": {Value: "1", AtMost: 1}}, 11, "one of"},
		{"int f(int *x)", map[string]Parameter{"x": {Value: "1"}}, 12, "it is a pointer"},
		{"int f(int *x)", map[string]Parameter{"x": {Elements: 5000}}, 12, "none of 1 to 4096"},
		{"int f(int *x)", map[string]Parameter{"x": {As: "list"}}, 12, "none of string and bytes"},
		{"int f(int **x)", map[string]Parameter{"x": {Elements: 3}}, 13, "one pointer"},
	} {
		_, err := Read(test.text, test.parameters)
		var e *Error
		if !errors.As(err, &e) || e.Column != test.column || !strings.Contains(e.What, test.want) {
			t.Errorf("%s: %v; not %d: %s", test.text, err, test.column, test.want)
		}
	}
}

// TestNull checks that calls with a pointer that may be null survive encoding and decoding.
func TestNull(t *testing.T) {
	s, err := Read("int f(int c, char *s, int **p)", map[string]Parameter{"s": {Elements: 2, Null: true}, "p": {Null: true}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ input, want, encoded string }{
		{"", `f(0, "", &end)`, ""},
		{"\x05\x00\x00\x00ab\x00\x01", `f(5, "ab", NULL)`, "\x05\x00\x00\x00ab\x00\x01"},
		{"\x05\x00\x00\x00ab\x07\x02xyz", `f(5, NULL, &end)`, "\x05\x00\x00\x00\x00\x00\x01"},
	} {
		c := s.Decode([]byte(test.input))
		if got := s.Quote(c); got != test.want {
			t.Errorf("%q: %s, not %s", test.input, got, test.want)
		}
		if got := s.Encode(c); string(got) != test.encoded {
			t.Errorf("%q is encoded as %q, not %q", test.input, got, test.encoded)
		}
	}
	if s.Size() != 8 {
		t.Errorf("%d bytes matter", s.Size())
	}
}

func FuzzRead(f *testing.F) {
	f.Add("int clamp(int x, const char *s, size_t n)")
	f.Add("void f(char *argv[], int v[3], ...)")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(text, nil)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len(text)+1 {
				t.Errorf("%v", err)
			}
			return
		}
		c := s.Decode([]byte(text))
		if again := s.Decode(s.Encode(c)); s.Quote(again) != s.Quote(c) {
			t.Errorf("%s became %s", s.Quote(c), s.Quote(again))
		}
	})
}
