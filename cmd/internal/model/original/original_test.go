package original

import (
	"errors"
	"strings"
	"testing"

	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/extract"
)

// text returns an argument in the form of an engine's.
func text(bytes int) extract.Argument {
	return extract.Argument{Kind: "string", Bits: 8, Bytes: bytes, Before: 8, Behind: 8 + bytes}
}
func content(bytes int) extract.Argument {
	return extract.Argument{Kind: "bytes", Bits: 8, Bytes: bytes, Before: 8, Behind: 8 + bytes}
}
func scalar(bits int, signed bool) extract.Argument {
	return extract.Argument{Kind: "scalar", Bits: bits, Signed: signed}
}

var end = extract.Argument{Kind: "pointer", Bits: 64, Bytes: 8, Before: 8, Behind: 16}

func signature(function, result string, bits int, args ...extract.Argument) *call.Signature {
	s := &call.Signature{Function: function, Arguments: args, Result: extract.Result{Name: "ret", Kind: result, Bits: bits, Signed: result == "scalar"}}
	for i := range s.Arguments {
		s.Arguments[i].Name = "arg_" + string(rune('0'+i))
	}
	return s
}

func run(t *testing.T, s *call.Signature, input string) (call.Call, Run) {
	t.Helper()
	o, err := Musl(s)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Decode([]byte(input))
	r, err := o.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	return c, r
}

// TestRun checks results, pointers, written and stored memory against the C standard.
func TestRun(t *testing.T) {
	i32, size := scalar(32, true), scalar(64, false)
	strcmp := signature("strcmp", "scalar", 32, text(5), text(5))
	strchr := signature("strchr", "address", 64, text(5), i32)
	strtol := signature("strtol", "scalar", 64, text(9), end, i32)
	null := end
	null.Null = true
	for _, test := range []struct {
		s     *call.Signature
		input string
		want  string
	}{
		{strcmp, "ab\x00\x00ab", "returns 0"},
		{strcmp, "ab\x00\x00ac", "returns a negative number"},
		{strcmp, "\xff\x00\x00\x00a", "returns a positive number"},
		{strchr, "b\x00\x00\x00abcd", "returns arg_0+1"},
		{strchr, "\x00\x00\x00\x00abcd", "returns arg_0+4"},
		{strchr, "x\x00\x00\x00abcd", "returns NULL"},
		{signature("memchr", "address", 64, content(4), i32, size), "c\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00abcd", "returns arg_0+2"},
		// a guard byte
		{signature("memchr", "address", 64, content(4), i32, size), "\xa5\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00abcd", "returns arg_0+4"},
		{signature("strcat", "address", 64, text(5), text(5)), "ab\x00\x00cd", `returns arg_0, writes "cd" at arg_0+2`},
		{signature("strcat", "address", 64, text(5), text(5)), "abcdefgh", `returns arg_0, writes "efgh\000" at arg_0+4`},
		{signature("strncpy", "address", 64, text(5), text(5), size), "\x04\x00\x00\x00\x00\x00\x00\x00wxyza", `returns arg_0, writes "a\000\000\000" at arg_0+0`},
		{signature("bzero", "void", 0, content(4), size), "\x02\x00\x00\x00\x00\x00\x00\x00abcd", `writes "\000\000" at arg_0+0`},
		{strtol, "\x0a\x00\x00\x00 -12x", "returns -12, stores arg_0+4 in *arg_1"},
		{strtol, "\x0a\x00\x00\x00zz", "returns 0, stores arg_0 in *arg_1"},
		{strtol, "\x10\x00\x00\x000x1fg", "returns 31, stores arg_0+4 in *arg_1"},
		{signature("strtol", "scalar", 64, text(9), null, i32), "\x0a\x00\x00\x0012", "returns 12"},
		{signature("strsep", "address", 64, end, text(5)), ",", "returns NULL"}, // *arg_0 is null
		{signature("abs", "scalar", 32, i32), "\xfe\xff\xff\xff", "returns 2"},
		{signature("isdigit", "scalar", 32, i32), "5", "returns not 0"},
		{signature("htons", "scalar", 16, scalar(16, false)), "\x12\x34", "returns 4660"},
		{signature("ntohl", "scalar", 32, scalar(32, false)), "\x00\x00\x00\x07", "returns 7"},
		{signature("strtok", "address", 64, text(5), text(5)), ",ab,,", `returns arg_0+1, writes "\000" at arg_0+3`},
		{signature("strdup", "address", 64, text(5)), "ab", "returns memory of its own"},
		{signature("strndup", "address", 64, text(5), size), "\x01\x00\x00\x00\x00\x00\x00\x00ab", "returns memory of its own"},
	} {
		c, r := run(t, test.s, test.input)
		got := r.Undefined
		if got == "" {
			got = test.s.Text(c, &r.Effect, test.s.Comparator())
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.s.Quote(c), got, test.want)
		}
		if r.Path != Key(r.Trace) {
			t.Errorf("%s: the path is not that of its trace", test.s.Quote(c))
		}
	}
}

