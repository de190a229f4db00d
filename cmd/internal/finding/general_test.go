package finding_test

import (
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
)

func TestGeneralForm(t *testing.T) {
	text, typed := input.Shape{input.String}, input.Shape{input.Bytes, input.Int8, input.String}
	flat := findingtest.Pack(typed, []byte("ab1"), int8(-3), "⟨x⟩")
	for _, tt := range []struct {
		shape input.Shape
		flat  string
		holes []finding.Hole
		want  string
	}{
		{text, "1.0.0-01", nil, ""},
		{text, "1.0.0-01", []finding.Hole{{Start: 0, End: 1, Of: "digit"}, {Start: 7, End: 8, Of: "letter or digit"}}, `"⟨digit⟩.0.0-0⟨letter or digit⟩"`},
		{text, "1.0.0-01", []finding.Hole{{Start: 2, End: 3, Of: "digit"}, {Start: 0, End: 2, Of: "digit"}}, `"⟨3 digits⟩.0-01"`},
		{text, "ab\x00⟨", []finding.Hole{{Start: 0, End: 2, Of: "byte"}}, `"⟨2 any bytes⟩\x00\u27e8"`},
		{text, "abc", []finding.Hole{{Start: 0, End: 9, Of: "byte"}, {Start: -1, End: 1, Of: "byte"}, {Start: 2, End: 2, Of: "byte"}}, ""},
		{text, "abc", []finding.Hole{{Start: 0, End: 2, Of: "byte"}, {Start: 1, End: 3, Of: "byte"}, {Start: 2, End: 3, Of: "odd\n⟩"}}, `"⟨2 any bytes⟩⟨odd\n⟩"`},
		{typed, string(flat), []finding.Hole{{Start: 6, End: 7, Of: "digit"}, {Start: 7, End: 8, Of: "value"}}, `("ab⟨digit⟩", ⟨any int8⟩, "\u27e8x\u27e9")`},
		{typed, string(flat), []finding.Hole{{Start: 4, End: 6, Of: "letter"}}, `("⟨2 letters⟩1", -3, "\u27e8x\u27e9")`},
		{typed, "damaged", []finding.Hole{{Start: 4, End: 6, Of: "letter"}}, ""},
		{text, strings.Repeat("a", 99) + "1" + strings.Repeat("b", 50), []finding.Hole{{Start: 0, End: 99, Of: "letter"}}, `"⟨99 letters⟩1"… (150 bytes in all)`},
		{text, strings.Repeat("a", 99) + "1" + strings.Repeat("b", 50), []finding.Hole{{Start: 99, End: 100, Of: "digit"}, {Start: 120, End: 130, Of: "letter"}}, `"` + strings.Repeat("a", 99) + `⟨digit⟩"… (150 bytes in all)`},
	} {
		if got := finding.GeneralForm(tt.shape, []byte(tt.flat), tt.holes, 100); got != tt.want {
			t.Errorf("%q %v: %s, want %s", tt.flat, tt.holes, got, tt.want)
		}
		f := finding.Finding{Shape: tt.shape, Minimized: []byte(tt.flat), Holes: tt.holes}
		if got := f.GeneralForm(100); got != tt.want {
			t.Errorf("of a finding: %s, want %s", got, tt.want)
		}
		if f.Drawn = "store.Put(`a`)"; f.GeneralForm(100) != "" || f.Summarize().General != "" { // the bytes of calls say nothing
			t.Errorf("of calls: %s", f.GeneralForm(100))
		}
	}
}
