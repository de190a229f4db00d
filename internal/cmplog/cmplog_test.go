package cmplog

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"

	"parallax/internal/input"
)

// mutants returns the mutants of the patches for an input. It checks that each is valid, new and
// within limits.
func mutants(t testing.TB, s *Solver, flat []byte, ops ...Comparison) []string {
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

func text1(k Kind, s, t string) Comparison {
	return Comparison{Site: 1, Kind: k, ConstB: true, S: s, T: t}
}

func int1(k Kind, width uint8, a, b int64) Comparison {
	return Comparison{Site: 1, Kind: k, Width: width, Signed: true, ConstB: true, A: uint64(a), B: uint64(b)}
}

func uint1(k Kind, width uint8, a, b uint64) Comparison {
	return Comparison{Site: 1, Kind: k, Width: width, ConstB: true, A: a, B: b}
}

// TestText checks that for inputs of one string and a comparison, certain mutants are among the
// first few.
func TestText(t *testing.T) {
	long := string(appendPadding(nil, 320))
	tests := []struct {
		name  string
		input string
		op    Comparison
		first int
		want  []string
	}{
		{"equal", "x=hello;", text1(StringEqual, "hello", "magic word"), 1, []string{"x=magic word;"}},
		{"equal, whole", "hello", text1(StringEqual, "hello", "m"), 1, []string{"m"}},
		{"equal, one byte", "a,b,c", text1(StringEqual, "b", "bee"), 1, []string{"a,bee,c"}},
		{"equal, to nothing", "a-b", text1(StringEqual, "-", ""), 1, []string{"ab"}},
		{"equal, constant left", "x=hello;", Comparison{Kind: StringEqual, ConstA: true, S: "magic", T: "hello"}, 1, []string{"x=magic;"}},
		{"equal, both ways", "one two", Comparison{Kind: StringEqual, S: "one", T: "two"}, 2, []string{"two two", "one one"}},
		{"several places", "ab ab", text1(StringEqual, "ab", "X"), 3, []string{"X ab", "ab X", "X X"}},
		{"words before parts of words", "abab ab", text1(StringEqual, "ab", "X"), 2, []string{"abab X"}},
		{"in another case", "HeLLo there", text1(StringEqual, "hello", "magic"), 1, []string{"magic there"}},
		{"fold", "HOST: x", text1(Fold, "HOST", "Cookie"), 1, []string{"Cookie: x"}},
		{"order", "k:mm", text1(StringOrder, "mm", "pq"), 2, []string{"k:pq", "k:pq\x00"}},
		{"order, down", "k:mm", text1(StringOrder, "mm", "cd"), 2, []string{"k:cd", "k:cc"}},
		{"order, equal", "k:mm", text1(StringOrder, "mm", "mm"), 1, []string{"k:mm\x00"}},
		{"prefix", "a hello", text1(Prefix, "hello", "xyz"), 3, []string{"a xyzlo", "a xyzhello", "a xyz"}},
		{"prefix, longer", "hello", text1(Prefix, "hello", "magic: "), 3, []string{"magic: ", "magic: hello"}},
		{"prefix, half of it", "mag! x", text1(Prefix, "mag! x", "magic"), 3, []string{"magicx", "magic! x"}},
		{"prefix, of nothing", "", text1(Prefix, "", "magic"), 1, []string{"magic"}},
		{"prefix is the input", "x ab", Comparison{Kind: Prefix, ConstA: true, S: "GET /", T: "ab"}, 3, []string{"x GE", "x GET /"}},
		{"prefix of a cut operand", "<" + long + ">", text1(Prefix, long[:recorded], "magic"), 2, []string{"<magic" + long[5:] + ">", "<magic" + long + ">"}},
		{"prefix of what is changed inside", "<0123456789 ?", text1(Prefix, "0123456789_?", "magic"), 2, []string{"<magic56789 ?"}},
		{"suffix", "hello.txt!", text1(Suffix, "hello.txt", ".go"), 3, []string{"hello..go!", "hello.txt.go!", ".go!"}},
		{"suffix of a cut operand", "<" + long + ">", text1(Suffix, long[len(long)-recorded:], ".go"), 2, []string{"<" + long + ".go>"}},
		{"contains", "hello", text1(Contains, "hello", "<!--"), 4, []string{"hello<!--", "<!--hello", "<!--o"}},
		{"contains, constant left", "[x]", Comparison{Kind: Contains, ConstA: true, S: "yes|no", T: "x"}, 3, []string{"[y]", "[yes|no]"}},
		{"equal, cut", `{"k":"` + long + `"}`, text1(StringEqual, long[:recorded], "v"), 4, []string{`{"k":"v"}`}},
		{"a part", "path: hello", text1(StringEqual, "/root/hello.txt", "/root/magic.txt"), 1, []string{"path: magic"}},
		{"a part, by length", "id hello", text1(StringEqual, "<<hello>>", "abcdefghi"), 2, []string{"id cdefg"}},
		{"lookup", `{"a":1}`, Comparison{Kind: Lookup, S: "a", T: "secret_key"}, 1, []string{`{"secret_key":1}`}},
		{"lookup, constant key", `{"a":1}`, Comparison{Kind: Lookup, ConstA: true, S: "version", T: "a"}, 1, []string{`{"version":1}`}},
		{"lookup, integers", "op 7!", Comparison{Kind: Lookup, Width: 8, ConstB: true, Signed: true, A: 7, B: 451}, 1, []string{"op 451!"}},

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
		{"empty, anywhere", "a=;b=c", text1(StringEqual, "", "v"), 8, []string{"va=;b=c", "a=;b=cv", "a=v;b=c", "a=;vb=c", "a=;b=vc"}},
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
		op    Comparison
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
		{"both ways", "AB....CD", Comparison{Kind: IntEqual, Width: 2, A: 0x4142, B: 0x4344}, 2, []string{"CD....CD", "AB....AB"}},
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

// TestTyped checks that for some arguments and a comparison, the arguments of a certain mutant are
// among the first few.
func TestTyped(t *testing.T) {
	tests := []struct {
		name  string
		args  []any
		op    Comparison
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

// TestUnsolvable checks comparisons that no replacement helps.
func TestUnsolvable(t *testing.T) {
	for _, op := range []Comparison{
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
	if got := NewSolver(nil, 10).Solve(nil, []Comparison{text1(StringEqual, "", "x"), int1(IntEqual, 8, 0, 5)}); len(got) > 0 {
		t.Errorf("no arguments: %d patches", len(got))
	}
}
