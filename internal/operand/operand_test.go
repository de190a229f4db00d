package operand

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"parallax/internal/input"
)

// mutants returns what Apply makes of the patches for an input, after checking that each is valid, new and within limits.
func mutants(t testing.TB, s *Solver, flat []byte, ops ...Op) []string {
	t.Helper()
	before := string(flat)
	var all []string
	seen := map[string]bool{before: true}
	var dst []byte
	for _, p := range s.Solve(flat, ops) {
		dst = s.Apply(dst, flat, p)
		if err := s.shape.Check(dst); err != nil {
			t.Fatalf("mutant %q: %v", dst, err)
		}
		old := s.shape.Spans(nil, flat)
		for i, span := range s.shape.Spans(nil, dst) {
			if n := span.End - span.Start; sized(s.shape[i]) && n > max(s.maxLen, old[i].End-old[i].Start) {
				t.Fatalf("argument %d of mutant %q is %d bytes long", i, dst, n)
			}
		}
		if seen[string(dst)] {
			t.Errorf("mutant %q twice", dst)
		}
		seen[string(dst)] = true
		all = append(all, string(dst))
	}
	if string(flat) != before {
		t.Fatal("the input changed")
	}
	return all
}

func text1(k Kind, s, t string) Op { return Op{Site: 1, Kind: k, ConstB: true, S: s, T: t} }

func int1(k Kind, width uint8, a, b int64) Op {
	return Op{Site: 1, Kind: k, Width: width, Signed: true, ConstB: true, A: uint64(a), B: uint64(b)}
}

func uint1(k Kind, width uint8, a, b uint64) Op {
	return Op{Site: 1, Kind: k, Width: width, ConstB: true, A: a, B: b}
}

