package llvmir

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPaths checks small functions, whose paths can be counted by hand.
func TestPaths(t *testing.T) {
	const loop = "define i32 @f(i32 %n) {\n  br label %a\na:\n  %i = phi i32 [ 0, %1 ], [ %j, %b ]\n  %c = icmp ult i32 %i, %n\n  br i1 %c, label %b, label %d\nb:\n" +
		"  %j = add i32 %i, 1\n  br label %a\nd:\n  ret i32 %i\n}\n"
	for _, test := range []struct {
		name, text string
		limits     Limits
		want       string
	}{
		{"straight", "define i32 @f() {\n  ret i32 0\n}\n", Limits{}, "1 paths"},
		{"branch", "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 2\n}\n", Limits{}, "2 paths"},
		{"known branch", "define i32 @f(i1 %c) {\n  br i1 false, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 2\n}\n", Limits{}, "1 paths"},
		{"same target", "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %a\na:\n  ret i32 1\n}\n", Limits{}, "1 paths"},
		{"loop", loop, Limits{}, "3 paths; 1 beginnings need more turns of a loop"},
		{"loop, more turns", loop, Limits{Unroll: 7}, "8 paths; 1 beginnings need more turns of a loop"},
		{"loop of known length", strings.ReplaceAll(loop, "%i, %n", "%i, 2"), Limits{}, "1 paths"},
		{"blocks", loop, Limits{Blocks: 3}, "1 paths; 1 beginnings need more turns of a loop; 2 beginnings need more blocks"},
		{"listed", loop, Limits{Unroll: 7, Paths: 5}, "8 paths, 5 of them listed; 1 beginnings need more turns of a loop"},
		{"work", loop, Limits{Unroll: 1000, Work: 30}, "0 paths; the search was ended"},
		// 1+3+9; 1+3+9 and 27
		{"nested", strings.Replace(nested, "[ 0, %entry ]", "[ %n, %entry ]", 1), Limits{}, "13 paths; 40 beginnings need more turns of a loop"},
		{"calls", "define i32 @f(i1 %c) {\n  %x = call i32 @g(i1 %c)\n  %y = call i32 @g(i1 %c)\n  %z = call i32 @g(i1 true)\n  ret i32 %x\n}\n" +
			"define i32 @g(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 2\n}\n", Limits{}, "4 paths"},
		{"known result", "define i32 @f(i1 %c) {\n  %x = call i32 @g(i1 %c)\n  %d = icmp eq i32 %x, 1\n  br i1 %d, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 2\n}\n" +
			"define i32 @g(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  ret i32 2\n}\n", Limits{}, "2 paths"},
		{"recursion", "define i32 @f(i32 %n) {\n  %c = icmp eq i32 %n, 0\n  br i1 %c, label %a, label %b\na:\n  ret i32 1\nb:\n  %m = sub i32 %n, 1\n  %x = call i32 @f(i32 %m)\n  ret i32 %x\n}\n",
			Limits{Functions: 4}, "4 paths; 1 beginnings need more functions"},
		{"dead end", "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  unreachable\nb:\n  ret i32 2\n}\n", Limits{}, "1 paths"},
	} {
		m := linkText(t, test.text)
		e, err := m.Paths(m.Function("f"), test.limits)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if e.String() != test.want || e.Complete() != !strings.ContainsAny(test.want, ";,") {
			t.Errorf("%s: %v, not %s", test.name, e, test.want)
		}
		for i := range e.Paths {
			p := &e.Paths[i]
			again, err := m.PathOf(p.Function, p.Blocks)
			if err != nil || again.Name != p.Name || !slices.Equal(again.Branches, p.Branches) {
				t.Errorf("%s: path %v, and read back %v, %v", test.name, p, again, err)
			}
		}
	}
}

// TestTracesArePaths checks that traces of musl's functions are paths, which have the names of
// listed ones and source lines.
func TestTracesArePaths(t *testing.T) {
	m := readMusl(t)
	machine, errno := muslMachine(m)
	r := rand.New(rand.NewPCG(3, 4))
	complete := 0
	for _, name := range []string{"strcmp", "strchr", "isalnum", "tolower", "abs", "strncpy", "memcmp", "strspn", "atoi", "strtol"} {
		f := m.Function(name)
		e, err := m.Paths(f, Limits{Work: 5_000})
		if err != nil {
			t.Fatal(err)
		}
		if e.Complete() {
			complete++
		}
		listed := map[string]bool{}
		for _, p := range e.Paths {
			if listed[p.Name] {
				t.Errorf("%s: two paths are named %s", name, p.Name)
			}
			listed[p.Name] = true
		}
		letters, _, _ := strings.Cut(signatures[name], ":")
		found := 0
		for range 100 {
			machine.Reset()
			*errno = machine.Object("errno", make([]byte, 4), 0)
			values, _ := place(machine, generate(r, letters))
			got, err := machine.Call(f, values...)
			if err != nil {
				t.Fatal(err)
			}
			if got.Outcome != Returned {
				continue
			}
			p, err := m.PathOf(f, got.Trace)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if listed[p.Name] {
				found++
			} else if e.Complete() {
				t.Errorf("%s: a run took %s, which is not listed", name, p.Name)
			}
			lines := m.Lines(p)
			if len(lines) == 0 || !strings.HasPrefix(lines[0].File, "src/") {
				t.Errorf("%s: the lines are %v", name, lines)
			}
		}
		t.Logf("%s: %v; %d of 100 runs took one", name, e, found)
		if found == 0 && name != "strtol" && name != "strspn" {
			t.Errorf("%s: no run took a listed path", name)
		}
	}
	if complete < 3 {
		t.Errorf("of %d functions all paths are listed", complete)
	}
}

// TestPathOf checks that names of paths do not depend on other contents of the module, and that
// invalid traces are refused.
func TestPathOf(t *testing.T) {
	const f = "define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = call i32 @g()\n  ret i32 1\nb:\n  ret i32 2\n}\ndefine i32 @g() {\n  ret i32 1\n}\n"
	m, other := linkText(t, f), linkText(t, "define i32 @before() {\n  ret i32 1\n}\n"+f)
	p, err := m.PathOf(m.Function("f"), []int{0, 1, 3})
	if err != nil {
		t.Fatal(err)
	}
	q, err := other.PathOf(other.Function("f"), []int{1, 2, 4})
	if err != nil || p.Name != q.Name || !strings.HasPrefix(p.Name, "f#") {
		t.Errorf("%s and %s, %v", p.Name, q.Name, err)
	}
	for _, test := range []struct {
		trace []int
		want  string
	}{{nil, "begin with the entry"}, {[]int{1}, "begin with the entry"}, {[]int{0}, "step 1 does not follow"}, {[]int{0, 3}, "step 1 does not follow"},
		{[]int{0, 1}, "step 2 is not the entry of @g"}, {[]int{0, 2, 2}, "step 2 comes after the return"}} {
		if _, err := m.PathOf(m.Function("f"), test.trace); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v does not say %q", test.trace, err, test.want)
		}
	}
}
