package input

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// TestEncode checks against the text that Go's own marshalCorpusFile writes for the same values.
func TestEncode(t *testing.T) {
	tests := []struct {
		value any
		want  string
	}{
		{"a\"b\n\x00\xffé\u2028", `string("a\"b\n\x00\xffé\u2028")`},
		{[]byte("x`'\x7f"), "[]byte(\"x`'\\x7f\")"},
		{true, "bool(true)"},
		{int(-1), "int(-1)"},
		{int8(-128), "int8(-128)"},
		{int16(7), "int16(7)"},
		{int64(math.MinInt64), "int64(-9223372036854775808)"},
		{uint(1), "uint(1)"},
		{uint16(65535), "uint16(65535)"},
		{uint32(4294967295), "uint32(4294967295)"},
		{uint64(math.MaxUint64), "uint64(18446744073709551615)"},
		{byte('a'), "byte('a')"},
		{byte('\''), `byte('\'')`},
		{byte(0), `byte('\x00')`},
		{byte(0xe9), "byte('é')"},
		{byte(0xff), "byte('ÿ')"},
		{'x', "rune('x')"},
		{'\u2028', `rune('\u2028')`},
		{rune(0xfffd), "rune('\ufffd')"},
		{rune(0x10ffff), `rune('\U0010ffff')`},
		{rune(0xd800), "int32(55296)"},
		{rune(-1), "int32(-1)"},
		{float32(1.5), "float32(1.5)"},
		{float64(1e21), "float64(1e+21)"},
		{float64(100000000), "float64(1e+08)"},
		{float64(123456789), "float64(1.23456789e+08)"},
		{math.Copysign(0, -1), "float64(-0)"},
		{math.Inf(1), "float64(+Inf)"},
		{float32(math.Inf(-1)), "float32(-Inf)"},
		{math.NaN(), "float64(NaN)"},
		{float32(math.NaN()), "float32(NaN)"},
		{math.Float64frombits(0x7ff8000000000002), "math.Float64frombits(0x7ff8000000000002)"},
		{math.Float32frombits(0xffc00000), "math.Float32frombits(0xffc00000)"},
	}
	for _, test := range tests {
		s := Shape{kindOf(test.value), Bool}
		flat, err := s.Pack(test.value, false)
		if err != nil {
			t.Fatal(err)
		}
		file := s.Encode(flat)
		if want := "go test fuzz v1\n" + test.want + "\nbool(false)\n"; string(file) != want {
			t.Errorf("Encode = %q, want %q", file, want)
		}
		if back, err := s.Decode(file); err != nil || !bytes.Equal(back, flat) {
			t.Errorf("Decode(%q) = %q, %v, want %q", file, back, err, flat)
		}
	}
}

