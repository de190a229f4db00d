package callgraph

import (
	"reflect"
	"slices"
	"testing"
)

const harnesses = `-- a.go --
package m

import "m/sub"

var ready = boot()

func boot() bool    { return started() }
func started() bool { return true }
func Parse(s string) int { return parse(s) }
func parse(s string) int { sub.Twice(1); return len(s) }
func Other()  { leaf() }
func leaf()   {}
func Unused() { deep() }
func deep()   { deeper() }
func deeper() {}
-- sub/sub.go --
package sub

func Twice(x int) int { return 2 * x }
-- a_test.go --
package m

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}

func check(t *testing.T, s string) {
	t.Run("x", func(t *testing.T) { Parse(s) })
}

func FuzzNamed(f *testing.F) { f.Fuzz(target) }

func target(t *testing.T, b []byte) { Other() }

func FuzzHeld(f *testing.F) {
	run := func(t *testing.T, b []byte) { parse("") }
	if len(f.Name()) > 3 {
		run = target
	}
	f.Fuzz(run)
}

func Fuzzy(f *testing.F) {}
-- x_test.go --
package m_test

import (
	"m"
	"testing"
)

type cases struct{}

func (cases) run(t *testing.T, n int) { m.Other() }

func FuzzOutside(f *testing.F) { f.Fuzz(cases{}.run) }
-- sub/sub_test.go --
package sub

import "testing"

func FuzzSub(f *testing.F) { f.Fuzz(func(t *testing.T, n int) {}) }
`

func TestReaches(t *testing.T) {
	g := newModule(t, harnesses).load("./...")
	want := []string{"m.FuzzHeld", "m.FuzzNamed", "m.FuzzParse", "m/sub.FuzzSub", "m_test.FuzzOutside"}
	if got := g.Fuzz(); !slices.Equal(got, want) {
		t.Errorf("Fuzz() = %v", got)
	}
	tests := []struct {
		from            string
		reaches, avoids []string
	}{
		{"m.FuzzParse", []string{"m.FuzzParse", "m.FuzzParse.func1", "m.check", "m.check.func1", "m.Parse", "m.parse", "m/sub.Twice"}, []string{"m.Other", "m.target", "m.deep", "m.started", "m.FuzzHeld.func1"}},
		{"m.FuzzNamed", []string{"m.target", "m.Other", "m.leaf"}, []string{"m.Parse", "m.FuzzParse.func1"}},
		{"m.FuzzHeld", []string{"m.FuzzHeld.func1", "m.parse", "m.target", "m.leaf"}, []string{"m.Parse"}},
		{"m_test.FuzzOutside", []string{"m_test.cases.run", "m.Other"}, []string{"m.Parse"}},
		{"m/sub.FuzzSub", []string{"m/sub.FuzzSub.func1"}, []string{"m/sub.Twice"}},
	}
	for _, test := range tests {
		got, missing := g.Reaches(test.from)
		if len(missing) > 0 {
			t.Errorf("missing %v", missing)
		}
		for _, name := range test.reaches {
			if !slices.Contains(got, name) {
				t.Errorf("%s does not reach %s", test.from, name)
			}
		}
		for _, name := range test.avoids {
			if slices.Contains(got, name) {
				t.Errorf("%s reaches %s", test.from, name)
			}
		}
	}
	if _, missing := g.Reaches("m.Gone"); !slices.Equal(missing, []string{"m.Gone"}) {
		t.Errorf("missing %v", missing)
	}
}

func TestHarnesses(t *testing.T) {
	if testing.Short() {
		t.Skip("reads modules")
	}
	g := newModule(t, harnesses+"\n-- b_test.go --\npackage m\nfunc useless() { Unused() }\n").load("./...")
	all := []string{"m.FuzzHeld", "m.FuzzNamed", "m.FuzzParse", "m_test.FuzzOutside"}
	tests := []struct {
		function string
		fuzz     []string
		want     Reach
	}{
		{"m.parse", nil, Reach{Known: true, Harnesses: []string{"m.FuzzHeld", "m.FuzzParse"}}},
		{"m.parse", []string{"m.FuzzParse"}, Reach{Known: true, Harnesses: []string{"m.FuzzParse"}}},
		{"m.leaf", nil, Reach{Known: true, Harnesses: []string{"m.FuzzHeld", "m.FuzzNamed", "m_test.FuzzOutside"}}},
		{"m.started", nil, Reach{Known: true, Start: all}},
		{"m.deeper", nil, Reach{Known: true, Tops: []string{"m.useless"}}},
		{"m.Gone", nil, Reach{}},
		{"m.leaf", []string{"m.FuzzParse"}, Reach{Known: true}},
		{"m/sub.Twice", []string{"m/sub.FuzzSub"}, Reach{Known: true}},
	}
	for _, test := range tests {
		test.want.Function = test.function
		got := g.Harnesses([]string{test.function}, test.fuzz...)[0]
		if len(test.fuzz) > 0 {
			got.Tops = nil // other FuzzXxx, and functions of package testing
			got.Nearest, got.Steps, got.By = "", 0, nil
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s of %v: %+v, want %+v", test.function, test.fuzz, got, test.want)
		}
	}
}

