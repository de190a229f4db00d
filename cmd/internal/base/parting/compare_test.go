package parting

import (
	"math/rand/v2"
	"strings"
	"testing"
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

// TestCompareAligns checks that the unmarked pieces of two texts are equal, and that all pieces
// together are the text.
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
