package align

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// scan is the base version for the hunks of these tests. It has a function with blocks, one
// without, and a constant that two functions name. The rest makes its edited versions versions of
// one package.
const scan = `package p

const limit = 10

var table = []int{
	1, 2,
}

func Scan(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] == '#' {
			n = -1
			break
		}
		n++
		n += 2
	}
	if n > limit {
		return limit
	}
	return n
}

func first(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func last(s string) byte {
	if s == "" {
		println("the limit is", x.limit)
		return byte(table[0])
	}
	return s[len(s)-1]
}
`

// hunksOf returns the hunks of two versions of a file, as text.
func hunksOf(t *testing.T, from, to string) []string {
	t.Helper()
	tables := []*flow.Table{tableOf(t, "a", map[string]string{"parse.go": from}), tableOf(t, "b", map[string]string{"parse.go": to})}
	s := space(tables)
	s.Align = Versions
	v := Versions(s)
	var list []string
	for i, h := range v.Hunks {
		name := strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(s.HunkName(i), "\n"), "a."), "\n", "|")
		if h.Whole {
			name += "!"
		}
		list = append(list, name)
	}
	return list
}

func TestHunks(t *testing.T) {
	for _, test := range []struct {
		name string
		edit []string // pairs of old and new
		want []string
	}{
		{"nothing", nil, nil},
		{"a comment", []string{"n++", "n++ // one more"}, nil},
		{"a value", []string{"n += 2", "n += 3"}, []string{"Scan|-n += 2|+n += 3"}},
		{"a line more", []string{"\t\tn++\n", "\t\tn++\n\t\tn *= 2\n"}, []string{"Scan|+n *= 2"}},
		{"a line less", []string{"\t\tn++\n", ""}, []string{"Scan|-n ++"}},
		{"lines beside each other", []string{"n++", "n--", "n += 2", "n += 3"}, []string{"Scan|-n ++|-n += 2|+n --|+n += 3"}},
		{"with code between them", []string{"n := 0", "n := 1", "n += 2", "n += 3"}, []string{"Scan|-n := 0|+n := 1", "Scan|-n += 2|+n += 3"}},
		{"in a branch and behind it", []string{"\t\t\tbreak\n\t\t}\n\t\tn++", "\t\t\tcontinue\n\t\t}\n\t\tn--"}, []string{"Scan|-break|+continue", "Scan|-n ++|+n --"}},
		{"with a blank line and a comment between them", []string{"\t\tn++\n\t\tn += 2", "\t\tn--\n\n\t\t// two\n\t\tn += 3"}, []string{"Scan|-n ++|-n += 2|+n --|+n += 3"}},
		{"an else branch more", []string{"break\n\t\t}", "break\n\t\t} else {\n\t\t\tn = 7\n\t\t}\n", "n = -1", "n = -2"}, []string{"Scan|-n = - 1|+n = - 2", "Scan|+} else {|+n = 7"}},
		{"two functions", []string{"n++", "n--", "return 0", "return 1"}, []string{"Scan|-n ++|+n --", "first|-return 0|+return 1"}},
		{"the head of a function", []string{"func first(s string) byte", "func first(t, s string) byte"}, []string{"first|-func first ( s string ) byte {|+func first ( t , s string ) byte {"}},
		{"a function more", []string{"func last", "func more() int {\n\treturn 5\n}\n\nfunc last"}, []string{"more!"}},
		{"a function less", []string{"func first(s string) byte {\n\tif s == \"\" {\n\t\treturn 0\n\t}\n\treturn s[0]\n}\n", ""}, []string{"first!"}},
		{"a function written anew", []string{"\tif s == \"\" {\n\t\treturn 0\n\t}\n\treturn s[0]\n", "\tfor i := range s {\n\t\tswitch {\n\t\tcase s[i] == 'a' && i > 0:\n\t\t\treturn 'b'\n\t\t}\n\t}\n\treturn 0\n"}, []string{"first!"}},
		{"a function renamed", []string{"func first", "func head"}, []string{"first!", "head!"}},
		{"a constant", []string{"limit = 10", "limit = 11"}, []string{"limit!"}},
		{"a constant in a group", []string{"const limit = 10", "const (\n\tlimit = 11\n\tmore  = 1\n)"}, []string{"limit!"}},
		{"a line of a variable", []string{"\t1, 2,\n", "\t1, 3,\n"}, []string{"table!"}},
		{"the layout of a variable", []string{"1, 2,", "1,  2, // two"}, nil},
		{"a constant that no function names", []string{"const limit", "const other = 3\n\nconst limit"}, nil},
		{"a constant, and a line that names it", []string{"limit = 10", "limit = 11", "n > limit", "n >= limit"}, []string{"Scan|-if n > limit {|+if n >= limit {", "limit!"}},
	} {
		if got := hunksOf(t, scan, strings.NewReplacer(test.edit...).Replace(scan)); !slices.Equal(got, test.want) {
			t.Errorf("%s: hunks %q, want %q", test.name, got, test.want)
		}
	}
}

