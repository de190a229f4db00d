package normalize

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

func form(t testing.TB, name, value string) string {
	t.Helper()
	out, err := New(Step{Builtin: name}).Value(context.Background(), []byte(value))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

var forms = []struct{ name, in, want string }{
	{"case", "", ""},
	{"case", "Straße ÄÖ ΣΑΣ İ", "straße äö σασ i"},
	{"case", "A\xffB\xc3", "a\xffb\xc3"},
	{"case", "\uFFFDA", "\uFFFDa"},

	{"space", "", ""},
	{"space", " \t\r\n", ""},
	{"space", "  a \t b\u00a0\u2003c\n", "a b c"},
	{"space", "a\x85b\xc2", "a\x85b\xc2"}, // bytes that are not UTF-8 are not space
	{"trim", "\n a  b \u2028", "a  b"},
	{"trim", " ", ""},

	{"lines", "", ""},
	{"lines", "b\na", "a\nb\n"},
	{"lines", "b\na\n", "a\nb\n"},
	{"lines", "\n\nx\n", "\n\nx\n"},
	{"lines", "b\r\na\r\n", "a\r\nb\r\n"},

	{"numbers", "1.0 1e0 1 1.00 10e-1 0.1E+1 100e-2", "1 1 1 1 1 1 1"},
	{"numbers", "-0 0.0 0e9 -0.000 0", "0 0 0 0 0"},
	{"numbers", "-1.50,+2.0;[3.0]", "-1.5,+2;[3]"},
	{"numbers", "1e21 1e22 12e400 1e-5 1e-6 1e-7", "1000000000000000000000 1e22 1.2e401 0.00001 0.000001 1e-7"},
	{"numbers", "123456789012345678901234567890.10", "123456789012345678901234567890.1"},
	{"numbers", "0.1000000000000000055511151231257827021181583404541015625", "0.1000000000000000055511151231257827021181583404541015625"},
	{"numbers", "9007199254740993.0", "9007199254740993"},
	{"numbers", "1e999999999999999999999 0e999999999999999999999", "1e999999999999999999999 0"},
	{"numbers", "v1.0.0 127.0.0.1 0x1.0 1.0s 1.0_0 a1.0 1.0é 007 1.e5 1.0e", "v1.0.0 127.0.0.1 0x1.0 1.0s 1.0_0 a1.0 1.0é 007 1.e5 1.0e"},
	{"numbers", "Version 1.0. End", "Version 1. End"},
	{"numbers", "2024-01-05 5-0 --0 +-0 x-0 -0-0", "2024-01-05 5-0 --0 +-0 x-0 0-0"},
	{"numbers", "- -- -x 1.", "- -- -x 1."},

	{"json", ` { "b" : 1.0 , "a" : [ ] } ` + "\n", `{"a":[],"b":1}`},
	{"json", `{"a":1,"b":2,"a":3.0}`, `{"a":3,"b":2}`},
	{"json", `{"b":{"z":1,"y":{"d":1,"c":2}},"a":0}`, `{"a":0,"b":{"y":{"c":2,"d":1},"z":1}}`},
	{"json", `{"\u0061":1,"a":2}`, `{"a":2}`},
	{"json", `{"a":1,"a":{"b":1,"a":2}}`, `{"a":{"a":2,"b":1}}`},
	{"json", `{}`, `{}`},
	{"json", `"\/\u00e9\ud83d\ude00\u0022\u005c\u000A\u001f\u007f\b"`, `"/é😀\"\\\n\u001f` + "\x7f" + `\b"`},
	{"json", `"\ud800 \uDC00\uD800 \ud800\ud800\udc00"`, `"\ud800 \udc00\ud800 \ud800` + "\U00010000" + `"`},
	{"json", "\"\xff\"", "\"\xff\""},
	{"json", `[1e2,-0.0,1E-2,true,false,null]`, `[100,0,0.01,true,false,null]`},
	{"json", `[12345678901234567890123.0]`, `[12345678901234567890123]`},
	{"json", "", ""},
	{"json", "[1.0,]", "[1.0,]"},
	{"json", `{"a":1.0,}`, `{"a":1.0,}`},
	{"json", "01", "01"},
	{"json", "1.", "1."},
	{"json", "1e", "1e"},
	{"json", "+1", "+1"},
	{"json", ".5", ".5"},
	{"json", "NaN", "NaN"},
	{"json", "1.0 2.0", "1.0 2.0"},
	{"json", "\"\t\"", "\"\t\""},
	{"json", `"\x"`, `"\x"`},
	{"json", `"\u12g4"`, `"\u12g4"`},
	{"json", `"\u123`, `"\u123`},
	{"json", `"a`, `"a`},
	{"json", `{"a" 1.0}`, `{"a" 1.0}`},
	{"json", `{a:1.0}`, `{a:1.0}`},
	{"json", "\ufeff1.0", "\ufeff1.0"},
	{"json", "truer", "truer"},

	{"json-float", `[0.1000000000000000055511151231257827021181583404541015625, 9007199254740993, 1e400, -1e400, 5e-400, -0.0]`,
		`[0.1,9007199254740992,1e999,-1e999,0,0]`},
	{"json-float", `{"b":1.50,"a":1e21}`, `{"a":1000000000000000000000,"b":1.5}`},
}

func TestForms(t *testing.T) {
	for _, c := range forms {
		if got := form(t, c.name, c.in); got != c.want {
			t.Errorf("%s of %q is %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	if !slices.IsSorted(Names) || len(Names) != len(builtins) {
		t.Errorf("Names are %v", Names)
	}
	for _, name := range Names {
		if !Known(name) {
			t.Errorf("%s is not known", name)
		}
	}
	if Known("") || Known("jsn") {
		t.Error("what is not there is known")
	}
	defer func() {
		if recover() == nil {
			t.Error("a chain of an unknown name was made")
		}
	}()
	New(Step{Builtin: "jsn"})
}

// TestDepth checks that deep input uses no stack, and stays unchanged where encoding/json would
// reject it.
func TestDepth(t *testing.T) {
	for _, depth := range []int{1000, 5_000_000} {
		in := strings.Repeat("[", depth) + " 1.0 " + strings.Repeat("]", depth)
		want := in
		if depth == 1000 {
			want = strings.Repeat("[", depth) + "1" + strings.Repeat("]", depth)
		}
		if form(t, "json", in) != want {
			t.Errorf("depth %d", depth)
		}
	}
}

func TestEveryCharacter(t *testing.T) {
	ctx, once := context.Background(), []byte(nil)
	for _, name := range []string{"case", "space", "trim"} {
		c := New(Step{Builtin: name})
		for r := rune(0); r <= unicode.MaxRune; r++ {
			out, _ := c.Value(ctx, []byte("x"+string(r)))
			once = append(once[:0], out...)
			if twice, _ := c.Value(ctx, once); !bytes.Equal(twice, once) {
				t.Fatalf("%s of %U: %q, then %q", name, r, once, twice)
			}
		}
	}
}

// TestNumbersAreExact checks that the output of numbers has exactly the value of its input.
func TestNumbersAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("0001234567899"[rng.IntN(13)])
		}
		return b.String()
	}
	spellings := map[string]string{} // by exact value
	for range 20_000 {
		text := strings.TrimLeft(digits(rng.IntN(30)), "0")
		if text == "" {
			text = "0"
		}
		if rng.IntN(2) == 0 {
			text += "." + digits(1+rng.IntN(30))
		}
		if rng.IntN(2) == 0 {
			text += []string{"e", "E", "e+", "e-"}[rng.IntN(4)] + strconv.Itoa(rng.IntN(60))
		}
		if rng.IntN(3) == 0 {
			text = "-" + text
		}
		got := form(t, "numbers", text)
		before, _ := new(big.Rat).SetString(text)
		after, ok := new(big.Rat).SetString(got)
		if !ok || before.Cmp(after) != 0 {
			t.Fatalf("%s became %s", text, got)
		}
		if other, again := spellings[before.String()]; again && other != got {
			t.Fatalf("%s and %s are one number", other, got)
		}
		spellings[before.String()] = got
	}
}

