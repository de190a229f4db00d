package report

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

// Every rendered value is read whole.
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
		// What is cut off is not there, and no error.
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
		var trees []tree
		for _, v := range tt.values {
			tr, ok := parseTree(v)
			if !ok {
				t.Fatalf("%s: %s", tt.name, v)
			}
			trees = append(trees, tr)
		}
		list, n := partings(trees)
		if got := fmt.Sprint(list); got != tt.want || n != tt.n {
			t.Errorf("%s: %d %s, want %d %s", tt.name, n, got, tt.n, tt.want)
		}
	}
	deep := strings.Repeat("[", 5000)
	if _, ok := parseTree(deep); ok {
		t.Error("a value that is deeper than any that is recorded")
	}
}

// valueFinding is one in which programs accept with other values.
func valueFinding(values ...string) *Finding {
	f := semverFinding()
	f.Layer, f.Programs = "value", nil
	for i, v := range values {
		f.Programs = append(f.Programs, Program{Name: fmt.Sprintf("p%d", i), Detail: oracle.Detail{Outcome: "accepted", Value: v}})
	}
	return f
}

func section(page, title string) string {
	_, after, _ := strings.Cut(page, "## "+title+"\n")
	before, _, _ := strings.Cut(after, "\n## ")
	return strings.TrimSpace(before)
}

func TestWhereValuesDiffer(t *testing.T) {
	long := strings.Repeat("same ", 4000)
	for _, tt := range []struct {
		name   string
		values []string
		want   []string
	}{
		{"a place in a tree", []string{rendered(nested(1)), rendered(nested(1)), rendered(nested(2))},
			[]string{"At `.Inner.list[2]`:", "p0, p1  1\np2      2\n", "At `.Map[\"two words\"].list[0]`:"}},
		{"a long text", []string{`"` + long + "x" + long + `"`, `"` + long + "y" + long + `"`},
			[]string{"p0  …(19,9", "same x", "same y", "same s …(19,9", "^"}},
		{"more places than are told", []string{"[1, 2, 3, 4, 5]", "[6, 7, 8, 9, 0]"}, []string{"They also differ at 2 more places."}},
		{"no tree", []string{"a}b the same end", "a}c the same end"}, []string{"p0  a}b the same end\n      ^\np1  a}c the same end\n      ^"}},
	} {
		f := valueFinding(tt.values...)
		page := string(f.Markdown(Page{Source: noSource}))
		got := section(page, "Where the values differ")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", tt.name, want, got)
			}
		}
		if len(got) > 3000 {
			t.Errorf("%s: %d bytes", tt.name, len(got))
		}
	}
	cut := valueFinding("same", "same")
	cut.Programs[0].Truncated, cut.Programs[1].Truncated = true, true
	if got := section(string(cut.Markdown(Page{Source: noSource})), "Where the values differ"); got != "They are the same in the first 4 bytes; no more is recorded." {
		t.Error(got)
	}
	class := semverFinding()
	class.Layer = "class"
	for i, text := range []string{"line 1: unexpected end", "line 1: unexpected \x1b"} {
		class.Programs[i].Detail = oracle.Detail{Outcome: "rejected", Error: text}
	}
	if got := section(string(class.Markdown(Page{Source: noSource})), "Where the errors differ"); !strings.Contains(got, `unexpected \x1b`) || !strings.Contains(got, "^^^") {
		t.Error(got)
	}
}
