package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recorderPackage replaces package fuzzfunc of the library: it prints the records.
const recorderPackage = `package rec

import (
	"fmt"
	"reflect"
	"strings"
	_ "unsafe"
)

var (
	Lines  []string
	tables []string
	first  []int
	sites  int
	values []string
	at     int
)

//go:linkname table main.plxRecTable
func table(s string) int {
	tables, first = append(tables, s), append(first, sites)
	sites += strings.Count("\n"+s, "\nS\t")
	return first[len(first)-1]
}

//go:linkname begin main.plxRecBegin
func begin(site int) uint8 { at, values = site, nil; return 1 }

//go:linkname end main.plxRecEnd
func end() {
	for _, o := range outs {
		is := show(o.v)
		switch {
		case o.effect&1 != 0:
			values = append(values, "into "+is)
		case o.effect&2 != 0 && is != o.was:
			values = append(values, "changed "+is)
		}
		if o.effect&4 != 0 {
			values = append(values, fmt.Sprintf("writer %T", o.v))
		}
	}
	outs = nil
	var names []string
	for _, s := range tables {
		for _, line := range strings.Split(s, "\n") {
			if f := strings.Split(line, "\t"); f[0] == "S" {
				names = append(names, f[5]+" in "+f[4])
			}
		}
	}
	Lines = append(Lines, names[at]+": "+strings.Join(values, ", "))
}

func put(v interface{}) { values = append(values, fmt.Sprintf("%v", v)) }

type noted struct {
	effect int
	v      interface{}
	was    string
}

var outs []noted

func show(v interface{}) string {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Ptr {
		v = r.Elem()
	}
	return fmt.Sprintf("%v", v)
}

//go:linkname out main.plxRecOut
func out(site, arg, effect int, v interface{}) {
	outs = append(outs, noted{effect, v, show(v)})
}

//go:linkname value main.plxRecValue
func value(v interface{}) { put(v) }

//go:linkname err main.plxRecError
func err(v interface{}) { values = append(values, fmt.Sprintf("error %v", v)) }

//go:linkname str main.plxRecString
func str(v string) { put(v) }

//go:linkname bytes main.plxRecBytes
func bytes(v []byte) { put(string(v)) }

//go:linkname boolean main.plxRecBool
func boolean(v bool) { put(v) }

//go:linkname integer main.plxRecInt
func integer(v int64) { put(v) }

//go:linkname unsigned main.plxRecUint
func unsigned(v uint64) { put(v) }

func Take() []string { l := Lines; Lines = nil; return l }

func Tables() string { return strings.Join(tables, "") }
`

// testedPackage is the package under test. Its language version has no type parameters.
const testedPackage = `package p

import (
	"errors"
	"io"
)

type T struct{ N int }

type hidden struct{ s string }

type Getter interface{ Get() int }

type Named string

func Get(n int) int               { return n + 1 }
func Two(s string) (string, error) {
	if s == "" {
		return "", errors.New("empty")
	}
	return s + s, nil
}
func Three(b []byte) (T, uint8, bool) { return T{len(b)}, uint8(len(b)), len(b) > 1 }
func (t T) Get() int                  { return t.N }
func (t *T) Set(n int) *T             { t.N = n; return t }
func Hidden() hidden                  { return hidden{"h"} }
func (h hidden) Text() string         { return h.s }
func Nothing()                        {}
func Fail(n int) int {
	if n > 1 {
		panic("too large")
	}
	return n
}
func Func() func(int) int { return func(n int) int { return n * 2 } }
func Name() Named         { return "named" }
func Each(f func(int))    { f(1); f(2) }
func Array() [2]int       { return [2]int{3, 4} }
func Bool(b bool) bool    { return b }
func Note(log *[]int, n int) int { *log = append(*log, n); return n }
func own(n int) int       { return -n }
func Pair() (int, int)    { return 1, 2 }
func Sum(a, b int) int    { return a + b }
func Into(n int, v interface{}) error { *v.(*int) = n; return nil }
func Fill(t *T) error     { t.N = 8; return nil }
func Nothing2(t *T)       { t.N = 9 }
func Value(t *T) int      { return t.N }
func Many(v ...*int) error { for i := range v { *v[i] = i }; return nil }
func Copy(dst, src []byte) int { return copy(dst, src) }
func Put(m map[string]int, k string) { m[k] = 1 }
func Dump(w io.Writer, s string) error { _, err := io.WriteString(w, s); return err }
func From(r io.Reader) error { return nil }
func (t *T) Load(n int) error { t.N = n; return nil }
func (t *T) Flush()       { t.N = 0 }
func Fill2(v interface{}) (int, error) { *v.(*int) = 3; return 1, nil }
type Sink struct { W io.Writer }
func (s *Sink) Say(text string) error { _, err := io.WriteString(s.W, text); return err }
type Shut struct { w io.Writer }
func Open(w io.Writer) *Shut { return &Shut{w} }
func (s *Shut) Say(text string) error { _, err := io.WriteString(s.w, text); return err }
func (s *Shut) Mark(text string) {}
func Any() interface{}    { return map[string]int{"a": 1} }
`