// TestHunkNames checks that the name of a hunk depends on its function and its changed lines only,
// not on edits elsewhere.
func TestHunkNames(t *testing.T) {
	names := func(from, to string) []string {
		list := hunksOf(t, from, to)
		slices.Sort(list)
		return list
	}
	elsewhere := map[string]func(text string) string{
		"lines above": func(text string) string {
			return strings.Replace(text, "\n", "\n\n// A comment,\n// and another.\n\n", 1)
		},
		"a function above": func(text string) string { return strings.Replace(text, "func Scan", "func more() {}\n\nfunc Scan", 1) },
		"comments": func(text string) string {
			return strings.NewReplacer("n := 0\n", "n := 0 // none\n", "\tbreak", "\t// out\n\tbreak").Replace(text)
		},
		"blank lines":      func(text string) string { return strings.ReplaceAll(text, "\n", "\n\n") },
		"indentation":      func(text string) string { return strings.ReplaceAll(text, "\t", "    ") },
		"another function": func(text string) string { return strings.Replace(text, "return s[0]", "return s[0] + 1", 1) },
		"another line":     func(text string) string { return strings.Replace(text, "n := 0", "n := 4", 1) },
		"a function below": func(text string) string { return text + "\nfunc more() {}\n" },
	}
	for _, edit := range [][2]string{
		{"n += 2", "n += 3"}, {"\t\tn++\n", ""}, {"\t\tn++\n", "\t\tn++\n\t\tn *= 2\n"}, {"limit = 10", "limit = 11"},
		{"func last(", "func tail("}, {"break\n\t\t}\n\t\tn++", "continue\n\t\t}\n\t\tn--"},
	} {
		edited := strings.Replace(scan, edit[0], edit[1], 1)
		want := names(scan, edited)
		if len(want) == 0 {
			t.Fatalf("%q: no hunk", edit[1])
		}
		for name, change := range elsewhere {
			if got := names(change(scan), change(edited)); !slices.Equal(got, want) {
				t.Errorf("%q, %s in both versions: hunks %q, want %q", edit[1], name, got, want)
			}
			got := names(scan, change(edited))
			for _, hunk := range want {
				if !slices.Contains(got, hunk) {
					t.Errorf("%q, %s in one version: %q is not among the hunks %q", edit[1], name, hunk, got)
				}
			}
		}
	}
}

// TestBlocksOfHunks checks that a block belongs to the hunk of its reported line, which is one of
// its own lines or of its condition.
func TestBlocksOfHunks(t *testing.T) {
	for _, test := range []struct {
		name string
		edit []string
		want string // functions of blocks, their changed lines and hunks, in both versions
	}{
		{"a value", []string{"n += 2", "n += 3"}, "Scan 17 Scan, Scan 17 Scan"},
		{"a condition, and what follows on it", []string{"s[i] == '#'", "s[i] != '#'"}, "Scan 12 Scan, Scan 12 Scan, Scan 12 Scan, Scan 12 Scan, Scan 12 Scan, Scan 12 Scan"},
		{"a function less", []string{"func first(s string) byte {\n\tif s == \"\" {\n\t\treturn 0\n\t}\n\treturn s[0]\n}\n", ""}, "first 25 first!, first 26 first!, first 26 first!, first 29 first!"},
		{"a constant, where it is named", []string{"limit = 10", "limit = 11"},
			"Scan 19 limit!, Scan 19 limit!, Scan 19 limit!, Scan 19 limit!, Scan 19 limit!, Scan 19 limit!"},
		{"a constant, and a line that names it", []string{"limit = 10", "limit = 11", "n > limit", "n >= limit"},
			"Scan 19 Scan, Scan 19 Scan, Scan 19 Scan, Scan 19 Scan, Scan 19 Scan, Scan 19 Scan"},
		{"a variable, where it is named", []string{"1, 2", "1, 3"}, "last 35 table!, last 35 table!"},
	} {
		tables := []*flow.Table{
			tableOf(t, "a", map[string]string{"parse.go": scan}),
			tableOf(t, "b", map[string]string{"parse.go": strings.NewReplacer(test.edit...).Replace(scan)}),
		}
		s := space(tables)
		v := Versions(s)
		var got []string
		for _, id := range slices.Sorted(maps.Keys(v.Changed)) {
			table, b := s.Block(id)
			change, hunk := v.Changed[id], v.Hunks[v.Changed[id].Hunk]
			if (change.Line < b.Line || change.Line > b.EndLine) && change.Line != b.Cond {
				t.Errorf("%s: line %d is told of a block at lines %d to %d after line %d", test.name, change.Line, b.Line, b.EndLine, b.Cond)
			}
			mark := ""
			if hunk.Whole {
				mark = "!"
			}
			got = append(got, fmt.Sprintf("%s %d %s%s", table.Funcs[b.Func].Name, change.Line, hunk.Function, mark))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: blocks\n%s, want\n%s", test.name, text, test.want)
		}
	}
}

