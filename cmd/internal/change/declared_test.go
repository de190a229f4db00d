package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDeclarations checks each kind of change of declarations. The blocks that use them represent
// them.
func TestDeclarations(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		want           []string
		notes          []string
	}{
		{"a constant", "const N = 1\nfunc F() int {\n\tif true {\n\t\treturn N\n\t}\n\treturn 0\n}", "const N = 2\nfunc F() int {\n\tif true {\n\t\treturn N\n\t}\n\treturn 0\n}", []string{`constant F: then "if true {"`}, nil},
		{"a constant written otherwise", "const N = 16\nfunc F() int { return N }", "const N = 1 << 4\nfunc F() int { return N }", nil, []string{"comments"}},
		{"a constant's type", "const N = 16\nfunc F() any { return N }", "const N int8 = 16\nfunc F() any { return N }", []string{`constant F: entry "func F() any { return N }"`}, nil},
		{"a constant made of another", "const N = 1\nconst M = N + 1\nfunc F() int { return M }", "const N = 2\nconst M = N + 1\nfunc F() int { return M }", []string{`constant F: entry "func F() int { return M }"`}, nil},
		{"a constant made of another, and the same", "const N = 1\nconst M = N > 0\nfunc F() bool { return M }", "const N = 2\nconst M = N > 0\nfunc F() bool { return M }", nil, []string{"unused: N changed"}},
		{"iota", "const (\n\tA = iota\n\tB\n\tC\n)\nfunc F() int { return A }\nfunc G() int { return C }", "const (\n\tA = iota\n\tX\n\tB\n\tC\n)\nfunc F() int { return A }\nfunc G() int { return C }", []string{`constant G: entry "func G() int { return C }"`}, []string{"unused: B changed"}},
		{"a constant in a test of a switch", "const A = 'a'\nfunc F(x rune) {\n\tswitch x {\n\tcase A:\n\t\tprint(1)\n\t}\n}", "const A = 'b'\nfunc F(x rune) {\n\tswitch x {\n\tcase A:\n\t\tprint(1)\n\t}\n}", []string{`constant F: entry "func F(x rune) {"`}, nil},
		{"a constant as a length", "const N = 1\ntype T [N]int\nfunc F() any { return T{} }", "const N = 2\ntype T [N]int\nfunc F() any { return T{} }", []string{`type F: entry "func F() any { return T{} }"`}, nil},
		{"a local that hides it", "const N = 1\nfunc F(N int) int { return N }", "const N = 2\nfunc F(N int) int { return N }", nil, []string{"unused"}},
		{"a local constant", "func F() int {\n\tconst n = 1\n\treturn n\n}", "func F() int {\n\tconst n = 2\n\treturn n\n}", []string{`statement F: entry "func F() int {"`}, nil},
		{"a constant that is a variable now", "const N = 1\nfunc F() int { return N }", "var N = 1\nfunc F() int { return N }", []string{`variable F: entry "func F() int { return N }"`}, nil},
		{"a variable", "var v = []int{1}\nfunc F() int { return v[0] }", "var v = []int{2}\nfunc F() int { return v[0] }", []string{`variable F: entry "func F() int { return v[0] }"`}, nil},
		{"a variable made of a variable", "var v = 1\nvar w = v\nfunc F() int { return w }", "var v = 2\nvar w = v\nfunc F() int { return w }", []string{`variable F: entry "func F() int { return w }"`}, nil},
		{"a variable that a function makes", "var v = f()\nfunc f() int { return 1 }\nfunc F() int { return v }", "var v = f()\nfunc f() int { return 2 }\nfunc F() int { return v }", []string{`statement f: entry "func f() int { return 2 }"`, `variable F: entry "func F() int { return v }"`}, nil},
		{"a variable that holds a function", "var v = f\nfunc f() int { return 1 }\nfunc F() int { return v() }", "var v = f\nfunc f() int { return 2 }\nfunc F() int { return v() }", []string{`statement f: entry "func f() int { return 2 }"`}, nil},
		{"a variable that an init function fills", "var v [3]int\nfunc init() {\n\tfor i := range v {\n\t\tv[i] = i\n\t}\n}\nfunc F() int { return v[0] }", "var v [3]int\nfunc init() {\n\tfor i := range v {\n\t\tv[i] = 2 * i\n\t}\n}\nfunc F() int { return v[0] }", []string{`statement init.0: body "for i := range v {"`, `variable F: entry "func F() int { return v[0] }"`, `variable init.0: entry "func init() {", body "for i := range v {"`}, nil},
		{"an init function more", "var v int\nfunc F() int { return v }", "var v int\nfunc init() { v = 1 }\nfunc F() int { return v }", []string{`function init.0: entry "func init() { v = 1 }"`, `variable F: entry "func F() int { return v }"`}, nil},
		{"a closure in a variable", "var v = func() int {\n\treturn 1\n}\nfunc F() int { return v() }", "var v = func() int {\n\treturn 2\n}\nfunc F() int { return v() }", []string{`statement v: entry "var v = func() int {"`}, nil},
		{"a closure that is called at once", "var v = func() int {\n\treturn 1\n}()\nfunc F() int { return v }", "var v = func() int {\n\treturn 2\n}()\nfunc F() int { return v }", []string{`statement v: entry "var v = func() int {"`, `variable F: entry "func F() int { return v }"`}, nil},
		{"a table", "var v = map[string]struct{ a int }{\"x\": {1}}\nfunc F() int { return v[\"x\"].a }", "var v = map[string]struct{ a int }{\"x\": {1}, \"y\": {2}}\nfunc F() int { return v[\"x\"].a }", []string{`variable F: entry "func F() int { return v[\"x\"].a }"`}, nil},
		{"variables in another order", "var a, b = f(1), 2\nvar c = f(3)\nfunc f(int) int { return 1 }\nfunc F() int { return a + c }", "var c = f(3)\nvar a, b = f(1), 2\nfunc f(int) int { return 1 }\nfunc F() int { return a + c }", nil, nil},

		{"a field's type", "type T struct{ a, b int }\nfunc F(t *T) int { return t.b }\nfunc G(t *T) int { return t.a }\nfunc H() {}", "type T struct{ a int; b int8 }\nfunc F(t *T) int8 { return t.b }\nfunc G(t *T) int { return t.a }\nfunc H() {}", []string{`type F: entry "func F(t *T) int8 { return t.b }"`, `signature F: entry "func F(t *T) int8 { return t.b }"`}, nil},
		{"a field of what is not named", "type T struct{ a int }\ntype U struct{ t T }\nfunc F(u U) int {\n\tif u.t.a > 0 {\n\t\tprint(1)\n\t}\n\treturn 0\n}", "type T struct{ a int64 }\ntype U struct{ t T }\nfunc F(u U) int {\n\tif u.t.a > 0 {\n\t\tprint(1)\n\t}\n\treturn 0\n}", []string{`type F: entry "func F(u U) int {"`}, nil},
		{"another type's field of the same name", "type T struct{ a int }\ntype U struct{ a int }\nfunc F(u U) int { return u.a }", "type T struct{ a int64 }\ntype U struct{ a int }\nfunc F(u U) int { return u.a }", nil, []string{"unused: T changed"}},
		{"a field more", "type T struct{ a int }\nfunc F() any { return T{a: 1} }", "type T struct{ a, b int }\nfunc F() any { return T{a: 1} }", []string{`type F: entry "func F() any { return T{a: 1} }"`}, nil},
		{"fields in another order", "type T struct{ a, b int }\nfunc F() any { return T{} }", "type T struct{ b, a int }\nfunc F() any { return T{} }", []string{`type F: entry "func F() any { return T{} }"`}, nil},
		{"a tag, where others look into the value", "type T struct {\n\tA int `json:\"a\"`\n}\ntype U struct{ List []T }\nfunc show(x any) {}\nfunc F(u *U) {\n\tif u != nil {\n\t\tshow(u)\n\t}\n}\nfunc G(u *U) int { return len(u.List) }", "type T struct {\n\tA int `json:\"b\"`\n}\ntype U struct{ List []T }\nfunc show(x any) {}\nfunc F(u *U) {\n\tif u != nil {\n\t\tshow(u)\n\t}\n}\nfunc G(u *U) int { return len(u.List) }", []string{`tag F: then "if u != nil {"`}, nil},
		{"an embedded type", "type A struct{}\nfunc (A) M() {}\ntype B struct{}\nfunc (B) M() {}\ntype T struct{ A }\nfunc F(t T) { t.M() }", "type A struct{}\nfunc (A) M() {}\ntype B struct{}\nfunc (B) M() {}\ntype T struct{ B }\nfunc F(t T) { t.M() }", []string{`type F: entry "func F(t T) { t.M() }"`}, nil},
		{"an embedded type that changed", "type A struct{ n int }\ntype T struct{ A }\nfunc F() any { return T{} }", "type A struct{ n int8 }\ntype T struct{ A }\nfunc F() any { return T{} }", []string{`type F: entry "func F() any { return T{} }"`, `type F: entry "func F() any { return T{} }"`}, nil},
		{"an underlying type", "type T int\nfunc F(x int) T { return T(x) }", "type T int8\nfunc F(x int) T { return T(x) }", []string{`type F: entry "func F(x int) T { return T(x) }"`}, nil},
		{"a type made of it", "type T int\ntype U T\nfunc F(x int) any { return U(x) }", "type T int8\ntype U T\nfunc F(x int) any { return U(x) }", []string{`type F: entry "func F(x int) any { return U(x) }"`}, nil},
		{"an interface", "type I interface{ M() }\nfunc F(x any) bool {\n\t_, ok := x.(I)\n\treturn ok\n}", "type I interface{ M(); N() }\nfunc F(x any) bool {\n\t_, ok := x.(I)\n\treturn ok\n}", []string{`interface F: entry "func F(x any) bool {"`}, nil},
		{"an interface in another order", "type I interface{ M(); N() }\nfunc F(x any) bool {\n\t_, ok := x.(I)\n\treturn ok\n}", "type I interface{ N(); M() }\nfunc F(x any) bool {\n\t_, ok := x.(I)\n\treturn ok\n}", nil, nil},
		{"a constraint", "type C interface{ ~int }\nfunc F[T C](x T) T { return x }", "type C interface{ ~int | ~int8 }\nfunc F[T C](x T) T { return x }", []string{`interface F[...]: entry "func F[T C](x T) T { return x }"`}, nil},
		{"a constraint in place", "func F[T int](x T) T { return x }", "func F[T int | int8](x T) T { return x }", []string{`signature F[...]: entry "func F[T int | int8](x T) T { return x }"`}, nil},
		{"a method more", "type stringer interface{ String() string }\ntype T struct{}\nfunc show(x any) {}\nfunc F(t T) { show(t) }", "type stringer interface{ String() string }\ntype T struct{}\nfunc (T) String() string { return \"\" }\nfunc show(x any) {}\nfunc F(t T) { show(t) }", []string{`function T.String: entry "func (T) String() string { return \"\" }"`, `methods F: entry "func F(t T) { show(t) }"`}, nil},
		{"a method that nobody asks for", "type T struct{}\nfunc show(x any) {}\nfunc F(t T) { show(t) }", "type T struct{}\nfunc (T) Odd() {}\nfunc show(x any) {}\nfunc F(t T) { show(t) }", []string{`function T.Odd: entry "func (T) Odd() {}"`}, nil},
		{"a method that another one takes the place of", "type A struct{}\nfunc (A) M() {}\ntype T struct{ A }\nfunc (T) M() {}\nfunc F(x []T) {\n\tfor _, t := range x {\n\t\tt.M()\n\t}\n}", "type A struct{}\nfunc (A) M() {}\ntype T struct{ A }\nfunc F(x []T) {\n\tfor _, t := range x {\n\t\tt.M()\n\t}\n}", []string{`methods F: body "for _, t := range x {"`}, nil},
		{"an alias", "type T = int\nfunc F(x any) bool {\n\t_, ok := x.(T)\n\treturn ok\n}", "type T = int8\nfunc F(x any) bool {\n\t_, ok := x.(T)\n\treturn ok\n}", []string{`type F: entry "func F(x any) bool {"`}, nil},
		{"a composite literal that does not name it", "type T struct{ a int }\ntype L []T\nfunc F() L { return L{{a: 1}} }", "type T struct{ a, b int }\ntype L []T\nfunc F() L { return L{{a: 1}} }", []string{`type F: entry "func F() L { return L{{a: 1}} }"`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, tree := differ(t, sides(tt.old, tt.new))
			expect(t, r, tree, tt.want, tt.notes)
		})
	}
}

