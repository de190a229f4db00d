package finding

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/tape"
)

func TestSmaller(t *testing.T) {
	var ordered []*Finding
	for _, s := range []string{"", "a", "b", "aa", "ab"} {
		ordered = append(ordered, &Finding{Minimized: []byte(s)})
	}
	checkOrder(t, ordered)
}

// TestSmallerTape checks that a tape that leaves choices to chance is not smaller than one with all
// choices of less.
func TestSmallerTape(t *testing.T) {
	encoded := func(rest uint64, values ...uint64) []byte {
		var out tape.Tape
		out.Reset()
		for _, v := range values {
			out.Choices = append(out.Choices, tape.Choice{Site: 1, Channel: tape.Value, Bound: 99, Value: v})
		}
		out.Spans[0].End, out.Rest = int32(len(values)), rest
		return out.Append(nil)
	}
	draws := func(n int) string { return strings.TrimSpace(strings.Repeat("n = 7\n", n)) }
	checkOrder(t, []*Finding{
		{Minimized: encoded(0, 7, 7, 6), Drawn: draws(3)},
		{Minimized: encoded(0, 7, 7, 7), Drawn: draws(3)},
		{Minimized: encoded(5, 7, 7), Drawn: draws(3)},
		{Minimized: encoded(0, 7), Drawn: draws(4)}, // as if its numbers were longer
		{Minimized: encoded(5, 7), Drawn: draws(200)},
	})
	checkOrder(t, []*Finding{{Minimized: encoded(0, 7, 7)}, {Minimized: encoded(5, 7)}, {Minimized: encoded(5, 8)}}) // the program died before it drew
}

func checkOrder(t *testing.T, ordered []*Finding) {
	t.Helper()
	for i, a := range ordered {
		for k, b := range ordered {
			if got := a.Smaller(b); got != (i < k) {
				t.Errorf("%s smaller than %s: %v", fmt.Sprintf("%q", a.Minimized), fmt.Sprintf("%q", b.Minimized), got)
			}
		}
	}
}