// TestText holds inputs of one string, an op, and mutants that must be among the first few.
func TestText(t *testing.T) {
	long := string(appendPadding(nil, 320))
	tests := []struct {
		name  string
		input string
		op    Op
		first int
		want  []string
	}{
		{"equal", "x=hello;", text1(StringEqual, "hello", "magic word"), 1, []string{"x=magic word;"}},
		{"equal, whole", "hello", text1(StringEqual, "hello", "m"), 1, []string{"m"}},
		{"equal, one byte", "a,b,c", text1(StringEqual, "b", "bee"), 1, []string{"a,bee,c"}},
		{"equal, to nothing", "a-b", text1(StringEqual, "-", ""), 1, []string{"ab"}},
		{"equal, constant left", "x=hello;", Op{Kind: StringEqual, ConstA: true, S: "magic", T: "hello"}, 1, []string{"x=magic;"}},
		{"equal, both ways", "one two", Op{Kind: StringEqual, S: "one", T: "two"}, 2, []string{"two two", "one one"}},
		{"several places", "ab ab", text1(StringEqual, "ab", "X"), 3, []string{"X ab", "ab X", "X X"}},
		{"words before parts of words", "abab ab", text1(StringEqual, "ab", "X"), 1, []string{"abab X"}},
		{"in another case", "HeLLo there", text1(StringEqual, "hello", "magic"), 1, []string{"magic there"}},
		{"fold", "HOST: x", text1(Fold, "HOST", "Cookie"), 1, []string{"Cookie: x"}},
		{"order", "k:mm", text1(StringOrder, "mm", "pq"), 2, []string{"k:pq", "k:pq\x00"}},
		{"order, down", "k:mm", text1(StringOrder, "mm", "cd"), 2, []string{"k:cd", "k:cc"}},
		{"order, equal", "k:mm", text1(StringOrder, "mm", "mm"), 1, []string{"k:mm\x00"}},
		{"prefix", "a hello", text1(Prefix, "hello", "xyz"), 3, []string{"a xyzlo", "a xyzhello", "a xyz"}},
		{"prefix, longer", "hello", text1(Prefix, "hello", "magic: "), 3, []string{"magic: ", "magic: hello"}},
		{"prefix, half of it", "mag! x", text1(Prefix, "mag! x", "magic"), 3, []string{"magicx", "magic! x"}},
		{"prefix, of nothing", "", text1(Prefix, "", "magic"), 1, []string{"magic"}},
		{"prefix is the input", "x ab", Op{Kind: Prefix, ConstA: true, S: "GET /", T: "ab"}, 3, []string{"x GE", "x GET /"}},
		{"prefix of a cut operand", "<" + long + ">", text1(Prefix, long[:recorded], "magic"), 2, []string{"<magic" + long[5:] + ">", "<magic" + long + ">"}},
		{"prefix of what is changed inside", "<0123456789 ?", text1(Prefix, "0123456789_?", "magic"), 2, []string{"<magic56789 ?"}},
		{"suffix", "hello.txt!", text1(Suffix, "hello.txt", ".go"), 3, []string{"hello..go!", "hello.txt.go!", ".go!"}},
		{"suffix of a cut operand", "<" + long + ">", text1(Suffix, long[len(long)-recorded:], ".go"), 2, []string{"<" + long + ".go>"}},
		{"contains", "hello", text1(Contains, "hello", "<!--"), 4, []string{"hello<!--", "<!--hello", "<!--o"}},
		{"contains, constant left", "[x]", Op{Kind: Contains, ConstA: true, S: "yes|no", T: "x"}, 3, []string{"[y]", "[yes|no]"}},
		{"equal, cut", `{"k":"` + long + `"}`, text1(StringEqual, long[:recorded], "v"), 4, []string{`{"k":"v"}`}},
		{"a part", "path: hello", text1(StringEqual, "/root/hello.txt", "/root/magic.txt"), 1, []string{"path: magic"}},
		{"a part, by length", "id hello", text1(StringEqual, "<<hello>>", "abcdefghi"), 2, []string{"id cdefg"}},
		{"lookup", `{"a":1}`, Op{Kind: Lookup, S: "a", T: "secret_key"}, 1, []string{`{"secret_key":1}`}},
		{"lookup, constant key", `{"a":1}`, Op{Kind: Lookup, ConstA: true, S: "version", T: "a"}, 1, []string{`{"version":1}`}},
		{"lookup, integers", "op 7!", Op{Kind: Lookup, Width: 8, ConstB: true, Signed: true, A: 7, B: 451}, 1, []string{"op 451!"}},

		{"JSON, quoted", `{"a":"hi"}`, text1(StringEqual, "hi", "a\"b\\\n\x01\x7f"), 1, []string{`{"a":"a\"b\\\n\u0001` + "\x7f\"}"}},
		{"JSON, escapes", `{"a":"h\u0069\n\"x"}`, text1(StringEqual, "hi\n\"x", "magic"), 1, []string{`{"a":"magic"}`}},
		{"JSON, part of escapes", `["\ud83d\ude00 key \u00e9"]`, text1(StringEqual, "key é", "v"), 1, []string{`["\ud83d\ude00 v"]`}},
		{"hex", "k=68656c6c6f", text1(StringEqual, "hello", "mage"), 1, []string{"k=6d616765"}},
		{"hex, upper", "AABBCC4D4D4D", text1(StringEqual, "MMM", "\xab\xcd"), 1, []string{"AABBCCABCD"}},
		{"base64", "aGVsbG8gd29ybGQ=", text1(StringEqual, "hello", "goodbye"), 1, []string{"Z29vZGJ5ZSB3b3JsZA=="}},
		{"base64, same length", "aGVsbG8gd29ybGQ=", text1(StringEqual, "llo", "LLO"), 1, []string{"aGVMTE8gd29ybGQ="}},
		{"base64, for URLs", "x.aGVsbG8gd29ybGQ_Pw.y", text1(StringEqual, "world", "~~~~~~~"), 1, []string{"x.aGVsbG8gfn5-fn5-fj8_.y"}},
		{"base64, nested", "WyJaVzFpWldSa1pXUT0iXQ==", text1(StringEqual, "embedded", "magic"), 1, []string{"WyJiV0ZuYVdNPSJd"}},
		{"percent", "/?q=a%20b&c=d", text1(StringEqual, "a b", "1&2"), 1, []string{"/?q=1%262&c=d"}},
		{"percent, none yet", "/?q=ab&c=d", text1(StringEqual, "ab", "1&2"), 2, []string{"/?q=1%262&c=d", "/?q=1&2&c=d"}},
		{"UTF-16", "\xff\xfeh\x00e\x00l\x00l\x00o\x00", text1(StringEqual, "ell", "é😀"), 1, []string{"\xff\xfeh\x00\xe9\x00\x3d\xd8\x00\xdeo\x00"}},
		{"UTF-16, big endian", "\x00h\x00e\x00l\x00l\x00o", text1(StringEqual, "hello", "ab"), 1, []string{"\x00a\x00b"}},
		{"encoded by the program", "hello", text1(StringEqual, "68656c6c6f", "6d61676963"), 1, []string{"magic"}},
		{"encoded by the program, base64", "hello", text1(StringEqual, "aGVsbG8=", "bWFnaWM="), 1, []string{"magic"}},
		{"quoted by the program", "he\"llo", text1(StringEqual, `"he\"llo"`, `"magic"`), 1, []string{"magic"}},
		{"reversed", "hello", text1(StringEqual, "olleh", "cigam"), 1, []string{"magic"}},

		{"empty input", "", text1(StringEqual, "", "magic"), 4, []string{"magic", `"magic"`, "6d61676963", "bWFnaWM="}},
		{"empty literal", `{"a":""}`, text1(StringEqual, "", `x"y`), 1, []string{`{"a":"x\"y"}`}},
		{"empty, anywhere", "a=;b=c", text1(StringEqual, "", "v"), 6, []string{"va=;b=c", "a=;b=cv", "a=v;b=c", "a=;vb=c", "a=;b=vc"}},
		{"empty, a value", `{"a":12,"b":[3]}`, text1(StringEqual, "", `v"w`), 6, []string{`{"a":"v\"w","b":[3]}`, `{"a":12,"b":"v\"w"}`}},
		{"empty, a line", "a: x\nb: y\n", text1(StringEqual, "", "v"), 10, []string{"a: v\nb: y\n", "a: x\nb: v\n"}},
		{"empty, JSON", `[1,2]`, text1(StringEqual, "", "v"), 8, []string{`["v"1,2]`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mutants(t, NewSolver(rawText, 4096), []byte(test.input), test.op)
			wantAmong(t, got, test.want, test.first)
		})
	}
}

