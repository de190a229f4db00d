package callgraph

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// manyWrappers returns types that embed one interface. The wrapper of each calls those of all
// others, so call chains exist in every order.
func manyWrappers(n int) string {
	text := "type I interface{ m() }\ntype T struct{}\nfunc (T) m() {}\nfunc a(i I) { i.m() } //> T.m\nfunc main() {\n\tvar i I = T{}\n"
	for k := range n {
		text += fmt.Sprintf("\ttype w%d struct{ I }\n\ti = w%d{i}\n", k, k)
	}
	return text + "\ta(i) //> a\n}\n"
}

// kinds lists modules. A comment "//> a b" means that the line calls m.a and m.b, and nothing else
// with a table. A question mark means an unknown function, and a dash means none.
var kinds = []struct{ name, text string }{
	{"static", `
func a() { b() } //> b
func b() {
	a() //> a
	go a() //> a
	defer b() //> b
	func() {
		a() //> a
	}() //> b.func1
	_ = string([]byte{}) //> -
	println(len("x")) //> -
}
func never() { b() } //> b
`},
	{"runtime", `
import "runtime"
func a(p *[64]int, f func(int)) {
	runtime.SetFinalizer(p, final) //> final
	runtime.AddCleanup(p, clean, 1) //> clean
	runtime.AddCleanup(p, func(int) {}, 1) //> a.func1
	runtime.AddCleanup(p, f, 1) //> ?
	runtime.GC() //> -
}
func final(*[64]int) { clean(0) } //> clean
func clean(int) {}
func main() { a(nil, nil) } //> a
`},
	{"many wrappers", manyWrappers(24)},
	{"methods", `
type T struct{}
func (T) v() {}
func (*T) p() {}
type U struct{ *T }
func a(t T, u U) {
	t.v() //> T.v
	t.p() //> (*T).p
	u.v() //> T.v
	f := u.p
	f() //> (*T).p
	g := T.v
	g(t) //> T.v
	h := (*T).v
	h(&t) //> T.v
	k := U.p
	k(u) //> (*T).p
}
func main() { a(T{}, U{}) } //> a
`},
	{"interfaces", `
type I interface{ m() }
type T int
type U int
type V int
func (T) m() {}
func (*U) m() {}
func (V) m() {}
type W struct{ I }
func a(i I) {
	i.m() //> T.m (*U).m
	f := i.m
	f() //> T.m (*U).m
	I.m(i) //> T.m (*U).m
}
func b(i I) { i.m() } //> V.m
func c(w W) { w.m() } //> V.m
func main() {
	a(T(1)) //> a
	a(new(U)) //> a
	b(V(1)) //> b
	c(W{V(2)}) //> c
}
`},
	{"function values", `
type S struct{ f func() }
var table = map[string]func(){"a": a}
var one = b
func a() {}
func b() {}
func c() {}
func run(f func(int)) { f(1) } //> use.func1
func use(s *S) {
	n := 0
	run(func(i int) { n += i }) //> run
	s.f() //> c
	table["a"]() //> a
	one() //> b
	defer s.f() //> c
	go one() //> b
}
func set(s *S) { s.f = c }
func made() func() { return func() { a() } } //> a
func main() {
	s := &S{}
	set(s) //> set
	use(s) //> use
	made()() //> made made.func1
}
func Never(f func(int8)) { f(1) } //> ?
`},
	{"generics", `
type N interface{ m() }
type A int
type B int
func (A) m() {}
func (B) m() {}
type L[X any] struct{ x X }
func (l *L[X]) get() X { return l.x }
func f[X N](x X) { x.m() } //> A.m B.m
func g[X any](x X, use func(X)) { use(x) } //> main.func1
func h[X any](x X) func() X { return func() X { k(x); return x } } //> k[...]
func k[X any](X) {}
func dead[X any](x X) { k(x) } //> k[...]
func main() {
	f(A(1)) //> f[...]
	f(B(1)) //> f[...]
	g("x", func(string) {}) //> g[...]
	h(1)() //> h[...] h[...].func1
	(&L[int]{}).get() //> (*L[...]).get
	(&L[string]{}).get() //> (*L[...]).get
}
`},
	{"range over function", `
func seq(yield func(int) bool) { yield(a()) } //> a
func a() int { return 1 }
func b() {}
func main() {
	for i := range seq { //> seq
		_ = i
		b() //> b
		func() { b() }() //> b main.func1
	}
	next := seqs()
	for range next { //> seqs.func1
		defer b() //> b
	}
}
func seqs() func(func() bool) { return func(func() bool) {} }
`},
	{"initializers", `
var x = a()
var y = x == 1 && b() //> b
var z = func() int { return a() }() //> a init.func1
func a() int { return 1 }
func b() bool { return true }
func init() { a() } //> a
func init() { b() } //> b
`},
	{"by way of others", `
import ("sort"; "strings"; "fmt"; "sync"; "errors")
type by []int
func (b by) Len() int { return 0 }
func (b by) Less(i, j int) bool { return false }
func (b by) Swap(i, j int) {}
type S int
func (S) String() string { return "" }
type E struct{}
func (*E) Error() string { return "" }
var once sync.Once
func main() {
	sort.Slice([]int{1}, func(i, j int) bool { return less(i, j) }) //> less main.func1
	sort.Sort(by{}) //> by.Len by.Less by.Swap
	strings.Map(func(r rune) rune { return r }, "x") //> main.func2
	once.Do(func() {}) //> main.func3
	_ = fmt.Sprint(S(1), 2) //> S.String
	_ = errors.Is(fail(), nil) //> fail
	strings.ToUpper("x") //> -
}
func less(i, j int) bool { return i < j }
func fail() error { return &E{} }
`},
	{"reflection", `
import ("reflect"; "encoding/json")
type J int
func (J) MarshalJSON() ([]byte, error) { return nil, nil }
type K struct{ J J }
func a() {}
func show(any) {}
func main() {
	reflect.ValueOf(a).Call(nil) //> a ?
	show([]any{a}) //> show a
	json.Marshal(K{}) //> J.MarshalJSON
}
`},
	{"made by reflection", `
import "reflect"
func show(any) {}
func stringer(x reflect.Value) string {
	return x.Interface().(interface{ String() string }).String() //> T.String
}
type T int
func (T) String() string { return "" }
func use() { show(T(1)) } //> show
`},
	{"bodies elsewhere", `
import _ "unsafe"
//go:linkname nano runtime.nanotime
func nano() int64
func a() { nano() } //> -
`},
}

