package oracle

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// recorded returns the digest and the text of a function's records.
func recorded(record func(*Record)) (uint64, string) {
	r := &Record{}
	r.Begin(true)
	record(r)
	text, _ := r.Text(1 << 20)
	return r.Digest(), text
}

func call(number uint64, results ...any) func(*Record) {
	return func(r *Record) {
		if !r.Call(number, fmt.Sprint("f", number)) {
			return
		}
		for _, v := range results {
			if err, ok := v.(error); ok {
				r.Error(err)
			} else {
				r.Value(v)
			}
		}
	}
}

// TestRecord checks that records are equal exactly if the canonical forms of their values are.
func TestRecord(t *testing.T) {
	zone := time.FixedZone("there", 3600)
	at := time.Unix(1000, 0)
	one := 1
	tests := []struct {
		name string
		a, b func(*Record)
		same bool
	}{
		{"maps in any order", call(1, map[string]int{"a": 1, "b": 2, "c": 3}), call(1, map[string]int{"c": 3, "b": 2, "a": 1}), true},
		{"time zones", call(1, at), call(1, at.In(zone)), true},
		{"pointers", call(1, &one), call(1, func() *int { n := 1; return &n }()), true},
		{"error values that are quoted", call(1, errors.New(`bad "x" at 3`)), call(1, errors.New(`bad "yy" at 44`)), true},
		{"error classes", call(1, errors.New("bad")), call(1, errors.New("worse")), false},
		{"an error and none", call(1, errors.New("bad")), call(1, func() any { return nil }()), false},
		{"values", call(1, 1), call(1, 2), false},
		{"which call", call(1, 1), call(2, 1), false},
		{"results of one call or two", call(1, 1, 2), func(r *Record) { call(1, 1)(r); call(1, 2)(r) }, false},
		{"order", func(r *Record) { call(1, 1)(r); call(2, 2)(r) }, func(r *Record) { call(2, 2)(r); call(1, 1)(r) }, false},
		{"a call more", call(1, 1), func(r *Record) { call(1, 1)(r); call(1, 1)(r) }, false},
		{"boxed or not", func(r *Record) {
			r.Call(1, "f")
			r.String("s")
			r.Bytes([]byte("b"))
			r.Bool(true)
			r.Int(-1)
			r.Uint(9)
			r.Error(nil)
		}, func(r *Record) {
			call(1, "s", []byte("b"), true, -1, uint8(9))(r)
			r.Error(nil)
		}, true},
	}
	for _, test := range tests {
		a, textA := recorded(test.a)
		b, textB := recorded(test.b)
		if (a == b) != test.same {
			t.Errorf("%s: %x and %x\n%s\n%s", test.name, a, b, textA, textB)
		}
	}
}

// TestRecordFailures checks that failures depend on the calls that returned errors and their
// number, not on the messages.
func TestRecordFailures(t *testing.T) {
	bad, none := errors.New("bad"), func(r *Record) { call(1, 1)(r); r.Error(nil) }
	fail := func(r *Record) { call(1, 1, bad)(r) }
	of := func(calls ...func(*Record)) uint64 {
		r := &Record{}
		for _, c := range calls {
			c(r)
		}
		return r.Failures()
	}
	if of() != 0 || of(none, none) != 0 {
		t.Error("errors where there are none")
	}
	if of(fail, none) != of(func(r *Record) { call(1, 2, errors.New("worse"))(r) }, none) {
		t.Error("values and texts count")
	}
	if of(fail, none) == of(none, fail) {
		t.Error("which call fails does not count")
	}
	for n, class := range []uint64{of(none), of(none, fail), of(fail, none, fail)} {
		if FailureCount(class) != n {
			t.Errorf("%d errors, want %d", FailureCount(class), n)
		}
	}
	r := &Record{}
	fail(r)
	if r.Begin(false); r.Failures() != 0 {
		t.Error("Begin has not forgotten")
	}
}

// TestRecordTakesValuesAtOnce checks that a value counts as it was when recorded, and that Begin
// clears the record.
func TestRecordTakesValuesAtOnce(t *testing.T) {
	list := []int{1, 2}
	before, text := recorded(func(r *Record) { call(3, list, errors.New("e"))(r); list[0] = 9 })
	if after, _ := recorded(call(3, []int{1, 2}, errors.New("e"))); after != before {
		t.Error("a later change of a value is recorded")
	}
	if want := "f3: [1, 2], error *errors.errorString: e"; text != want {
		t.Errorf("text %q, want %q", text, want)
	}
	r := &Record{}
	empty := r.Digest()
	call(1, 1, errors.New("x"))(r)
	r.Begin(false)
	if r.Digest() != empty || r.Calls() != 0 {
		t.Error("Begin has not forgotten")
	}
}

// TestRecordBounds checks that loops and large values are limited, in the same way each time.
func TestRecordBounds(t *testing.T) {
	loop := func(n int) func(*Record) {
		return func(r *Record) {
			for i := range make([]struct{}, n) {
				call(1, i)(r)
			}
		}
	}
	a, text := recorded(loop(maxCalls + 10))
	b, _ := recorded(loop(maxCalls + 10))
	more, _ := recorded(loop(maxCalls + 11))
	if a != b || a == more {
		t.Error("calls beyond the bound are counted, and no more")
	}
	if len(text) > shownLimit+renderLimit || !strings.HasSuffix(text, "\n...") {
		t.Errorf("%d bytes are told, which end in %q", len(text), text[max(0, len(text)-10):])
	}
	large := make([]string, maxNodes)
	x, _ := recorded(call(1, large, "tail"))
	y, text := recorded(call(1, large, "other tail"))
	if x != y {
		t.Error("values are walked beyond the bound")
	}
	if len(text) > 2*renderLimit+100 {
		t.Errorf("%d bytes are told of a large value", len(text))
	}
	z, _ := recorded(func(r *Record) { call(1, large, "tail")(r); call(2)(r) })
	if z == x {
		t.Error("a call after a large value does not count")
	}
}

// TestRecordAllocates checks that recording results of basic kinds allocates nothing.
func TestRecordAllocates(t *testing.T) {
	r := &Record{}
	err := errors.New("e")
	record := func() {
		r.Begin(false)
		r.Call(1, "f")
		r.String("text")
		r.Bytes([]byte(nil))
		r.Int(-5)
		r.Uint(5)
		r.Bool(true)
		r.Error(err)
		r.Digest()
	}
	record()
	if n := testing.AllocsPerRun(100, record); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
