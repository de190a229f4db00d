// Package p is what the recording of operands must not change. It is written in the language of Go 1.12, and returns a trace of
// what it evaluates.
package p

import (
	"bytes"
	"fmt"
	. "path"
	"runtime"
	str "strings"
	"unsafe"
)

var trace []interface{}

func note(what ...interface{}) { trace = append(trace, what...) }

func number(n int) int { note(n); return n }

func text(s string) string { note(s); return s }

// Run returns the trace of everything.
func Run() string {
	for _, f := range []func(){order, names, hidden, jumps, maps, constants, places, panics, arrays, switches, calls, inits, unevaluated} {
		f()
	}
	return fmt.Sprint(trace...)
}

func order() {
	note(number(1) == number(2), text("a") < text("b"), number(3)+number(4) > number(5)*number(6))
	if number(1) == 1 && number(2) == 3 || number(4) == 4 {
		note("yes")
	}
	if number(1) != 1 && number(2) == 2 {
		note("no")
	}
	note(str.HasPrefix(text("abc"), text("ab")), str.Index(text("x"), text("y")), HasSuffix{}.of(number(7) == 7))
	a := []int{1, 2, 3}
	i := 0
	next := func() int { i++; return a[i-1] }
	note(next() == next(), next() == 3, i)
	x := 1
	change := func() int { x++; return x }
	note(change() == change(), change() < x)
	ch := make(chan bool, 2)
	select {
	case ch <- number(8) == 8:
		note(<-ch)
	default:
	}
	ch <- number(9) == 8
	select {
	case b, ok := <-ch:
		note(b == false, ok)
	}
	defer note("deferred", number(10) == 10)
	defer func(b bool) { note(b) }(number(11) == number(12))
	go str.HasPrefix("a", "b")
	defer str.HasPrefix("a", "b")
}

// HasSuffix is no function here, and path has Base and Ext.
type HasSuffix struct{}

func (HasSuffix) of(b bool) bool { return Base("a/b") == "b" == b && Ext("a.go") != ".c" }

type (
	flag   bool
	count  int16
	word   string
	octet  = byte
	octets []octet
	method struct{ n count }
	table  map[word]count
)

func (m method) is(n count) flag      { return m.n == n }
func (m *method) set(b flag, n count) { m.n = n; note(b) }
func (c count) under(d count) flag    { return flag(c < d) }

const (
	few  count = 3
	many       = 300
	w    word  = "word"
)

func named(a, b count) flag { return a == b }

func names() {
	var f flag = count(1) == few
	f = f || few < many-1
	m := method{3}
	m.set(m.n == few, many)
	note(f, named(few, 3), m.is(many), m.n.under(many), m.n == many && f, !f == (m.n == 1))
	var g flag
	g = "a" == w
	var v count
	v, g = table{w: 3}["word"]
	note(g, v)
	v, ok := table{w: 3}[w]
	note(ok, v)
	var i interface{}
	v, i = table{w: 3}["none"]
	note(i, v)
	var h, k = table{w: 4}[w[:2]]
	note(h, k)
	h, g = 2, g == (k == false)
	note(octets("abc")[0] == 'a', bytes.Equal(octets("abc"), []octet("abc")), h == 2, g)
	func(f ...flag) { note(f) }(h == 1, h == 2)
	note([]flag{h == 1, h < 3}, map[flag]int{h == 2: 1}[true], struct{ f flag }{h != 2})
	p := &m
	p.set(p.n == p.n, 1)
}

func hidden() {
	type int64 struct{}
	string := func(s ...word) int { return len(s) }
	uint64, true, false := 1, number(3) == 4, "x"
	len := func() int { return uint64 }
	strings := struct{ HasPrefix func(a, b word) bool }{func(a, b word) bool { return a > b }}
	note(string() == len(), true, false == "x", strings.HasPrefix("b", w) == true, int64{} == int64{})
	var nil, iota, append = 0, 1, 2
	note(nil == iota, append > 1, word("x") == word(false))
	{
		bytes := octets("b")
		str := struct{ Index octet }{'i'}
		note(bytes[0] == 'b', str.Index == 'i')
	}
	for len, string := 0, 0; len < 2; len++ {
		note(string == len)
	}
}

func jumps() {
	n := 0
outer:
	for i := 0; i < 5; i++ {
	inner:
		switch {
		case i == 1:
			continue outer
		case i == 2:
			fallthrough
		case i == 9:
			note("two")
			break inner
		case i == 4:
			break outer
		default:
			n += i
		}
		note(i)
	}
again:
	n++
	if n < 6 {
		goto again
	}
	note(n)
tag:
	switch n {
	case 6:
		if n == 6 {
			break tag
		}
		note("not here")
	case 7:
	}
	note(func() int {
		switch m := number(n); m {
		case 1:
			return 1
		default:
			switch m = m / 2; {
			case m == 3:
				return number(m)
			}
			return 2
		}
	}(), func() bool {
		for {
			if n > 3 {
				return n == 6
			}
		}
	}())
}