// callForms lists calls of package p in each position of an expression, with their records.
var callForms = []struct{ body, want string }{
	{`x := p.Get(1); out(x)`, `Get: 2`},
	{`s, err := p.Two("a"); out(s, err)`, `Two: aa, error <nil>`},
	{`_, err := p.Two(""); out(err)`, `Two: , error empty`},
	{`t, n, b := p.Three([]byte("xy")); out(t, n, b)`, `Three: {2}, 2, true`},
	{`p.Get(7)`, `Get: 8`},
	{`p.Nothing()`, `Nothing: `},
	{`if p.Get(1) > 1 && p.Bool(true) { out("yes") }`, `Get: 2; Bool: true`},
	{`if p.Bool(false) && p.Bool(true) || p.Get(0) == 1 { out("short") }`, `Bool: false; Get: 1`},
	{`switch p.Get(1) { case p.Get(0): out(0); case p.Get(1): out(1) }`, `Get: 2; Get: 1; Get: 2`},
	{`for i := p.Get(-1); i < p.Get(1); i++ { out(i) }`, `Get: 0; Get: 2; Get: 2; Get: 2`},
	{`out(p.Get(p.Get(p.Get(0))))`, `Get: 1; Get: 2; Get: 3`},
	{`out(p.Sum(p.Pair()))`, `Pair: 1, 2; Sum: 3`},
	{`func() { defer out(p.Get(1)) }()`, `Get: 2`},
	{`func() { defer p.Get(1); defer func() { out(p.Get(4)) }() }()`, `Get: 5`},
	{`done := make(chan int); go func() { done <- p.Get(1) }(); out(<-done)`, ``},
	{`done := make(chan int, 1); go send(done, p.Get(1)); out(<-done)`, `Get: 2`},
	{`var g p.Getter = p.T{N: 4}; out(g.Get())`, `Getter.Get: 4`},
	{`t := new(p.T); out(t.Set(2).Set(3).Get())`, `T.Set: &{2}; T.Set: &{3}; T.Get: 3`},
	{`out(p.Hidden().Text())`, `Hidden: {h}; hidden.Text: h`},
	{`f := p.Get; out(f(1))`, ``},
	{`f := p.T{N: 1}.Get; out(f())`, ``},
	{`out(p.T.Get(p.T{N: 5}), (*p.T).Set(new(p.T), 6).N)`, `T.Get: 5; T.Set: &{6}`},
	{`out((p.Get)(1), ((p.Get))(2))`, `Get: 2; Get: 3`},
	{`type e struct{ p.T }; out(e{p.T{N: 9}}.Get())`, `T.Get: 9`},
	{`out(p.Func()(4))`, `Func: FUNC`},
	{`func() { defer func() { out(recover()) }(); out(p.Fail(1), p.Fail(2), p.Fail(3)) }()`, `Fail: 1`},
	{`var n p.Named = p.Name(); out(n, len(p.Name()))`, `Name: named; Name: named`},
	{`p.Each(func(n int) { out(p.Get(n)) })`, `Get: 2; Get: 3; Each: `},
	{`for i, v := range p.Array() { out(i, v) }`, `Array: [3 4]`},
	{`out(len(p.Array()), p.Array()[p.Get(0)])`, `Array: [3 4]; Array: [3 4]; Get: 1`},
	{`var log []int; a := []int{p.Note(&log, 1), p.Note(&log, 2)}; m := map[int]int{p.Note(&log, 3): p.Note(&log, 4)}; out(a, m, log)`, `Note: 1, into [1]; Note: 2, into [1 2]; Note: 3, into [1 2 3]; Note: 4, into [1 2 3 4]`},
	{`var x, y = p.Pair(); out(x, y)`, `Pair: 1, 2`},
	{`out(!p.Bool(true), -p.Get(1), p.Any().(map[string]int)["a"], string(p.Name()))`, `Bool: true; Get: 2; Any: map[a:1]; Name: named`},
	{`f := func() (string, error) { return p.Two("b") }; out(f())`, `Two: bb, error <nil>`},
	{`f := func() int {return(p.Get)(1)}; out(f())`, `Get: 2`},
	{`for range[2]int{} { helper() }`, `Get: 6; Get: 6`},
	{`out(tester{}.call())`, `Get: 10`},
	{`var c interface{ call() int } = tester{}; out(c.call())`, `Get: 10`},
	{`out(table[0](), table[1]())`, `Get: 100`},
	{`L: for { if p.Bool(true) { break L } }`, `Bool: true`},
	{`var n int; out(p.Into(5, &n), n)`, `Into: error <nil>, into 5`},
	{`var n int; if err := p.Into(p.Get(1), &n); err != nil || n != 2 { out("no") }`, `Get: 2; Into: error <nil>, into 2`},
	{`t := new(p.T); out(p.Fill(t), t)`, `Fill: error <nil>, into {8}`},
	{`t := new(p.T); out(p.Value(t)); p.Nothing2(t); out(t)`, `Value: 0; Nothing2: changed {9}`},
	{`t := p.T{}; out(t.Set(3), p.Value(&t))`, `T.Set: &{3}; Value: 3, into {3}`},
	{`var a [2]int; var s struct{ n int }; out(p.Many(&a[p.Get(0)], &s.n), a, s)`, `Get: 1; Many: error <nil>, into 0, into 1`},
	{`var a, b int; l := []*int{&a, &b}; out(p.Many(l...), b)`, `Many: error <nil>`},
	{`out(p.Value(&p.T{N: p.Get(6)}))`, `Get: 7; Value: 7, into {7}`},
	{`b := make([]byte, 3); out(p.Copy(b, []byte("xy")), p.Copy(b[1:], nil), b)`, `Copy: 2, changed [120 121 0]; Copy: 0`},
	{`m := map[string]int{}; if true { p.Put(m, "a") }; out(m)`, `Put: changed map[a:1]`},
	{`for i := 0; i < 1; p.Nothing() { i++ }`, ``},
	{`L: p.Nothing(); if false { goto L }`, `Nothing: `},
	{`switch { case true: p.Nothing() }`, `Nothing: `},
	{`var b bytes.Buffer; out(p.Dump(&b, "x"), b.String(), p.From(&b))`, `Dump: error <nil>, writer *bytes.Buffer; From: error <nil>, into {[120] 0 0}`},
	{`b := new(strings.Builder); p.Dump(b, "x"); w := bufio.NewWriter(b); p.Dump(w, "y"); out(w.Flush(), b)`, `Dump: error <nil>, writer *strings.Builder; Dump: error <nil>, writer *bufio.Writer`},
	{`var b bytes.Buffer; s := p.Sink{W: &b}; out(s.Say("x"), (&p.Sink{&b}).Say("y"), b.String())`, `Sink.Say: error <nil>, writer *p.Sink; Sink.Say: error <nil>, writer *p.Sink`},
	{`var t p.T; out(t.Load(3), t); t.Flush(); defer t.Flush()`, `T.Load: error <nil>, changed {3}; T.Flush: changed {0}`},
	{`n := 0; var v interface{} = &n; out(p.Fill2(v)); out(n)`, `Fill2: 1, error <nil>, changed 3`},
	{`s := p.Open(io.Discard); out(s.Say("x")); s.Mark("y"); p.Open(os.Stdout).Mark("z")`, `Open: OPEN; Shut.Say: error <nil>; Shut.Mark: ; Open: OPEN; Shut.Mark: `},
	{`ch := make(chan int, 1); select { case ch <- p.Get(1): out(<-ch) }`, `Get: 2`},
	{`out(p.Get(1)); /* a comment */ out(p.Get(2)) // another`, `Get: 2; Get: 3`},
}