// TestUnused checks declarations that are used only through others. They count as used, and the
// others count as changed.
func TestUnused(t *testing.T) {
	swap := func(text, old, new string) (string, string) { return text, strings.Replace(text, old, new, 1) }
	for _, tt := range []struct {
		name, text, old, new string
		want                 []string
		note                 string // "": none
	}{
		{"in a constant", "const N = 1\nconst M = N + 1\nfunc F() int { return M }", "N = 1", "N = 2", []string{`constant F: entry "func F() int { return M }"`}, ""},
		{"in a constant that changed too", "const N = 1; const M = N + 1\nfunc F() int { return M }", "N = 1; const M = N + 1", "N = 2; const M = N + 4", []string{`constant F: entry "func F() int { return M }"`}, ""},
		{"in a variable", "const N = 1\nvar v [N]int\nfunc F() int { return len(v) }", "N = 1", "N = 2", []string{`variable F: entry "func F() int { return len(v) }"`}, ""},
		{"in a table", "const (\n\tA = iota\n\tB\n)\nvar v = [...]string{A: \"a\", B: \"b\"}\nfunc F(i int) string { return v[i] }", "A = iota", "X = iota\n\tA", []string{`variable F: entry "func F(i int) string { return v[i] }"`}, ""},
		{"in the length of a field", "const N = 1\ntype T struct{ a [N]int; b int }\ntype U struct{ t T }\nfunc F(u *U) int { return len(u.t.a) }\nfunc G(u *U) int { return u.t.b }", "N = 1", "N = 2", []string{`type F: entry "func F(u *U) int { return len(u.t.a) }"`}, ""},
		{"in a type argument", "const N = 1\ntype G[P any] struct{ x P }\ntype A = G[[N]int]\nfunc F(a A) int { return len(a.x) }", "N = 1", "N = 2", []string{`type F: entry "func F(a A) int { return len(a.x) }"`}, ""},
		{"in a new function", "const N = 1\n", "N = 1\n", "N = 2\nfunc F() int { return N }\n", []string{`function F: entry "func F() int { return N }"`}, ""},
		{"a new field in a new function", "type T struct{ a int }\n", "a int }\n", "a, b int }\nfunc F(t T) int { return t.b }\n", []string{`function F: entry "func F(t T) int { return t.b }"`}, ""},
		{"a type in a field", "type T int\ntype U struct{ t T; u int }\nfunc F(u U) bool { return u.t > 0 }\nfunc G(u U) bool { return u.u > 0 }", "T int", "T int8", []string{`type F: entry "func F(u U) bool { return u.t > 0 }"`}, ""},
		{"a type in a list", "type T int\ntype S []T\nfunc F(s S) bool { return s[0] > 0 }", "T int", "T int8", []string{`type F: entry "func F(s S) bool { return s[0] > 0 }"`}, ""},
		{"a type in a function's type", "type T int\ntype S func() T\nfunc F(s S) bool { return s() > 0 }", "T int", "T int8", []string{`type F: entry "func F(s S) bool { return s() > 0 }"`}, ""},
		{"a field more", "type T struct{ a int }\nfunc F(t *T) int { return t.a }", "a int", "a, b int", nil, "unused: T changed (type), and no block uses what changed of it."},
		{"nowhere", "const N = 1\nconst M = N + 1", "N = 1", "N = 2", nil, "unused: N changed (constant), and no block uses it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, tree := differ(t, sides(swap(tt.text, tt.old, tt.new)))
			expect(t, r, tree, tt.want, nil)
			var unused []string
			for _, n := range r.Notes {
				if n.Kind == "unused" {
					unused = append(unused, n.Kind+": "+n.Text)
				}
			}
			if strings.Join(unused, "\n") != tt.note {
				t.Errorf("notes are %q, want %q", unused, tt.note)
			}
		})
	}
}

