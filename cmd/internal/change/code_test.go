package change

import (
	"fmt"
	"strings"
	"testing"
)

// sides returns a package of each of two versions of a file.
func sides(old, new string) string {
	for _, side := range []*string{&old, &new} {
		if !strings.HasPrefix(*side, "package") {
			*side = "package m\n\n" + *side
		}
	}
	return fmt.Sprintf("-- old/m.go --\n%s\n-- new/m.go --\n%s\n", old, new)
}

const branches = `func F(x, y int) int {
	a()
	if x > 0 {
		b()
		c()
	}
	for i := 0; i < x; i++ {
		d()
	}
	switch y {
	case 1:
		e()
	case 2:
		g()
	}
	return x
}

func a()
func b()
func c()
func d()
func e()
func g()
`

// edited returns branches with parts replaced, in pairs.
func edited(parts ...string) string {
	return strings.NewReplacer(parts...).Replace(branches)
}

// TestCode checks each kind of change of code, and edits that are no change.
func TestCode(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		want           []string
		notes          []string
	}{
		{"nothing", branches, branches, nil, nil},
		{"comments", branches, edited("\ta()\n", "\t// what a does\n\ta() /* and more */\n"), nil, []string{"comments: Nothing changed that is executed"}},
		{"formatting", branches, edited("\ta()\n", "\n\n\ta(\n\t)\n", "x > 0", "( (x)>0)"), nil, nil},
		{"literals", "var X = f(0x10, \"a\\x62\", 'a', 1_000)\nfunc f(...any) int", "var X = f(16, `ab`, '\\x61', 1000)\nfunc f(...any) int", nil, nil},
		{"any", "func F(x interface{}) {}", "func F(x any) {}", nil, nil},
		{"names of parameters and locals", branches, strings.NewReplacer("x, y int", "left, right int", "x > 0", "left > 0", "i := 0; i < x; i++", "k := 0; k < left; k++", "switch y", "switch right", "return x", "return left").Replace(branches), nil, nil},
		{"a receiver and a label", "type T int\nfunc (t T) M() {\nL:\n\tfor {\n\t\tif t > 0 {\n\t\t\tcontinue L\n\t\t}\n\t\tbreak L\n\t}\n}", "type T int\nfunc (self T) M() {\nouter:\n\tfor {\n\t\tif self > 0 {\n\t\t\tcontinue outer\n\t\t}\n\t\tbreak outer\n\t}\n}", nil, nil},
		{"an unused parameter", "func F(x int, _ string) {}", "func F(_ int, y string) {}", nil, nil},
		{"type parameters", "func F[T any](x T) T { return x }", "func F[E any](y E) E { return y }", nil, nil},
		{"types of parameters written together", "func F(a int, b int) int { return a - b }", "func F(a, b int) int { return a - b }", nil, nil},
		{"parameters swapped", "func F(a, b int) int { return a - b }", "func F(b, a int) int { return a - b }", []string{`signature F: entry "func F(b, a int) int { return a - b }"`}, nil},
		{"operands swapped", "func F(a, b int) int {\n\treturn a - b\n}", "func F(a, b int) int {\n\treturn b - a\n}", []string{`statement F: entry "func F(a, b int) int {"`}, nil},
		{"a local more, and a name that moves on", "func F(a int) int {\n\tb := a\n\treturn b\n}", "func F(v int) int {\n\tx := 1\n\tb := v\n\treturn b + x\n}", []string{`statement F: entry "func F(v int) int {"`, `statement F: entry "func F(v int) int {"`}, nil},
		{"another variable", "func F(a, b int) (int, int) {\n\tc := a\n\td := b\n\treturn c, d\n}", "func F(a, b int) (int, int) {\n\tc := a\n\td := b\n\treturn c, c\n}", []string{`statement F: entry "func F(a, b int) (int, int) {"`}, nil},
		{"shadowing", "func F(a int) int {\n\tif a > 0 {\n\t\ta = 2\n\t}\n\treturn a\n}", "func F(a int) int {\n\tif a > 0 {\n\t\ta := 2\n\t\t_ = a\n\t}\n\treturn a\n}", []string{`statement F: then "if a > 0 {"`}, nil},
		{"functions in another order", "func F() int { return 1 }\nfunc G() int { return 2 }", "func G() int { return 2 }\nfunc F() int { return 1 }", nil, nil},
		{"what a star is applied to", "type T struct{ X *int }\n\nfunc F(t *T) {\n\tprint(*t.X)\n}", "type T struct{ X *int }\n\nfunc F(t *T) {\n\tprint((*t).X)\n}", []string{`statement F: entry "func F(t *T) {"`}, nil},
		{"brackets around what it is applied to", "type T struct{ X *int }\n\nfunc F(t *T) {\n\tprint(*t.X, -(*t.X))\n}", "type T struct{ X *int }\n\nfunc F(t *T) {\n\tprint(*(t.X), -*t.X)\n}", nil, nil},
		{"a statement changed", branches, edited("\ta()\n", "\tb()\n"), []string{`statement F: entry "func F(x, y int) int {"`}, nil},
		{"a statement in a branch", branches, edited("\t\tb()\n", "\t\ta()\n"), []string{`statement F: then "if x > 0 {"`}, nil},
		{"a statement added in a loop", branches, edited("\t\td()\n", "\t\td()\n\t\ta()\n"), []string{`statement F: body "for i := 0; i < x; i++ {"`}, nil},
		{"a clause's statement", branches, edited("\t\tg()\n", "\t\tg()\n\t\ta()\n"), []string{`statement F: case "case 2:"`}, nil},
		{"a condition", branches, edited("x > 0", "x > 1"), []string{`condition F: entry "func F(x, y int) int {"`}, nil},
		{"an operand more", branches, edited("x > 0", "x > 0 && y > 0"), []string{`condition F: and "if x > 0 && y > 0 {"`}, nil},
		{"an operand less", edited("x > 0", "x > 0 && y > 0"), branches, []string{`condition F: entry "func F(x, y int) int {"`}, nil},
		{"an operand changed", edited("x > 0", "x > 0 || y > 0"), edited("x > 0", "x > 0 || y > 1"), []string{`condition F: or "if x > 0 || y > 1 {"`}, nil},
		{"a loop's condition", branches, edited("i < x", "i <= x"), []string{`condition F: join "for i := 0; i <= x; i++ {"`}, nil},
		{"a loop's step", branches, edited("i++", "i += 2"), []string{`statement F: body "for i := 0; i < x; i += 2 {"`}, nil},
		{"a case's values", branches, edited("case 2:", "case 2, 3:"), []string{`condition F: join "switch y {", case "case 2, 3:"`}, nil},
		{"a case more", branches, edited("\tcase 2:\n", "\tcase 3:\n\t\ta()\n\tcase 2:\n"), []string{`condition F: join "switch y {", case "case 3:"`}, nil},
		{"a branch more", branches, edited("\treturn x\n", "\tif y > 3 {\n\t\ta()\n\t}\n\treturn x\n"), []string{`condition F: join "if y > 3 {", then "if y > 3 {"`}, nil},
		{"an else", branches, edited("\t\tc()\n\t}\n", "\t\tc()\n\t} else {\n\t\ta()\n\t}\n"), []string{`statement F: else "} else {"`}, nil},
		{"a deletion: the next statement", branches, edited("\ta()\n", ""), []string{`deletion F: entry "func F(x, y int) int {"`}, nil},
		{"a deletion: the next one in the branch", branches, edited("\t\tb()\n", ""), []string{`deletion F: then "if x > 0 {"`}, nil},
		{"a deletion: the one before", branches, edited("\t\tc()\n", ""), []string{`deletion F: then "if x > 0 {"`}, nil},
		{"a deletion: the branch itself", branches, edited("\t\td()\n", ""), []string{`deletion F: body "for i := 0; i < x; i++ {"`}, nil},
		{"a branch that is gone", branches, edited("\tif x > 0 {\n\t\tb()\n\t\tc()\n\t}\n", ""), []string{`deletion F: entry "func F(x, y int) int {"`}, nil},
		{"a case that is gone", branches, edited("\tcase 1:\n\t\te()\n", ""), []string{`deletion F: join "switch y {"`}, nil},
		{"a guard taken away", branches, edited("\tif x > 0 {\n\t\tb()\n\t\tc()\n\t}\n", "\tb()\n\tc()\n"), []string{`deletion F: entry "func F(x, y int) int {"`}, nil},
		{"a guard around what was there", edited("\tif x > 0 {\n\t\tb()\n\t\tc()\n\t}\n", "\tb()\n\tc()\n"), branches, []string{`condition F: entry "func F(x, y int) int {", then "if x > 0 {"`}, nil},
		{"a statement moved into a branch", edited("\t\tc()\n\t}\n", "\t}\n\tc()\n"), branches, []string{`statement F: then "if x > 0 {"`}, nil},
		{"a statement moved out of a branch", branches, edited("\t\tc()\n\t}\n", "\t}\n\tc()\n"), []string{`statement F: join "c()"`}, nil},
		{"one in a branch and one behind it", "func F(x int) {\n\tif x > 0 {\n\t\tprint(1)\n\t}\n\tprint(x)\n}", "func F(x int) {\n\tif x > 0 {\n\t\tprint(2)\n\t}\n\tif x > 5 {\n\t\tprint(x)\n\t}\n}", []string{`condition F: join "if x > 5 {", then "if x > 5 {"`, `statement F: then "if x > 0 {"`}, nil},
		{"a statement moved out of a loop", branches, edited("\t\td()\n\t}\n", "\t}\n\td()\n"), []string{`deletion F: body "for i := 0; i < x; i++ {"`, `statement F: join "d()"`}, nil},
		{"a branch moved into another one", edited("\t\tc()\n\t}\n\tfor", "\t\tc()\n\t}\n\tif y > 0 {\n\t\te()\n\t}\n\tfor"), edited("\t\tc()\n\t}\n\tfor", "\t\tc()\n\t\tif y > 0 {\n\t\t\te()\n\t\t}\n\t}\n\tfor"), []string{`statement F: then "if x > 0 {"`}, nil},
		{"the last statement gone", "func F() {\n\tif true {\n\t\tprint(1)\n\t}\n\tprint(2)\n}", "func F() {\n\tif true {\n\t\tprint(1)\n\t}\n}", []string{`deletion F: entry "func F() {"`}, nil},
		{"a function emptied", "func F() {\n\tprint(2)\n}", "func F() {\n}", []string{`deletion F: entry "func F() {"`}, nil},
		{"defer and go", "func F() {\n\tdefer print(1)\n\tgo print(2)\n}", "func F() {\n\tprint(1)\n\tgo print(2)\n}", []string{`statement F: entry "func F() {"`}, nil},
		{"select", "func F(c, d chan int) {\n\tselect {\n\tcase <-c:\n\tcase d <- 1:\n\t\tprint(1)\n\t}\n}", "func F(c, d chan int) {\n\tselect {\n\tcase <-c:\n\tcase d <- 2:\n\t\tprint(1)\n\tdefault:\n\t}\n}", []string{`condition F: entry "func F(c, d chan int) {", default "default:"`, `condition F: entry "func F(c, d chan int) {", comm "case d <- 2:"`}, nil},
		{"a closure", "func F() func() int {\n\treturn func() int {\n\t\treturn 1\n\t}\n}", "func F() func() int {\n\treturn func() int {\n\t\treturn 2\n\t}\n}", []string{`statement F: entry "return func() int {"`}, nil},
		{"a closure's names", "func F() func(int) int {\n\treturn func(a int) int {\n\t\treturn a\n\t}\n}", "func F() func(int) int {\n\treturn func(b int) int {\n\t\treturn b\n\t}\n}", nil, nil},
		{"a type switch", "func F(x any) int {\n\tswitch v := x.(type) {\n\tcase int:\n\t\treturn v\n\t}\n\treturn 0\n}", "func F(x any) int {\n\tswitch w := x.(type) {\n\tcase int:\n\t\treturn w\n\tcase string:\n\t\treturn len(w)\n\t}\n\treturn 0\n}", []string{`condition F: entry "func F(x any) int {", case "case string:"`}, nil},
		{"a goto", "func F() {\n\tgoto L\nL:\n\tprint(1)\n}", "func F() {\n\tgoto M\nM:\n\tprint(2)\n}", []string{`statement F: label "M:"`}, nil},
		{"a new function", "func F() {}", "func F() {}\nfunc G(x int) {\n\tif x > 0 {\n\t\tprint(1)\n\t}\n}", []string{`function G: entry "func G(x int) {", then "if x > 0 {", implicit-else "if x > 0 {"`}, nil},
		{"a function gone", "func F() {}\nfunc G() {}", "func F() {}", nil, []string{"removed: Function G is gone"}},
		{"a function called otherwise", "func F() { g(1) }\nfunc g(x int) {\n\tif x > 0 {\n\t\tg(x - 1)\n\t}\n}", "func F() { h(1) }\nfunc h(y int) {\n\tif y > 0 {\n\t\th(y - 1)\n\t}\n}", nil, []string{"renamed: Function h was called g"}},
		{"a type called otherwise", "type T struct{ n int }\nfunc (t *T) M() int { return t.n }\nfunc F() *T { return &T{n: 1} }", "type U struct{ n int }\nfunc (u *U) M() int { return u.n }\nfunc F() *U { return &U{n: 1} }", nil, []string{"renamed: Type U was called T"}},
		{"a receiver that is a pointer now", "type T struct{ n int }\nfunc (t T) M() { t.n = 1 }", "type T struct{ n int }\nfunc (t *T) M() { t.n = 1 }", []string{`signature (*T).M: entry "func (t *T) M() { t.n = 1 }"`}, nil},
		{"a result", "func F() int { return 1 }", "func F() int64 { return 1 }", []string{`signature F: entry "func F() int64 { return 1 }"`}, nil},
		{"init functions in another order", "func init() { print(1) }\nfunc init() { print(2) }", "func init() { print(2) }\nfunc init() { print(1) }", nil, nil},
		{"an init function changed", "func init() { print(1) }\nfunc init() { print(2) }", "func init() { print(1) }\nfunc init() { print(3) }", []string{`statement init.1: entry "func init() { print(3) }"`}, nil},
		{"keys of a map", "func F(a int) map[int]int { return map[int]int{a: 1} }", "func F(b int) map[int]int { return map[int]int{b: 1} }", nil, nil},
		{"keys of a struct", "type T struct{ a, b int }\nfunc F(a int) T { return T{a: a} }", "type T struct{ a, b int }\nfunc F(a int) T { return T{b: a} }", []string{`statement F: entry "func F(a int) T { return T{b: a} }"`}, nil},
		{"named results", "func F() (n int) {\n\tn = 1\n\treturn\n}", "func F() (count int) {\n\tcount = 1\n\treturn\n}", nil, nil},
		{"line directives", "func F() {\n//line x.y:10\n\tif true {\n\t\tprint(1)\n\t}\n}", "func F() {\n//line x.y:10\n\tif true {\n\t\tprint(2)\n\t}\n}", []string{`statement F: then ""`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, tree := differ(t, sides(tt.old, tt.new))
			expect(t, r, tree, tt.want, tt.notes)
		})
	}
}
