package cmplog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// These tests check the common properties of patches: limits, order, memory and tokens.

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

// TestApplyToOtherInputs applies patches to other inputs.
func TestApplyToOtherInputs(t *testing.T) {
	shape, flat := pack(t, []any{"hello world", int16(1), []byte("hello")})
	s := NewSolver(shape, 16)
	patches := s.Solve(flat, []Comparison{text1(StringEqual, "hello", "a long text"), int1(IntEqual, 2, 1, 1000), int1(IntOrder, 8, 5, 8)})
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
	patches := s.Solve(flat, []Comparison{text1(StringEqual, "hello", "a long text")})
	dst := make([]byte, 0, 100)
	if n := testing.AllocsPerRun(100, func() { dst = s.Apply(dst, flat, patches[0]) }); n != 0 {
		t.Errorf("Apply allocates %v times", n)
	}
}

// TestCombination checks that a patch can have several constants at once, but not two in one place.
func TestCombination(t *testing.T) {
	ops := []Comparison{
		{Site: 1, Kind: StringEqual, ConstB: true, S: "aaaa", T: "first"},
		{Site: 2, Kind: StringEqual, ConstB: true, S: "aaaa", T: "other"},
		{Site: 3, Kind: Prefix, ConstB: true, S: "bbbb", T: "se"},
		{Site: 4, Kind: IntEqual, Width: 4, ConstB: true, A: 0x63646566, B: 0x31323334},
		{Site: 5, Kind: IntOrder, Width: 4, ConstB: true, A: 0x64646464, B: 0x31323334},
	}
	got := mutants(t, NewSolver(raw, 4096), []byte("aaaa bbbb cdef dddd"), ops...)
	wantAmong(t, got, []string{"first sebb cdef dddd", "first sebb 1234 dddd"}, joinAfter+2)
}

// TestPairs checks that a known key is offered together with a wanted value, and with the other
// needs of a structure in the call.
func TestPairs(t *testing.T) {
	ops := []Comparison{
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

// TestManyOps checks that the last comparisons of a run have their share.
func TestManyOps(t *testing.T) {
	var ops []Comparison
	for i := 0; i < 30000; i++ {
		ops = append(ops, Comparison{Site: uint64(i % 500), Kind: IntOrder, Width: 8, Signed: true, A: uint64(i), B: uint64(3 * i)})
	}
	ops[9999] = Comparison{Site: 999, Kind: StringEqual, ConstB: true, S: "12", T: "magic"}
	wantAmong(t, mutants(t, NewSolver(raw, 4096), []byte("1 2 3 12 255 4000"), ops...), []string{"1 2 3 magic 255 4000"}, 5)
}

// TestFairness checks that a comparison with many operands and places leaves a share to others.
func TestFairness(t *testing.T) {
	flat := bytes.Repeat([]byte("abcdefgh"), 100)
	var ops []Comparison
	for i := 0; i < 1500; i++ {
		ops = append(ops, Comparison{Site: uint64(i % 100), Kind: IntEqual, Width: 1, ConstB: true, A: uint64('a' + i%8), B: uint64(i)})
	}
	ops = append(ops, Comparison{Site: 999, Kind: StringEqual, ConstB: true, S: "habcdefg", T: "magic"}, Comparison{Site: 1000, Kind: IntEqual, Width: 1, ConstB: true, A: 'c', B: 'X'})
	got := mutants(t, NewSolver(raw, 4096), flat, ops...)
	if len(got) > maxPatches {
		t.Errorf("%d patches", len(got))
	}
	wantAmong(t, got, []string{"abcdefg" + "magic" + string(flat[15:])}, 100)
	wantAmong(t, got, []string{"abX" + string(flat[3:])}, 500)
}

// TestFading checks that replacements without effect are retried after longer and longer pauses, at
// other places.
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

// TestLoops checks that comparisons of two variables from the input fade, whatever their values.
func TestLoops(t *testing.T) {
	s := NewSolver(raw, 4096)
	total := 0
	for i := 0; i < 100; i++ {
		flat := []byte(fmt.Sprintf("%c sorted %c", 'a'+i%26, 'a'+i/26))
		total += len(mutants(t, s, flat, Comparison{Kind: StringOrder, S: string(flat[0]), T: string(flat[9])},
			Comparison{Site: 2, Kind: IntOrder, Width: 8, Signed: true, A: uint64(i % 10), B: 10}))
	}
	if total > 200 {
		t.Errorf("%d patches in 100 calls", total)
	}
}

// TestMemoryBounds checks that the memory forgets excess constants.
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
	ops := []Comparison{
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
	// A variable's value is a constant if it occurs again.
	s.Solve([]byte("hello"), []Comparison{{Kind: StringEqual, S: "hello", T: "computed"}, {Kind: StringEqual, S: "hello", T: "again"}})
	if got := texts(s); len(got) != len(want)+1 || got[len(want)] != "computed" {
		t.Errorf("%q", got)
	}
	for i := 0; i < 2*maxTokens; i++ {
		s.Solve([]byte("hello"), []Comparison{text1(StringEqual, "hello", fmt.Sprint("token ", i))})
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

// TestPadding checks that padding repeats no three bytes for a while.
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

// TestPatchesStay checks that patches are valid after further calls.
func TestPatchesStay(t *testing.T) {
	s := NewSolver(raw, 4096)
	flat := []byte("hello world")
	patches := s.Solve(flat, []Comparison{text1(StringEqual, "hello", "first text"), text1(Contains, "world", "second")})
	var before []string
	for _, p := range patches {
		before = append(before, string(s.Apply(nil, flat, p)))
	}
	for i := 0; i < 10; i++ {
		s.Solve([]byte("other"), []Comparison{text1(StringEqual, "other", fmt.Sprint("noise noise noise", i))})
	}
	for i, p := range patches {
		if got := string(s.Apply(nil, flat, p)); got != before[i] {
			t.Errorf("%q became %q", before[i], got)
		}
	}
}