type node struct {
	next  *node
	names map[string]*node
	sizes map[int][3]int
	calls map[string]func(int) int
	n     int
}

func (n node) value() int { return n.n }

func maps() {
	m := map[string]int{"a": 1, "b": 2}
	get := func() map[string]int { note("map"); return m }
	get()[text("c")] = number(3)
	get()[text("c")]++
	get()[text("c")] += number(4)
	m["d"], m["e"] = m["a"], m["c"]
	note(get()[text("c")], m["none"], len(m), m[text("a")] == m["b"]-1)
	if v, ok := get()[text("d")]; ok && v == 1 {
		note("ok")
	}
	_, ok := m["z"]
	_ = m["a"]
	var v2, ok2 = m["e"]
	note(ok, v2, ok2)
	delete(get(), text("d"))
	two := map[int]map[string]int{1: m}
	two[number(1)][text("new")] = number(9)
	two[1]["new"]++
	note(two[1]["new"], two[2]["new"])
	root := &node{names: map[string]*node{"x": {n: 5}}, sizes: map[int][3]int{7: {1, 2, 3}},
		calls: map[string]func(int) int{"double": func(n int) int { return 2 * n }}}
	root.names["x"].n = number(6)
	root.names["x"].n++
	root.names["x"].next = root
	(*root).names["x"].next.names["y"] = &node{n: 8}
	note(root.names["x"].n, root.names["x"].value(), root.sizes[7][1], root.calls["double"](number(4)), (root.names)["y"].n, root.names["none"] == nil)
	defer root.calls["double"](1)
	var where struct{ m map[string]int }
	where.m = m
	for where.m["k"] = range []int{1, 2} {
	}
	for where.m["i"], where.m["j"] = range []int{5, 6} {
	}
	ch := make(chan int, 2)
	ch <- 11
	ch <- 12
	select {
	case where.m["s"] = <-ch:
	}
	set := map[rune]bool{'a': true}
	for _, c := range "abc" {
		if set[c] {
			note(c)
		}
	}
	set['z'], set['y'] = <-ch == 12, set['a']
	note(m["k"], m["i"], m["j"], m["s"], set['z'], set['y'], map[interface{}]int{"a": 1}["a"], map[[2]int]int{}[[2]int{1}])
	var none map[string]int
	note(none["a"], map[string]string{"a": "b"}["a"] == "b", map[uint8]int{255: 1}[uint8(number(255))], map[count]int{few: 1}[3])
	changing := map[string]int{}
	for i := 0; i < 3; i++ {
		changing[fmt.Sprint(i)] = changing[fmt.Sprint(i-1)] + 1
	}
	note(len(changing), changing["2"])
}

func constants() {
	var u8 uint8 = 255
	var u64 uint64 = 1 << 63
	var i64 int64 = -1 << 63
	var n uint = 9
	note(u8 == 1<<n>>n, u8+1 == 1<<n, 1<<n == u8, u64 == 1<<63, i64 == -1<<63, i64 < 1<<62, u64 > 1<<63-1, u8 == 'ÿ', u8 == 255.0, u8 == 255+0i)
	note(1<<n == 'A', uint8(1)<<n == 0, 1<<n+u8 == 255, ^u8 == 0, -u8 == 1, +i64 == -9223372036854775808)
	const debug = false
	const limit = 1 << 3
	var a [len("abc") * (limit / 4)]int
	var b [unsafe.Sizeof(u8 == 1) + uintptr(len([2]bool{u8 == 1}))]int
	note(len(a), len(b), debug && u8 == 1, len(a) == 6, runtime.GOOS == "plan9" || unsafe.Sizeof(u64) == 8)
	note([...]string{2: "x", 0: "y"}[0] == "y", "a"+"b" == "ab", len("abc") == 3 == true)
	switch u8 {
	case 1 << n, 1<<8 - 1:
		note("shift")
	}
	switch i64 {
	case -1 << 63, 1<<63 - 1:
		note("least")
	}
	switch u64 {
	case 1<<64 - 1, 1 << 63:
		note("most")
	}
	type big uint64
	note(big(u64) >= 1<<63, uintptr(u64) != 0, rune(u8) == 'ÿ', string(rune(u8)) == "ÿ", "\xff" != "ÿ")
}

func places() {
	_, file, line, _ := runtime.Caller(0)
	where := func(ok bool) {
		_, _, l, _ := runtime.Caller(1)
		note(l-line, ok)
	}
	where(line == 0)
	where(line ==
		0 ||
		// a comment
		file < /* another */ "a" && str.HasPrefix( // and
			file,
			"b",
		))
	switch line {
	case 1,
		2:
	}
	where(true)
}