// wantAmong checks that mutants are among the first few, in any order.
func wantAmong(t *testing.T, got, want []string, first int) {
	t.Helper()
	head := got[:min(first, len(got))]
	for _, w := range want {
		found := false
		for _, g := range head {
			found = found || g == w
		}
		if !found {
			t.Errorf("%q is not among the first %d: %q (of %d)", w, first, head, len(got))
		}
	}
}

// TestNumber is TestText for integers.
func TestNumber(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	tests := []struct {
		name  string
		input string
		op    Op
		first int
		want  []string
	}{
		{"a byte", "xyz", uint1(IntEqual, 1, 'y', 'F'), 1, []string{"xFz"}},
		{"a letter in another case", "xYz", uint1(IntEqual, 1, 'y', 'f'), 1, []string{"xfz"}},
		{"a byte as int", "xyz", int1(IntEqual, 8, 'y', 0xff), 1, []string{"x\xffz"}},
		{"a signed byte", "x\x85z", int1(IntEqual, 8, -0x7b, 5), 1, []string{"x\x05z"}},
		{"8 bytes, big endian", "..ABCDEFGH..", uint1(IntEqual, 8, be.Uint64([]byte("ABCDEFGH")), be.Uint64([]byte("12345678"))), 1, []string{"..12345678.."}},
		{"8 bytes, little endian", "..ABCDEFGH..", uint1(IntEqual, 8, le.Uint64([]byte("ABCDEFGH")), le.Uint64([]byte("12345678"))), 1, []string{"..12345678.."}},
		{"4 bytes as int", "..ABCD..", int1(IntEqual, 8, int64(be.Uint32([]byte("ABCD"))), int64(be.Uint32([]byte("1234")))), 1, []string{"..1234.."}},
		{"4 bytes, signed, little endian", "..ABC\xfe..", int1(IntEqual, 8, int64(int32(le.Uint32([]byte("ABC\xfe")))), 1), 1, []string{"..\x01\x00\x00\x00.."}},
		{"3 bytes", "..ABC..", int1(IntEqual, 8, 0x414243, 0x313233), 1, []string{"..123.."}},
		{"2 bytes", "..AB..", uint1(IntEqual, 2, 0x4142, 0x3132), 1, []string{"..12.."}},
		{"2 bytes, small", "..\x00\x05..", int1(IntEqual, 4, 5, 0x3132), 1, []string{"..12.."}},
		{"too large for the place", "..AB..", int1(IntEqual, 8, 0x4142, 1<<20), 8, nil},
		{"order", "..AB..", int1(IntOrder, 4, 0x4142, 0x5152), 3, []string{"..QR..", "..QS..", "..QQ.."}},
		{"order, down", "..AB..", int1(IntOrder, 4, 0x4142, 0x3132), 3, []string{"..12..", "..11..", "..13.."}},
		{"order, equal", "..AB..", int1(IntOrder, 4, 0x4142, 0x4142), 2, []string{"..AC..", "..AA.."}},
		{"order, at the limit", "..\xff\xff..", uint1(IntOrder, 2, 0xffff, 0xffff), 2, []string{"..\xff\xfe.."}},
		{"decimal", "n=123;", int1(IntEqual, 8, 123, -4567), 1, []string{"n=-4567;"}},
		{"decimal, negative", "n=-123;", int1(IntEqual, 8, -123, 99), 1, []string{"n=99;"}},
		{"decimal, padded", "n=000123;", int1(IntEqual, 8, 123, 4567), 1, []string{"n=004567;"}},
		{"decimal, zero", "n=0,m=10;", int1(IntEqual, 8, 0, 4567), 1, []string{"n=4567,m=10;"}},
		{"decimal, unsigned", "n=1;", uint1(IntEqual, 8, 1, math.MaxUint64), 2, []string{"n=18446744073709551615;"}},
		{"hex", "0xbeef", int1(IntEqual, 4, 0xbeef, 0xcafe), 1, []string{"0xcafe"}},
		{"hex, upper, padded", "id 00BEEF", int1(IntEqual, 4, 0xbeef, 0xacafe), 1, []string{"id 0ACAFE"}},
		{"hex, digits only", "#12", int1(IntEqual, 4, 0x12, 0xabc), 3, []string{"#abc"}},
		{"octal", "mode 0000644 ", int1(IntEqual, 8, 0o644, 0o755), 2, []string{"mode 0000755 "}},
		{"varint", "\x08\xac\x02!", uint1(IntEqual, 8, 300, 1<<21), 2, []string{"\x08\x80\x80\x80\x01!"}},
		{"varint, zigzag", "\x08\xd8\x04!", int1(IntEqual, 8, 300, -301), 2, []string{"\x08\xd9\x04!"}},
		{"rune", "añb", int1(IntEqual, 4, 'ñ', '世'), 1, []string{"a世b"}},
		{"rune from ASCII", "axb", int1(IntEqual, 4, 'x', 'é'), 2, []string{"aéb"}},
		{"in JSON in base64", "eyJuIjoxN30=", int1(IntEqual, 8, 17, 65537), 3, []string{"eyJuIjo2NTUzN30="}},
		{"both ways", "AB....CD", Op{Kind: IntEqual, Width: 2, A: 0x4142, B: 0x4344}, 2, []string{"CD....CD", "AB....AB"}},
		{"every place", "AB-AB", uint1(IntEqual, 2, 0x4142, 0x3132), 3, []string{"12-AB", "AB-12", "12-12"}},
		{"length", "abc", int1(IntEqual, 8, 3, 5), 1, []string{"abcAB"}},
		{"length, shorter", "abcdefgh", int1(IntOrder, 8, 8, 5), 2, []string{"abcde", "abcd"}},
		{"length, from nothing", "", int1(IntOrder, 8, 0, 2), 3, []string{"AB", "ABC"}},
		{"length of a literal", `["abc"]`, int1(IntEqual, 8, 3, 4), 1, []string{`["abcA"]`}},
		{"length of what is left", "header:rest", int1(IntOrder, 8, 4, 6), 2, []string{"header:restAB"}},
		{"no number, a value", `{"a":"x"}`, int1(IntOrder, 8, 0, 4567), 4, []string{`{"a":4568}`}},
		{"no number", "hello", int1(IntEqual, 8, 0, 4567), 2, []string{"4567"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mutants(t, NewSolver(raw, 4096), []byte(test.input), test.op)
			wantAmong(t, got, test.want, test.first)
			if test.want == nil && len(got) > 0 {
				t.Errorf("mutants %q", got)
			}
		})
	}
}