// formsTest returns a package of external tests with all forms.
func formsTest() string {
	var b strings.Builder
	b.WriteString(`package p_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"x/p"
	"x/rec"
)

func out(v ...interface{}) { fmt.Fprintln(os.Stderr, v...) }

func send(c chan int, n int) { c <- n }

func helper() { p.Get(5) }

type tester struct{}

func (tester) call() int { return p.Get(9) }

var table = []func() int{func() int { return 21 }, indirect}

func indirect() int { return p.Get(99) }

func TestElsewhere(t *testing.T) { p.Get(1) }

func take(i int) {
	fmt.Printf("%d %s\n", i, strings.Join(rec.Take(), "; "))
}

func FuzzForms(f *testing.F) {
`)
	for i, form := range callForms {
		b.WriteString("\tfunc() {\n\t\t" + form.body + "\n\t}()\n\ttake(" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "-0)\n")
	}
	b.WriteString("\tfmt.Print(rec.Tables())\n\tf.Skip()\n}\n")
	return strings.ReplaceAll(b.String(), "take(0", "take(")
}

// testBinary builds the tests of package x/p, recording or not, and runs them.
func testBinary(t *testing.T, m *module, calls bool) (stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{}
	if calls {
		o.Calls = "x/p" // package rec is not the module's
	}
	binary := filepath.Join(t.TempDir(), "p.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-o", binary, "-toolexec="+self+" toolexec", "-gcflags=x/p="+Flag(o), "x/p")
	build.Dir, build.Env = m.dir, append(os.Environ(), m.env...)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var outText, errText strings.Builder
	run := exec.Command(binary, "-test.run=^Fuzz")
	run.Dir, run.Stdout, run.Stderr = m.dir, &outText, &errText
	if err := run.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &outText, &errText)
	}
	return outText.String(), errText.String()
}