// TestPackages checks several files, packages and modules.
func TestPackages(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		want        []string
		notes       []string
	}{
		{"moved to another file", "-- old/a.go --\npackage m\nfunc F() { G() }\nfunc G() {}\n-- new/a.go --\npackage m\nfunc F() { G() }\n-- new/b.go --\npackage m\nfunc G() {}", nil, nil},
		{"imports in another order and under another name", "-- both/p/p.go --\npackage p\nfunc P() {}\n-- both/q/q.go --\npackage q\nfunc Q() {}\n-- old/m.go --\npackage m\nimport (\n\t\"example.com/m/p\"\n\t\"example.com/m/q\"\n)\nfunc F() { p.P(); q.Q() }\n-- new/m.go --\npackage m\nimport (\n\tother \"example.com/m/q\"\n\t\"example.com/m/p\"\n)\nfunc F() { p.P(); other.Q() }", nil, nil},
		{"moved to another package", "-- old/p/p.go --\npackage p\nfunc P() { h() }\nfunc h() {}\nfunc Rest() {}\n-- both/q/q.go --\npackage q\nfunc Q() {}\n-- new/p/p.go --\npackage p\nfunc Rest() {}\n-- new/q/p.go --\npackage q\nfunc P() { h() }\nfunc h() {}\n-- old/m.go --\npackage m\nimport \"example.com/m/p\"\nfunc F() { p.P() }\n-- new/m.go --\npackage m\nimport \"example.com/m/q\"\nfunc F() { q.P() }", nil, []string{"moved: P was in package example.com/m/p"}},
		{"moved and changed", "-- old/p/p.go --\npackage p\nfunc P() int { return 1 }\nfunc Rest() {}\n-- new/p/p.go --\npackage p\nfunc Rest() {}\n-- both/q/q.go --\npackage q\nfunc Q() {}\n-- new/q/p.go --\npackage q\nfunc P() int { return 2 }", []string{`statement P: entry "func P() int { return 2 }"`}, []string{"moved"}},
		{"a package's path", "-- old/p/p.go --\npackage p\nfunc P() {}\nfunc R() int { return 1 }\n-- new/other/p.go --\npackage other\nfunc P() {}\nfunc R() int { return 2 }\n-- old/m.go --\npackage m\nimport \"example.com/m/p\"\nfunc F() { p.P() }\n-- new/m.go --\npackage m\nimport \"example.com/m/other\"\nfunc F() { other.P() }", []string{`statement R: entry "func R() int { return 2 }"`}, []string{"moved: Package example.com/m/other was example.com/m/p"}},
		{"the module's path", "-- old/go.mod --\nmodule example.com/m\n\ngo 1.24\n-- new/go.mod --\nmodule example.org/fork/v2\n\ngo 1.24\n-- both/p/p.go --\npackage p\nfunc P() {}\n-- old/m.go --\npackage m\nimport \"example.com/m/p\"\nfunc F() { p.P() }\nfunc G() int { return 1 }\n-- new/m.go --\npackage m\nimport \"example.org/fork/v2/p\"\nfunc F() { p.P() }\nfunc G() int { return 2 }", []string{`statement G: entry "func G() int { return 2 }"`}, nil},
		{"a constant of another package", "-- old/p/p.go --\npackage p\nconst N = 1\n-- new/p/p.go --\npackage p\nconst N = 2\n-- both/m.go --\npackage m\nimport \"example.com/m/p\"\nfunc F() int { return p.N }\nfunc G() {}", []string{`constant F: entry "func F() int { return p.N }"`}, nil},
		{"a constant through another package", "-- old/p/p.go --\npackage p\nconst N = 1\n-- new/p/p.go --\npackage p\nconst N = 2\n-- both/q/q.go --\npackage q\nimport \"example.com/m/p\"\nconst M = p.N\n-- both/m.go --\npackage m\nimport \"example.com/m/q\"\nfunc F() int { return q.M }", []string{`constant F: entry "func F() int { return q.M }"`}, nil},
		{"a field of another package", "-- old/p/p.go --\npackage p\ntype T struct{ A int }\nfunc New() *T { return nil }\n-- new/p/p.go --\npackage p\ntype T struct{ A int8 }\nfunc New() *T { return nil }\n-- both/m.go --\npackage m\nimport \"example.com/m/p\"\nfunc F() bool {\n\tt := p.New()\n\tif t == nil {\n\t\treturn false\n\t}\n\treturn t.A > 0\n}", []string{`type F: join "return t.A > 0"`}, nil},
		{"tests alone", "-- both/m.go --\npackage m\nfunc F() {}\n-- old/m_test.go --\npackage m\nfunc g() {}\n-- new/m_test.go --\npackage m\nfunc g() { F() }\n-- old/x_test.go --\npackage m_test\n", nil, []string{"tests: Test files changed, without counted blocks: m_test.go, x_test.go"}},
		{"test data", "-- both/m.go --\npackage m\nfunc F() {}\n-- old/testdata/a --\n1\n-- new/testdata/a --\n2\n-- new/testdata/b/c --\n2", nil, []string{"testdata: Test data changed: testdata/a, testdata/b/c"}},
		{"a build tag", "-- both/m.go --\npackage m\nfunc F() {}\n-- old/t.go --\n//go:build ignored\n\npackage m\nfunc G() {}\n-- new/t.go --\npackage m\nfunc G() {}", []string{`function G: entry "func G() {}"`}, nil},
		{"a file of another system", "-- both/m.go --\npackage m\nfunc F() {}\n-- old/m_plan9.go --\npackage m\nfunc G() {}\n-- new/m_plan9.go --\npackage m\nfunc G() { F() }", nil, []string{"tags: Files changed that this build leaves out, by build tags or by their names: m_plan9.go"}},
		{"generated code", "-- old/m.go --\n// Code generated by x. DO NOT EDIT.\n\npackage m\nfunc F() int { return 1 }\n-- new/m.go --\n// Code generated by x. DO NOT EDIT.\n\npackage m\nfunc F() int { return 2 }", []string{`statement F: entry "func F() int { return 2 }"`}, nil},
		{"an import for its init functions", "-- both/p/p.go --\npackage p\nfunc init() {}\n-- old/m.go --\npackage m\n-- new/m.go --\npackage m\nimport _ \"example.com/m/p\"", nil, []string{"imports: The imports for effects at the start of the program changed: example.com/m/p, and was nothing"}},
		{"a package gone", "-- both/m.go --\npackage m\n-- old/p/p.go --\npackage p\nfunc P() {}", nil, []string{"removed: Package example.com/m/p is gone"}},
		{"a package more", "-- both/m.go --\npackage m\n-- new/p/p.go --\npackage p\nfunc P() {}", []string{`function P: entry "func P() {}"`}, nil},
		{"assembly", "-- both/m.go --\npackage m\nfunc add(x int) int\nfunc sub(x int) int\nfunc F(x int) int {\n\tif x > 0 {\n\t\treturn add(x)\n\t}\n\treturn sub(x)\n}\n-- old/m_amd64.s --\n// a\nTEXT ·add(SB), 4, $0\n\tRET\nTEXT ·sub(SB), 4, $0\n\tRET\n-- new/m_amd64.s --\n// b\nTEXT ·add(SB), 4, $0\n\tNOP\n\tRET\nTEXT ·sub(SB), 4, $0\n\tRET // c\n", []string{`native F: then "if x > 0 {"`}, nil},
		{"the preamble of cgo", "-- old/m.go --\npackage m\n\n// int one(void) { return 1; }\n// int two(void) { return 2; }\nimport \"C\"\nfunc F() int { return int(C.one()) }\nfunc G() int { return int(C.two()) }\n-- new/m.go --\npackage m\n\n// int one(void) { return 3; }\n// int two(void) { return 2; }\nimport \"C\"\nfunc F() int { return int(C.one()) }\nfunc G() int { return int(C.two()) }\n", []string{`native F: entry "func F() int { return int(C.one()) }"`}, nil},
		{"a C file of cgo", "-- both/m.go --\npackage m\n\n// int one(void);\nimport \"C\"\nfunc F() int { return int(C.one()) }\n-- old/x.c --\nint one(void) { return 1; }\n-- new/x.c --\nint one(void) { return 2; }\n", []string{`native F: entry "func F() int { return int(C.one()) }"`}, nil},
		{"an embedded file", "-- both/m.go --\npackage m\n\nimport _ \"embed\"\n\n//go:embed a.txt\nvar a string\n\n//go:embed b.txt\nvar b string\n\nfunc F() string { return a }\nfunc G() string { return b }\n-- both/b.txt --\n1\n-- old/a.txt --\n1\n-- new/a.txt --\n2", []string{`embedded F: entry "func F() string { return a }"`}, nil},
		{"a dependency's version", "-- old/go.mod --\nmodule example.com/m\n\ngo 1.24\n\nrequire example.com/d v1.0.0\n\nreplace example.com/d => ./deps/d@v1.0.0\n-- new/go.mod --\nmodule example.com/m\n\ngo 1.24\n\nrequire example.com/d v1.1.0\n\nreplace example.com/d => ./deps/d@v1.1.0\n-- both/deps/d@v1.0.0/go.mod --\nmodule example.com/d\n-- both/deps/d@v1.1.0/go.mod --\nmodule example.com/d\n-- both/deps/d@v1.0.0/d.go --\npackage d\nconst N = 1\nfunc D() int { return 1 }\n-- both/deps/d@v1.1.0/d.go --\npackage d\nconst N = 2\nfunc D() int { return 2 }\n-- both/m.go --\npackage m\nimport \"example.com/d\"\nfunc F() int { return d.D() }\nfunc G() int { return d.N }", []string{`statement D: entry "func D() int { return 2 }"`, `constant G: entry "func G() int { return d.N }"`}, []string{"module: Module example.com/d is v1.1.0, and was v1.0.0"}},
		{"a dependency's major version", "-- old/go.mod --\nmodule example.com/m\n\ngo 1.24\n\nreplace example.com/d => ./deps/d@v1.0.0\n-- new/go.mod --\nmodule example.com/m\n\ngo 1.24\n\nreplace example.com/d/v2 => ./deps/d@v2.0.0\n-- both/deps/d@v1.0.0/go.mod --\nmodule example.com/d\n-- both/deps/d@v2.0.0/go.mod --\nmodule example.com/d/v2\n-- both/deps/d@v1.0.0/d.go --\npackage d\nfunc D() int { return 1 }\n-- both/deps/d@v2.0.0/d.go --\npackage d\nfunc D() int { return 2 }\n-- old/m.go --\npackage m\nimport \"example.com/d\"\nfunc F() int { return d.D() }\n-- new/m.go --\npackage m\nimport \"example.com/d/v2\"\nfunc F() int { return d.D() }", []string{`statement D: entry "func D() int { return 2 }"`}, []string{"module: Module example.com/d/v2 is v2.0.0, and was v1.0.0"}},
		{"a dependency more", "-- old/go.mod --\nmodule example.com/m\n\ngo 1.24\n-- new/go.mod --\nmodule example.com/m\n\ngo 1.24\n\nreplace example.com/d => ./deps/d@v1.0.0\n-- both/deps/d@v1.0.0/go.mod --\nmodule example.com/d\n-- both/deps/d@v1.0.0/d.go --\npackage d\nfunc D() int { return 1 }\n-- both/m.go --\npackage m\n", nil, []string{"module: Module example.com/d v1.0.0 is new: its code counts as unchanged"}},
		{"the go line alone", "-- old/go.mod --\nmodule example.com/m\n\ngo 1.23\n-- new/go.mod --\nmodule example.com/m\n\ngo 1.24\n-- both/m.go --\npackage m\nfunc F(x []int) (list []func() int) {\n\tfor _, v := range x {\n\t\tlist = append(list, func() int { return v })\n\t}\n\treturn list\n}", nil, []string{"what the compiler makes of it has no points"}},
		{"a function that cannot be counted", "-- old/m.go --\npackage m\n\n//go:nosplit\nfunc F() int { return 1 }\n-- new/m.go --\npackage m\n\n//go:nosplit\nfunc F() int { return 2 }", nil, []string{"uncounted: Function F changed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, tree := differ(t, tt.files)
			expect(t, r, tree, tt.want, tt.notes)
			if was := r.OldPaths["example.com/m/other"]; tt.name == "a package's path" && was != "example.com/m/p" {
				t.Errorf("the package was %q", was)
			}
		})
	}
}