// TestTyped holds arguments, an op, and the arguments of a mutant that must be among the first few.
func TestTyped(t *testing.T) {
	tests := []struct {
		name  string
		args  []any
		op    Op
		first int
		want  []any
	}{
		{"int", []any{"s", 7}, int1(IntEqual, 8, 7, -70000), 1, []any{"s", -70000}},
		{"int8", []any{"s", int8(-7)}, int1(IntEqual, 1, -7, 100), 1, []any{"s", int8(100)}},
		{"int8, widened", []any{"s", int8(-7)}, int1(IntEqual, 8, -7, 100), 1, []any{"s", int8(100)}},
		{"uint16", []any{"s", uint16(700)}, uint1(IntOrder, 2, 700, 40000), 2, []any{"s", uint16(40001)}},
		{"uint64", []any{"s", uint64(1 << 63)}, uint1(IntEqual, 8, 1<<63, math.MaxUint64), 1, []any{"s", uint64(math.MaxUint64)}},
		{"low byte", []any{"s", int64(0x10041)}, uint1(IntEqual, 1, 0x41, 0x42), 1, []any{"s", int64(0x10042)}},
		{"high half", []any{"s", uint64(0xaabbccdd00112233)}, uint1(IntEqual, 4, 0xaabbccdd, 0x01020304), 1, []any{"s", uint64(0x0102030400112233)}},
		{"float64", []any{"s", 7.0}, int1(IntEqual, 8, 7, -9), 1, []any{"s", -9.0}},
		{"float32", []any{"s", float32(7)}, int1(IntEqual, 8, 7, 1<<20), 1, []any{"s", float32(1 << 20)}},
		{"bits of a float", []any{"s", 1.5}, uint1(IntEqual, 8, math.Float64bits(1.5), math.Float64bits(2.5)), 1, []any{"s", 2.5}},
		{"bool", []any{"s", false}, int1(IntEqual, 8, 0, 1), 1, []any{"s", true}},
		{"text of an int", []any{"s", 451}, text1(StringEqual, "451", "-99"), 1, []any{"s", -99}},
		{"string before", []any{"s", int8(1), "hello"}, text1(StringEqual, "s", "longer"), 1, []any{"longer", int8(1), "hello"}},
		{"string after", []any{"s", int8(1), "hello"}, text1(StringEqual, "hello", "x"), 1, []any{"s", int8(1), "x"}},
		{"empty of two", []any{"s", ""}, text1(StringEqual, "", "magic"), 1, []any{"s", "magic"}},
		{"across arguments", []any{"ab", "ab"}, text1(StringEqual, "ab", "c"), 3, []any{"c", "c"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			shape, flat := pack(t, test.args)
			_, want := pack(t, test.want)
			wantAmong(t, mutants(t, NewSolver(shape, 4096), flat, test.op), []string{string(want)}, test.first)
		})
	}
}