// TestDecodeSpellings checks spellings of users and of other Go versions.
func TestDecodeSpellings(t *testing.T) {
	tests := []struct {
		shape, line string
		want        any
	}{
		{"(int32, bool)", "int32(65)", int32(65)},
		{"(int32, bool)", "rune(65)", int32(65)},
		{"(int32, bool)", "rune(-7)", int32(-7)},
		{"(int32, bool)", `rune('\u00e9')`, int32(0xe9)},
		{"(uint8, bool)", "uint8(65)", uint8(65)},
		{"(uint8, bool)", "byte(0x41)", uint8(65)},
		{"(uint8, bool)", `byte('\xff')`, uint8(255)},
		{"(int, bool)", "int(0b1_01)", 5},
		{"(int, bool)", "  int( - 0x10 , ) // sixteen\t\r", -16},
		{"(uint, bool)", "uint(0o17)", uint(15)},
		{"(string, bool)", "string(`a\\n`)", `a\n`},
		{"([]byte, bool)", "[ ]byte /* raw */ (`x`)", []byte("x")},
		{"(float64, bool)", "float64(5)", 5.0},
		{"(float64, bool)", "float64(-.5e3)", -500.0},
		{"(float32, bool)", "float32(Inf)", nil},
		{"(float32, bool)", "float32(0x1p-2)", float32(0.25)},
		{"(float32, bool)", "math.Float32frombits(1)", math.Float32frombits(1)},
	}
	for _, test := range tests {
		s, err := ParseShape(test.shape)
		if err != nil {
			t.Fatal(err)
		}
		flat, err := s.Decode([]byte("go test fuzz v1\r\n\n" + test.line + "\n\nbool(true)"))
		if test.want == nil {
			if err == nil {
				t.Errorf("%s: want an error", test.line)
			}
			continue
		}
		want, _ := s.Pack(test.want, true)
		if err != nil || !bytes.Equal(flat, want) {
			t.Errorf("%s: %q, %v, want %v", test.line, flat, err, test.want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	const head = "go test fuzz v1\n"
	tests := []struct{ shape, file, want string }{
		{"(int)", "", `line 1: expected "go test fuzz v1"`},
		{"(int)", "go test fuzz v1", `line 1: expected "go test fuzz v1"`},
		{"(int)", "go test fuzz v2\nint(1)\n", `line 1: expected "go test fuzz v1"`},
		{"(int)", head, "line 2: expected 1 values (int), the file has 0"},
		{"(int)", head + "int(1)\nint(2)\n", "line 3: expected the end of the file after 1 values (int), have \"int(2)\""},
		{"(int)", head + "\nstring(\"x\")\n", `line 3: expected a value of type int, have string, in "string(\"x\")"`},
		{"(int, int)", head + "int(1)\nint(x)\n", `line 3: expected an integer in int(...), have "x"`},
		{"(int8)", head + "int8(128)", "line 2: expected int8(...): strconv.ParseInt: parsing \"128\": value out of range"},
		{"(int)", head + "int 5", `expected "(", have "5"`},
		{"(int)", head + "int(5", `expected ")", have the end of the line`},
		{"(int)", head + "int(5) int(6)", `expected the end of the line, have "int"`},
		{"(int)", head + "int(1.5)", `expected an integer in int(...), have "1.5"`},
		{"(int)", head + "5", `expected []byte or a basic type, have "5"`},
		{"(int)", head + "complex(5)", `expected []byte or a basic type, have "complex"`},
		{"(bool)", head + "bool(1)", "expected true or false in bool(...)"},
		{"(string, int)", head + "string('x')", "expected a string literal in string(...)"},
		{"(string, int)", head + "string(\"x)", "string literal not terminated"},
		{"([]byte, int)", head + "[]int(\"x\")", "expected []byte, have []\"int\""},
		{"([]byte, int)", head + "string(\"x\")", "expected a value of type []byte, have string"},
		{"(uint8)", head + `byte('\u0100')`, "expected a character up to"},
		{"(uint8)", head + "byte(\"a\")", "expected a character or an integer in byte(...)"},
		{"(float64)", head + "math.Float64frombits(1.5)", "expected an integer literal"},
		{"(float64)", head + "math.Sqrt(1)", "expected math.Float32frombits or math.Float64frombits"},
		{"(float64)", head + "float64(1e999)", "value out of range"},
	}
	for _, test := range tests {
		s, err := ParseShape(test.shape)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Decode([]byte(test.file))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: Decode(%q) = %v, want %q", test.shape, test.file, err, test.want)
		}
	}
}

func TestImport(t *testing.T) {
	tests := []struct{ shape, file, want string }{
		{"([]byte)", "plain", "plain"},
		{"([]byte)", "go test fuzz v1 is a format", "go test fuzz v1 is a format"},
		{"([]byte)", "go test fuzz v1\n[]byte(\"x\\n\")\n", "x\n"},
		{"([]byte)", "go test fuzz v1\nstring(\"x\")\n", "x"},
		{"(string)", "go test fuzz v1\r\n[]byte(\"x\")\r\n", "x"},
		{"(string, bool)", "go test fuzz v1\n[]byte(\"x\")\nbool(true)", "\x01\x00\x00\x00x\x01"},
		{"([]byte)", "go test fuzz v1\nint(1)\n", "line 2: expected a value of type []byte, have int"},
		{"([]byte)", "go test fuzz v1\nstring(\"a\")\nstring(\"b\")\n", "line 3: expected the end of the file"},
		{"(string, bool)", "plain", "line 1: expected \"go test fuzz v1\""},
	}
	for _, test := range tests {
		s, err := ParseShape(test.shape)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Import([]byte(test.file))
		if err != nil && strings.HasPrefix(err.Error(), test.want) {
			continue
		}
		if err != nil || string(got) != test.want {
			t.Errorf("%s: Import(%q) = %q, %v, want %q", test.shape, test.file, got, err, test.want)
		}
	}
}

// shapeOf derives a shape from bytes, two to five arguments of any kinds, or a raw one for none.
func shapeOf(b []byte) Shape {
	var s Shape
	for _, c := range b[:min(len(b), 5)] {
		s = append(s, every[int(c)%len(every)])
	}
	if len(s) == 0 {
		return Shape{Bytes}
	}
	return s
}

// FuzzDecode checks that Decode never panics, that its result is well formed, and that Encode
// preserves it.
func FuzzDecode(f *testing.F) {
	flat, err := every.Pack(everyValue()...)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{1, 3}, []byte("go test fuzz v1\nstring(\"a\")\nint(5)\n"))
	f.Add([]byte{6}, []byte("go test fuzz v1\nrune('x')\n"))
	f.Add([]byte{9}, []byte("go test fuzz v1\nbyte('\\xff')\n"))
	f.Add([]byte{13}, []byte("go test fuzz v1\nmath.Float32frombits(0x7f800001)\n"))
	f.Add([]byte{14}, []byte("go test fuzz v1\nfloat64(-Inf)\n"))
	f.Add([]byte{2}, []byte("go test fuzz v1\nbool(true) // yes\n"))
	f.Add([]byte{}, []byte("raw"))
	f.Add([]byte{3, 4, 5}, flat)
	f.Fuzz(func(t *testing.T, kinds, data []byte) {
		s := shapeOf(kinds)
		roundTrip := func(flat []byte) {
			if err := s.Check(flat); err != nil {
				t.Fatalf("%v: Decode(%q) is malformed: %v", s, data, err)
			}
			file := s.Encode(flat)
			back, err := s.Decode(file)
			if err != nil || !bytes.Equal(back, flat) {
				t.Fatalf("%v: Decode(%q) = %q, %v, want %q", s, file, back, err, flat)
			}
		}
		if flat, err := s.Decode(data); err == nil {
			roundTrip(flat)
		}
		if s.Check(data) == nil {
			roundTrip(data)
		}
	})
}

// FuzzImport checks that Import never panics, agrees with Decode on accepted typed text, and
// returns a flat form.
func FuzzImport(f *testing.F) {
	f.Add([]byte{}, []byte("raw"))
	f.Add([]byte{}, []byte("go test fuzz v1\nstring(\"x\")\n"))
	f.Add([]byte{1}, []byte("go test fuzz v1\n[]byte(`x`)\n"))
	f.Add([]byte{0, 3}, []byte("go test fuzz v1\nstring(\"a\")\nint(-5)\n"))
	f.Add([]byte{7}, []byte("go test fuzz v1\nint64(0x7fffffffffffffff)"))
	f.Fuzz(func(t *testing.T, kinds, data []byte) {
		s := shapeOf(kinds)
		flat, err := s.Import(data)
		if err != nil {
			return
		}
		if err := s.Check(flat); err != nil {
			t.Fatalf("%v: Import(%q) is malformed: %v", s, data, err)
		}
		if exact, err := s.Decode(data); err == nil && !s.Raw() && !bytes.Equal(exact, flat) {
			t.Fatalf("%v: Import(%q) = %q, Decode has %q", s, data, flat, exact)
		}
	})
}

// TestGoFile checks that inputs of one []byte or string are stored unchanged, and as text in Go's
// corpus.
func TestGoFile(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{[]byte("a\xff"), "[]byte(\"a\\xff\")"}, {"", `string("")`}, {"go test fuzz v1\n", `string("go test fuzz v1\n")`}, {int8(3), "int8(3)"},
	} {
		s := Shape{kindOf(c.value)}
		flat, err := s.Pack(c.value)
		if err != nil {
			t.Fatal(err)
		}
		file := s.GoFile(flat)
		if want := "go test fuzz v1\n" + c.want + "\n"; string(file) != want || !IsGoFile(file) {
			t.Errorf("%q, want %q", file, want)
		}
		if back, err := s.Import(file); err != nil || !bytes.Equal(back, flat) {
			t.Errorf("%q came back as %q, %v", flat, back, err)
		}
	}
}
