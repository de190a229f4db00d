package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// FuzzCmpLog checks that a well-typed file is still well-typed with recorded comparisons, on the
// same lines, at old and new versions of the language.
func FuzzCmpLog(f *testing.F) {
	for _, text := range []string{
		"package p\nfunc f(n int, s string) bool { return n == 1 && s != \"x\" || n < -n }",
		"package p\ntype T uint8\nfunc f(t T, a, b [3]byte) T { switch t { case 1, 'a': return t\ncase T(a[0]): }; if a == b { return 2 }; return 3 }",
		"package p\nfunc f(m map[string]int, n map[rune]bool, k string) (int, bool) { v, ok := m[k]; m[k]++; if n['x'] || n[rune(v)] { return m[k+k], ok }; return 0, !ok }",
		"package p\nfunc f[T comparable, U ~int | ~string](x, y T, u U) bool { return (x == y) == (u < u) && u != U(u) }",
		"package p\ntype b bool\nvar m map[string]struct{ n [2]int }\nfunc f(i int) b { for k := range m[\"x\"].n { if k == i<<1 || 1<<i == uint8(k) { return i == 2 } }; return len(m[\"\"].n) > 1 }",
		"package p\nvar x, y = z == 1, func() bool { return z > 2 }()\nvar z int\nconst c = 1 == 2\nvar a [len([2]bool{c})]int\nfunc init() { go func() { defer print(x == y) }() }",
		"package p\nfunc f(i interface{}, e error, p *int) { L: for { switch { case i == 1, e == nil: break L\ncase *p == 3: continue L\ndefault: goto M } }; M: ; select {} }",
		"package p\nfunc f(s string) { switch s := s; s { case `a\r`, \"b\": fallthrough\ncase\"c\":\n\n default: }; switch{case-1==len(s):} }",
		"package p\nimport \"unsafe\"\nfunc f(s string) uintptr { if unsafe.Sizeof(s == \"\") == 1 { return 2 }; return unsafe.Sizeof(s) }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []string{"-lang=go1.12", "-lang=go1.18", "-lang=go1.26"} {
			c := compilation{pkg: "p", flags: []string{lang}}
			u, err := c.operands([]source{{"/src/a.go", []byte(text)}})
			if err != nil {
				continue
			}
			file := u.files[0]
			out := u.rewrite(file)
			if lines(out) != lines(file.text)+1 {
				t.Fatalf("%d lines became %d", lines(file.text), lines(out)-1)
			}
			fset := token.NewFileSet()
			var trees []*ast.File
			for name, text := range map[string][]byte{"a.go": out, "plx_ops.go": u.support()} {
				tree, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
				if err != nil {
					t.Fatalf("%s: %v\n%s", lang, err, text)
				}
				trees = append(trees, tree)
			}
			conf := types.Config{GoVersion: lang[len("-lang="):], Sizes: u.sizes, Importer: new(importConfig)}
			if _, err := conf.Check("p", fset, trees, nil); err != nil {
				t.Fatalf("%s: %v\n%s", lang, err, out)
			}
		}
	})
}