// TestSeveralHunks checks that a block has all hunks in its lines, each once, with the first line
// of each.
func TestSeveralHunks(t *testing.T) {
	const text = `package p

func Out(s string) (a, b, c string) {
	a = cut(s)
	b = s + "b"
	c = cut(s)
	if c == "" {
		c = a
		a = b
		b = cut(s)
	}
	return a, b, c
}

func cut(s string) string { return s[:min(len(s), 2)] }
`
	for _, test := range []struct {
		name string
		edit []string
		want string // changed lines of each block, in both versions
	}{
		{"one", []string{"a = cut(s)", "a = s"}, "[4], [4]"},
		{"two", []string{"a = cut(s)", "a = s", "\tc = cut(s)", "\tc = s"}, "[4 6], [4 6]"},
		{"a line more, and a change", []string{"a = cut(s)", "a = cut(s)\n\ts += a", "\tc = cut(s)", "\tc = s"}, "[4 6], [5 7]"},
		{"a condition, and a change behind it", []string{"c == \"\"", "c != \"\"", "b = cut(s)\n\t}", "b = s\n\t}"}, "[7], [7 10], [7], [7], [7 10], [7]"},
	} {
		tables := []*flow.Table{
			tableOf(t, "a", map[string]string{"parse.go": text}),
			tableOf(t, "b", map[string]string{"parse.go": strings.NewReplacer(test.edit...).Replace(text)}),
		}
		s := space(tables)
		v := Versions(s)
		var got []string
		for _, id := range slices.Sorted(maps.Keys(v.Changed)) {
			d := v.Changed[id]
			lines, hunks := []int{d.Line}, map[int]bool{d.Hunk: true}
			for _, more := range d.More {
				lines, hunks[more.Hunk] = append(lines, more.Line), true
			}
			if len(hunks) != len(lines) {
				t.Errorf("%s: %+v has a hunk twice", test.name, d)
			}
			got = append(got, fmt.Sprint(lines))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s: lines %s, want %s", test.name, text, test.want)
		}
	}
}

// TestHunksOfClosures checks that a change in a closure is one hunk, also of the enclosing
// function.
func TestHunksOfClosures(t *testing.T) {
	const text = `package p

func Each(s string) int {
	n := 0
	each(s, func(b byte) {
		if b == '#' {
			n++
		}
	})
	return n
}

func each(s string, use func(b byte)) {
	for i := range len(s) {
		use(s[i])
	}
}
`
	tables := []*flow.Table{
		tableOf(t, "a", map[string]string{"parse.go": text}), tableOf(t, "b", map[string]string{"parse.go": strings.Replace(text, "n++", "n--", 1)}),
	}
	v := Versions(space(tables))
	hunks := map[int]bool{}
	for _, change := range v.Changed {
		hunks[change.Hunk] = true
	}
	if len(hunks) != 1 || len(v.Changed) < 2 {
		t.Errorf("changes %v, hunks %+v", v.Changed, v.Hunks)
	}
}

// TestVersionsOfPrograms checks that programs are versions of one if their packages are.
func TestVersionsOfPrograms(t *testing.T) {
	const other = `package q

func Parse(s string) (n int) {
	for i := range len(s) {
		switch {
		case s[i] < '0' || s[i] > '9':
			return -1
		case n > 1000:
			return n
		}
		n = 10*n + int(s[i]-'0')
	}
	return n
}
`
	version := func(value string) string { return strings.Replace(scan, "n += 2", "n += "+value, 1) }
	type run struct {
		text   string
		owners []int
	}
	for _, test := range []struct {
		name     string
		programs int
		runs     []run
		want     bool
	}{
		{"two versions", 2, []run{{version("2"), []int{0}}, {version("3"), []int{1}}}, true},
		{"the same twice", 2, []run{{scan, []int{0}}, {scan, []int{1}}}, true},
		{"three versions", 3, []run{{version("2"), []int{0}}, {version("3"), []int{1}}, {version("4"), []int{2}}}, true},
		{"two versions, and another program", 3, []run{{version("2"), []int{0}}, {version("3"), []int{1}}, {other, []int{2}}}, false},
		{"two unrelated programs", 2, []run{{scan, []int{0}}, {other, []int{1}}}, false},
		{"one package that both run", 2, []run{{scan, []int{0, 1}}}, false},
		{"that, and unrelated ones", 2, []run{{scan, []int{0, 1}}, {other, []int{0}}}, false},
		{"that, and versions", 2, []run{{other, []int{0, 1}}, {version("2"), []int{0}}, {version("3"), []int{1}}}, true},
	} {
		s := &flow.Space{Align: Versions}
		for i, r := range test.runs {
			s.Add(tableOf(t, fmt.Sprint("p", i), map[string]string{"parse.go": r.text}), r.owners...)
		}
		if got := s.AllVersions(test.programs); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