// TestUndefined checks that an undefined call has no effect, and that the reason names the place.
func TestUndefined(t *testing.T) {
	i32, size := scalar(32, true), scalar(64, false)
	null := text(5)
	null.Null = true
	long := "\xff\x00\x00\x00\x00\x00\x00\x00"
	for _, test := range []struct {
		s           *call.Signature
		input, want string
	}{
		{signature("abs", "scalar", 32, i32), "\x00\x00\x00\x80", "poison in @abs"},
		{signature("memchr", "address", 64, content(4), i32, size), "x\x00\x00\x00" + long, "out-of-bounds read in @memchr"},
		{signature("memset", "address", 64, content(4), i32, size), "x\x00\x00\x00" + long, "poison in @memset"},
		{signature("strlen", "scalar", 64, null), "", "null pointer in @strlen"},
	} {
		o, err := Musl(test.s)
		if err != nil {
			t.Fatal(err)
		}
		o.library = false // for a user's function, only the run decides about null pointers
		c := test.s.Decode([]byte(test.input))
		r, err := o.Run(c)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(r.Undefined, test.want) || r.Effect.Memory != nil || len(r.Trace) == 0 {
			t.Errorf("%s: %+v, want %s", test.s.Quote(c), r, test.want)
		}
	}
}

// TestIndependentRuns checks that a run leaves nothing for the next one.
func TestIndependentRuns(t *testing.T) {
	s := signature("strcat", "address", 64, text(5), text(5))
	o, err := Musl(s)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Decode([]byte("ab\x00\x00cd"))
	first, err := o.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	before := s.Text(c, &first.Effect, call.Offset)
	other := s.Decode([]byte("abcdefgh"))
	if _, err := o.Run(other); err != nil {
		t.Fatal(err)
	}
	again, err := o.Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if after := s.Text(c, &again.Effect, call.Offset); after != before || again.Path != first.Path || s.Text(c, &first.Effect, call.Offset) != before {
		t.Errorf("%s, and again %s", before, after)
	}
}

// TestKey checks that a path is a set of steps: the number of iterations does not count, but other
// steps do.
func TestKey(t *testing.T) {
	if Key([]int{1, 2, 3, 2, 3, 4}) != Key([]int{1, 2, 3, 2, 3, 2, 3, 4}) {
		t.Error("another turn of a loop is another path")
	}
	if Key([]int{1, 2, 4}) == Key([]int{1, 3, 4}) || Key([]int{1, 2, 3}) == Key([]int{1, 2, 3, 2}) || Key([]int{0, 1}) == Key([]int{1}) {
		t.Error("two paths have one key")
	}
	s := signature("strlen", "scalar", 64, text(9))
	_, two := run(t, s, "ab")
	_, three := run(t, s, "abc")
	_, none := run(t, s, "")
	if two.Path != three.Path || two.Path == none.Path {
		t.Errorf("paths of strlen: %x %x %x", none.Path, two.Path, three.Path)
	}
}

// TestMismatch checks that a signature that does not match the function has no original.
func TestMismatch(t *testing.T) {
	i32, wide := scalar(32, true), text(8)
	wide.Bits = 16
	for _, test := range []struct {
		s    *call.Signature
		want string
	}{
		{signature("getpid", "scalar", 32), "lacks it"},
		{signature("abs", "scalar", 32), "it takes 1 arguments, and the prototype 0"},
		{signature("abs", "scalar", 32, scalar(64, true)), "argument 0 has 32 bits, and the prototype's 64"},
		{signature("abs", "scalar", 32, text(5)), "argument 0 is of type i32, and the prototype's a string"},
		{signature("strlen", "scalar", 64, scalar(64, false)), "argument 0 is of type ptr, and the prototype's a scalar"},
		{signature("strlen", "scalar", 64, wide), "is a string of 16 bits for a character"},
		{signature("abs", "scalar", 64, i32), "its result is of type i32, and the prototype's a scalar of 64 bits"},
		{signature("abs", "void", 0, i32), "its result is of type i32"},
		{signature("strchr", "scalar", 64, text(5), i32), "its result is of type ptr"},
		{signature("bzero", "scalar", 32, content(4), scalar(64, false)), "its result is of type void"},
		{signature("ffs", "scalar", 32, i32), "ffs cannot be run: a_ctz_64, which it calls, has assembly, which is not supported"},
	} {
		_, err := Musl(test.s)
		var none *NoneError
		if !errors.As(err, &none) || !strings.Contains(err.Error(), test.want) || none.Function != test.s.Function {
			t.Errorf("%s: %v, want %s", test.s.Function, err, test.want)
		}
	}
}
