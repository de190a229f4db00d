package align

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// linesOf returns a line of code for each line of a text.
func linesOf(text string) (list []codeLine) {
	for l := range strings.Lines(text) {
		list = append(list, codeLine{number: len(list) + 1, text: strings.TrimSpace(l)})
	}
	return list
}

func TestNeighborStatements(t *testing.T) {
	const text = `func f ( x int ) {
		for x > 0 {
			x --
		}
		y := x
		if y == 0 {
			for y < 9 {
				y ++
			}
		} else if y == 1 {
			for {
			}
		} else {
			y --
		}
		switch y {
		case 1 :
			if x == 1 {
			}
		case 2 :
			{
			}
		default :
			x ++
		}
		call ( func ( ) {
			if x == 2 {
			}
		} , 1 )
	}`
	lines := linesOf(text)
	for _, test := range []struct {
		name string
		at   int // before the line of that number
		want int
	}{
		{"the first line of all", 1, 1},
		{"the first line of a function", 2, 1},
		{"the first line of a loop", 3, 2},
		{"the last line of a loop", 4, 3},
		{"after a loop", 5, 5},
		{"between two statements", 6, 5},
		{"the first line of a condition's body", 7, 6},
		{"after a loop that ends a body", 9, 8},
		{"after one that ends a body, before another condition", 10, 9},
		{"between two brackets", 12, 11},
		{"after brackets, before an else branch", 13, 12},
		{"the first line of an else branch", 14, 14},
		{"after an else branch", 16, 16},
		{"the first line of a clause", 18, 17},
		{"the last line of a clause, after a bracket", 20, 19},
		{"before a clause that is the default", 23, 22},
		{"the first line of that", 24, 23},
		{"the last line of a closure, after a bracket", 29, 28},
		{"after the last line of all", 31, 30},
	} {
		if got := neighbor(lines, test.at-1); !slices.Equal(got, []int{test.want}) {
			t.Errorf("%s, before %q: %v, want %d", test.name, append(texts(lines), "")[test.at-1], got, test.want)
		}
	}
	if got := neighbor(nil, 0); got != nil {
		t.Errorf("of no lines: %v", got)
	}
	if got := neighbor(linesOf("}"), 0); !slices.Equal(got, []int{1}) {
		t.Errorf("of a bracket: %v", got)
	}
}

// TestNeighborIsAdjacent checks that the line for an insertion is one of its two neighbors.
func TestNeighborIsAdjacent(t *testing.T) {
	alphabet := []string{"}", "{", "} else {", "} else if a {", ") ;", "a", "case b :", "default :", ""}
	for i := range 9 * 9 {
		lines := linesOf(alphabet[i/9] + "\n" + alphabet[i%9] + "\n")
		for at := range 3 {
			got := neighbor(lines, at)
			if len(got) != 1 || got[0] != at && got[0] != at+1 {
				t.Errorf("before line %d of %q: %v", at+1, texts(lines), got)
			}
		}
	}
}

func TestReplaces(t *testing.T) {
	for _, test := range []struct {
		hunk flow.Hunk
		want bool
	}{
		{flow.Hunk{Text: "-a\n+b\n"}, true},
		{flow.Hunk{Text: "-a\n-c\n+b\n+d\n"}, true},
		{flow.Hunk{Text: "+a\n-b\n"}, true},
		{flow.Hunk{Text: "+a\n+b\n"}, false},
		{flow.Hunk{Text: "-a\n-b\n"}, false},
		{flow.Hunk{Text: "+x = - 1\n+y = a - b\n"}, false},
		{flow.Hunk{Text: "-x ++\n-y = a + b\n"}, false},
		{flow.Hunk{}, false},
		{flow.Hunk{Whole: true}, true},
		{flow.Hunk{Whole: true, Lone: true}, true},
	} {
		if test.hunk.Replaces() != test.want {
			t.Errorf("%+v: %v", test.hunk, !test.want)
		}
	}
}

