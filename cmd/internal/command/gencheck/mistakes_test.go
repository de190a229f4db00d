package gencheck

import (
	"strings"
	"testing"
)

func TestUnmade(t *testing.T) {
	const library = "example.com/m/internal/parallax/gen.tagOf(...)\n\t/m/internal/parallax/gen/tags.go:51\nexample.com/m/internal/parallax/gen.Of[...]()\n\t/m/internal/parallax/gen/of.go:30 +0x1\n"
	const user = "example.com/m.init()\n\t/m/m_test.go:12 +0x1d\n"
	for name, c := range map[string]struct{ text, want string }{
		"of the package":    {"panic: gen: T.A is wrong\n\ngoroutine 1 [running]:\n" + library + user, "T.A is wrong"},
		"of a test":         {"x\npanic: gen: T.A is wrong [recovered, repanicked]\n\ngoroutine 7 [running]:\ntesting.tRunner.func1.2()\n\t/go/src/testing/testing.go:1 +0x1\npanic({0x1, 0x2})\n\t/go/src/runtime/panic.go:8 +0x1\n" + library + user + "\ngoroutine 1 [chan receive]:\n", "T.A is wrong"},
		"of Go 1.22":        {"panic: gen: T.A is wrong [recovered]\n\tpanic: gen: T.A is wrong\n\ngoroutine 7 [running]:\n" + library + user, "T.A is wrong"},
		"the user's":        {"panic: gen: mine\n\ngoroutine 1 [running]:\n" + user, ""},
		"another panic":     {"panic: broken\n\ngoroutine 1 [running]:\n" + library + user, ""},
		"no panic":          {"--- FAIL", ""},
		"without the place": {"panic: gen: T.A is wrong\n\ngoroutine 1 [running]:\n", ""},
	} {
		m := unmade(c.text, "/go")
		switch {
		case c.want == "" && m != nil, c.want != "" && m == nil:
			t.Errorf("%s: %+v", name, m)
		case m != nil && (m.Text != c.want || m.File != "/m/m_test.go" || m.Line != 12 || m.explain() != "the generator cannot be made: "+c.want):
			t.Errorf("%s: %+v: %s", name, *m, m.explain())
		}
	}
}

func TestInvalidReasons(t *testing.T) {
	here, there := place{"/m/a_test.go", 3}, place{"/m/a_test.go", 9}
	for _, c := range []struct {
		why  map[reason]int
		want string
		line int
	}{
		{map[reason]int{{"no even number", here}: 4}, "Assume or Skip (no even number): draw", 3},
		{map[reason]int{{skipped, here}: 4}, "Assume or Skip: draw", 3},
		{map[reason]int{{"no even number", here}: 1, {"no odd number", there}: 3}, "Assume or Skip (3 of them at a_test.go:9: no odd number): draw", 0},
		{map[reason]int{{}: 4}, "Assume or Skip: draw", 0}, // an earlier library
	} {
		m := (&Target{Inputs: 4, why: c.why}).invalid()
		if m.Kind != allInvalid || m.Line != c.line || !strings.Contains(m.Text, c.want) {
			t.Errorf("%v: %+v", c.why, m)
		}
	}
}

func TestTextOfLabels(t *testing.T) {
	long := strings.Repeat("folder/", 20) + "a_test.go"
	mistake := func(label, text string) Mistake {
		return Mistake{Kind: valueMatters, File: "a_test.go", Line: 4, Label: label, By: "Bool", Text: text}
	}
	r := &Report{
		Targets:  []*Target{{Name: "T", Sites: []*Site{{File: long, Line: 4, Label: "a", By: "Bool", Kind: value}}}},
		Mistakes: []Mistake{mistake("a", `wrong in 3 of 9: use t.Flip("a")`), mistake("b", `wrong in 4 of 9: use t.Flip("b")`), mistake("c", `wrong in 5 of 9: use t.Flip("c")`), mistake("d", "something else")},
	}
	var b strings.Builder
	if err := r.Text(&b, 100, false); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	if !strings.Contains(text, `a_test.go:4: "a": wrong in 3 of 9: use t.Flip("a"). The same is wrong with "b" and "c" a_test.go:4: "d": something else 4 mistakes`) {
		t.Errorf("%s", b.String())
	}
	if !strings.Contains(text, long+":4") {
		t.Errorf("a path is cut where nothing is a terminal:\n%s", b.String())
	}
	b.Reset()
	if err := r.Text(&b, 100, true); err != nil || strings.Contains(b.String(), long) {
		t.Errorf("%v: a path is not cut on a terminal:\n%s", err, b.String())
	}
}
