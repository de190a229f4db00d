package synthesis

import (
	"cmp"
	"slices"
	"strings"
)

// Most is how many functions are fuzzed that nobody has named: each is built in both versions.
const Most = 12

// Choose chooses among functions those that are fuzzed for points that nothing else reaches. reaches are the points that a function
// reaches, ascending, and wanted are those that it is about. rest are the others that reach a wanted point.
//
// Functions that users of the module call come first. A MustXxx panics where another rejects. A function of an internal package may be given
// what nobody gives it, and a method of a zero value may mean nothing, or panic. Such a one is chosen only for a point that none before it
// reaches.
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
		if len(chosen) == Most || (fn.Zero || fn.Hidden || fn.must()) && !gains(fn, left) {
			rest = append(rest, fn)
			continue
		}
		chosen = append(chosen, fn)
		left = slices.DeleteFunc(left, func(p int) bool { return slices.Contains(reaches(fn), p) })
	}
	return chosen, rest
}

// rank puts what takes a text first among functions of a kind: there is more to fuzz in it.
func (f *Function) rank() (r int) {
	for i, is := range []bool{!f.Text, f.must(), f.Hidden, f.Zero} {
		if is {
			r |= 1 << i
		}
	}
	return r
}

// must reports whether it is a function that panics where another rejects, by its name.
func (f *Function) must() bool {
	rest, is := strings.CutPrefix(f.Name[strings.LastIndexByte(f.Name, '.')+1:], "Must")
	return is && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
}
