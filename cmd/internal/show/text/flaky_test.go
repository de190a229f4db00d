package text

import (
	"bytes"
	"strings"
	"testing"
	"testing/quick"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
)

// TestFolded checks that a folded line loses nothing but spaces at its breaks, and that no line is
// too wide.
func TestFolded(t *testing.T) {
	words := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if err := quick.Check(func(text string, width uint8) bool {
		text = escape.Text(text)
		room := 10 + int(width%100)
		lines := columns.Break(text, room)
		for _, l := range lines {
			if columns.Width(l) > room {
				return false
			}
		}
		return words(strings.Join(lines, "")) == words(text)
	}, nil); err != nil {
		t.Error(err)
	}
}

// TestReasonsAreWhole checks that a list cuts neither reasons nor a message that is alone.
func TestReasonsAreWhole(t *testing.T) {
	long := "a reason of more words than the width of this terminal has columns, and then some more of them"
	for name, b := range map[string]finding.Row{
		"accepted": {ID: "x", Kind: "crash", Outcomes: map[string]string{"a": "crashed"}, Acceptance: finding.Acceptance{Accepted: true, Reason: long}},
		"flaky":    {ID: "x", Kind: "crash", Outcomes: map[string]string{"a": "crashed"}, Flaky: true, Wavers: long},
		"message":  {ID: "x", Kind: "crash", Outcomes: map[string]string{"a": "crashed", "b": "accepted"}, Results: map[string]string{"a": long}},
	} {
		var out bytes.Buffer
		if err := Table(&out, []finding.Row{b}, TableOptions{Width: 60}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), long) {
			t.Errorf("%s: a part is missing in\n%s", name, out.String())
		}
		for _, l := range strings.Split(out.String(), "\n") {
			if len(l) > 60 {
				t.Errorf("%s: %d columns: %s", name, len(l), l)
			}
		}
	}
}