func TestKindsOfCalls(t *testing.T) {
	for _, test := range kinds {
		t.Run(test.name, func(t *testing.T) {
			m := newModule(t, "-- a.go --\npackage m\n"+strings.ReplaceAll(test.text, "func main()", "func Main()")+"\n-- empty.s --\n")
			text := strings.ReplaceAll(test.text, "main.func", "Main.func")
			m.write("a.go", "package m\n"+strings.ReplaceAll(text, "func main()", "func Main()"))
			g := m.load(".")
			for _, n := range g.Notes {
				t.Error(n)
			}
			tab := m.table("m", false)
			data, err := os.ReadFile(m.path("a.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range g.Fill([]*flow.Table{tab}) {
				t.Error(n)
			}
			f := newFiller(g)
			for i, at := range tab.Starts {
				if id, ok := g.index.functions[at]; ok {
					f.names[id] = tab.Funcs[i].Name
				}
			}
			for i, line := range strings.Split(string(data), "\n") {
				_, want, ok := strings.Cut(line, "//> ")
				if !ok {
					continue
				}
				var got []string
				for at, sites := range g.index.sites {
					if at.Line != i+1 || at.File != m.path("a.go") {
						continue
					}
					for _, s := range sites {
						names, unknown := f.callees(s)
						if got = append(got, names...); unknown {
							got = append(got, "?")
						}
					}
				}
				expect := strings.Fields(want)
				if want == "-" {
					expect = nil
				}
				slices.Sort(got)
				slices.Sort(expect)
				if got = slices.Compact(got); !slices.Equal(got, expect) {
					t.Errorf("line %d, %s: calls %v", i+1, strings.TrimSpace(line), got)
				}
			}
		})
	}
}

// TestBlocksOfCalls checks the block to which a call belongs.
func TestBlocksOfCalls(t *testing.T) {
	m := newModule(t, `-- a.go --
package m

func a() bool { return true }
func b() bool { return true }
func c() int  { return 1 }
func d()      {}

func f(x int) {
	if a() && b() {
		c()
	} else {
		d()
	}
	for i := 0; a(); c() {
		if b() {
			continue
		}
		d()
	}
	switch c() {
	case x:
		a()
	case c() + 1:
		b()
	}
	defer func() {
		d()
	}()
	_ = a() || b()
	d()
	for range c() {
	}
	return
	d()
}

func g(ch chan int) {
again:
	if a() {
		goto again
	}
	select {
	case ch <- c():
		a()
	case <-ch:
		b()
	}
}

var v = a() && b()
`)
	tab := m.table("m", false)
	m.load(".").Fill([]*flow.Table{tab})
	var got []string
	for _, b := range tab.Blocks {
		if len(b.Calls) > 0 {
			got = append(got, fmt.Sprintf("%s %s:%d %s", tab.Funcs[b.Func].Name, b.Kind, b.Line, strings.ReplaceAll(strings.Join(b.Calls, " "), "m.", "")))
		}
	}
	want := strings.Split(strings.TrimSpace(`
f entry:8 a
f and:9 b
f then:9 c
f else:11 d
f join:14 a
f body:14 b
f then:15 a c
f join:18 a c d
f join:20 c
f case:21 a
f case:23 b
f join:26 a c d f.func1
f or:29 b c d
f.func1 entry:26 d
g label:38 a
g join:42 c
g comm:43 a
g comm:45 b
init and:50 b
`), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("blocks call\n%s", strings.Join(got, "\n"))
	}
}