// TestLongValue checks that only the changed part of a long table is shown.
func TestLongValue(t *testing.T) {
	list := strings.Repeat("1, 2, 3, ", 100)
	text := "var v = []int{" + list + "7, " + list + "}\nfunc F() int { return v[0] }"
	r, _ := differ(t, sides(text, strings.Replace(text, "7, ", "8, 9, ", 1)))
	if len(r.Points) != 1 || len(r.Points[0].Text) > 400 || !strings.Contains(r.Points[0].Text, "\n+v = ... 3, 1, 2, 3") || !strings.Contains(r.Points[0].Text, " 3, 8, 9, 1,") {
		t.Errorf("points are %+v", r.Points)
	}
}

// TestStable checks that points keep their IDs when other code moves them, and that their order
// repeats.
func TestStable(t *testing.T) {
	old := "const N = 1\n" + branches + "func G() int { return N }\n"
	new := strings.Replace(edited("\t\tb()\n", "\t\ta()\n", "\t\te()\n", "\t\te()\n\t\ta()\n", "\t\tg()\n", "\t\tg()\n\t\ta()\n"), "x, y int", "v, y int", 1)
	new = strings.NewReplacer("x >", "v >", "< x", "< v", "return x", "return v").Replace(new)
	new = "const N = 2\n" + new + "func G() int { return N }\n"
	ids := func(old, new string) (list []string) {
		r, _ := differ(t, sides(old, new))
		for _, p := range r.Points {
			list = append(list, fmt.Sprint(p.ID, " ", p.Function))
		}
		return list
	}
	want := ids(old, new)
	if len(want) != 4 {
		t.Errorf("points are %q", want)
	}
	seen := slices.Clone(want)
	slices.Sort(seen)
	if len(slices.Compact(seen)) != len(want) {
		t.Errorf("points share an ID: %q", want)
	}
	for range 3 {
		if got := ids(old, new); !slices.Equal(got, want) {
			t.Errorf("points are %q, and were %q", got, want)
		}
	}
	more := "// more\n\n\nfunc Z() {}\n"
	if got := ids(more+old, more+strings.Replace(new, "func a()", "\nfunc a() // more", 1)); !slices.Equal(got, want) {
		t.Errorf("points are %q where they stand elsewhere, and were %q", got, want)
	}
	if got := ids(old, strings.ReplaceAll(strings.ReplaceAll(new, "v >", "w >"), "v", "w")); !slices.Equal(got, want) {
		t.Errorf("points are %q with another name for a local, and were %q", got, want)
	}
}
