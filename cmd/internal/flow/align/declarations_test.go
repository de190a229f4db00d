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
)

// tableBeside returns the table of scan in a folder with other files, which hold no function.
func tableBeside(t *testing.T, files map[string]string) *flow.Table {
	t.Helper()
	table := tableOf(t, "a", map[string]string{"parse.go": scan})
	for name, text := range files {
		path := filepath.Join(filepath.Dir(table.Funcs[0].File), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

// TestOutsideFiles checks that declarations in a folder's other files of the package count, except
// in tests.
func TestOutsideFiles(t *testing.T) {
	of := func(pairs ...string) map[string]string {
		files := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			files[pairs[i]] = pairs[i+1]
		}
		return files
	}
	for _, test := range []struct {
		name     string
		from, to map[string]string
		want     string
	}{
		{"no other file", nil, nil, ""},
		{"the same file", of("a.go", "package p\n\nconst more = 1\n"), of("a.go", "package p\n\nconst more = 1\n"), ""},
		{"another value", of("a.go", "package p\n\nconst more = 1\n"), of("a.go", "package p\n\nconst more = 2\n"), "more"},
		{"in a file of another name", of("a.go", "package p\n\nconst more = 1\n"), of("z.go", "package p\n\nconst more = 2\n"), "more"},
		{"moved to another file", of("a.go", "package p\n\nconst more = 1\n"), of("z.go", "package p\n\nconst more = 1\n"), ""},
		{"a file more", nil, of("a.go", "package p\n\nvar more = 1\n"), "more"},
		{"a file less", of("a.go", "package p\n\nvar more = 1\n"), nil, "more"},
		{"a test", of("a_test.go", "package p\n\nconst more = 1\n"), of("a_test.go", "package p\n\nconst more = 2\n"), ""},
		{"another package", of("a.go", "package main\n\nconst more = 1\n"), of("a.go", "package main\n\nconst more = 2\n"), ""},
		{"a folder below", of("q/a.go", "package p\n\nconst more = 1\n"), of("q/a.go", "package p\n\nconst more = 2\n"), ""},
		{"a folder with the name of a file", of("q.go/a.go", "package p\n"), nil, ""},
		{"no Go", of("a.txt", "package p\n\nconst more = 1\n"), of("a.txt", "package p\n\nconst more = 2\n"), ""},
		{"what cannot be parsed", of("a.go", "package p\n\nconst more = 1\n"), of("a.go", "package p\n\nconst more = \n"), "more"},
		{"that in both", of("a.go", "package p\n\nconst more = \n"), of("a.go", "package p\n\nconst more 2\n"), ""},
		{"nor its package", of("a.go", "pack"), of("a.go", ""), ""},
		{
			"a system among two", of("a_linux.go", "package p\n\nconst more = 1\n", "a_plan9.go", "package p\n\nconst more = 2\n"),
			of("a_linux.go", "package p\n\nconst more = 1\n", "a_plan9.go", "package p\n\nconst more = 3\n"), "more",
		},
		{
			"two systems, whose files were only moved", of("a_linux.go", "package p\n\nconst more = 1\n", "a_plan9.go", "package p\n\nconst more = 2\n"),
			of("b_linux.go", "package p\n\nconst more = 1\n", "b_plan9.go", "package p\n\nconst more = 2\n"), "",
		},
	} {
		if got := strings.Join(outside(tableBeside(t, test.from), tableBeside(t, test.to)), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if list := sources(&flow.Table{Funcs: []flow.Func{{File: "a.c"}, {File: "/nowhere/a.go"}}}); !slices.Equal(list, []string{"/nowhere/a.go"}) {
		t.Errorf("files of C, or that are not there: %q", list)
	}
}

func TestDeclarations(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"a value", "var a = 1", "var a = 2", "a"},
		{"a type", "var a int", "var a uint", "a"},
		{"a name", "var a = 1", "var b = 1", "a b"},
		{"blanks and comments", "var a = 1", "// one\nvar  a  =  1 // two", ""},
		{"a group", "const a = 1", "const (\n\ta = 1\n)", ""},
		{"a group, and another one in it", "const a = 1", "const (\n\tb = 2\n\ta = 1\n)", "b"},
		{"several of one declaration", "var a, b = 1, 2", "var a, b = 1, 3", "a b"},
		{"no name", "var _ = 1", "var _ = 2", ""},
		{"a type of the package", "type a int", "type a uint", ""},
		{"lines within", "var a = []int{\n\t1,\n\t2,\n}", "var a = []int{\n\t1,\n\t3,\n}", "a"},

		{"iota", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota\n\tb\n\tc\n)", ""},
		{"one more between them", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota\n\tz\n\tb\n\tc\n)", "b c z"},
		{"one more before them", "const (\n\ta = iota\n\tb\n)", "const (\n\tz = iota\n\ta\n\tb\n)", "a b z"},
		{"one more behind them", "const (\n\ta = iota\n\tb\n)", "const (\n\ta = iota\n\tb\n\tz\n)", "z"},
		{"one less", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota\n\tc\n)", "b c"},
		{"a number left out", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota\n\t_\n\tb\n\tc\n)", "b c"},
		{"another order", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota\n\tc\n\tb\n)", "b c"},
		{"another name", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota\n\tz\n\tc\n)", "b z"},
		{"what is repeated", "const (\n\ta = iota\n\tb\n\tc\n)", "const (\n\ta = iota + 1\n\tb\n\tc\n)", "a b c"},
		{"its type", "const (\n\ta = iota\n\tb\n)", "const (\n\ta uint = iota\n\tb\n)", "a b"},
		{"up to the next value", "const (\n\ta = 1 << iota\n\tb\n\tc = 7\n\td\n)", "const (\n\ta = 2 << iota\n\tb\n\tc = 7\n\td\n)", "a b"},
		{"a value that repeats no number", "const (\n\ta = 7\n\tb\n\tc\n)", "const (\n\ta = 7\n\tz\n\tb\n\tc\n)", "z"},
		{"iota that is not the first", "const (\n\ta = 7\n\tb = f(1, -iota)\n)", "const (\n\ta = 7\n\tz = 8\n\tb = f(1, -iota)\n)", "b z"},
		{"a value given for one that was repeated", "const (\n\ta = 7\n\tb\n)", "const (\n\ta = 7\n\tb = 8\n)", "b"},
		{"two of each", "const (\n\ta, b = iota, 1\n\tc, d\n)", "const (\n\ta, b = iota, 2\n\tc, d\n)", "a b c d"},
		{"the other of two", "const (\n\ta, b = iota, 1\n\tc, d\n)", "const (\n\ta, b = iota, 1\n\td, c\n)", "c d"},
		{"variables in a group", "var (\n\ta = 1\n\tb int\n)", "var (\n\ta = 2\n\tb int\n)", "a"},
		{"another one of iota's name", "var (\n\ta = iota\n)", "var (\n\tz = 1\n\ta = iota\n)", "z"},
	} {
		got := outside(tableBeside(t, map[string]string{"a.go": "package p\n\n" + test.from + "\n"}), tableBeside(t, map[string]string{"a.go": "package p\n\n" + test.to + "\n"}))
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %q, want %q", test.name, text, test.want)
		}
	}
}

// TestOutsideIsBounded checks that too many changes outside of functions are ignored. Constants
// that a new one merely renumbers do not count towards the limit.
func TestOutsideIsBounded(t *testing.T) {
	group := func(before string, n int, value func(i int) string) map[string]string {
		text := "package p\n\nconst (\n" + before
		for i := range n {
			text += fmt.Sprintf("\tc%d%s\n", i, value(i))
		}
		return map[string]string{"a.go": text + ")\n"}
	}
	counted := func(i int) string { return strings.Repeat(" = iota", 1-min(i, 1)) }
	plain := func(v string) func(int) string { return func(int) string { return " = " + v } }
	for _, test := range []struct {
		name     string
		from, to map[string]string
		want     int
	}{
		{"few", group("", maxOutside, plain("1")), group("", maxOutside, plain("2")), maxOutside},
		{"too many", group("", maxOutside+1, plain("1")), group("", maxOutside+1, plain("2")), 0},
		{"few that are moved", group("", maxOutside-1, counted), group("\tz = 1\n", maxOutside-1, counted), maxOutside},
		{"very many that are moved", group("", 2*maxOutside, counted), group("\tz = 1\n", 2*maxOutside, counted), 1},
	} {
		if got := outside(tableBeside(t, test.from), tableBeside(t, test.to)); len(got) != test.want || !slices.IsSorted(got) {
			t.Errorf("%s: %d names", test.name, len(got))
		}
	}
}

// TestHunksOfMovedConstants checks that a constant that renumbers others changes the lines that
// name these.
func TestHunksOfMovedConstants(t *testing.T) {
	const use = "\n\nfunc kind(b byte) int {\n\tif b == '#' {\n\t\treturn hash\n\t}\n\treturn other\n}\n"
	from := scan + "\nconst (\n\tnone = iota\n\thash\n\tother\n)" + use
	to := scan + "\nconst (\n\tnone = iota\n\tspace\n\thash\n\tother\n)" + use
	if got := hunksOf(t, from, to); !slices.Equal(got, []string{"hash!", "other!"}) {
		t.Errorf("hunks %q", got)
	}
	tables := []*flow.Table{tableOf(t, "a", map[string]string{"parse.go": from}), tableOf(t, "b", map[string]string{"parse.go": to})}
	v := Versions(space(tables))
	names := map[string]bool{}
	for _, d := range v.Changed {
		names[v.Hunks[d.Hunk].Function] = true
	}
	if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, []string{"hash", "other"}) {
		t.Errorf("changed blocks of %q", got)
	}
}
