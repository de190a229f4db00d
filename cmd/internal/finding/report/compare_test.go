package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"parallax/internal/input"
)

// bracketed shows what is marked.
func bracketed(list []Piece) string {
	var b strings.Builder
	for _, p := range list {
		if p.Marked {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	for _, tt := range []struct{ a, b, wantA, wantB string }{
		{"", "", "", ""},
		{"same", "same", "same", "same"},
		{"", "x", "", "[x]"},
		{"1.0.0", "1.0.01", "1.0.0", "1.0.0[1]"},
		{"abcdef", "aXcdYf", "a[b]cd[e]f", "a[X]cd[Y]f"},
		{"key = 1\nother = 2", "key = 3\nother = 2\n", "key = [1]\nother = 2", "key = [3]\nother = 2[\n]"},
		{"é日x", "è日x", "[é]日x", "[è]日x"},
		{"a\xffb", "a\xfeb", "a[\xff]b", "a[\xfe]b"},
		{"<<<<aa<<<<", "[[[[aa[[[[", "[<<<<aa<<<<]", "[[[[[aa[[[[]"},
	} {
		a, b := Compare(tt.a, tt.b)
		if bracketed(a) != tt.wantA || bracketed(b) != tt.wantB {
			t.Errorf("%q, %q: %s and %s, want %s and %s", tt.a, tt.b, bracketed(a), bracketed(b), tt.wantA, tt.wantB)
		}
	}
}

// What is not marked is the same in both texts, and all pieces together are the text.
func TestCompareAligns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abc\xff\xc3\xa9"[r.IntN(6)]
		}
		return string(b)
	}
	for i := range 3000 {
		a, b := text(r.IntN(30)), text(r.IntN(30))
		if i%100 == 0 {
			a, b = text(2000), text(2000)
		}
		pa, pb := Compare(a, b)
		whole := func(list []Piece) (all, same string) {
			for _, p := range list {
				all += p.Text
				if !p.Marked {
					same += p.Text
				}
			}
			return all, same
		}
		allA, sameA := whole(pa)
		allB, sameB := whole(pb)
		if allA != a || allB != b || sameA != sameB {
			t.Fatalf("%q, %q: %s and %s", a, b, bracketed(pa), bracketed(pb))
		}
	}
}

func TestGeneralForm(t *testing.T) {
	text, typed := input.Shape{input.String}, input.Shape{input.Bytes, input.Int8, input.String}
	flat := pack(typed, []byte("ab1"), int8(-3), "⟨x⟩")
	for _, tt := range []struct {
		shape input.Shape
		flat  string
		holes []Hole
		want  string
	}{
		{text, "1.0.0-01", nil, ""},
		{text, "1.0.0-01", []Hole{{0, 1, "digit"}, {7, 8, "letter or digit"}}, `"⟨digit⟩.0.0-0⟨letter or digit⟩"`},
		{text, "1.0.0-01", []Hole{{2, 3, "digit"}, {0, 2, "digit"}}, `"⟨3 digits⟩.0-01"`},
		{text, "ab\x00⟨", []Hole{{0, 2, "byte"}}, `"⟨2 any bytes⟩\x00\u27e8"`},
		{text, "abc", []Hole{{0, 9, "byte"}, {-1, 1, "byte"}, {2, 2, "byte"}}, ""},
		{text, "abc", []Hole{{0, 2, "byte"}, {1, 3, "byte"}, {2, 3, "odd\n⟩"}}, `"⟨2 any bytes⟩⟨odd\n⟩"`},
		{typed, string(flat), []Hole{{6, 7, "digit"}, {7, 8, "value"}}, `("ab⟨digit⟩", ⟨any int8⟩, "\u27e8x\u27e9")`},
		{typed, string(flat), []Hole{{4, 6, "letter"}}, `("⟨2 letters⟩1", -3, "\u27e8x\u27e9")`},
		{typed, "damaged", []Hole{{4, 6, "letter"}}, ""},
		{text, strings.Repeat("a", 99) + "1" + strings.Repeat("b", 50), []Hole{{0, 99, "letter"}}, `"⟨99 letters⟩1"… (150 bytes in all)`},
		{text, strings.Repeat("a", 99) + "1" + strings.Repeat("b", 50), []Hole{{99, 100, "digit"}, {120, 130, "letter"}}, `"` + strings.Repeat("a", 99) + `⟨digit⟩"… (150 bytes in all)`},
	} {
		if got := GeneralForm(tt.shape, []byte(tt.flat), tt.holes, 100); got != tt.want {
			t.Errorf("%q %v: %s, want %s", tt.flat, tt.holes, got, tt.want)
		}
		f := Finding{Shape: tt.shape, Minimized: []byte(tt.flat), Holes: tt.holes}
		if got := f.GeneralForm(100); got != tt.want {
			t.Errorf("of a finding: %s, want %s", got, tt.want)
		}
		if f.Drawn = "store.Put(`a`)"; f.GeneralForm(100) != "" || f.Summarize().General != "" { // the bytes of calls say nothing
			t.Errorf("of calls: %s", f.GeneralForm(100))
		}
	}
}
