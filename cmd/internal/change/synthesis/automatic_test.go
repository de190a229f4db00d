package synthesis

import (
	"fmt"
	"strings"
	"testing"
)

// TestChoose checks that other functions come before those of internal packages and methods of zero
// values. The latter are chosen only for points that nothing else reaches.
func TestChoose(t *testing.T) {
	reaches := map[*Function][]int{}
	paths := func(list []*Function) string {
		var names []string
		for _, fn := range list {
			names = append(names, fn.Path)
		}
		return strings.Join(names, " ")
	}
	fn := func(path string, zero, text bool, points ...int) *Function {
		f := &Function{Path: path, Name: path, Zero: zero, Text: text}
		reaches[f] = points
		return f
	}
	many := func(n int) (list []*Function) {
		for i := range n {
			list = append(list, fn(fmt.Sprint("F", i), false, true, 0))
		}
		return list
	}
	hidden := func(f *Function) *Function {
		f.Hidden = true
		return f
	}
	opens := func(f *Function) *Function {
		f.Files = true
		return f
	}
	for _, tt := range []struct {
		name         string
		list         []*Function
		wanted       []int
		chosen, rest string
	}{
		{"none", nil, []int{0}, "", ""},
		{"text and reach", []*Function{fn("Int", false, false, 0, 1), fn("Few", false, true, 0), fn("More", false, true, 0, 1)}, []int{0, 1}, "More Few Int", ""},
		{"a method for nothing more", []*Function{fn("T.M", true, true, 0, 1), fn("F", false, false, 0, 1)}, []int{0, 1}, "F", "T.M"},
		{"a method for one point more", []*Function{fn("T.M", true, true, 0, 1), fn("T.N", true, true, 1), fn("F", false, true, 0)}, []int{0, 1}, "F T.M", "T.N"},
		{"nothing but methods", []*Function{fn("T.M", true, true, 0), fn("T.N", true, true, 1)}, []int{0, 1}, "T.M T.N", ""},
		{"internal", []*Function{fn("T.M", true, true, 0, 1), hidden(fn("i.F", false, true, 0, 1)), hidden(fn("i.G", false, false, 1)), fn("F", false, false, 0)}, []int{0, 1}, "F i.F", "i.G T.M"},
		{"a function that must", []*Function{fn("MustParse", false, true, 0, 1), fn("Mustard", false, true, 0), fn("Parse", false, true, 0)}, []int{0, 1}, "Mustard Parse MustParse", ""},
		{"a file", []*Function{opens(fn("Load", false, true, 0, 1)), fn("Parse", false, true, 0)}, []int{0, 1}, "Parse Load", ""},
		{"a file for nothing more", []*Function{opens(fn("Load", false, true, 0)), fn("Parse", false, false, 0)}, []int{0}, "Parse", "Load"},
		{"what is reached already", []*Function{fn("F", false, true, 0), fn("G", false, true, 2)}, []int{2}, "G", ""},
		{"many", append([]*Function{fn("T.M", true, true, 1)}, many(MaxFunctions+1)...), []int{0, 1}, "F0 F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11", "F12 T.M"},
	} {
		chosen, rest := Choose(tt.list, tt.wanted, func(f *Function) []int { return reaches[f] })
		if got := paths(chosen); got != tt.chosen || paths(rest) != tt.rest {
			t.Errorf("%s: %s, and not %s; want %s, and not %s", tt.name, got, paths(rest), tt.chosen, tt.rest)
		}
	}
}

// TestNamesFile checks which parameters name files.
func TestNamesFile(t *testing.T) {
	for parameters, want := range map[string]bool{
		"(path string, v any)": true, "(fileName string)": true, "(n int, dir, name string)": true, "(text string)": false, "(path []byte)": false, "(filenames ...string)": true, "(paths []string)": true, "(v map[string]string, filename string)": true, "(lines ...string)": false, "()": false,
	} {
		if got := (&Function{Parameters: parameters}).NamesFile(); got != want {
			t.Errorf("%s: %v", parameters, got)
		}
	}
}