func panics() {
	try := func(f func()) {
		defer func() { note(recover()) }()
		f()
	}
	var s []byte
	var p *node
	try(func() { note(s[number(3)] == 'x') })
	try(func() { note(p.n == number(1)) })
	try(func() { note(p.names["a"] == nil) })
	try(func() { note(10/len(s) == 3) })
	try(func() { note(interface{}(s) == interface{}(s)) })
	try(func() { note(str.Repeat("x", -len("a")) == "x") })
	try(func() { p.names["a"] = p })
	try(func() {
		switch s[0] {
		case 'x':
		}
	})
}

func arrays() {
	a, b := [4]byte{1, 2, 3, 4}, [...]octet{1, 2, 3, 4}
	type ip [4]byte
	make := func(n byte) ip { note(n); return ip{n} }
	note(a == b, ip(a) == ip{1, 2, 3, 4}, make(1) == make(2), make(3) != ip{3}, a != [4]byte{0: 1}, [0]byte{} == [0]byte{}, [2][2]byte{} == [2][2]byte{{1}})
	if (ip{1, 2, 3, 4}) == ip(b) {
		note("same")
	}
	p := &a
	note(*p == b, [1]count{1} == [1]count{2}, [2]string{"a"} == [2]string{"a", "b"}, [2]interface{}{1} == [2]interface{}{1})
	var i interface{} = a
	note(i == b, i == interface{}(ip(a)))
}

type stringer interface{ String() string }

func (w word) String() string { return string(w) }

func switches() {
	switch s := text("b"); s {
	case text("a"), text("b"), text("c"):
		note("second")
		fallthrough
	case "d":
		note("through")
	default:
		note("not this")
	}
	switch w {
	case "word":
		note(w)
	}
	switch word(text("v")) {
	default:
		note("default first")
	case w, "u":
	}
	var st stringer = w
	switch st {
	case w:
		note("interface")
	}
	switch count(number(3)) {
	case few:
		note("few")
	case many:
	}
	switch interface{}(number(3)).(type) {
	case count, int:
		note("int")
	}
	switch x := number(3) == 3; x {
	case true == (number(4) == 4):
		note("bool")
	}
	switch n := number(4); n {
	case (4):
		note("parentheses")
	}
	switch f := 1.5; f {
	case 1.5:
		note("float")
	}
	switch {
	}
	switch number(5) {
	}
	switch number(2); number(6) {
	case number(7):
	case number(6):
	case number(8):
	}
	switch few {
	case 3:
		note("constant")
	}
	switch m := map[string]int{"a": 1}; m[text("a")] {
	case m["a"]:
		note("lookup")
	case 2:
	}
	switch p := (&node{n: 3}); p.n {
	case (node{n: 3}).n:
		note("literal")
	}
}

func calls() {
	s := "a=b=c"
	before := str.TrimPrefix(str.TrimSuffix(s, text("c")), text("a"))
	note(before, str.Split(s, "="), str.SplitN(s, "=", number(2)), str.Count(s, ""), str.Compare(s, "a"), (str.Contains)(s, "b"))
	note(str.HasPrefix(func() (string, string) { return text("p"), text("q") }()))
	note(bytes.Equal(nil, []byte(nil)), bytes.Equal([]byte(s), nil), bytes.Split([]byte(s), []byte("=")), bytes.HasPrefix(octets(s), octets("a")))
	f, g := str.Index, map[string]func(a, b string) bool{"p": str.HasPrefix}
	note(f(s, "b"), g["p"](s, "a"), str.EqualFold(s, "A=B=C"))
	str.HasPrefix(text("x"), text("y"))
	if i := str.Index(s, "="); i >= 0 {
		note(s[:i], s[i+1:])
	}
	note(str.HasPrefix(
		s, // with a comma at the end
		"a",
	))
}

var (
	early = late == "set" && lookup["k"] == 1
	late  = func() string { return "set" }()
)

var lookup = map[string]int{"k": one()}

var first, found = lookup["k"]

func one() int {
	switch late {
	case "set":
		return 1
	}
	return 2
}

var fromInit bool

func init() { fromInit = early && late == "set" }

func inits() { note(early, late, first, found, fromInit) }

//go:nosplit
func unsplit(a, b int) bool { return a == b }

func unevaluated() {
	var p *node
	for i := range p.sizesOf() {
		note(i)
	}
	var q *struct{ m map[int][2]int }
	n := 0
	func() {
		defer func() { note(recover()) }() // Go 1.24 evaluates it, against the language's specification
		for range q.m[n] {
			n++
		}
	}()
	for i := range (*[3]int)(nil) {
		n += i
	}
	note(n, len(q.m[n]), unsplit(1, n))
}

func (n *node) sizesOf() [2]int { return [2]int{} }
