package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
)

// TestBriefList checks that each accepted finding has a line, whatever the limit, with the number
// that it has without a limit. The number of findings left out counts the others.
func TestBriefList(t *testing.T) {
	for open := range 6 {
		for accepted := range 4 {
			var list []finding.Row
			for i := range open + accepted {
				list = append(list, finding.Row{ID: fmt.Sprint("b", i), Kind: "discrepancy", Count: 1, Quoted: `"x"`, Acceptance: finding.Acceptance{Accepted: i >= open}})
			}
			list = append(list, finding.Row{ID: "f", Kind: "discrepancy", Count: 1, Flaky: true})
			var out bytes.Buffer
			if err := Table(&out, list, TableOptions{Limit: 3, Brief: true, More: "show"}); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			want := ""
			if left := open + 1 - 3; left > 0 {
				want = fmt.Sprintf("\n\n  and %d more: show\n", left)
			}
			if got := strings.Count(text, " accepted\n"); got != accepted || strings.Count(text, "discrepancy ") != accepted+min(open+1, 3) ||
				strings.Contains(text, " more: ") != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%d open, %d accepted:\n%s", open, accepted, text)
			}
			for i := range accepted {
				if line := fmt.Sprintf("  %d  discrepancy  b%d  ", open+i+1, open+i); !strings.Contains(text, line) {
					t.Errorf("no line %q:\n%s", line, text)
				}
			}
			if at := strings.Index(text, " accepted\n"); want != "" && at >= 0 && at < strings.Index(text, want) {
				t.Errorf("what is left out is not named before the accepted findings:\n%s", text)
			}
		}
	}
}

// TestFoldedList checks that a list with a limit folds, and that its numbers add up. A list without
// a limit shows each finding.
func TestFoldedList(t *testing.T) {
	var list []finding.Row
	for i := range 9 {
		b := finding.Row{ID: fmt.Sprint("b", i), Kind: "discrepancy", Count: 1}
		if i%3 != 0 {
			b.Under = fmt.Sprint("b", i-i%3)
		}
		list = append(list, b)
	}
	list = slices.Insert(list, 0, finding.Row{ID: "z", Kind: "discrepancy", Count: 1, Under: "not there"})
	var out bytes.Buffer
	if err := Table(&out, list, TableOptions{Limit: 3}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "+ 2 similar (show --all)") != 2 || !strings.Contains(text, "and 3 more") || strings.Count(text, "discrepancy ") != 3 {
		t.Error(text)
	}
	out.Reset()
	if err := Table(&out, list, TableOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "discrepancy ") != len(list) || strings.Contains(text, "similar (") {
		t.Error(text)
	}
}