// TestLinesOfLiterals checks that a line of code is one line of a hunk's text, whatever literals it
// has.
func TestLinesOfLiterals(t *testing.T) {
	edited := strings.Replace(scan, "\tn := 0\n", "\tn := 0\n\t_ = `\n- 1\n+ 2`\n", 1)
	tables := []*flow.Table{tableOf(t, "a", map[string]string{"parse.go": scan}), tableOf(t, "b", map[string]string{"parse.go": edited})}
	v := Versions(space(tables))
	if len(v.Hunks) != 1 || v.Hunks[0].Replaces() || strings.Count(v.Hunks[0].Text, "\n") != 1 {
		t.Errorf("hunks %+v", v.Hunks)
	}
	if got, want := hunksOf(t, scan, edited), hunksOf(t, scan, strings.Replace(edited, "+ 2", "+ 3", 1)); slices.Equal(got, want) {
		t.Errorf("two literals are one: %q", got)
	}
}

// TestChangedConditions checks that the block after a changed condition is changed if both versions
// have the condition, and not otherwise.
func TestChangedConditions(t *testing.T) {
	const text = `package p

func Parse(s string) int {
	n := 0
	if s == "" {
		n = 1
	} else {
		n = 2
	}
	n++
	if n > 9 {
		n = 9
	}
	return n
}

` + others
	for _, test := range []struct {
		name, from, to string
		a, b           string // changed blocks, and the reported line
	}{
		{"a condition", `s == "" {
		n`, `s != "" {
		n`, "entry 5, then 5, else 5", "entry 5, then 5, else 5"},
		{"a condition more", "\tn++\n", "\tn++\n\tif n == 7 {\n\t\treturn 0\n\t}\n", "join 10", "join 11, then 11, implicit-else 11"},
		{"a condition less", "\tif n > 9 {\n\t\tn = 9\n\t}\n", "", "join 11, then 11, implicit-else 11", "join 10"},
		{"a statement more after a condition", "\t\tn = 1\n", "\t\tprintln()\n\t\tn = 1\n", "entry 5, then 5", "then 6"},
		{"a condition less with an else branch", "\tif s == \"\" {\n\t\tn = 1\n\t} else {\n\t\tn = 2\n\t}\n", "", "entry 5, then 5, else 7", "entry 4"},
		{"a condition around what both have", "\tn++\n", "\tif n == 7 {\n\t\tn++\n\t}\n", "join 10", "join 10, then 10, implicit-else 10"},
	} {
		edited := strings.Replace(text, test.from, test.to, 1)
		tables := []*flow.Table{tableOf(t, "a", map[string]string{"parse.go": text}), tableOf(t, "b", map[string]string{"parse.go": edited})}
		s := space(tables)
		v := Versions(s)
		var got [2][]string
		for _, id := range slices.Sorted(maps.Keys(v.Changed)) {
			side := 0
			if id >= len(tables[0].Blocks) {
				side = 1
			}
			_, b := s.Block(id)
			got[side] = append(got[side], fmt.Sprint(b.Kind, " ", v.Changed[id].Line))
		}
		for side, want := range []string{test.a, test.b} {
			if text := strings.Join(got[side], ", "); text != want {
				t.Errorf("%s: version %d has the changed blocks %s, want %s", test.name, side, text, want)
			}
		}
	}
}

// others holds functions that keep a package one package whatever a test adds.
const others = `
func other(s string) int {
	switch {
	case s == "":
		return 1
	case s == "a":
		return 2
	case s == "b":
		return 3
	case s == "c":
		return 4
	case s == "d":
		return 5
	case s == "e":
		return 6
	case s == "f":
		return 7
	case s == "g":
		return 8
	case s == "h":
		return 9
	case s == "i":
		return 10
	}
	for i := range len(s) {
		if s[i] == 'x' || s[i] == 'y' || s[i] == 'z' {
			return i
		}
	}
	return len(s)
}
`
