package change

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/flow"
)

// usesOf lists the uses of the points of two versions: function, declaration, and its lines in both
// versions.
func usesOf(r *Result) (list []string) {
	for _, p := range r.Points {
		for _, u := range p.Uses {
			list = append(list, fmt.Sprintf("%s: %s %d %d", p.Function, u.Name, u.At.Line, u.Old.Line))
		}
	}
	slices.Sort(list)
	return list
}

// TestUses checks that the uses of a declaration have its name, its changed line and its change,
// and that two changes are distinguished.
func TestUses(t *testing.T) {
	for _, tt := range []struct {
		name, text, old, new string
		want                 []string
	}{
		{"a constant", "const A = 1\nconst B = 1\nfunc F() int { return A }\nfunc G() int { return B }", "= 1", "= 2", []string{"F: A 3 3", "G: B 4 4"}},
		{"a constant made of another", "const A = 1\nconst B = A + 1\nfunc F() int { return B }", "A = 1", "A = 2", []string{"F: A 3 3"}},
		{"and changed itself", "const A = 1\nconst B = A + 1\nfunc F() int { return B }", "1\n", "2\n", []string{"F: A 3 3", "F: B 4 4"}},
		{"a table", "var V = []int{\n\t1,\n\t2,\n\t3,\n}\nfunc F() int { return V[0] }", "\t2,", "\t4,", []string{"F: V 5 5"}},
		{"two entries of a table", "var V = []int{\n\t1,\n\t2,\n\t1,\n}\nfunc F() int { return V[0] }", "\t1,", "\t4,", []string{"F: V 3 3"}},
		{"a variable that a function makes", "var V = f()\nfunc f() int {\n\treturn 1\n}\nfunc F() int { return V }", "return 1", "return 2", []string{"F: f 5 5"}},
		{"a tag", "type T struct {\n\tA int\n\tB int `b:\"1\"`\n}\nfunc F(t T) any { return t }", ":\"1", ":\"2", []string{"F: T 5 5"}},
		{"two fields", "type T struct {\n\tA int\n\tB int\n\tC int\n}\nfunc F(t *T) bool { return t.A > 0 }\nfunc G(t *T) bool { return t.B > 0 }\nfunc H(t T) any { return t }\nfunc I(t *T) bool { return t.C > 0 }", "A int\n\tB int", "A int8\n\tB int8", []string{"F: T.A 4 4", "G: T.B 5 5", "H: T 4 4"}},
		{"one embedded type for another", "type A struct{}\nfunc (A) M() {}\ntype B struct{}\nfunc (B) M() {}\ntype T struct {\n\tA\n}\nfunc F(t T) { t.M() }", "\tA\n", "\tB\n", []string{"F: T 8 7"}},
		{"an interface", "type I interface {\n\tM()\n}\nfunc F(x any) bool {\n\t_, ok := x.(I)\n\treturn ok\n}", "M()\n", "M()\n\tN()\n", []string{"F: I 5 3"}},
		{"a method", "type T struct{}\nfunc show(x any) {}\nfunc F(t T) { show(t) }\ntype stringer interface{ String() string }\n", "show(x any) {}\n", "show(x any) {}\nfunc (T) String() string { return \"\" }\n", []string{"F: T 5 3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := differ(t, sides(tt.text, strings.ReplaceAll(tt.text, tt.old, tt.new)))
			if got := usesOf(r); !slices.Equal(got, tt.want) {
				t.Errorf("uses %q, want %q", got, tt.want)
			}
			of := map[string]string{}
			for _, p := range r.Points {
				for _, u := range p.Uses {
					if was, ok := of[u.Hunk]; ok && was != u.Name || u.Package == "" || u.Kind == "" || u.Text == "" || len(u.Blocks) == 0 || len(u.Lines) == 0 {
						t.Errorf("a use lacks something, or is of two declarations: %+v", u)
					}
					of[u.Hunk] = u.Name
				}
			}
		})
	}
}

// TestHunksOfContents checks that a change in a file or a function that a declaration names has
// another hunk for other contents.
func TestHunksOfContents(t *testing.T) {
	hunks := func(files string) (list []string) {
		r, _ := differ(t, files)
		for _, p := range r.Points {
			for _, u := range p.Uses {
				list = append(list, u.Hunk)
			}
		}
		return list
	}
	embed := "-- both/m.go --\npackage m\n\nimport _ \"embed\"\n\n//go:embed text\nvar text string\n\nfunc F() string { return text }\n-- old/text --\none\n-- new/text --\n"
	made := func(n string) string {
		return sides("var V = f()\nfunc f() int { return 1 }\nfunc F() int { return V }", "var V = f()\nfunc f() int { return "+n+" }\nfunc F() int { return V }")
	}
	for name, of := range map[string]func(n string) string{"an embedded file": func(n string) string { return embed + n }, "a function": made} {
		a, again, b := hunks(of("2")), hunks(of("2")), hunks(of("3"))
		if len(a) != 1 || !slices.Equal(a, again) || slices.Equal(a, b) {
			t.Errorf("%s: hunks %q, %q and %q", name, a, again, b)
		}
	}
}

// TestUsesOfC checks that changed macros and types of C have uses too.
func TestUsesOfC(t *testing.T) {
	trees := [2]*Tree{}
	for i, h := range []string{header, strings.NewReplacer("LIMIT 10", "LIMIT 20", "int a;", "long a;", "int b;", "long b;").Replace(header)} {
		dir := t.TempDir()
		lay(t, dir, "-- x.c --\n"+program+"-- x.h --\n"+h)
		trees[i] = &Tree{Root: dir, Programs: []*flow.Table{compiled(t, dir)}}
	}
	r, err := Compare(context.Background(), trees[0], trees[1])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := usesOf(r), []string{"one: LIMIT 1 1", "two: LIMIT 1 1", "two: a 5 5"}; !slices.Equal(got, want) {
		t.Errorf("uses %q, want %q", got, want)
	}
}