// TestCallForms checks that each form of a call has the same result as before, and that results are
// recorded in the order of the calls.
func TestCallForms(t *testing.T) {
	m := newModule(t, "go.mod", "module x\n\ngo 1.17\n", "p/p.go", testedPackage, "p/forms_test.go", formsTest(), "rec/rec.go", recorderPackage)
	_, plain := testBinary(t, m, false)
	recorded, same := testBinary(t, m, true)
	if plain != same {
		t.Errorf("without recording:\n%s\nwith:\n%s", plain, same)
	}
	lines := strings.Split(recorded, "\n")
	for i, form := range callForms {
		got := strings.ReplaceAll(lines[i][strings.Index(lines[i], " ")+1:], " in FuzzForms", "")
		for _, fn := range []string{"helper", "tester.call", "indirect"} {
			got = strings.ReplaceAll(got, " in "+fn, "")
		}
		if i := strings.Index(got, "0x"); i >= 0 && strings.HasPrefix(got, "Func:") {
			got = got[:i] + "FUNC"
		}
		got = regexp.MustCompile(`Open: &{[^}]*}+`).ReplaceAllString(got, "Open: OPEN")
		if got != form.want {
			t.Errorf("%s\nrecorded %q\nwant     %q", form.body, got, form.want)
		}
	}
	table, err := ParseCalls(strings.Join(lines[len(callForms):len(lines)-2], "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range table.Sites {
		if s.File != "forms_test.go" || s.Line == 0 || s.Callee == "" && s.Name != "Getter.Get" || strings.Join(s.Roots, " ") != "FuzzForms" || s.Func == "TestElsewhere" {
			t.Errorf("a site: %+v", s)
		}
	}
	silent := []string{}
	for _, s := range table.Sites {
		if !s.Speaks && !s.Fails && !slices.Contains(silent, s.Callee) {
			silent = append(silent, s.Callee)
		}
	}
	if got, want := strings.Join(silent, " "), "x/p.Nothing x/p.Get x/p.Hidden x/p.Func x/p.Each x/p.(*T).Flush x/p.Open x/p.(*Shut).Mark"; got != want {
		t.Errorf("calls that show nothing of what they did:\n%s\nwant\n%s", got, want)
	}
	if !slices.ContainsFunc(table.Sites, func(s Site) bool { return s.Callee == "x/p.Open" && s.Discards }) {
		t.Error("io.Discard is a writer that is read")
	}
	if got := table.Types["p.hidden"]["s"]; got != "string" {
		t.Errorf("types: %v", table.Types)
	}
}

// TestCallsWithin checks tests within the package. They call its functions without a qualifier, and
// may contain helpers that external tests call. Type parameters, imports with a dot, and the tests'
// own declarations are distinguished by type.
func TestCallsWithin(t *testing.T) {
	m := newModule(t, "go.mod", "module x\n\ngo 1.22\n", "rec/rec.go", recorderPackage, "p/p.go", `package p

type Pair[A, B any] struct { A A; B B }

func Of[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }
func (p Pair[A, B]) First() A { return p.A }
func twice(n int) int { return 2 * n }
func error1() error { return nil }
`, "p/in_test.go", `package p

import (
	"fmt"
	"testing"

	"x/rec"
)

type error interface{ Error() string }

func helper() int { return twice(1) }

func Exported() int { return twice(4) }

func unused() int { return twice(5) }

func FuzzIn(f *testing.F) {
	_ = helper()
	_ = Of(1, "x").First()
	_ = Of[string, int]("y", 2).First()
	_ = error1()
	fmt.Println(rec.Take())
	f.Skip()
}
`, "p/out_test.go", `package p_test

import (
	"fmt"
	"testing"

	. "x/p"
	"x/rec"
)

func FuzzOut(f *testing.F) {
	_ = Exported()
	_ = Of(true, 1)
	fmt.Println(rec.Take())
	fmt.Print(rec.Tables())
	f.Skip()
}
`)
	out, _ := testBinary(t, m, true)
	lines := strings.Split(out, "\n")
	for i, want := range []string{
		"[twice in helper: 2 Of in FuzzIn: {1 x} Pair.First in FuzzIn: 1 Of in FuzzIn: {y 2} Pair.First in FuzzIn: y error1 in FuzzIn: <nil>]",
		"[twice in Exported: 8 Of in FuzzOut: {true 1}]",
	} {
		if lines[i] != want {
			t.Errorf("recorded %s\nwant     %s", lines[i], want)
		}
	}
	table, err := ParseCalls(strings.Join(lines[2:len(lines)-2], "\n"))
	if err != nil {
		t.Fatal(err)
	}
	var reached []string
	for _, s := range table.Sites {
		reached = append(reached, s.Func+" by "+strings.Join(s.Roots, " "))
	}
	if got, want := strings.Join(reached, ", "), "helper by FuzzIn, Exported by .Exported, FuzzIn by FuzzIn, FuzzIn by FuzzIn, FuzzIn by FuzzIn, FuzzIn by FuzzIn, FuzzIn by FuzzIn, FuzzOut by FuzzOut"; got != want {
		t.Errorf("sites: %s\nwant   %s", got, want)
	}
}

// TestCallsRefused checks that tests that cannot be type-checked are compiled unchanged, with the
// reason why nothing is recorded.
func TestCallsRefused(t *testing.T) {
	m := newModule(t, "go.mod", "module x\n\ngo 1.22\n", "rec/rec.go", recorderPackage, "p/p.go", "package p\n\nfunc F() int { return 1 }\n", "p/in_test.go", `package p

import (
	"fmt"
	"testing"

	"x/rec"
)

var plxMine = 1

func FuzzIn(f *testing.F) {
	_ = F()
	fmt.Println(len(rec.Take()))
	fmt.Print(rec.Tables())
	f.Skip()
}
`)
	out, _ := testBinary(t, m, true)
	if lines := strings.Split(out, "\n"); lines[0] != "0" || !strings.HasPrefix(lines[1], "N\t") || !strings.Contains(lines[1], "plxMine") {
		t.Errorf("%s", out)
	}
}

// TestCallsFlag checks that the compiler's flag parses to its options.
func TestCallsFlag(t *testing.T) {
	for _, o := range []Options{{Calls: "example.com/m"}, {Order: true, Apart: true, Calls: "example.com/m/v2"}, {}} {
		if got, err := parseFlag(Flag(o)); err != nil || got != o {
			t.Errorf("%+v: %+v, %v", o, got, err)
		}
	}
}
