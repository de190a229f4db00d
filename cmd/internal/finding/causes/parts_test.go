package causes

import (
	"slices"
	"strings"
	"testing"
)

// TestParts checks that parts are named by call, result and field. Positions in lists, keys of maps
// and lines of tests are in no part.
func TestParts(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		want       []string
	}{
		{"nothing", `F (x_test.go:8): 3, nil`, `F (x_test.go:9): 3, nil`, nil},
		{"empty", "", "", nil},
		{"a result", `F (x_test.go:8): 3, nil`, `F (x_test.go:8): 4, nil`, []string{"F 0"}},
		{"another result", `F (x_test.go:8): 3, "a, b"`, `F (x_test.go:8): 3, "a"`, []string{"F 1"}},
		{"an error", `F (x_test.go:8): 0, nil`, "F (x_test.go:8): 0, error *p.Error: a, b\nc: d", []string{"F 1"}},
		{"another call", "F (x_test.go:8): 3\nG (x_test.go:9): \"a\"", "F (x_test.go:8): 3\nG (x_test.go:9): \"b\"", []string{"G 0"}},
		{"a field", `F (x_test.go:8): p.Out{Len: 1, Text: "a: }"}`, `F (x_test.go:8): p.Out{Len: 2, Text: "a: }"}`, []string{"F 0.Len"}},
		{"two fields", `F (x_test.go:8): p.Out{Len: 1, Text: "a"}`, `F (x_test.go:8): p.Out{Len: 2, Text: "b"}`, []string{"F 0.Len", "F 0.Text"}},
		{"an inner field", `F (x_test.go:8): p.Out{At: p.At{X: 1, Y: 2}, Z: 3}`, `F (x_test.go:8): p.Out{At: p.At{X: 1, Y: 3}, Z: 3}`, []string{"F 0.Y"}},
		{"after an inner field", `F (x_test.go:8): p.Out{At: p.At{X: 1}, Z: 3}`, `F (x_test.go:8): p.Out{At: p.At{X: 1}, Z: 4}`, []string{"F 0.Z"}},
		{"in a list", `F (x_test.go:8): [p.At{X: 1}, p.At{X: 2}]`, `F (x_test.go:8): [p.At{X: 1}, p.At{X: 3}]`, []string{"F 0.X"}},
		{"a longer list", `F (x_test.go:8): [p.At{X: 1}]`, `F (x_test.go:8): [p.At{X: 1}, p.At{X: 3}]`, []string{"F 0", "F 0.X"}},
		{"in a map", `F (x_test.go:8): {"Name": 1, 2: 3}`, `F (x_test.go:8): {"Name": 1, 2: 4}`, []string{"F 0"}},
		{"nil for a struct", `F (x_test.go:8): nil`, `F (x_test.go:8): p.At{X: 1}`, []string{"F 0"}},
		{"results of a function", `(3, "a")`, `(3, "b")`, []string{"1"}},
		{"the result of a function", `p.At{X: 1}`, `p.At{X: 2}`, []string{"0.X"}},
	} {
		if got := Parts(test.a, test.b); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if got := Parts(test.b, test.a); !slices.Equal(got, test.want) {
			t.Errorf("%s, reversed: %q, want %q", test.name, got, test.want)
		}
	}
	many := func(value string) string {
		var b strings.Builder
		for i := range maxParts + 1 {
			b.WriteString("F" + strings.Repeat("x", i) + " (x_test.go:8): " + value + "\n")
		}
		return b.String()
	}
	if got := Parts(many("1"), many("2")); got != nil {
		t.Errorf("%d parts are told", len(got))
	}
}

func FuzzParts(f *testing.F) {
	f.Add(`F (x_test.go:8): p.Out{Len: 1, Text: "a: }"}, error E: x`, `({"a": [1, nil]}, time(x s, 1 ns))`)
	f.Add("]}){[(\"\\", ": , (: ")
	f.Fuzz(func(t *testing.T, a, b string) {
		there, back := Parts(a, b), Parts(b, a)
		if !slices.Equal(there, back) || !slices.IsSorted(there) || a == b && there != nil {
			t.Errorf("%q, reversed %q", there, back)
		}
	})
}

// TestWays checks how differing parts of values are called.
func TestWays(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{`(1, "A b")`, `(1, "a B")`, "case"},
		{`"a b"`, `"a  b"`, "blanks"},
		{`(1, "")`, `(1, "0 0")`, "less"},
		{`"abc"`, `"ac"`, "more"},
		{`12`, `-12`, "number"},
		{`{N: 1, S: "A"}`, `{N: 2, S: "a"}`, "case number"},
		{`"\xe9"`, `"\ufffd"`, "other"},
		{`"x"`, `"x"`, ""},
	} {
		if got := strings.Join(Ways(test.a, test.b), " "); got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.a, test.b, got, test.want)
		}
	}
	s := &Symptoms{Layer: "value", Ways: []string{"case"}}
	if got := s.Looks(); len(got) != 1 || got[0] != "case" {
		t.Errorf("looks of %v", got)
	}
	s.Weak, s.Parts = true, []string{"1"}
	if got := strings.Join(s.Looks(), " "); got != "1 case" {
		t.Errorf("looks of weak places: %s", got)
	}
}