// pack returns the shape and the flat form of Go values.
func pack(t testing.TB, args []any) (input.Shape, []byte) {
	t.Helper()
	var shape input.Shape
	for _, a := range args {
		k, ok := input.ParseKind(reflect.TypeOf(a).String())
		if !ok {
			t.Fatalf("%T", a)
		}
		shape = append(shape, k)
	}
	flat, err := shape.Pack(args...)
	if err != nil {
		t.Fatal(err)
	}
	return shape, flat
}

// TestNothing holds ops that no replacement helps.
func TestNothing(t *testing.T) {
	for _, op := range []Op{
		{},
		{Kind: 99, S: "hello", T: "x"},
		text1(StringEqual, "hello", "hello"),
		text1(StringEqual, "nowhere", "x"),
		text1(StringEqual, "", ""),
		text1(Prefix, "hello", "he"),
		text1(Suffix, "hello", "lo"),
		text1(Contains, "hello", ""),
		text1(Fold, "hello", "HELLO"),
		int1(IntEqual, 8, 'e', 'e'),
		int1(IntEqual, 8, 1<<40, 1<<41),
		{Kind: IntEqual, Width: 1, ConstA: true, ConstB: true, A: 'h', B: 'x'},
		{Kind: StringEqual, ConstA: true, ConstB: true, S: "hello", T: "x"},
	} {
		if got := mutants(t, NewSolver(raw, 4096), []byte("hello"), op); len(got) > 0 {
			t.Errorf("%+v: %q", op, got)
		}
	}
	if got := NewSolver(nil, 10).Solve(nil, []Op{text1(StringEqual, "", "x"), int1(IntEqual, 8, 0, 5)}); len(got) > 0 {
		t.Errorf("no arguments: %d patches", len(got))
	}
}

