package golang

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// unitOf returns a unit of one file with the given text.
func unitOf(t testing.TB, text string) *unit {
	t.Helper()
	u, err := newUnit([]source{{"/src/a.go", []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// render writes a table as one line a block: "id kind line>successors", with "exit" for leaving the
// function.
func render(t *flow.Table) string {
	var b strings.Builder
	for _, f := range t.Funcs {
		fmt.Fprintf(&b, "%s\n", f.Name)
		for _, k := range t.Blocks[f.First : f.First+f.Count] {
			lines := fmt.Sprint(k.Line)
			if k.EndLine != k.Line {
				lines += fmt.Sprintf("-%d", k.EndLine)
			}
			fmt.Fprintf(&b, " %d %v %s:", k.ID, k.Kind, lines)
			for _, s := range k.Succs {
				fmt.Fprintf(&b, " %d", s)
			}
			if k.Exit {
				b.WriteString(" exit")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

var tableTests = []struct{ name, body, want string }{
	{"straight", "x()\ny()", `
f
 0 entry 1-3: exit
`},
	{"if", "if a {\nx()\n}", `
f
 0 entry 1-2: 1 2
 1 then 2-3: exit
 2 implicit-else 2: exit
`},
	{"if, statement after", "if a {\nx()\n}\ny()\nz()", `
f
 0 entry 1-2: 1 2
 1 then 2-3: 3
 2 implicit-else 2: 3
 3 join 5-6: exit
`},
	{"if returns", "if a {\nreturn\n}\ny()", `
f
 0 entry 1-2: 1 2
 1 then 2-3: exit
 2 implicit-else 2: 3
 3 join 5: exit
`},
	{"chain", "if a {\nx()\n} else if b {\ny()\n} else {\nz()\n}\nx()", `
f
 0 entry 1-2: 1 2
 1 then 2-3: 5
 2 else 4: 3 4
 3 then 4-5: 5
 4 else 6-7: 5
 5 join 9: exit
`},
	{"chain without else", "if a {\nx()\n} else if b {\ny()\n}", `
f
 0 entry 1-2: 1 2
 1 then 2-3: exit
 2 else 4: 3 4
 3 then 4-5: exit
 4 implicit-else 4: exit
`},
	{"both return", "if a {\nreturn\n} else {\nreturn\n}\nx()", `
f
 0 entry 1-2: 1 2
 1 then 2-3: exit
 2 else 4-5: exit
 3 join 7: exit
`},
	{"for", "for i := 0; i < 3; i++ {\nx()\n}\ny()", `
f
 0 entry 1-2: 1 2
 1 body 2-3: 1 2
 2 join 5: exit
`},
	{"for ever", "for {\nif a {\nbreak\n}\n}\ny()", `
f
 0 entry 1: 1
 1 body 2-3: 2 3
 2 then 3-4: 4
 3 implicit-else 3: 1
 4 join 7: exit
`},
	{"for ever without break", "for {\nx()\n}\ny()", `
f
 0 entry 1: 1
 1 body 2-3: 1
 2 join 5: exit
`},
	{"continue", "for a {\nif b {\ncontinue\n}\nx()\n}", `
f
 0 entry 1-2: 1 exit
 1 body 2-3: 2 3
 2 then 3-4: 1 exit
 3 implicit-else 3: 4
 4 join 6: 1 exit
`},
	{"labels", "outer:\nfor a {\nfor b {\nif c {\ncontinue outer\n}\nbreak outer\n}\n}\ny()", `
f
 0 entry 1-3: 1 6
 1 body 3-4: 1 2 6
 2 body 4-5: 3 4
 3 then 5-6: 1 6
 4 implicit-else 5: 5
 5 join 8: 6
 6 join 11: exit
`},
	{"range", "for _, v := range s {\nx(v)\n}", `
f
 0 entry 1-2: 1 exit
 1 body 2-3: 1 exit
`},
	{"nested loops at the end", "for a {\nfor b {\n}\n}", `
f
 0 entry 1-2: 1 exit
 1 body 2-3: 1 2 exit
 2 body 3: 1 2 exit
`},
	{"switch", "switch n {\ncase 1:\nx()\ncase 2:\ny()\n}\nz()", `
f
 0 entry 1-2: 1 2 3
 1 implicit-default 2: 4
 2 case 3-4: 4
 3 case 5-6: 4
 4 join 8: exit
`},
	{"switch with default", "switch n {\ndefault:\nx()\ncase 2, 3:\ny()\n}", `
f
 0 entry 1-2: 1 2
 1 default 3-4: exit
 2 case 5-6: exit
`},
	{"switch break", "switch {\ncase a:\nif b {\nbreak\n}\nx()\n}\ny()", `
f
 0 entry 1-2: 1 2
 1 implicit-default 2: 6
 2 case 3-4: 3 4
 3 then 4-5: 6
 4 implicit-else 4: 5
 5 join 7: 6
 6 join 9: exit
`},
	{"fallthrough", "switch n {\ncase 1:\nx()\nfallthrough\ncase 2:\ny()\ndefault:\n}", `
f
 0 entry 1-2: 1 2 3
 1 case 3-5: 2
 2 case 6-7: exit
 3 default 8: exit
`},
	{"empty switch", "switch n {\n}", `
f
 0 entry 1-2: 1
 1 implicit-default 2: exit
`},
	{"conditions as cases", "switch {\ncase a && b:\nx()\ncase c || a:\ny()\n}", `
f
 0 entry 1-2: 2 4 5
 1 implicit-default 2: exit
 2 and 3: 3 4 5
 3 case 3-4: exit
 4 or 5: 1 5
 5 case 5-6: exit
`},
	{"type switch", "switch v := i.(type) {\ncase int:\nx(v)\ncase nil:\n}\ny()", `
f
 0 entry 1-2: 1 2 3
 1 implicit-default 2: 4
 2 case 3-4: 4
 3 case 5: 4
 4 join 7: exit
`},
	{"select", "select {\ncase v := <-ch:\nx(v)\ncase ch <- 1:\n}\ny()", `
f
 0 entry 1-5: 1 2
 1 comm 3-4: 3
 2 comm 5: 3
 3 join 7: exit
`},
	{"select with default", "select {\ncase <-ch:\ndefault:\nx()\n}", `
f
 0 entry 1-4: 1 2
 1 comm 3: exit
 2 default 4-5: exit
`},
	{"empty select", "select {}\nx()", `
f
 0 entry 1-2:
 1 join 3: exit
`},
	{"goto back", "again:\nx()\nif a {\ngoto again\n}", `
f
 0 entry 1: 1
 1 label 2-4: 2 3
 2 then 4-5: 1
 3 implicit-else 4: exit
`},
	{"goto forward", "if a {\ngoto end\n}\nx()\nend:\ny()", `
f
 0 entry 1-2: 1 2
 1 then 2-3: 4
 2 implicit-else 2: 3
 3 join 5: 4
 4 label 6-7: exit
`},
	{"goto loop", "if a {\ngoto l\n}\nl:\nfor b {\nx()\n}", `
f
 0 entry 1-2: 1 2
 1 then 2-3: 4 exit
 2 implicit-else 2: 3
 3 join 5-6: 4 exit
 4 body 6-7: 4 exit
`},
	{"label at the end", "if a {\ngoto end\n}\nx()\nend:", `
f
 0 entry 1-2: 1 2
 1 then 2-3: 4
 2 implicit-else 2: 3
 3 join 5: 4
 4 label 6: exit
`},
	{"unused label", "if a {\nbreak2:\nfor {\nbreak break2\n}\n}", `
f
 0 entry 1-2: 1 3
 1 then 2: 2
 2 body 4-5: exit
 3 implicit-else 2: exit
`},
	{"and", "if a && b {\nx()\n}", `
f
 0 entry 1-2: 1 3
 1 and 2: 2 3
 2 then 2-3: exit
 3 implicit-else 2: exit
`},
	{"or and not", "if !(a || b) && c {\nx()\n} else {\ny()\n}", `
f
 0 entry 1-2: 1 4
 1 or 2: 2 4
 2 and 2: 3 4
 3 then 2-3: exit
 4 else 4-5: exit
`},
	{"or in a loop", "for a || b {\nx()\n}", `
f
 0 entry 1-2: 1 2
 1 or 2: 2 exit
 2 body 2-3: 1 2
`},
	{"and in a post statement", "for ; a; b = a && c {\nx()\n}", `
f
 0 entry 1-2: 2 exit
 1 and 2: 2 exit
 2 body 2-3: 1 2 exit
`},
	{"value", "v := a && b\nx(v)", `
f
 0 entry 1-3: 1 exit
 1 and 2: exit
`},
	{"values", "x(a && b, c || a)\ny()", `
f
 0 entry 1-3: 1 2 exit
 1 and 2: 2 exit
 2 or 2: exit
`},
	{"returned value", "return a && b", `
f
 0 entry 1-2: 1 exit
 1 and 2: exit
`},
	{"panic", "if a {\npanic(1)\n}\nx()", `
f
 0 entry 1-2: 1 2
 1 then 2-3:
 2 implicit-else 2: 3
 3 join 5: exit
`},
	{"exit", "if a {\nos.Exit(1)\n}\nx()", `
f
 0 entry 1-2: 1 2
 1 then 2-3:
 2 implicit-else 2: 3
 3 join 5: exit
`},
	{"closure", "g := func() {\nif a {\nx()\n}\n}\ng()\ndefer func() {\ngo func() {}()\n}()", `
f
 0 entry 1-10: exit
f.func1
 1 entry 2-3: 2 3
 2 then 3-4: exit
 3 implicit-else 3: exit
f.func2
 4 entry 8-9: exit
f.func2.1
 5 entry 9: exit
`},
	{"closure in a condition", "if func() bool { return a && b }() && c {\nx()\n}", `
f
 0 entry 1-2: 1 3
 1 and 2: 2 3
 2 then 2-3: exit
 3 implicit-else 2: exit
f.func1
 4 entry 2: 5 exit
 5 and 2: exit
`},
	{"range over func", "for v := range seq {\nif a {\nreturn\n}\nx(v)\n}\ny()", `
f
 0 entry 1-2: 1 5
 1 body 2-3: 2 3
 2 then 3-4: exit
 3 implicit-else 3: 4
 4 join 6: 1 5
 5 join 8: exit
`},
	{"constants stay", "const k = true && false\nvar s [len([2]bool{true && false})]int\n_ = unsafe.Sizeof(a && b)\n_ = s", `
f
 0 entry 1-5: exit
`},
	{"block", "{\nx()\n}\ny()", `
f
 0 entry 1-5: exit
`},
	{"dead code", "return\nx()\nif a {\ny()\n}\nz()", `
f
 0 entry 1-2: exit
 1 then 4-5: 3
 2 implicit-else 4: 3
 3 join 7: exit
`},
	{"one line", "if a { x() } else { y() }; z()", `
f
 0 entry 1-2: 1 2
 1 then 2: 3
 2 else 2: 3
 3 join 2: exit
`},
}

func TestTable(t *testing.T) {
	for _, test := range tableTests {
		t.Run(test.name, func(t *testing.T) {
			u := unitOf(t, "package p; import (\"os\"; \"unsafe\"); func f() {\n"+test.body+"\n}\n")
			if got := render(u.table("p")); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("got:\n%swant:\n%s", got, test.want)
			}
		})
	}
}

// TestRewriteText shows the inserted text itself.
func TestRewriteText(t *testing.T) {
	const text = "package p\nfunc f(a, b bool) {\n\tif a && b { // c\n\t} else if a {\n\t}\n}\n"
	u := unitOf(t, text)
	for _, test := range []struct {
		name string
		d    dialect
		want string
	}{
		{"plain", dialect{}, "//line /src/a.go:1:1\npackage p\nfunc f(a, b bool) {plxCov[0]++;plxLen[0]++;\n" +
			"\tif a && (plxOne(1) != 0 && (b)) {plxCov[2]++;plxLen[2]++; // c\n" +
			"\t} else {plxCov[3]++;plxLen[3]++;if a {plxCov[4]++;plxLen[4]++;\n\t} else {plxCov[5]++;plxLen[5]++;}}\n}\n"},
		{"race", dialect{race: true}, "//line /src/a.go:1:1\npackage p\nfunc f(a, b bool) {plxHit(0);\n" +
			"\tif a && (plxOne(1) != 0 && (b)) {plxHit(2); // c\n" +
			"\t} else {plxHit(3);if a {plxHit(4);\n\t} else {plxHit(5);}}\n}\n"},
	} {
		if got := string(u.rewrite(u.files[0], test.d)); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
	got := string(u.rewrite(u.files[0], dialect{Options: Options{Order: true}}))
	if want := "{if plxCov[0]==0{plxSeq++;plxOrd[0]=plxSeq}else if plxCov[0]==255{plxCov[0]=127};plxCov[0]++;plxLen[0]++;\n"; !strings.Contains(got, want) {
		t.Errorf("order: got\n%s\nwant it to hold\n%s", got, want)
	}
	apart := dialect{Options: Options{Apart: true}}
	if got, want := string(u.rewrite(u.files[0], apart)), "{plxMap[4096+0]++;plxLen[0]++;\n"; !strings.Contains(got, want) {
		t.Errorf("apart: got\n%s\nwant it to hold\n%s", got, want)
	}
	if got, want := string(apart.support("p", 6)), "var plxMap [8198]uint8\n"; !strings.Contains(got, want) || !strings.Contains(got, "plxMap[4096+i]++") || strings.Contains(got, "plxCov") {
		t.Errorf("apart: got\n%s\nwant it to hold\n%s", got, want)
	}
}

func TestPositions(t *testing.T) {
	u := unitOf(t, "package p\n\n//line y.y:20\nfunc f() {\n\tif a {\n\t}\n}\n")
	table := u.table("p")
	if f := table.Funcs[0]; f.File != "y.y" || f.Line != 20 {
		t.Errorf("function at %s:%d, want y.y:20", f.File, f.Line)
	}
	if f := unitOf(t, "package p\nfunc f() {}").table("p").Funcs[0]; f.File != "/src/a.go" || f.Line != 2 {
		t.Errorf("function at %s:%d, want /src/a.go:2", f.File, f.Line)
	}
	if b := table.Blocks[1]; b.File != "y.y" || b.Line != 21 {
		t.Errorf("block at %s:%d, want y.y:21", b.File, b.Line)
	}
}

func TestSyntaxError(t *testing.T) {
	_, err := newUnit([]source{{"/src/a.go", []byte("package p\n\nfunc f( {}\n")}})
	if err == nil || !strings.HasPrefix(err.Error(), "/src/a.go:3:9: ") {
		t.Errorf("error %v", err)
	}
}

func TestClash(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"package p\nvar plxCov int", "/src/a.go:2:5: the name plxCov"},
		{"package p\nfunc f() { plxOne := 1; _ = plxOne }", "the name plxOne"},
		{"package p\nimport plxSeq \"fmt\"", "the name plxSeq"},
		{"package p\ntype uint8 int", "the name uint8"},
		{"package p\ntype T struct{}\nfunc (T) uint8() { var uint64 int; _ = uint64 }", ""},
	} {
		_, err := newUnit([]source{{"/src/a.go", []byte(test.text)}})
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%q: %v", test.text, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%q: error %v, want %q in it", test.text, err, test.want)
		}
	}
}

func TestSkipped(t *testing.T) {
	const text = `package p

// doc
//
//go:nosplit
func a() { if x {} }

//go:nowritebarrierrec

func b() { func() {}() }

func c()

//go:noinline
func d() {}

//go:systemstack
func e() {}

func nosplit() {} // go:nosplit
`
	var names []string
	for _, f := range unitOf(t, text).table("p").Funcs {
		names = append(names, f.Name)
	}
	if want := []string{"d", "nosplit"}; !slices.Equal(names, want) {
		t.Errorf("instrumented %v, want %v", names, want)
	}
}

// TestGeneratorFile checks that a file of generators has no counters, and that names in other files
// are numbered as if it had.
func TestGeneratorFile(t *testing.T) {
	const directed = "//go:build linux\n\n" + GeneratorDirective + "\n\n// Package p.\npackage p\nfunc init() {}\nfunc draw() { if x {} }\nvar v = func() {}"
	for text, want := range map[string][]string{
		directed: {"init.1", "f"},
		strings.Replace(directed, GeneratorDirective, GeneratorDirective+"s", 1):                   {"init.0", "draw", "init.func1", "init.1", "f"},
		"package p\n" + GeneratorDirective + "\nfunc init() {}":                                    {"init.0", "init.1", "f"},
		strings.ReplaceAll(strings.Replace(directed, "linux", "!windows", 1), "\n", "\r\n") + "\n": {"init.1", "f"},
	} {
		u, err := newUnit([]source{{"/src/a.go", []byte(text)}, {"/src/b.go", []byte("package p\nfunc init() {}\nfunc f() { if x {} }")}})
		if err != nil {
			t.Fatal(err)
		}
		if got := funcNames(u.table("p")); !slices.Equal(got, want) {
			t.Errorf("%q: functions %v, want %v", text, got, want)
		}
		if edited := len(u.files[0].edits) > 0; edited != (len(want) > 2) {
			t.Errorf("%q: edited %v", text, edited)
		}
	}
}

func TestOrderOfFiles(t *testing.T) {
	a := source{"/z/a.go", []byte("package p\nfunc init() {}\nvar _ = x && y\nfunc A() {}")}
	b := source{"/work/b.cgo1.go", []byte("package p\nfunc B() {}\nfunc init() {}")}
	c := source{"/z/c.go", []byte("package p\nfunc init() {}")}
	glue := source{"/work/_cgo_gotypes.go", []byte("package p\nfunc G() {}")}
	var want string
	for _, sources := range [][]source{{a, b, c}, {c, b, a}, {glue, b, a, c}} {
		u, err := newUnit(sources)
		if err != nil {
			t.Fatal(err)
		}
		got := render(u.table("p"))
		if want == "" {
			want = got
			if names := strings.Fields("init.0 init A B init.2 init.1"); !slices.Equal(names, funcNames(u.table("p"))) {
				t.Errorf("functions %v, want %v", funcNames(u.table("p")), names)
			}
		}
		if got != want {
			t.Errorf("the order of the arguments changes the table:\n%s\nand\n%s", got, want)
		}
	}
}

func funcNames(t *flow.Table) []string {
	var names []string
	for _, f := range t.Funcs {
		names = append(names, f.Name)
	}
	return names
}

// FuzzRewrite checks that valid files stay valid, on the same lines.
func FuzzRewrite(f *testing.F) {
	for _, test := range tableTests {
		f.Add("package p\nfunc f() {\n" + test.body + "\n}")
	}
	f.Add("package p\nvar x = a && func() bool { return b || c }()")
	f.Add("\ufeffpackage p\n//line x.y:3\nfunc (t *T[A, B]) m() { switch { case a && b: } }")
	f.Fuzz(func(t *testing.T, text string) {
		u, err := newUnit([]source{{"/src/a.go", []byte(text)}})
		if err != nil {
			return
		}
		for _, d := range []dialect{{}, {race: true}, {Options: Options{Order: true}}, {Options: Options{Apart: true}}} {
			out := u.rewrite(u.files[0], d)
			if _, err := parser.ParseFile(token.NewFileSet(), "a.go", out, parser.SkipObjectResolution); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if lines(out) != lines([]byte(text))+1 {
				t.Fatalf("%d lines became %d", lines([]byte(text)), lines(out)-1)
			}
		}
		table := u.table("p")
		for i, b := range table.Blocks {
			f := table.Funcs[b.Func]
			for _, s := range append(b.Succs, i) {
				if b.ID != i || s < f.First || s >= f.First+f.Count {
					t.Fatalf("block %d of %q: %+v", i, f.Name, b)
				}
			}
		}
	})
}

func BenchmarkRewrite(b *testing.B) {
	m := newBenchSources(b)
	size := 0
	for _, s := range m {
		size += len(s.text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		u, err := newUnit(m)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range u.files {
			u.rewrite(f, dialect{})
		}
	}
}

// newBenchSources returns the files of encoding/json.
func newBenchSources(b *testing.B) []source {
	pkg, err := build.Import("encoding/json", "", 0)
	if err != nil {
		b.Fatal(err)
	}
	var paths []string
	for _, name := range pkg.GoFiles {
		paths = append(paths, filepath.Join(pkg.Dir, name))
	}
	sources, err := load(paths)
	if err != nil {
		b.Fatal(err)
	}
	return sources
}

// TestFails checks which blocks end in a return of an error.
func TestFails(t *testing.T) {
	u := unitOf(t, `package a
func f(n int) (int, error) {
	if n == 1 {
		return 0, errA
	}
	if n == 2 {
		return 0, nil
	}
	if n == 3 {
		return 0, make("x")
	}
	g := func() error {
		if n == 4 {
			return &fault{}
		}
		if n == 5 {
			return newFault(n)
		}
		return check(n) // may be nil
	}
	if n == 5 {
		return h()
	}
	return 0, (nil)
}
func h() (err error, n int) { return errA, 0 }
`)
	table := u.table("a")
	var got []int
	for _, b := range table.Blocks {
		if b.Fails {
			got = append(got, b.Line)
		}
	}
	slices.Sort(got)
	if want := []int{3, 9, 13, 16}; !slices.Equal(got, want) {
		t.Errorf("blocks at lines %v fail, want %v", got, want)
	}
}

// TestMakers checks that an error that a call returns comes from that call, unless its name is that
// of a function that makes errors.
func TestMakers(t *testing.T) {
	u := unitOf(t, `package a
func f(n int) (int, error) {
	if n == 1 {
		return 0, o.set(n)
	}
	if n == 2 {
		return 0, fmt.Errorf("%d", n)
	}
	if n == 3 {
		return 0, p.syntaxError(n)
	}
	if n == 4 {
		return g[int](n)
	}
	return 0, newThing(n)
}
`)
	for _, b := range u.table("a").Blocks {
		if b.Kind == flow.Then && b.Passes != (b.Line == 3) {
			t.Errorf("line %d passes an error on: %v", b.Line, b.Passes)
		}
		if want := map[int]string{3: "set", 6: "Errorf", 9: "syntaxError", 12: "g"}[b.Line]; b.Kind == flow.Then && !slices.Equal(b.Named, []string{want}) {
			t.Errorf("line %d calls %q, want %s", b.Line, b.Named, want)
		}
	}
}

// TestPasses checks which blocks begin where an error of a call is not nil.
func TestPasses(t *testing.T) {
	u := unitOf(t, `package a
func f(n int) error {
	if err := g(); err != nil {
		return err
	}
	if parseErr := g(); n > 1 && parseErr != nil {
		return parseErr
	}
	if err := g(); err == nil {
		n++
	} else {
		return err
	}
	if n == 0 || x != nil {
		return errA
	}
	if s.err != nil || n > 9 {
		return errA
	}
	if s.err != nil {
		return s.err
	}
	if s.Err() != nil {
		return s.err
	}
	if n == 3 {
		err = g()
		return err
	}
	return nil
}
`)
	table := u.table("a")
	var got []int
	for _, b := range table.Blocks {
		if b.Passes {
			got = append(got, b.Line)
		}
	}
	slices.Sort(got)
	if want := []int{3, 6, 11, 17, 20, 23, 26}; !slices.Equal(got, want) {
		t.Errorf("blocks at lines %v pass an error on, want %v", got, want)
	}
}
