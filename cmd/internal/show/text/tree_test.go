package text

import (
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/oracle"
)

// valueFinding returns a finding in which programs accept with different values.
func valueFinding(values ...string) *finding.Finding {
	f := findingtest.SemverFinding()
	f.Layer, f.Programs = "value", nil
	for i, v := range values {
		f.Programs = append(f.Programs, finding.Program{Name: fmt.Sprintf("p%d", i), Detail: oracle.Detail{Outcome: "accepted", Value: v}})
	}
	return f
}

func section(page, title string) string {
	_, after, _ := strings.Cut(page, "## "+title+"\n")
	before, _, _ := strings.Cut(after, "\n## ")
	return strings.TrimSpace(before)
}

func TestWhereValuesDiffer(t *testing.T) {
	long := strings.Repeat("same ", 4000)
	tree := func(n int) string {
		return fmt.Sprintf(`p.T{Inner: &p.U{Name: "a, b: c}", list: [1, 2, %d]}, Map: {"one": p.U{Name: "1", list: []}, "two words": p.U{Name: "2", list: [%[1]d]}}}`, n)
	}
	for _, tt := range []struct {
		name   string
		values []string
		want   []string
	}{
		{"a place in a tree", []string{tree(1), tree(1), tree(2)},
			[]string{"At `.Inner.list[2]`:", "p0, p1  1\np2      2\n", "At `.Map[\"two words\"].list[0]`:"}},
		{"a long text", []string{`"` + long + "x" + long + `"`, `"` + long + "y" + long + `"`},
			[]string{"p0  …(19,9", "same x", "same y", "same s …(19,9", "^"}},
		{"more places than are told", []string{"[1, 2, 3, 4, 5]", "[6, 7, 8, 9, 0]"}, []string{"They also differ at 2 more places."}},
		{"long texts without anything in common", []string{strings.Repeat("ab", 200), strings.Repeat("xy", 200)}, []string{"p0  abab", "p1  xyxy"}},
		{"no tree", []string{"a}b the same end", "a}c the same end"}, []string{"p0  a}b the same end\n      ^\np1  a}c the same end\n      ^"}},
	} {
		f := valueFinding(tt.values...)
		page := string(Markdown(f, finding.Page{Source: noSource}))
		got := section(page, "Where the values differ")
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", tt.name, want, got)
			}
		}
		if len(got) > 3000 {
			t.Errorf("%s: %d bytes", tt.name, len(got))
		}
	}
	cut := valueFinding("same", "same")
	cut.Programs[0].Truncated, cut.Programs[1].Truncated = true, true
	if got := section(string(Markdown(cut, finding.Page{Source: noSource})), "Where the values differ"); got != "They are the same in the first 4 bytes; no more is recorded." {
		t.Error(got)
	}
	class := findingtest.SemverFinding()
	class.Layer = "class"
	for i, text := range []string{"line 1: unexpected end", "line 1: unexpected \x1b"} {
		class.Programs[i].Detail = oracle.Detail{Outcome: "rejected", Error: text}
	}
	if got := section(string(Markdown(class, finding.Page{Source: noSource})), "Where the errors differ"); !strings.Contains(got, `unexpected \x1b`) || !strings.Contains(got, "^^^") {
		t.Error(got)
	}
}