func TestMaxLen(t *testing.T) {
	op := text1(StringEqual, "abc", "abcdef")
	if got := mutants(t, NewSolver(raw, 12), []byte("0123456789abc"), op); len(got) > 0 {
		t.Errorf("longer than before, and than the limit: %q", got)
	}
	wantAmong(t, mutants(t, NewSolver(raw, 16), []byte("0123456789abc"), op), []string{"0123456789abcdef"}, 1)
	op = text1(StringEqual, "abc", "x")
	wantAmong(t, mutants(t, NewSolver(raw, 5), []byte("0123456789abc"), op), []string{"0123456789x"}, 1)
	shape, flat := pack(t, []any{"0123456789", "abc"})
	if got := mutants(t, NewSolver(shape, 4), flat, text1(StringEqual, "abc", "abcde")); len(got) > 0 {
		t.Errorf("beside a longer argument: %q", got)
	}
}

// TestApplyElsewhere applies patches to other inputs.
func TestApplyElsewhere(t *testing.T) {
	shape, flat := pack(t, []any{"hello world", int16(1), []byte("hello")})
	s := NewSolver(shape, 16)
	patches := s.Solve(flat, []Op{text1(StringEqual, "hello", "a long text"), int1(IntEqual, 2, 1, 1000), int1(IntOrder, 8, 5, 8)})
	if len(patches) < 5 {
		t.Fatalf("%d patches", len(patches))
	}
	for _, args := range [][]any{{"", int16(0), []byte{}}, {"hel", int16(5), []byte("0123456789abcdef")}, {strings.Repeat("x", 50), int16(5), []byte("y")}} {
		_, other := pack(t, args)
		for _, p := range patches {
			got := s.Apply(nil, other, p)
			if err := shape.Check(got); err != nil {
				t.Errorf("%q: %v", got, err)
			}
			for i, span := range shape.Spans(nil, got) {
				if i != 1 && span.End-span.Start > 50 {
					t.Errorf("argument %d of %q is too long", i, got)
				}
			}
		}
		if got := s.Apply(nil, other, Patch{}); !bytes.Equal(got, other) {
			t.Errorf("the zero patch made %q of %q", got, other)
		}
	}
}

func TestApplyAllocs(t *testing.T) {
	shape, flat := pack(t, []any{"hello world", 1})
	s := NewSolver(shape, 64)
	patches := s.Solve(flat, []Op{text1(StringEqual, "hello", "a long text")})
	dst := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() { dst = s.Apply(dst, flat, patches[0]) }); n != 0 {
		t.Errorf("Apply allocates %v times", n)
	}
}

// TestCombination: several constants at once, and not two for one place.
func TestCombination(t *testing.T) {
	ops := []Op{
		{Site: 1, Kind: StringEqual, ConstB: true, S: "aaaa", T: "first"},
		{Site: 2, Kind: StringEqual, ConstB: true, S: "aaaa", T: "other"},
		{Site: 3, Kind: Prefix, ConstB: true, S: "bbbb", T: "se"},
		{Site: 4, Kind: IntEqual, Width: 4, ConstB: true, A: 0x63646566, B: 0x31323334},
		{Site: 5, Kind: IntOrder, Width: 4, ConstB: true, A: 0x64646464, B: 0x31323334},
	}
	got := mutants(t, NewSolver(raw, 4096), []byte("aaaa bbbb cdef dddd"), ops...)
	wantAmong(t, got, []string{"first sebb cdef dddd", "first sebb 1234 dddd"}, joinAfter+2)
}

