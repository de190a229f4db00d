package triage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/internal/input"
	"parallax/repair"
)

// TestRepairedOnce checks that equal repaired inputs appear once: a wrong checksum always becomes
// the same.
func TestRepairedOnce(t *testing.T) {
	fix := repair.Checksum(repair.Field{Offset: 0, Width: 1}, repair.Span{From: 1}, repair.Sum)
	made := func(s string) string { return string(fix([]byte(s))) }
	flat := []byte(made("?ab"))
	list := [][]byte{[]byte("1ab"), []byte("2ac"), []byte("3ac"), []byte("4bb"), []byte("5ac"), []byte("6ab"), []byte("")}
	calls := 0
	var got []string
	for b := range repairedOnce(slices.Values(list), flat, each(func(b []byte) []byte { calls++; return fix(slices.Clone(b)) })) {
		got = append(got, string(b))
	}
	if want := []string{made("?ac"), made("?bb"), ""}; !slices.Equal(got, want) || calls != len(list) {
		t.Errorf("%q after %d calls, want %q", got, calls, want)
	}
}

// each returns a function that repairs inputs one after another.
func each(repair func([]byte) []byte) func([][]byte) [][]byte {
	return func(flats [][]byte) (all [][]byte) {
		for _, b := range flats {
			all = append(all, repair(b))
		}
		return all
	}
}

// TestComputed checks that computed bytes are found at both ends of an input, with a bounded number
// of calls.
func TestComputed(t *testing.T) {
	for _, test := range []struct {
		shape  input.Shape
		values []any
		offset int
		want   string
		calls  int
	}{
		{input.Shape{input.Bytes}, []any{[]byte("abcdef")}, 0, "map[0:true 1:true]", 7},
		{input.Shape{input.Bytes}, []any{[]byte("abcdef")}, -2, "map[4:true 5:true]", 7},
		{input.Shape{input.Bytes}, []any{[]byte(strings.Repeat("a", 1<<20))}, -2, "map[1048574:true 1048575:true]", maxComputed + 1},
		{input.Shape{input.Bytes}, []any{[]byte(strings.Repeat("a", 1<<20))}, 0, "map[0:true 1:true]", maxComputed + 1},
	} {
		span := repair.Span{From: 2}
		if test.offset < 0 {
			span = repair.Span{To: -2}
		}
		fix := repair.Checksum(repair.Field{Offset: test.offset, Width: 2}, span, repair.Sum)
		flat, err := test.shape.Pack(test.values...)
		if err != nil {
			t.Fatal(err)
		}
		flat = fix(flat)
		calls := 0
		got := computed(test.shape, flat, each(func(b []byte) []byte { calls++; return fix(slices.Clone(b)) }))
		if fmt.Sprint(got) != test.want || calls != test.calls {
			t.Errorf("%v after %d calls, want %s after %d", got, calls, test.want, test.calls)
		}
	}
}
