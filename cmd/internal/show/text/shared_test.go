package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
)

// TestAlsoShown checks the words for the other findings with the cause of one.
func TestAlsoShown(t *testing.T) {
	sharers := func(targets ...string) (list []finding.Sharer) {
		for i, target := range targets {
			list = append(list, finding.Sharer{Target: target, ID: fmt.Sprint(i), Count: 5})
		}
		return list
	}
	for _, test := range []struct {
		sharers []finding.Sharer
		want    string
	}{
		{nil, ""},
		{sharers("p.Read", "p.Strict"), "also shown by Read, Strict (3 targets, 11 inputs)"},
		{sharers("p.Read", "p.Read", "p.Parse"), "also shown by Read (2 targets, 4 findings, 16 inputs)"},
		{sharers("q.Read", "Read"), "also shown by q.Read, Read (3 targets, 11 inputs)"},
		{sharers("p.Parse"), "also shown by 1 other finding of this target (6 inputs)"},
		{sharers("p.A", "p.B", "p.C", "p.D", "p.E", "p.F", "p.G", "p.H"), "also shown by A, B, C, D, E, F, and 2 more (9 targets, 41 inputs)"},
	} {
		if got := AlsoShown(&finding.Row{Count: 1, Later: finding.Later{Shared: finding.Shared{Sharers: test.sharers}}}, "p.Parse"); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestTableOfShared checks findings that others are shown for. A list with a limit has a line for
// each cause, and a list of all has each in full.
func TestTableOfShared(t *testing.T) {
	hostile := "p.\x1b[31m\n"
	list := []finding.Row{
		{ID: "aaa", Kind: "change", Quoted: `"#"`, Count: 1},
		{ID: "bbb", Kind: "change", Quoted: `"?"`, Count: 2},
		{ID: "ccc", Kind: "change", Quoted: `"!"`, Count: 3},
	}
	list[0].Sharers = []finding.Sharer{{Target: "p.Read", ID: "ddd", Count: 4}}
	list[1].Shower = &finding.Sharer{Target: hostile, ID: "eee"}
	list[2].Shower = &finding.Sharer{Target: hostile, ID: "eee"}
	for _, limit := range []int{1, 10, 0} {
		var b bytes.Buffer
		if err := Table(&b, list, TableOptions{Limit: limit, Target: "p.Parse"}); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String())
		text := strings.Join(strings.Fields(b.String()), " ")
		want := "2 findings have the cause of eee in " + escape.Text(hostile) + ": bbb, ccc"
		if limit == 0 {
			want = `"!" has the cause of eee in ` + escape.Text(hostile)
		}
		if !strings.Contains(text, want) || !strings.Contains(text, "also shown by Read (2 targets, 5 inputs)") || strings.Contains(text, `"?"`) != (limit == 0) {
			t.Errorf("limit %d:\n%s\nwant %s", limit, b.String(), want)
		}
	}
}
