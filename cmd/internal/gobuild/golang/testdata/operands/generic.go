// Package p is what the recording of operands must not change, in the language of Go 1.23 and later.
package p

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

var trace []any

func note(what ...any) { trace = append(trace, what...) }

func number[T any](n T) T { note(n); return n }

// Run returns the trace of everything.
func Run() string {
	for _, f := range []func(){parameters, lookups, lists, loops, shifted, aliases} {
		f()
	}
	return fmt.Sprint(trace...)
}

type (
	size  int
	name  string
	flag  bool
	tiny  = int8
	names []name
)

type whole interface{ ~int | ~int8 | ~uint16 }

func equal[T comparable](a, b T) bool            { return a == b && !(a != b) }
func isZero[T whole](a T) flag                   { return a == 0 && 0 >= a }
func most[T cmp.Ordered](a, b T) T               { return map[bool]T{a < b: b, a >= b: a}[true] }
func between[T cmp.Ordered](a, b, c T) bool      { return a <= b && b <= c && c >= a && !(a > c) }
func shift[T ~uint8 | ~uint16](a T, n int) T     { return a << n >> n }
func first[S ~string | ~[]byte](s S) byte        { return s[0] }
func isA[S ~string | ~[]byte](s S) bool          { return len(s) > 0 && s[0] == 'a' && first(s) < 'b' }
func pick[K comparable, V any](m map[K]V, k K) V { return m[k] }
func pickText[M ~map[K]V, K ~string, V any](m M, k K) (V, bool) {
	v, ok := m[k]
	return v, ok
}

func kinds[T whole](a T) string {
	switch a {
	case 1:
		return "one"
	case 2, 3:
		return "few"
	}
	switch any(a).(type) {
	case int:
		return "int"
	}
	return "other"
}

type list[T comparable] struct {
	items []T
	count map[T]int
	named map[name]T
}

func (l *list[T]) add(v T) int {
	for i, have := range l.items {
		if have == v {
			l.count[v]++
			return i
		}
	}
	l.items = append(l.items, v)
	l.count[v], l.named[name(fmt.Sprint(v))] = 1, v
	return len(l.items) - l.count[v]
}

func (l *list[T]) find(n name) (v T, found flag) {
	if v == l.named[n] {
		return v, false
	}
	v, found = l.named[n], l.count[l.named[n]] > 0
	return
}

func nan() float64 { var zero float64; return zero / zero }

func parameters() {
	note(equal(1, 1), equal("a", "b"), equal(size(1), 2), equal(nan(), nan()), equal[any](1, "x"), equal([2]byte{1}, [2]byte{1}), equal(struct{}{}, struct{}{}))
	note(isZero(0), isZero(size(3)), isZero[uint16](9), most(1, 2), most("b", "a"), most(size(1), 2), most(nan(), 1), between(nan(), 1, 2), between("a", "b", "c"))
	note(shift(uint8(255), 1) == 127, isA("abc"), isA([]byte("b")), isA(name("a")), kinds(1), kinds(size(3)), kinds(uint16(7)), kinds(int(9)))
	l := &list[name]{count: map[name]int{}, named: map[name]name{}}
	note(l.add("x"), l.add("y"), l.add("x"))
	v, ok := l.find("x")
	note(v, ok)
	func() {
		defer func() { note(recover()) }()
		bad := number[any]([]int{1})
		note(equal(bad, bad))
	}()
}

func lookups() {
	sizes := map[size]name{1: "one"}
	var ok flag
	var v name
	v, ok = sizes[number(size(1))]
	note(v, ok, sizes[2] == "", len(sizes[1]) == 3)
	var k, found = sizes[3]
	note(k, found, pick(sizes, 1), pick(map[[1]int]string{{1}: "array"}, [1]int{1}), pick(map[any]int{"x": 1}, any("x")))
	w, there := pickText(map[name]int{"n": 1}, "n")
	note(w, there)
	type local struct{ n tiny }
	m := map[tiny]local{-1: {5}}
	note(m[-1].n == 5, m[number(tiny(2))], m[-1] == local{5})
	if e, ok := m[-1]; !ok || e.n != 5 {
		note("not here")
	}
	note(map[name]map[size]bool{"a": {1: true}}["a"][1], map[string]func() int{"f": func() int { return 3 }}["f"]() == 3)
	u := map[uint]string{1 << 3: "shifted"}
	n := 3
	note(u[1<<n], [...]string{2: "x"}[len(u)+1] == "x")
}

func lists() {
	words := names{"a", "b"}
	note(slices.Contains(words, "b"), slices.Index(words, number(name("c"))), slices.Contains([]int{1, 2}, 3), slices.Index([]tiny{1}, -1))
	note(slices.Contains([]any{1}, any(1)), slices.Contains[[]string]([]string{"x"}, "x"), slices.Equal([]byte("a"), []byte("b")), slices.Equal(words, words))
	type raw []byte
	note(slices.Equal(raw("x"), raw("x")), slices.Equal(raw("x"), nil))
	note(slices.Sorted(maps.Keys(map[string]int{"b": 1, "a": 2})))
	var n = 2
	note(slices.Contains([]uint8{8}, 1<<n*2))
}

func loops() {
	for i := range 3 {
		if i == 1 {
			continue
		}
		note(i)
	}
outer:
	for k, v := range pairs("ab") {
		switch {
		case k == 0 && v == 'a':
			continue outer
		case v == 'b':
			break outer
		}
	}
	for part := range strings.SplitSeq("a,b", ",") {
		note(part == "b")
	}
	var fs []func() bool
	for i := 0; i < 3; i++ {
		fs = append(fs, func() bool { return i == 2 })
	}
	for _, f := range fs {
		note(f())
	}
	note(min(1, number(2)) == 1, max("a", "b") == "b")
}

func pairs(s string) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		for i, r := range s {
			if !yield(i, r) {
				return
			}
		}
	}
}

func shifted() {
	n := -1
	func() {
		defer func() { note(recover()) }()
		note(1<<n == 2)
	}()
	b, ok := strings.CutPrefix("prefix", "pre")
	note(b, ok)
	before, after, found := strings.Cut("k=v", "=")
	note(before, after, found == true)
}

type (
	alias[T any] = map[string]T
	text         = string
	code         = [2]byte
)

func aliases() {
	m := alias[text]{"a": "b"}
	var t text = m["a"]
	note(t == "b", code{1} == code{2}, m[t] == "", pick(m, "a"))
	switch t {
	case text("b"):
		note("alias")
	}
}