type upper struct {
	calls int
	fail  error
}

func (u *upper) Normalize(_ context.Context, values [][]byte) error {
	u.calls++
	for i, v := range values {
		if v != nil {
			values[i] = bytes.ToUpper(v)
		}
	}
	return u.fail
}

func TestChain(t *testing.T) {
	ctx := context.Background()
	u := &upper{}
	c := New(
		Step{Builtin: "trim"}, Step{Replace: regexp.MustCompile(`line (\d+)`), With: "line N${1}x"}, Step{Builtin: "space"},
		Step{External: u},
		Step{Replace: regexp.MustCompile(`Q`), With: ""}, Step{Builtin: "numbers"},
	)
	in := [][]byte{[]byte("  a  line 7 "), nil, []byte(""), []byte("q 1.0 q"), []byte("b")}
	given := slices.Clone(in)
	before := make([]string, len(in))
	for i := range in {
		before[i] = string(in[i])
	}
	for range 3 { // memory is reused
		values := slices.Clone(given)
		if err := c.Run(ctx, values); err != nil {
			t.Fatal(err)
		}
		want := []string{"A LINE N7X", "", "", " 1 ", "B"}
		for i, v := range values {
			if string(v) != want[i] || (v == nil) != (given[i] == nil) {
				t.Errorf("value %d is %q, want %q", i, v, want[i])
			}
			if string(given[i]) != before[i] {
				t.Errorf("value %d was written to: %q", i, given[i])
			}
		}
	}
	if u.calls != 3 {
		t.Errorf("the external step was called %d times for 3 runs", u.calls)
	}
	u.fail = errors.New("no")
	if err := c.Run(ctx, in); !errors.Is(err, u.fail) {
		t.Errorf("%v", err)
	}
	var none *Chain
	if !none.Empty() || !New().Empty() || c.Empty() || none.Run(ctx, in) != nil {
		t.Error("empty chains")
	}
	if v, err := New(Step{Builtin: "trim"}).Value(ctx, nil); v != nil || err != nil {
		t.Errorf("of nothing %q, %v", v, err)
	}
}

