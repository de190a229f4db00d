package input

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// every is a shape with all kinds.
var every = Shape{Bytes, String, Bool, Int, Int8, Int16, Int32, Int64, Uint, Uint8, Uint16, Uint32, Uint64, Float32, Float64}

func everyValue() []any {
	return []any{[]byte("ab\x00\xff"), "héllo\n", true, int(-5), int8(-128), int16(-300), int32('x'), int64(math.MinInt64),
		uint(7), uint8(200), uint16(65535), uint32(1 << 31), uint64(math.MaxUint64), float32(1.5), math.Inf(-1)}
}

func TestKinds(t *testing.T) {
	for _, k := range every {
		got, ok := ParseKind(k.String())
		if !ok || got != k {
			t.Errorf("ParseKind(%q) = %v, %v", k.String(), got, ok)
		}
	}
	for name, want := range map[string]Kind{"byte": Uint8, "rune": Int32, "[]uint8": Bytes} {
		if got, ok := ParseKind(name); !ok || got != want {
			t.Errorf("ParseKind(%q) = %v, %v, want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "invalid", "complex128", "[]int", "error"} {
		if k, ok := ParseKind(name); ok {
			t.Errorf("ParseKind(%q) = %v, want none", name, k)
		}
	}
	if got := Kind(200).String(); got != "Kind(200)" {
		t.Errorf("Kind(200).String() = %q", got)
	}
}

func TestParseShape(t *testing.T) {
	for _, s := range []Shape{{Bytes}, {String, Int}, every} {
		got, err := ParseShape(s.String())
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("ParseShape(%q) = %v, %v", s.String(), got, err)
		}
	}
	if got, err := ParseShape(" ( byte,rune , []uint8 ) "); err != nil || got.String() != "(uint8, int32, []byte)" {
		t.Errorf("spellings: %v, %v", got, err)
	}
	for _, text := range []string{"", "()", "[]byte", "([]byte", "(string,)", "(complex64)"} {
		if s, err := ParseShape(text); err == nil {
			t.Errorf("ParseShape(%q) = %v, want an error", text, s)
		}
	}
}

func TestRaw(t *testing.T) {
	for text, want := range map[string]bool{"([]byte)": true, "(string)": true, "(int)": false, "([]byte, int)": false, "(string, string)": false} {
		s, err := ParseShape(text)
		if err != nil || s.Raw() != want {
			t.Errorf("%s: Raw() = %v, %v, want %v", text, s.Raw(), err, want)
		}
	}
	if Shape(nil).Raw() {
		t.Error("no arguments are raw")
	}
}

func TestPackUnpack(t *testing.T) {
	flat, err := every.Pack(everyValue()...)
	if err != nil {
		t.Fatal(err)
	}
	if err := every.Check(flat); err != nil {
		t.Fatal(err)
	}
	got, err := every.Unpack(flat)
	if err != nil || !reflect.DeepEqual(got, everyValue()) {
		t.Errorf("Unpack = %v, %v", got, err)
	}
	flat, err = Shape{String, Uint16}.Pack("ab", uint16(0x0102))
	if want := "\x02\x00\x00\x00ab\x02\x01"; err != nil || string(flat) != want {
		t.Errorf("Pack = %q, %v, want %q", flat, err, want)
	}
	flat, err = Shape{Bytes}.Pack([]byte("raw"))
	if err != nil || string(flat) != "raw" {
		t.Errorf("Pack = %q, %v", flat, err)
	}
	for _, values := range [][]any{nil, {"a"}, {"a", 1}, {"a", uint16(1), 2}} {
		if _, err := (Shape{String, Uint16}).Pack(values...); err == nil {
			t.Errorf("Pack(%v): want an error", values)
		}
	}
}

func TestZero(t *testing.T) {
	for _, s := range []Shape{{Bytes}, {Int}, {String, Bool}, every} {
		zero := s.Zero()
		if err := s.Check(zero); err != nil {
			t.Errorf("%v: %v", s, err)
		}
		values, err := s.Unpack(zero)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if b, ok := v.([]byte); ok && len(b) == 0 {
				continue
			}
			if !reflect.ValueOf(v).IsZero() {
				t.Errorf("%v: argument %d is %v", s, i, v)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		shape, flat, want string // want is a part of the error, or "" for none
	}{
		{"([]byte)", "anything", ""},
		{"(string)", "", ""},
		{"(int16)", "ab", ""},
		{"(int16)", "a", "argument 1 (int16): expected 2 bytes at offset 0, 1 are left"},
		{"(int16)", "abc", "1 bytes after the last argument"},
		{"(bool)", "\x01", ""},
		{"(bool)", "\x02", "expected 0 or 1 at offset 0, have 2"},
		{"(bool)", "", "expected 1 bytes"},
		{"(string, int8)", "\x01\x00\x00\x00xy", ""},
		{"(string, int8)", "\x01\x00\x00\x00x", "argument 2 (int8)"},
		{"(string, int8)", "\x01\x00\x00", "expected a 4-byte length at offset 0, 3 bytes are left"},
		{"(string, int8)", "\xff\xff\xff\xffx", "length 4294967295 at offset 0, but 1 bytes are left"},
	}
	for _, test := range tests {
		s, err := ParseShape(test.shape)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Check([]byte(test.flat))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: Check(%q) = %v, want %q", test.shape, test.flat, err, test.want)
		}
		if _, uerr := s.Unpack([]byte(test.flat)); (uerr == nil) != (err == nil) {
			t.Errorf("%s: Unpack(%q): %v", test.shape, test.flat, uerr)
		}
	}
}

func TestSpans(t *testing.T) {
	s := Shape{String, Int8, Bytes}
	flat, err := s.Pack("abc", int8(1), []byte("de"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Span{{4, 7}, {7, 8}, {12, 14}}
	if got := s.Spans(nil, flat); !reflect.DeepEqual(got, want) {
		t.Errorf("Spans = %v, want %v", got, want)
	}
	if got := (Shape{Bytes}).Spans(nil, flat); !reflect.DeepEqual(got, []Span{{0, 14}}) {
		t.Errorf("raw Spans = %v", got)
	}
	dst := make([]Span, 0, 3)
	if n := testing.AllocsPerRun(100, func() { dst = s.Spans(dst[:0], flat) }); n != 0 {
		t.Errorf("Spans allocates %v times", n)
	}
}
