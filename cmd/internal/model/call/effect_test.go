package call

import (
	"bytes"
	"testing"

	"parallax/cmd/internal/model/extract"
)

var (
	text  = extract.Argument{Name: "arg_0", Kind: "string", Bits: 8, Bytes: 5, Before: 8, Behind: 12}
	end   = extract.Argument{Name: "arg_1", Kind: "pointer", Bits: 64, Bytes: 8, Before: 8, Behind: 16}
	other = extract.Argument{Name: "arg_2", Kind: "pointer", Bits: 64, Bytes: 8, Before: 8, Behind: 16}
)

func returning(kind string, bits int, signed bool, args ...extract.Argument) *Signature {
	return &Signature{Function: "f", Arguments: args, Result: extract.Result{Name: "ret", Kind: kind, Bits: bits, Signed: signed}}
}

// TestText checks that a comparator compares its part of the result and nothing else.
func TestText(t *testing.T) {
	for _, test := range []struct {
		s    *Signature
		e    Effect
		by   Comparator
		want string
	}{
		{returning("scalar", 32, true), Effect{Ret: 5}, Exact, "returns 5"},
		{returning("scalar", 32, true), Effect{Ret: 0xffffffff}, Exact, "returns -1"},
		{returning("scalar", 32, true), Effect{Ret: 0xdead_ffffffff}, Exact, "returns -1"},
		{returning("scalar", 32, false), Effect{Ret: 0xffffffff}, Exact, "returns 4294967295"},
		{returning("scalar", 64, false), Effect{Ret: 1<<64 - 1}, Exact, "returns 18446744073709551615"},
		{returning("scalar", 32, true), Effect{Ret: 0xffffff00}, Sign, "returns a negative number"},
		{returning("scalar", 32, true), Effect{Ret: 7}, Sign, "returns a positive number"},
		{returning("scalar", 32, true), Effect{Ret: 0x1_00000000}, Sign, "returns 0"},
		{returning("scalar", 32, true), Effect{Ret: 2048}, Truth, "returns not 0"},
		{returning("scalar", 32, true), Effect{Ret: 0x1_00000000}, Truth, "returns 0"},
		{returning("scalar", 32, true), Effect{Ret: 9}, None, "returns"},
		{returning("void", 0, false), Effect{Ret: 9}, None, "returns"},
		{returning("void", 0, false), Effect{Ret: 9}, Exact, "returns"},
		{returning("address", 64, false, text), Effect{To: Pointer{1, 0}}, Offset, "returns arg_0"},
		{returning("address", 64, false, text), Effect{To: Pointer{1, 3}}, Offset, "returns arg_0+3"},
		{returning("address", 64, false, text), Effect{To: Pointer{1, -1}}, Offset, "returns arg_0-1"},
		{returning("address", 64, false, text), Effect{}, Offset, "returns NULL"},
		{returning("address", 64, false, text), Effect{To: Pointer{0, 4}}, Offset, "returns an address outside of all buffers"},
		{returning("address", 64, false, text), Effect{To: Pointer{2, 0}}, Offset, "returns an address outside of all buffers"},
		{returning("address", 64, false, text), Effect{To: Pointer{extract.Fresh, 0}}, Offset, "returns memory of its own"},
		{returning("address", 64, false, text), Effect{To: Pointer{1, 3}}, None, "returns"},
	} {
		c := test.s.Decode(nil)
		if got := test.s.Text(c, &test.e, test.by); got != test.want {
			t.Errorf("%s by %s: %s, want %s", test.s.Result.Kind, test.by, got, test.want)
		}
	}
}