// TestResultsStay checks that results stay valid while the arena grows.
func TestResultsStay(t *testing.T) {
	c := New(Step{Builtin: "trim"})
	values := make([][]byte, 1000)
	for i := range values {
		values[i] = []byte(" " + strings.Repeat(strconv.Itoa(i), 50) + " ")
	}
	if err := c.Run(context.Background(), values); err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if string(v) != strings.Repeat(strconv.Itoa(i), 50) {
			t.Fatalf("%d: %q", i, v)
		}
	}
}

var document = []byte(` {"users": [{"name": "J\u00f6rg", "id": 1.0, "tags": ["a", "b"]}, {"id": 2e0, "name": "x\ty"}], "count": 2, "a": 1.5e3} `)

func TestAllocations(t *testing.T) {
	ctx := context.Background()
	for _, name := range Names {
		c := New(Step{Builtin: name}, Step{Replace: regexp.MustCompile(`never there \d+`)}, Step{Builtin: name})
		values := make([][]byte, 3)
		run := func() {
			values[0], values[1], values[2] = document, nil, document
			if err := c.Run(ctx, values); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkChain(b *testing.B) {
	for _, name := range Names {
		b.Run(name, func(b *testing.B) {
			c := New(Step{Builtin: name})
			b.ReportAllocs()
			b.SetBytes(int64(len(document)))
			for range b.N {
				if _, err := c.Value(context.Background(), document); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzNormalize checks that every normalizer accepts any bytes and is idempotent, and JSON keeps
// its meaning.
func FuzzNormalize(f *testing.F) {
	for _, c := range forms {
		f.Add([]byte(c.in))
	}
	f.Add(document)
	f.Fuzz(func(t *testing.T, value []byte) {
		ctx := context.Background()
		before := bytes.Clone(value)
		for _, name := range Names {
			c := New(Step{Builtin: name})
			out, err := c.Value(ctx, value)
			if err != nil {
				t.Fatal(err)
			}
			once := bytes.Clone(out)
			if !bytes.Equal(value, before) {
				t.Fatalf("%s wrote to its input", name)
			}
			if twice, _ := c.Value(ctx, once); !bytes.Equal(once, twice) {
				t.Errorf("%s of %q: %q, then %q", name, value, once, twice)
			}
			if !strings.HasPrefix(name, "json") {
				continue
			}
			// encoding/json has the same grammar, and its limit differs by one level.
			if valid := json.Valid(value); !valid && !bytes.Equal(once, value) && len(value) < 2*maxDepth {
				t.Errorf("%s changed %q, which is no JSON, to %q", name, value, once)
			} else if valid && !json.Valid(once) {
				t.Errorf("%s of %q is no JSON: %q", name, value, once)
			}
			var a, b any
			if json.Unmarshal(value, &a) == nil && json.Unmarshal(once, &b) == nil {
				x, _ := json.Marshal(a)
				y, _ := json.Marshal(b)
				if !bytes.Equal(bytes.ReplaceAll(x, []byte("-0"), []byte("0")), bytes.ReplaceAll(y, []byte("-0"), []byte("0"))) {
					t.Errorf("%s of %q means something else: %s", name, value, once)
				}
			}
		}
	})
}