// TestNearest checks functions that a FuzzXxx would reach only if calls of the standard library
// were not distinguished. The nearest caller is never one of these, and tests that call a function
// bring no FuzzXxx closer. Values in interfaces are distinguished by type, unless a parameter of an
// interface type hides it.
func TestNearest(t *testing.T) {
	g := newModule(t, `-- a_test.go --
package m

import (
	"sort"
	"testing"
)

func FuzzA(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { sort.Slice([]int{n}, func(i, j int) bool { return i < j }) })
}

func other() { sort.Slice([]int{1}, func(i, j int) bool { return less(i, j) }) }

func less(i, j int) bool { return i < j }

func alone() bool { return true }

func TestAlone(t *testing.T) { t.Run("x", func(t *testing.T) { alone() }) }

type one []int

func (s one) Len() int           { return len(s) }
func (s one) Swap(i, j int)      {}
func (s one) Less(i, j int) bool { return true }

type two []int

func (s two) Len() int            { return len(s) }
func (s two) Swap(i, j int)       {}
func (s *two) Less(i, j int) bool { return true }

type outer struct{ one }

func FuzzOne(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { sort.Sort(one{}) }) }

func FuzzReverse(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { sort.Sort(sort.Reverse(one{})) }) }

func FuzzOuter(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { sort.Sort(&outer{}) }) }

func FuzzTwo(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { sort.Sort(&two{}) }) }

func FuzzParameter(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { order(one{}); order(&two{}) }) }

func order(s sort.Interface) { sort.Sort(s) }
`).load(".")
	for function, want := range map[string][]string{
		"m.one.Less":    {"m.FuzzOne", "m.FuzzOuter", "m.FuzzParameter", "m.FuzzReverse"},
		"m.one.Len":     {"m.FuzzOne", "m.FuzzOuter", "m.FuzzParameter", "m.FuzzReverse"},
		"m.(*two).Less": {"m.FuzzParameter", "m.FuzzTwo"},
		"m.two.Len":     {"m.FuzzParameter", "m.FuzzTwo"},
	} {
		if got := g.Harnesses([]string{function})[0].Harnesses; !slices.Equal(got, want) {
			t.Errorf("%s is reached by %v", function, got)
		}
	}
	r := g.Harnesses([]string{"m.less", "m.other", "m.alone"})
	if len(r[0].Harnesses) > 0 || r[0].Nearest != "m.FuzzA.func1" || r[0].Steps < 2 || !slices.Equal(r[0].By, []string{"m.FuzzA"}) {
		t.Errorf("%+v", r[0])
	}
	if len(r[2].Harnesses) > 0 || r[2].Nearest != "" {
		t.Errorf("%+v", r[2])
	}
	if !slices.Equal(r[1].Tops, []string{"m.other"}) || r[1].Nearest != "" {
		t.Errorf("%+v", r[1])
	}
}

// TestHidden checks a function without visible callers. A FuzzXxx with unknown callees may reach
// it, if its test binary has the function.
func TestHidden(t *testing.T) {
	g := newModule(t, `-- a.go --
package m

import "reflect"

type T struct{}

func (T) Called() {}

func byName(name string) { reflect.ValueOf(T{}).MethodByName(name).Call(nil) }

func seen() {}
-- a_test.go --
package m

import "testing"

func FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { byName(s) }) }

func FuzzB(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { seen() }) }
-- other/a.go --
package other

func Alone() {}
`).load("./...")
	for _, test := range []struct {
		function  string
		harnesses []string
		hidden    []string
	}{
		{"m.T.Called", nil, []string{"m.FuzzA"}},
		{"m.seen", []string{"m.FuzzB"}, nil},
		{"m/other.Alone", nil, nil},
	} {
		r := g.Harnesses([]string{test.function})[0]
		if !slices.Equal(r.Harnesses, test.harnesses) || !slices.Equal(r.Hidden, test.hidden) {
			t.Errorf("%s: %+v", test.function, r)
		}
	}
	runs := g.Runs("m.FuzzB")
	if !runs("m.seen") || runs("m.byName") {
		t.Error("what FuzzB runs is not known")
	}
}

// TestOrigin checks where the calls of functions begin.
func TestOrigin(t *testing.T) {
	if testing.Short() {
		t.Skip("reads modules")
	}
	g := newModule(t, `-- go.mod --
module m

go 1.22
-- a.go --
package m

import "sort"

var table = initial()

func initial() int { return 1 }
func init()        { started() }
func started()     {}

func Exported() { inner(); shared() }
func inner()    {}
func shared()   {}
func dead()     { deeper() }
func deeper()   {}
func tested()   { below() }
func below()    {}

type byLen []string

func (b byLen) Len() int           { return len(b) }
func (b byLen) Less(i, j int) bool { return less(b[i], b[j]) }
func (b byLen) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func less(a, b string) bool        { return len(a) < len(b) }
func Sort(list []string)           { sort.Sort(byLen(list)) }
-- a_test.go --
package m

import "testing"

func TestTested(t *testing.T) { tested(); shared() }
func FuzzX(f *testing.F)      { f.Fuzz(func(t *testing.T, s string) { tested() }) }
`).load("./...")
	for name, want := range map[string]Origin{
		"inner": Program, "shared": Program, "Exported": Program, "less": Program, "dead": Nowhere, "deeper": Nowhere, "tested": Tests, "below": Tests, "started": Starts, "initial": Starts, "gone": Unknown,
	} {
		if got := g.Origin("m." + name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