// TestPairs: a key that a structure has together with a value that it should have, and what a structure needs in a call.
func TestPairs(t *testing.T) {
	ops := []Op{
		{Site: 1, Kind: Lookup, S: "a", T: "name"},
		{Site: 1, Kind: Lookup, S: "a", T: "size"},
		{Site: 2, Kind: StringEqual, ConstB: true, S: "", T: "\"quoted\""},
		{Site: 3, Kind: IntOrder, Width: 8, Signed: true, ConstB: true, A: 0, B: 70000},
	}
	got := mutants(t, NewSolver(raw, 4096), []byte(`{"a":[1,{"b":2}]}`), ops...)
	wantAmong(t, got, []string{`{"name":"\"quoted\""}`, `{"size":70001}`}, 50)
	got = mutants(t, NewSolver(raw, 4096), []byte("a = x\n"), ops...)
	wantAmong(t, got, []string{"name = \"quoted\"\n", "size = 70001\n"}, 50)
}

// TestManyOps: the comparisons that come last have their share.
func TestManyOps(t *testing.T) {
	var ops []Op
	for i := 0; i < 30000; i++ {
		ops = append(ops, Op{Site: uint64(i % 500), Kind: IntOrder, Width: 8, Signed: true, A: uint64(i), B: uint64(3 * i)})
	}
	ops[9999] = Op{Site: 999, Kind: StringEqual, ConstB: true, S: "12", T: "magic"}
	wantAmong(t, mutants(t, NewSolver(raw, 4096), []byte("1 2 3 12 255 4000"), ops...), []string{"1 2 3 magic 255 4000"}, 1)
}

// TestFairness: a comparison with many operands and places does not keep others from their share.
func TestFairness(t *testing.T) {
	flat := bytes.Repeat([]byte("abcdefgh"), 100)
	var ops []Op
	for i := 0; i < 1500; i++ {
		ops = append(ops, Op{Site: uint64(i % 100), Kind: IntEqual, Width: 1, ConstB: true, A: uint64('a' + i%8), B: uint64(i)})
	}
	ops = append(ops, Op{Site: 999, Kind: StringEqual, ConstB: true, S: "habcdefg", T: "magic"}, Op{Site: 1000, Kind: IntEqual, Width: 1, ConstB: true, A: 'c', B: 'X'})
	got := mutants(t, NewSolver(raw, 4096), flat, ops...)
	if len(got) > maxPatches {
		t.Errorf("%d patches", len(got))
	}
	wantAmong(t, got, []string{"abcdefg" + "magic" + string(flat[15:])}, 100)
	wantAmong(t, got, []string{"abX" + string(flat[3:])}, 500)
}

// TestFading: what does not help is tried again after longer and longer pauses, at other places.
func TestFading(t *testing.T) {
	s := NewSolver(raw, 4096)
	flat := []byte(strings.Repeat("x", 40))
	var calls []int
	const last = 200
	for i := 1; i <= last; i++ {
		if len(mutants(t, s, flat, uint1(IntEqual, 1, 'x', 'F'))) > 0 {
			calls = append(calls, i)
		}
		if n := len(mutants(t, s, flat, text1(StringEqual, "xx", fmt.Sprint("other ", i)))); n == 0 {
			t.Fatalf("call %d: a new constant is held back", i)
		}
	}
	if len(calls) < 6 || len(calls) > 12 || calls[0] != 1 || calls[1] != 2 {
		t.Errorf("tried in calls %v", calls)
	}
	for i := 4; i < len(calls); i++ {
		if calls[i]-calls[i-1] < calls[i-1]-calls[i-2] {
			t.Errorf("pauses get shorter: %v", calls)
		}
	}
}

