package minimize

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"parallax/internal/input"
)

const plenty = 1_000_000

var raw = input.Shape{input.Bytes}

func contains(parts ...string) func([]byte) bool {
	return func(b []byte) bool {
		for _, part := range parts {
			if !bytes.Contains(b, []byte(part)) {
				return false
			}
		}
		return true
	}
}

func TestRaw(t *testing.T) {
	cases := []struct {
		name, in string
		test     func([]byte) bool
		want     string
	}{
		{"nothing needed", "some text", func([]byte) bool { return true }, ""},
		{"empty", "", func([]byte) bool { return true }, ""},
		{"nothing can go", "xyz", func([]byte) bool { return false }, "xyz"},
		{"a part", strings.Repeat("abc{}", 500) + "NEEDLE!" + strings.Repeat("x,1", 500), contains("NEEDLE!"), "NEEDLE!"},
		{"parts apart", "aa<x>bb<y>cc<z>dd", contains("<x>", "<z>"), "<x><z>"},
		{"length", "some longer text", func(b []byte) bool { return len(b) >= 4 }, "0000"},
		{"length, mixed", "T3\t!\xff", func(b []byte) bool { return len(b) >= 5 }, "00000"},
		{"capital", "xXyY", func(b []byte) bool { return bytes.ContainsAny(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") }, "A"},
		{"even number of a", "xaxaxaxa", func(b []byte) bool { n := bytes.Count(b, []byte("a")); return n > 0 && n%2 == 0 }, "aa"},
		{"multiple of three", strings.Repeat("q", 99), func(b []byte) bool { return len(b) > 0 && len(b)%3 == 0 }, "000"},
		{"multiple of seven", strings.Repeat("q", 98), func(b []byte) bool { return len(b) > 0 && len(b)%7 == 0 }, "0000000"},
		{"balanced", "((((x))))", func(b []byte) bool { return balanced(b) && bytes.Contains(b, []byte("x")) }, "x"},
		{"quoted", `before "a b c" after`, func(b []byte) bool { return bytes.Count(b, []byte(`"`))%2 == 0 && bytes.Contains(b, []byte("b")) }, "b"},
		{"number", "value=123456 ", regexp.MustCompile(`^value=[0-9]+ $`).Match, "value=0 "},
		{"number above 255", "v=99999", func(b []byte) bool {
			var n int
			_, err := fmt.Sscanf(string(b), "v=%d", &n)
			return err == nil && n > 255
		}, "v=900"},
		{"character", "ééé", func(b []byte) bool { return utf8.Valid(b) && utf8.RuneCount(b) >= 2 }, "00"},
		{"byte above ASCII", "xx\xe9\xff", func(b []byte) bool {
			for _, c := range b {
				if c >= 0x80 {
					return true
				}
			}
			return false
		}, "\xe9"},
		{"list element", "[1,[2,3],4,{\"k\":5}]", jsonWith("5"), "5"},
		{"element in a list", "[1,[2,3],4,77,{\"k\":5}]", func(b []byte) bool {
			var v []any
			return json.Unmarshal(b, &v) == nil && bytes.Contains(b, []byte("77"))
		}, "[77]"},
		{"deep value", `{"a":{"b":[1,{"c":"x y","needle":[true,null]}],"d":"e"},"f":[[[2]]]}`, func(b []byte) bool {
			var v map[string]any
			return json.Unmarshal(b, &v) == nil && len(v) > 0 && bytes.Contains(b, []byte("null"))
		}, `{"":null}`},
		{"lines", "one\ntwo words\nthree\nfour\n", func(b []byte) bool {
			lines := strings.Split(string(b), "\n")
			return len(lines) >= 3 && strings.Contains(lines[1], "words")
		}, "\nwords\n"},
	}
	for _, c := range cases {
		calls := 0
		got, runs, _ := Run(raw, []byte(c.in), plenty, nil, func(b []byte) bool { calls++; return c.test(b) })
		if string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if runs != calls {
			t.Errorf("%s: %d runs, %d calls", c.name, runs, calls)
		}
	}
}

func balanced(b []byte) bool {
	depth := 0
	for _, c := range b {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

func jsonWith(part string) func([]byte) bool {
	return func(b []byte) bool { return json.Valid(b) && bytes.Contains(b, []byte(part)) }
}

// TestChecksum allows no change: a checksum covers the whole input.
func TestChecksum(t *testing.T) {
	body := []byte("some body that is protected by a checksum 12345")
	sum := crc32.ChecksumIEEE(body)
	got, runs, _ := Run(raw, body, plenty, nil, func(b []byte) bool { return crc32.ChecksumIEEE(b) == sum })
	if !bytes.Equal(got, body) || runs == 0 {
		t.Errorf("%q after %d runs", got, runs)
	}
}

func pack(t *testing.T, shape input.Shape, values ...any) []byte {
	t.Helper()
	flat, err := shape.Pack(values...)
	if err != nil {
		t.Fatal(err)
	}
	return flat
}

func TestShapes(t *testing.T) {
	cases := []struct {
		shape string
		in    []any
		test  func(v []any) bool
		want  []any
	}{
		{"([]byte, int)", []any{[]byte("hello"), 77}, func(v []any) bool { return v[1].(int) > 9 }, []any{[]byte{}, 10}},
		{"(string, string)", []any{"abcdef", "xyz"}, func(v []any) bool {
			return strings.Contains(v[0].(string), "d") && len(v[1].(string)) >= 1
		}, []any{"d", "0"}},
		{"(bool, bool)", []any{true, true}, func(v []any) bool { return v[1].(bool) }, []any{false, true}},
		{"(int8)", []any{int8(-128)}, func(v []any) bool { return v[0].(int8) < -100 }, []any{int8(-101)}},
		{"(int8)", []any{int8(-128)}, func(v []any) bool { return v[0].(int8) < -127 }, []any{int8(-128)}},
		{"(int64)", []any{int64(math.MinInt64)}, func(v []any) bool { return v[0].(int64) != 0 }, []any{int64(1)}},
		{"(int64)", []any{int64(-5)}, func(v []any) bool { return v[0].(int64) != 0 }, []any{int64(1)}},
		{"(uint16)", []any{uint16(60000)}, func(v []any) bool { return v[0].(uint16) >= 1000 }, []any{uint16(1000)}},
		{"(uint64)", []any{uint64(math.MaxUint64)}, func(v []any) bool { return v[0].(uint64) > 1<<63 }, []any{uint64(1<<63 + 1)}},
		{"(int)", []any{1000}, func(v []any) bool { return v[0].(int)%7 == 6 }, []any{6}},
		{"(float64)", []any{3.14159}, func(v []any) bool { return v[0].(float64) > 3 }, []any{4.0}},
		{"(float64)", []any{-1234.5678}, func(v []any) bool { f := v[0].(float64); return f != math.Trunc(f) }, []any{0.5}},
		{"(float32)", []any{float32(1e30)}, func(v []any) bool { return v[0].(float32) > 2 }, nil},
		{"(float64)", []any{math.Inf(-1)}, func(v []any) bool { return math.IsInf(v[0].(float64), 0) }, []any{math.Inf(1)}},
		{"(float64, rune)", []any{math.NaN(), 'é'}, func(v []any) bool { f := v[0].(float64); return f != f && v[1].(rune) > 'a' }, nil},
		{"(string, int, []byte)", []any{"k=v", 3, []byte("[1,2]")}, func(v []any) bool {
			return len(v[0].(string)) == v[1].(int) && bytes.Contains(v[2].([]byte), []byte("2"))
		}, []any{"000", 3, []byte("2")}},
	}
	for n, c := range cases {
		shape, err := input.ParseShape(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		flat := pack(t, shape, c.in...)
		before := append([]byte(nil), flat...)
		test := func(b []byte) bool {
			if err := shape.Check(b); err != nil {
				t.Fatalf("case %d %s: candidate: %v", n, c.shape, err)
			}
			if len(b) > len(flat) {
				t.Fatalf("case %d %s: a candidate is larger than the input", n, c.shape)
			}
			values, err := shape.Unpack(b)
			if err != nil {
				t.Fatal(err)
			}
			return c.test(values)
		}
		got, _, _ := Run(shape, flat, plenty, nil, test)
		if !bytes.Equal(flat, before) {
			t.Errorf("case %d %s: the input was changed", n, c.shape)
		}
		if !test(got) {
			t.Errorf("case %d %s: the test does not hold for the result", n, c.shape)
		}
		if again, _, _ := Run(shape, got, plenty, nil, test); !bytes.Equal(again, got) {
			t.Errorf("case %d %s: not idempotent", n, c.shape)
		}
		if c.want != nil && !bytes.Equal(got, pack(t, shape, c.want...)) {
			values, _ := shape.Unpack(got)
			t.Errorf("case %d %s: %#v, want %#v", n, c.shape, values, c.want)
		}
	}
}

// sparseTest returns a test that holds for the original and for about one other candidate in odds,
// pseudo-randomly.
func sparseTest(original []byte, seed uint64, odds uint64) func([]byte) bool {
	return func(b []byte) bool {
		return bytes.Equal(b, original) || mix(hash(b)^seed)%odds == 0
	}
}

func randomFlat(r *rand.Rand, shape input.Shape) []byte {
	const alphabet = "aZ09 \n,:;{}[]()<>\"'`\\\x00\xff\xc3\xa9"
	var flat, last []byte // last is the previous text argument
	for _, kind := range shape {
		n := kind.Width()
		if n == 0 && len(last) > 0 && r.Intn(2) == 0 {
			// Texts that share something.
			text := append([]byte{}, last...)
			if at := r.Intn(len(text)); r.Intn(3) > 0 {
				text = append(text[:at], text[at+r.Intn(2):]...)
			}
			flat = append(flat, byte(len(text)), 0, 0, 0)
			flat = append(flat, text...)
			continue
		}
		if n == 0 {
			n = r.Intn(40)
			if !shape.Raw() {
				flat = append(flat, byte(n), 0, 0, 0)
			}
			start := len(flat)
			for ; n > 0; n-- {
				flat = append(flat, alphabet[r.Intn(len(alphabet))])
			}
			last = flat[start:]
			continue
		}
		for ; n > 0; n-- {
			if kind == input.Bool {
				flat = append(flat, byte(r.Intn(2)))
			} else {
				flat = append(flat, byte(r.Intn(256)))
			}
		}
	}
	return flat
}

func TestProperties(t *testing.T) {
	shapes := []input.Shape{
		{input.Bytes}, {input.String},
		{input.Bytes, input.String},
		{input.String, input.Uint8, input.String, input.Bytes},
		{input.Int32, input.Bytes, input.Bool},
		{input.Float64, input.Float32, input.Uint8, input.Int64},
	}
	r := rand.New(rand.NewSource(1))
	for n := 0; n < 600; n++ {
		shape := shapes[n%len(shapes)]
		flat := randomFlat(r, shape)
		seed, odds := r.Uint64(), uint64(2+r.Intn(60))
		seen := map[string]bool{}
		test := sparseTest(flat, seed, odds)
		counted := func(b []byte) bool {
			if err := shape.Check(b); err != nil {
				t.Fatalf("%v: %v", shape, err)
			}
			if seen[string(b)] && !test(b) {
				t.Fatalf("%v: a candidate that failed is tested again", shape)
			}
			seen[string(b)] = true
			return test(b)
		}
		got, runs, _ := Run(shape, flat, plenty, nil, counted)
		if !test(got) || shape.Check(got) != nil || len(got) > len(flat) {
			t.Fatalf("%v: bad result %q of %q", shape, got, flat)
		}
		same, sameRuns, _ := Run(shape, flat, plenty, nil, test)
		if !bytes.Equal(same, got) || sameRuns != runs {
			t.Fatalf("%v: two runs differ", shape)
		}
		again, _, _ := Run(shape, got, plenty, nil, test)
		if !bytes.Equal(again, got) {
			t.Fatalf("%v: not idempotent: %q, then %q", shape, got, again)
		}
		if shape.Raw() {
			for i := range got {
				if test(append(append([]byte{}, got[:i]...), got[i+1:]...)) {
					t.Fatalf("%q is not 1-minimal: byte %d can go", got, i)
				}
			}
		}
		// Run uses at most the budget, and a smaller budget gives a prefix of the calls.
		budget := r.Intn(runs + 2)
		calls := 0
		part, partRuns, _ := Run(shape, flat, budget, nil, func(b []byte) bool { calls++; return test(b) })
		want := budget
		if runs < want {
			want = runs
		}
		if partRuns != want || calls != want {
			t.Fatalf("%v: budget %d, %d runs, %d calls, want %d", shape, budget, partRuns, calls, want)
		}
		if !test(part) || shape.Check(part) != nil {
			t.Fatalf("%v: bad result of a part %q", shape, part)
		}
	}
}

func TestFlaky(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for n := 0; n < 50; n++ {
		flat := randomFlat(r, raw)
		got, runs, _ := Run(raw, flat, 5000, nil, func([]byte) bool { return r.Intn(4) == 0 })
		if runs > 5000 || len(got) > len(flat) {
			t.Errorf("%d runs, %q", runs, got)
		}
	}
}

// TestOverwrittenCandidates checks that a test may overwrite its argument.
func TestOverwrittenCandidates(t *testing.T) {
	test := contains("key")
	got, _, _ := Run(raw, []byte("a key in text"), plenty, nil, func(b []byte) bool {
		ok := test(b)
		for i := range b {
			b[i] = '!'
		}
		return ok
	})
	if string(got) != "key" {
		t.Errorf("%q", got)
	}
}

func TestResultIsNotTheInput(t *testing.T) {
	flat := []byte("abc")
	for _, budget := range []int{-1, 0, plenty} {
		got, _, _ := Run(raw, flat, budget, nil, func([]byte) bool { return false })
		if string(got) != "abc" {
			t.Fatalf("%q", got)
		}
		got[0] = 'x'
		if flat[0] != 'a' {
			t.Fatal("the result shares the input's memory")
		}
	}
	broken := []byte{9, 0, 0, 0}
	got, runs, _ := Run(input.Shape{input.Bytes, input.Int}, broken, plenty, nil, func([]byte) bool { return true })
	if !bytes.Equal(got, broken) || runs != 0 {
		t.Errorf("of what is no flat form: %q after %d runs", got, runs)
	}
}

// TestHash checks that short inputs with few byte values do not collide.
func TestHash(t *testing.T) {
	seen := map[uint64]string{}
	for n := 0; n < 3; n++ {
		for v := 0; v < 1<<(8*n); v++ {
			b := []byte{byte(v), byte(v >> 8)}[:n]
			if other, ok := seen[hash(b)]; ok {
				t.Fatalf("%q and %q", other, b)
			}
			seen[hash(b)] = string(b)
		}
	}
}

func TestLargeInputUnderBudget(t *testing.T) {
	in := []byte(strings.Repeat(`{"a":[1,2,3]},`, 5000) + "needle" + strings.Repeat("(x)", 5000))
	got, runs, _ := Run(raw, in, 2000, nil, contains("needle"))
	if string(got) != "needle" {
		t.Errorf("%d bytes after %d runs", len(got), runs)
	}
}

func BenchmarkRun(b *testing.B) {
	in := []byte(strings.Repeat(`{"a":[1,2,3]},`, 50) + "needle" + strings.Repeat("(x)", 50))
	test := contains("needle")
	total := 0
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		_, runs, _ := Run(raw, in, plenty, nil, test)
		total += runs
	}
	b.ReportMetric(float64(total)/float64(b.N), "tests/op")
}
