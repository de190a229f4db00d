package clang

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// lineOf returns the number of the first line of a file of testdata/table that holds a text.
func lineOf(t *testing.T, file, text string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "table", file))
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(data), text)
	if !found {
		t.Fatalf("%s does not hold %q", file, text)
	}
	return 1 + strings.Count(before, "\n")
}

func functionsOf(table *flow.Table, ids []int) (names []string) {
	for _, id := range ids {
		names = append(names, table.Funcs[table.Blocks[id].Func].Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func sourceOf(t *testing.T, file string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "table", file))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLinesToBlocks(t *testing.T) {
	o1 := tableOf(t, tableProgram(t, append([]string{"-O1", "-no-pie"}, Fast.compileFlags()...), languages["c"]...))
	o0 := tableOf(t, tableProgram(t, append([]string{"-O0", "-no-pie"}, Fast.compileFlags()...), languages["c"]...))
	for _, c := range []struct {
		name       string
		table      *flow.Table
		file, text string
		functions  string // that hold the blocks of the line
		near       string // or of a line near it
		outside    bool
	}{
		{"inlined", o1, "shared.h", "doubled++", "other shared", "", false},
		{"not inlined", o0, "shared.h", "doubled++", "twice", "", false},
		{"dead, kept", o0, "other.c", "unused++", "other", "", false},
		{"dead, removed", o1, "other.c", "unused++", "", "other", false},
		{"declaration in a function", o1, "flow.c", "int sum = 0;", "", "loops", false},
		{"after the last code", o1, "other.c", "return twice(x + 1) ?", "other", "", false},
		{"global", o1, "flow.c", "static volatile int counter;", "", "", true},
		{"case", o1, "flow.c", "counter ^= 2;", "choose", "", false},
		{"static function", o1, "other.c", "static int local(int x)", "local", "", false},
	} {
		line := lineOf(t, c.file, c.text)
		got := c.table.LinesToBlocks(sourceOf(t, c.file), []flow.Range{{First: line, Last: line}})
		functions, near := strings.Join(functionsOf(c.table, got.Blocks), " "), strings.Join(functionsOf(c.table, got.Near), " ")
		if functions != c.functions || near != c.near || (len(got.Outside) > 0) != c.outside {
			t.Errorf("%s: blocks of %q, near %q, outside %v; want %q, %q, %v", c.name, functions, near, got.Outside, c.functions, c.near, c.outside)
		}
	}
	if c := o1.LinesToBlocks("/elsewhere.c", []flow.Range{{First: 1, Last: 9}}); len(c.Blocks)+len(c.Near) > 0 || len(c.Outside) != 1 {
		t.Errorf("of a file that is not there: %+v", c)
	}
}

// TestTablePlaces checks that a line of a case is executed only with blocks of its own, and that a
// condition is represented by its line.
func TestTablePlaces(t *testing.T) {
	for _, level := range []string{"-O0", "-O1", "-O2"} {
		table := tableOf(t, tableProgram(t, append([]string{level, "-no-pie"}, Fast.compileFlags()...), languages["c"]...))
		at := func(text string) []int {
			line := lineOf(t, "flow.c", text)
			return table.LinesToBlocks(sourceOf(t, "flow.c"), []flow.Range{{First: line, Last: line}}).Blocks
		}
		three, four := at("counter += 3;"), at("counter += local(x);")
		if len(three) != 1 || !slices.Contains(four, three[0]) || len(four) < 2 {
			t.Errorf("%s: case 3 has the blocks %v, case 4, into which it falls, %v", level, three, four)
		}
		for _, id := range three {
			if b := table.Blocks[id]; b.Kind != flow.Branch || b.Cond != lineOf(t, "flow.c", "switch (x)") {
				t.Errorf("%s: case 3 is %+v", level, b)
			}
		}
		for _, id := range at("exit(0);") {
			if b := table.Blocks[id]; b.Exit || !slices.Contains(b.Calls, "exit") {
				t.Errorf("%s: the call of exit is %+v", level, b)
			}
		}
		for _, id := range at("return f(x)") {
			if b := table.Blocks[id]; b.Kind == flow.Entry && !b.Indirect {
				t.Errorf("%s: the call of a pointer is %+v", level, b)
			}
		}
	}
}

// TestTableOfWeakCallees checks that undefined weak callees, which are 0 in the table, do not look
// like the end of a list.
func TestTableOfWeakCallees(t *testing.T) {
	for _, link := range [][]string{{"-no-pie"}, {"-pie", "-fPIE"}} {
		for _, level := range []string{"-O0", "-O1", "-O2"} {
			table := tableOf(t, tableProgram(t, append(append([]string{level}, link...), Fast.compileFlags()...), languages["c"]...))
			var calls []string
			for _, b := range table.Blocks {
				if table.Funcs[b.Func].Name == "weak_calls" {
					calls = append(calls, b.Calls...)
				}
			}
			want := []string{"choose", "shared"}
			if level == "-O0" {
				want = append(want, "local")
			}
			for _, w := range want {
				if !slices.Contains(calls, w) {
					t.Errorf("%s %s: weak_calls calls %v, want also %s", level, link, calls, w)
				}
			}
		}
	}
}

func TestTableNames(t *testing.T) {
	table := tableOf(t, tableProgram(t, append([]string{"-O2", "-no-pie"}, Fast.compileFlags()...), languages["c++"]...))
	var names []string
	for _, f := range table.Funcs {
		names = append(names, f.Name)
	}
	for _, want := range []string{"main", "guarded(shapes::Shape const&, int)", "int largest<int>(std::vector<int, std::allocator<int> > const&)",
		"shapes::Line::area(int) const", "overloaded(int)"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no function %s among %q", want, names)
		}
	}
	two := tableOf(t, tableProgram(t, append([]string{"-O1", "-no-pie"}, Fast.compileFlags()...), languages["c"]...))
	var symbols []string
	for _, f := range two.Funcs {
		if f.Name == "local" {
			symbols = append(symbols, f.Symbol+" "+filepath.Base(f.File))
		}
	}
	if got := strings.Join(symbols, ", "); got != "local flow.c, local~2 other.c" {
		t.Errorf("two static functions of one name are %s", got)
	}
}

func TestTableWithoutSymbols(t *testing.T) {
	program := tableProgram(t, append([]string{"-O1", "-no-pie", "-s"}, Fast.compileFlags()...), languages["c"]...)
	table := tableOf(t, program)
	if len(table.Funcs) < 10 || table.Funcs[0].File != "" || len(table.Files) != 0 {
		t.Errorf("the table of a stripped program has %d functions, the first in %q", len(table.Funcs), table.Funcs[0].File)
	}
	edges := 0
	for _, b := range table.Blocks {
		edges += len(b.Succs)
	}
	if edges < len(table.Blocks) {
		t.Errorf("%d blocks have %d edges", len(table.Blocks), edges)
	}
}

func TestTableErrors(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("int main;"), 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		text:                  "it is not a program",
		self:                  "no coverage tables: compile and link it with `parallax cc`",
		"/there/is/no/such":   "no such file",
		filepath.Dir(text):    "is not a file",
		"testdata/table/none": "no such file",
	} {
		if _, err := ReadTable(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