// TestTextOfWrites checks that written memory is compared with each comparator, guard bytes
// included.
func TestTextOfWrites(t *testing.T) {
	s := returning("scalar", 32, true, text, end, other)
	c := s.Decode([]byte("abcd"))
	memory := func() [][]byte { return [][]byte{Whole(&text, c[0]), Whole(&end, c[1]), Whole(&other, c[2])} }
	e := &Effect{Ret: 1, Memory: memory()}
	if got := s.Text(c, e, Exact); got != "returns 1" {
		t.Errorf("of nothing written: %s", got)
	}
	e.Memory[0][7], e.Memory[0][8], e.Memory[0][9], e.Memory[0][11] = 0, 'x', '"', Guard
	for _, by := range []Comparator{Exact, Sign, Truth} {
		if got, want := s.Text(c, e, by), `, writes "\000x\"" at arg_0-1, writes "\245" at arg_0+3`; got[len(got)-len(want):] != want {
			t.Errorf("by %s: %s, want %s", by, got, want)
		}
	}
	if got, want := s.Text(c, e, None), `writes "\000x\"" at arg_0-1, writes "\245" at arg_0+3`; got != want {
		t.Errorf("by none: %s, want %s", got, want)
	}
	// Stored pointers are listed in the order of the arguments.
	a, b := &Stored{1, Pointer{1, 2}}, &Stored{2, Pointer{}}
	one := &Effect{Memory: memory(), Stored: []*Stored{a, b}}
	two := &Effect{Memory: memory(), Stored: []*Stored{b, a}}
	want := "returns 0, stores arg_0+2 in *arg_1, stores NULL in *arg_2"
	if s.Text(c, one, Exact) != want || s.Text(c, two, Exact) != want {
		t.Errorf("%s\n%s, want\n%s", s.Text(c, one, Exact), s.Text(c, two, Exact), want)
	}
}

// TestTrivial checks which effects are trivial.
func TestTrivial(t *testing.T) {
	s := returning("scalar", 32, true, text, end)
	c := s.Decode([]byte("abcd"))
	memory := func() [][]byte { return [][]byte{Whole(&text, c[0]), Whole(&end, c[1])} }
	wrote := memory()
	wrote[0][20] = 0
	for _, test := range []struct {
		name string
		e    Effect
		want bool
	}{
		{"0", Effect{Memory: memory()}, true},
		{"0 with bits that do not count", Effect{Ret: 1 << 40, Memory: memory()}, true},
		{"1", Effect{Ret: 1, Memory: memory()}, false},
		{"a pointer", Effect{To: Pointer{1, 0}, Memory: memory()}, false},
		{"a byte written", Effect{Memory: wrote}, false},
		{"null stored", Effect{Memory: memory(), Stored: []*Stored{{1, Pointer{}}}}, true},
		{"a pointer stored", Effect{Memory: memory(), Stored: []*Stored{{1, Pointer{1, 0}}}}, false},
	} {
		if got := s.Trivial(c, &test.e); got != test.want {
			t.Errorf("%s is trivial: %v", test.name, got)
		}
	}
	if bytes.Equal(wrote[0], memory()[0]) {
		t.Error("the test writes nothing")
	}
}

// TestComparator checks that the default comparator follows the C standard.
func TestComparator(t *testing.T) {
	for _, test := range []struct {
		function, kind string
		want           Comparator
		valid          []Comparator
	}{
		{"strcmp", "scalar", Sign, []Comparator{Exact, Sign, Truth, None}},
		{"isdigit", "scalar", Truth, []Comparator{Exact, Sign, Truth, None}},
		{"atoi", "scalar", Exact, []Comparator{Exact, Sign, Truth, None}},
		{"strchr", "address", Offset, []Comparator{Offset, None}},
		{"bzero", "void", None, []Comparator{Exact, Sign, Truth, Offset, None}},
	} {
		s := &Signature{Function: test.function, Result: extract.Result{Kind: test.kind, Bits: 32}}
		if got := s.Comparator(); got != test.want {
			t.Errorf("%s: %s, want %s", test.function, got, test.want)
		}
		var valid []Comparator
		for _, by := range append([]Comparator{"nonsense"}, Comparators...) {
			if s.Valid(by) {
				valid = append(valid, by)
			}
		}
		if len(valid) != len(test.valid) {
			t.Errorf("%s: %v are valid, want %v", test.function, valid, test.valid)
		}
	}
}
