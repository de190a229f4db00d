package parting

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/oracle"
)

// rendered is a value as programs' results are recorded.
func rendered(values ...any) string {
	var r oracle.Result
	for _, v := range values {
		r.Any(v)
	}
	return r.Detail(0).Value
}

type inner1 struct {
	Name string
	list []int
}

type outer struct {
	Inner *inner1
	Any   any
	Map   map[string]inner1
	Keys  map[inner2]bool
	F     float64
	C     complex128
}

type inner2 struct{ A, B int }

type generic[K comparable, V any] struct{ M map[K]V }

func nested(n int) outer {
	return outer{
		Inner: &inner1{"a, b: c}", []int{1, 2, n}}, Any: []any{"x", nil, map[string]any{"k": "v\"]"}},
		Map: map[string]inner1{"one": {"1", nil}, "two words": {"2", []int{n}}}, Keys: map[inner2]bool{{1, 2}: true}, F: 1.5, C: complex(1, 2),
	}
}

// TestParseTree checks that every rendered value is read whole.
func TestParseTree(t *testing.T) {
	for _, v := range []any{
		1, "a\"b\\", nil, true, 1.5, complex(1, 2), []int{}, []any{nil, "x", []any{1}}, map[string]int{"a": 1}, nested(3), &outer{},
		generic[string, int]{map[string]int{"x": 1}}, &generic[inner2, []string]{}, [2]bool{true, false}, []byte("bytes\xff"), struct{}{},
		fmt.Errorf("error"), map[any]any{1: "a", "b": 2.5},
	} {
		text := rendered(v)
		tr, ok := parseTree(text)
		if !ok || tr.text != text {
			t.Errorf("%s: %v %s", text, ok, tr.text)
		}
		// A cut text ends early, without an error.
		for i := 1; i < len(text); i++ {
			if cut, ok := parseTree(text[:i]); ok && cut.text != text[:i] {
				t.Errorf("%s: read as %s", text[:i], cut.text)
			}
		}
	}
	two := rendered(1, "x")
	if tr, ok := parseTree(two); !ok || len(tr.kids) != 2 || tr.kids[1].value.text != `"x"` {
		t.Errorf("%s: %+v", two, tr)
	}
}

func TestPartings(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values []string
		want   string
		n      int
	}{
		{"equal", []string{rendered(nested(1)), rendered(nested(1))}, "[]", 0},
		{"scalars", []string{"1", "2"}, "[{ [1 2]}]", 1},
		{"two places", []string{rendered(nested(1)), rendered(nested(5))},
			`[{.Inner.list[2] [1 5]} {.Map["two words"].list[0] [1 5]}]`, 2},
		{"kinds", []string{"[1, 2]", `{"a": 1}`}, `[{ [[1, 2] {"a": 1}]}]`, 1},
		{"lengths", []string{"[1, 2]", "[1]"}, "[{len(value) [2 elements 1 element]} {[1] [2 (nothing)]}]", 2},
		{"keys", []string{`{"a": {"b": 1, "c": 2}}`, `{"a": {"b": 1}}`}, `[{["a"]["c"] [2 (nothing)]}]`, 1},
		{"results", []string{`(1, "x")`, `(1, "y")`}, `[{result 2 ["x" "y"]}]`, 1},
		{"three programs", []string{`{"a": 1}`, `{"a": 2}`, `{"a": 1, "b": 3}`}, `[{["a"] [1 2 1]} {["b"] [(nothing) (nothing) 3]}]`, 2},
		{"many", []string{"[1, 2, 3, 4, 5]", "[6, 7, 8, 9, 0]"}, "[{[0] [1 6]} {[1] [2 7]} {[2] [3 8]}]", 5},
		{"types", []string{"a.T{X: 1}", "b.T{X: 1}"}, "[{ [a.T{X: 1} b.T{X: 1}]}]", 1},
	} {
		list, n := OfTrees(tt.values)
		if got := fmt.Sprint(list); got != tt.want || n != tt.n {
			t.Errorf("%s: %d %s, want %d %s", tt.name, n, got, tt.n, tt.want)
		}
	}
	deep := strings.Repeat("[", 5000)
	if _, ok := parseTree(deep); ok {
		t.Error("a value that is deeper than any that is recorded")
	}
}