// TestLoops: variables from the input that are compared with each other fade whatever their values.
func TestLoops(t *testing.T) {
	s := NewSolver(raw, 4096)
	total := 0
	for i := 0; i < 100; i++ {
		flat := []byte(fmt.Sprintf("%c sorted %c", 'a'+i%26, 'a'+i/26))
		total += len(mutants(t, s, flat, Op{Kind: StringOrder, S: string(flat[0]), T: string(flat[9])},
			Op{Site: 2, Kind: IntOrder, Width: 8, Signed: true, A: uint64(i % 10), B: 10}))
	}
	if total > 200 {
		t.Errorf("%d patches in 100 calls", total)
	}
}

// TestMemoryBounds: more constants than there is room for are forgotten, not kept.
func TestMemoryBounds(t *testing.T) {
	m := newMemory()
	for i := uint64(0); i < 4*memorySlots; i++ {
		m.call++
		key := mix(1, i)
		if _, open := m.ask(key); !open {
			t.Fatal("a new key is closed")
		}
		m.tried(key, i%2 == 0)
		if n, _ := m.ask(key); n != 1 {
			t.Fatalf("tried %d times", n)
		}
	}
}

func TestTokens(t *testing.T) {
	s := NewSolver(raw, 4096)
	ops := []Op{
		text1(StringEqual, "hello", "constant"),
		text1(StringEqual, "hello", "constant"),
		text1(StringEqual, "hello", "x"),
		text1(StringEqual, "hello", strings.Repeat("y", 65)),
		text1(StringEqual, "same", "same"),
		uint1(IntEqual, 4, 1, 0x01020304),
		int1(IntEqual, 8, 1, 0x1122),
		int1(IntEqual, 8, 1, 255),
		int1(IntEqual, 8, 1, -2),
		int1(IntEqual, 8, 1, -300),
		{Kind: StringEqual, S: "hello", T: "computed"},
	}
	s.Solve([]byte("hello"), ops)
	want := []string{"constant", "same", "\x04\x03\x02\x01", "\x01\x02\x03\x04", "\x22\x11", "\x11\x22", "\xd4\xfe", "\xfe\xd4"}
	if got := strings.Join(texts(s), "|"); got != strings.Join(want, "|") {
		t.Errorf("%q, want %q", texts(s), want)
	}
	// What a variable holds is a constant when it comes back.
	s.Solve([]byte("hello"), []Op{{Kind: StringEqual, S: "hello", T: "computed"}, {Kind: StringEqual, S: "hello", T: "again"}})
	if got := texts(s); len(got) != len(want)+1 || got[len(want)] != "computed" {
		t.Errorf("%q", got)
	}
	for i := 0; i < 2*maxTokens; i++ {
		s.Solve([]byte("hello"), []Op{text1(StringEqual, "hello", fmt.Sprint("token ", i))})
	}
	got := texts(s)
	if len(got) != maxTokens || got[maxTokens-1] != fmt.Sprint("token ", 2*maxTokens-1) || got[0] != fmt.Sprint("token ", maxTokens) {
		t.Errorf("%d tokens, from %q to %q", len(got), got[0], got[len(got)-1])
	}
}

func texts(s *Solver) []string {
	var all []string
	for _, t := range s.Tokens() {
		all = append(all, string(t))
	}
	return all
}

// TestPadding: what inputs are extended by repeats nothing of three bytes for a while.
func TestPadding(t *testing.T) {
	seen := map[string]bool{}
	b := appendPadding(nil, 500)
	for i := 0; i+3 <= len(b); i++ {
		if seen[string(b[i:i+3])] {
			t.Errorf("%q twice, at %d", b[i:i+3], i)
		}
		seen[string(b[i:i+3])] = true
	}
}

// TestPatchesStay: patches are valid after further calls.
func TestPatchesStay(t *testing.T) {
	s := NewSolver(raw, 4096)
	flat := []byte("hello world")
	patches := s.Solve(flat, []Op{text1(StringEqual, "hello", "first text"), text1(Contains, "world", "second")})
	var before []string
	for _, p := range patches {
		before = append(before, string(s.Apply(nil, flat, p)))
	}
	for i := 0; i < 10; i++ {
		s.Solve([]byte("other"), []Op{text1(StringEqual, "other", fmt.Sprint("noise noise noise", i))})
	}
	for i, p := range patches {
		if got := string(s.Apply(nil, flat, p)); got != before[i] {
			t.Errorf("%q became %q", before[i], got)
		}
	}
}
