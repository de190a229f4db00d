package synthesis

import (
	"cmp"
	"slices"
	"strings"
)

// MaxFunctions limits the functions that are fuzzed without being named by the user. Each is built
// in both versions.
const MaxFunctions = 12

// Choose selects functions to fuzz for points that nothing else reaches. reaches returns the points
// that a function reaches, ascending. wanted lists the points to cover. rest returns the other
// functions that reach a wanted point.
//
// Functions that users of the module call come first. The rest are chosen only for points that no
// earlier function reaches. A MustXxx panics where another rejects. A function of an internal
// package may get arguments that no caller passes. A method of a zero value may have no meaning, or
// panic. Hardly any text is the name of a file.
func Choose(list []*Function, wanted []int, reaches func(*Function) []int) (chosen, rest []*Function) {
	gains := func(fn *Function, points []int) bool {
		return slices.ContainsFunc(reaches(fn), func(p int) bool { return slices.Contains(points, p) })
	}
	list = slices.DeleteFunc(slices.Clone(list), func(fn *Function) bool { return !gains(fn, wanted) })
	slices.SortStableFunc(list, func(a, b *Function) int {
		return cmp.Or(a.rank()-b.rank(), len(reaches(b))-len(reaches(a)))
	})
	left := slices.Clone(wanted)
	for _, fn := range list {
		if len(chosen) == MaxFunctions || (fn.Zero || fn.Hidden || fn.Files || fn.must()) && !gains(fn, left) {
			rest = append(rest, fn)
			continue
		}
		chosen = append(chosen, fn)
		left = slices.DeleteFunc(left, func(p int) bool { return slices.Contains(reaches(fn), p) })
	}
	return chosen, rest
}

// rank orders functions of the same kind. Those with a text argument come first, since they have
// more inputs.
func (f *Function) rank() (r int) {
	for i, is := range []bool{!f.Text, f.must(), f.Files, f.Hidden, f.Zero} {
		if is {
			r |= 1 << i
		}
	}
	return r
}

// must reports whether the name is that of a function that panics where another rejects.
func (f *Function) must() bool {
	rest, is := strings.CutPrefix(f.Name[strings.LastIndexByte(f.Name, '.')+1:], "Must")
	return is && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}

// NamesFile reports whether a parameter is a string that names a file, by its own name, or several.
func (f *Function) NamesFile() bool {
	for _, parameter := range strings.Split(strings.Trim(f.Parameters, "()"), ",") {
		name, typ, _ := strings.Cut(strings.TrimSpace(parameter), " ")
		name = strings.ToLower(name)
		typ = strings.TrimPrefix(strings.TrimPrefix(typ, "..."), "[]")
		if (typ == "string" || typ == "") && slices.ContainsFunc([]string{"file", "path", "dir"}, func(word string) bool { return strings.Contains(name, word) }) {
			return true
		}
	}
	return false
}
