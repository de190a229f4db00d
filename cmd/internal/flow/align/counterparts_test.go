package align

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
	"parallax/cmd/internal/gobuild/golang"
)

// TestCounterparts checks that packages are versions of each other if most of their text is the
// same, and not because of a shared helper.
func TestCounterparts(t *testing.T) {
	const helper = `package p

func isDigit(b byte) bool {
	if b < '0' {
		return false
	}
	return b <= '9'
}
`
	const parse = `package p

func Parse(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == '#' {
			return -1
		}
		if !isDigit(s[i]) {
			continue
		}
		n++
	}
	return n
}
`
	added := strings.Replace(parse, "\t\tn++\n", "\t\tif n > 9 {\n\t\t\treturn n\n\t\t}\n\t\tn++\n", 1)
	negated := strings.Replace(parse, "s[i] == '#'", "s[i] != '#'", 1)
	foreign := `package p

func Parse(s string) int {
	switch {
	case s == "":
		return 0
	case isDigit(s[0]) && len(s) > 3:
		return 7
	case len(s) > 9:
		return 9
	}
	return len(s)
}
`
	for _, test := range []struct {
		name string
		a, b map[string]string
		want int // blocks of b with a counterpart
	}{
		{name: "a copy", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": parse, "util.go": helper}, want: 13},
		{name: "another condition", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": negated, "util.go": helper}, want: 13},
		{name: "a branch more", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": added, "util.go": helper}, want: 13},
		{name: "a helper in common", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"parse.go": foreign, "util.go": helper}},
		{name: "files of other names", a: map[string]string{"parse.go": parse, "util.go": helper}, b: map[string]string{"read.go": parse, "tools.go": helper}, want: 13},
	} {
		tables := []*flow.Table{tableOf(t, "a", test.a), tableOf(t, "b", test.b)}
		n := len(tables[0].Blocks)
		numbers := Versions(space(tables)).Numbers
		got := 0
		for i, number := range numbers {
			if i < n && number != i {
				t.Errorf("%s: block %d of the first package has number %d", test.name, i, number)
			}
			if i >= n && number != i {
				got++
				a, b := tables[0].Blocks[number], tables[1].Blocks[i-n]
				if a.Kind != b.Kind {
					t.Errorf("%s: %v at line %d is taken for %v at line %d", test.name, b.Kind, b.Line, a.Kind, a.Line)
				}
			}
		}
		if got != test.want {
			t.Errorf("%s: %d counterparts in %d blocks, want %d", test.name, got, len(tables[1].Blocks), test.want)
		}
	}
}

// TestChanges checks that a block is changed if its statements or its condition are, or if an
// adjacent statement is missing.
func TestChanges(t *testing.T) {
	const text = `package p

func Parse(s string) int { // counts
	n := 0
	for i := range len(s) {
		if s[i] == '#' {
			return -1
		}
		n++
		n += 2
	}
	return n
}

func other() int {
	return 1
}
`
	for _, test := range []struct {
		name, from, to string
		a, b           string // lines
	}{
		{"a comment", "// counts", "// counts bytes", "", ""},
		{"blanks", "n := 0", "n :=  0", "", ""},
		{"a line of comment", "\tn := 0", "\t// none\n\tn := 0", "", ""},
		{"a value", "n += 2", "n += 3", "10", "10"},
		{"a condition", "s[i] == '#'", "s[i] != '#'", "6", "6"},
		{"a statement less", "\t\tn += 2\n", "", "10", "9"},
		{"a statement more", "\t\tn++\n", "\t\tn++\n\t\tn *= 2\n", "9", "10"},
		{"another function", "return 1", "return 2", "16", "16"},
		{"a function more", "func other", "func more() int {\n\treturn 5\n}\n\nfunc other", "", "15"},
	} {
		changed := strings.Replace(text, test.from, test.to, 1)
		tables := []*flow.Table{tableOf(t, "a", map[string]string{"parse.go": text}), tableOf(t, "b", map[string]string{"read.go": changed})}
		n := len(tables[0].Blocks)
		v := Versions(space(tables))
		lines := [2]map[int]bool{{}, {}}
		for id, change := range v.Changed {
			line := change.Line
			side := 0
			if id >= n {
				side = 1
			}
			lines[side][line] = true
		}
		for side, want := range []string{test.a, test.b} {
			if got := strings.Trim(fmt.Sprint(slices.Sorted(maps.Keys(lines[side]))), "[]"); got != want {
				t.Errorf("%s: lines %q of version %d, want %q", test.name, got, side, want)
			}
		}
	}
}

// TestSeveralOfOneName checks that functions with one name are not changed by functions between
// them. This includes the initializers of package-level variables.
func TestSeveralOfOneName(t *testing.T) {
	const first = `package p

var a = one() && two()

func one() bool {
	x := 1
	return x == 1
}

func two() bool {
	return true
}

func _() bool {
	return a || two()
}

var b = two() || one()
`
	const second = `package p

var d = one() && two()

func three() int {
	if d && b {
		return 1
	}
	return 3
}

func _() bool {
	return d
}
`
	for _, test := range []struct{ name, from, to, want string }{
		{"a copy", "", "", ""},
		{"a function between two variables", "x := 1", "x := 2", "one"},
		{"one of two", "return d", "return !d", "_"},
		{"the other", "return a || two()", "return a || one()", "_"},
		{"another variable", "b = two() || one()", "b = one() || two()", "b"},
	} {
		change := func(text string) string { return strings.Replace(text, test.from, test.to, 1) }
		from := map[string]string{"parse.go": first, "read.go": second}
		to := map[string]string{"parse.go": change(first), "read.go": change(second)}
		v := Versions(space([]*flow.Table{tableOf(t, "a", from), tableOf(t, "b", to)}))
		names := map[string]bool{}
		for _, d := range v.Changed {
			names[v.Hunks[d.Hunk].Function] = true
		}
		if got := strings.Join(slices.Sorted(maps.Keys(names)), " "); got != test.want {
			t.Errorf("%s: changes in %q, want %q: %+v", test.name, got, test.want, v.Hunks)
		}
	}
}

func space(tables []*flow.Table) *flow.Space {
	s := &flow.Space{}
	for _, t := range tables {
		s.Add(t)
	}
	return s
}

func tableOf(t *testing.T, path string, files map[string]string) *flow.Table {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for _, name := range []string{"parse.go", "read.go", "tools.go", "util.go"} {
		if text, ok := files[name]; ok {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			names = append(names, file)
		}
	}
	table, err := golang.Analyze(path, names, golang.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestVersionsOfTwoPrograms checks that a package with versions in two programs is joined with them
// only, however much it was changed.
func TestVersionsOfTwoPrograms(t *testing.T) {
	const old = "package p\n\nfunc Double(n int) int {\n\treturn 2 * n\n}\n"
	const now = "package p\n\nfunc Double(n int) int {\n\tif n < 0 {\n\t\tpanic(n)\n\t}\n\treturn n + n\n}\n"
	for _, test := range []struct {
		paths [2]string
		want  bool
	}{{[2]string{"example.com/d/p", "example.com/d/p"}, true}, {[2]string{"example.com/d/p", "example.com/e/p"}, false}} {
		s := &flow.Space{Align: Versions}
		s.Add(tableOf(t, test.paths[0], map[string]string{"parse.go": old}), 0)
		s.Add(tableOf(t, test.paths[1], map[string]string{"parse.go": now}), 1)
		if got := s.ChangedAt(1, test.paths[1]+".Double", 5); got != test.want {
			t.Errorf("%v: changed %v, want %v", test.paths, got, test.want)
		}
	}
}
