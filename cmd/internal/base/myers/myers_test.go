package myers

import (
	"math/rand/v2"
	"testing"
)

// slow computes the edit distance by its definition.
func slow(a, b []byte) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if b[j] != c {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

func random(r *rand.Rand, n int, alphabet string) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return b
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"ab", "ba", 2}, {"intention", "execution", 5},
	} {
		if got := Distance([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("%q, %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 4000 {
		most := 20
		if i%10 == 0 {
			most = 300 // several words
		}
		a, b := random(r, r.IntN(most), "ab\x00\xff"), random(r, r.IntN(most), "ab\x00\xff")
		if got, want := Distance(a, b), slow(a, b); got != want {
			t.Fatalf("%q, %q: %d, want %d", a, b, got, want)
		}
	}
	for _, n := range []int{63, 64, 65, 127, 128, 129} {
		a, b := random(r, n, "abc"), random(r, n+1, "abc")
		if got, want := Distance(a, b), slow(a, b); got != want {
			t.Errorf("%d bytes: %d, want %d", n, got, want)
		}
	}
}

// length computes the length of a longest common subsequence by its definition.
func length(a, b []byte) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := 1; i > 0 && j <= len(b); j++ {
			rows[i][j] = max(rows[i-1][j], rows[i][j-1])
			if a[i-1] == b[j-1] {
				rows[i][j] = rows[i-1][j-1] + 1
			}
		}
	}
	return rows[len(a)][len(b)]
}

// TestCommon checks that the pairs ascend, are equal and as many as there can be, and that a limit
// leaves the common ends.
func TestCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		a, b := random(r, r.IntN(20), "abc"), random(r, r.IntN(20), "abc")
		pairs, ok := Common(a, b, 100)
		last := [2]int{-1, -1}
		for _, p := range pairs {
			if p[0] <= last[0] || p[1] <= last[1] || a[p[0]] != b[p[1]] {
				t.Fatalf("%q, %q: pairs %v", a, b, pairs)
			}
			last = p
		}
		if want := length(a, b); !ok || len(pairs) != want {
			t.Fatalf("%q, %q: %d pairs, want %d", a, b, len(pairs), want)
		}
	}
	if pairs, ok := Common([]byte("aXYb"), []byte("aZWVb"), 2); ok || len(pairs) != 2 {
		t.Errorf("above the limit: %v, %v", pairs, ok)
	}
}
