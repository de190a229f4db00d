package bisect

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// letters has a letter per point: its outcome, or . for none.
type letters string

func (h letters) probe(probed *[]int) Probe {
	return func(_ context.Context, i int) (Shown, error) {
		*probed = append(*probed, i)
		if h[i] == '.' {
			return Shown{Skip: "does not build"}, nil
		}
		return Shown{Outcome: string(h[i])}, nil
	}
}

func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		letters letters
		named   bool
		end     End
		before  int
		after   int
		skips   int
	}{
		{"aaabbb", true, Found, 2, 3, 0},
		{"aaabbb", false, Found, 2, 3, 0},
		{"ab", false, Found, 0, 1, 0},
		{"aaa", false, Same, -1, -1, 0},
		{"aaa", true, Same, -1, -1, 0},
		{"a", true, Same, -1, -1, 0},
		{"a", false, Same, -1, -1, 0},
		{".", false, Nothing, -1, -1, 0},
		{".....", true, Nothing, -1, -1, 0},
		{".....", false, Nothing, -1, -1, 0},
		// The search avoids points that do not build.
		{"aa..bb", true, Found, 1, 4, 2},
		{"aa..bb", false, Found, 1, 4, 2},
		{"a.b", true, Found, 0, 2, 1},
		{"aaa.bbbbb", true, Found, 2, 4, 1},
		{"a.a.b.b.b", true, Found, 2, 4, 1},
		{"..aabb..", true, Found, 3, 4, 0},
		{"..aabb..", false, Found, 3, 4, 0},
		{"......ab", false, Found, 6, 7, 0},
		{"....aaaabbbbbbbbbbbbb", false, Found, 7, 8, 0},
		{"a......", true, Same, -1, -1, 0},
		{"......a", false, Same, -1, -1, 0},
		// Going back from the newest point finds the latest change.
		{"aaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbaaabbb", false, Found, 36, 37, 0},
		// A third outcome counts as the older one.
		{"aaacccbbb", true, Found, 5, 6, 0},
	} {
		t.Run(fmt.Sprintf("%s %v", tt.letters, tt.named), func(t *testing.T) {
			var probed []int
			s := Search{Points: len(tt.letters), Named: tt.named, Probe: tt.letters.probe(&probed)}
			a, err := s.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if a.End != tt.end || a.Before != tt.before || a.After != tt.after || len(a.Skips) != tt.skips || a.Left != 0 {
				t.Errorf("answer %+v, want %+v", a, tt)
			}
			if slices.Sort(probed); len(slices.Compact(slices.Clone(probed))) != len(probed) {
				t.Errorf("points looked at twice: %v", probed)
			}
		})
	}
}

// TestOldPivot checks that the search is for the change away from the older end's outcome if that
// is the wanted one.
func TestOldPivot(t *testing.T) {
	var probed []int
	h := letters("aaacccbbb")
	s := Search{Points: len(h), Named: true, Probe: h.probe(&probed), Old: func(older, _ Shown) bool { return older.Outcome == "a" }}
	if a, err := s.Run(context.Background()); err != nil || a.Before != 2 || a.After != 3 {
		t.Errorf("answer %+v, %v", a, err)
	}
}

// TestSearchRandom checks histories with one change. The search finds it, or the points that hide
// it. Without such points, it tries a logarithmic number of points.
func TestSearchRandom(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 20000 {
		n := 2 + r.Intn(200)
		change := 1 + r.Intn(n-1)
		text := []byte(strings.Repeat("a", change) + strings.Repeat("b", n-change))
		holes := r.Intn(3) > 0
		if holes {
			for range r.Intn(n) {
				text[r.Intn(n)] = '.'
			}
			if r.Intn(2) == 0 { // a range of them
				from := r.Intn(n)
				for i := from; i < min(n, from+r.Intn(20)); i++ {
					text[i] = '.'
				}
			}
		}
		before, after := strings.LastIndexByte(string(text), 'a'), strings.IndexByte(string(text), 'b')
		var probed []int
		s := Search{Points: n, Named: r.Intn(2) == 0, Probe: letters(text).probe(&probed)}
		a, err := s.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if a.End == Found {
			if a.Before != before || a.After != after || len(a.Skips) != after-before-1 || a.Left != 0 {
				t.Fatalf("%s: %+v", text, a)
			}
		} else if before >= 0 && after >= 0 && !holes {
			t.Fatalf("%s: %+v", text, a)
		}
		if most := 2*bits.Len(uint(n)) + 2; !holes && len(probed) > most {
			t.Fatalf("%s: %d points looked at, want %d at most: %v", text, len(probed), most, probed)
		}
	}
}

// TestTries checks that the search gives up after some points in a row without an outcome, since
// each costs a build. The answer counts the untried points.
func TestTries(t *testing.T) {
	dots := func(n int) string { return strings.Repeat(".", n) }
	long := letters("a" + dots(1899) + strings.Repeat("b", 100))
	gap := letters(strings.Repeat("a", 500) + dots(100) + strings.Repeat("b", 400))
	middle := letters(dots(1000) + strings.Repeat("b", 200) + dots(800))
	for _, tt := range []struct {
		name    string
		letters letters
		named   bool
		tries   int
		most    int // probes
		end     End
		left    bool
		before  int
	}{
		{"long", long, true, 0, 140, Found, true, 0},
		{"long, galloping", long, false, 0, 140, Found, true, 0},
		{"long, all of it", long, false, 2000, 1920, Found, false, 0},
		{"gap", gap, true, 0, 80, Found, true, 499},
		{"gap, all of it", gap, true, 100, 125, Found, false, 499},
		{"nothing", letters(dots(2000)), true, 0, 80, Nothing, true, -1},
		{"nothing, all of it", letters(dots(2000)), true, 2000, 2000, Nothing, false, -1},
		{"some in the middle", middle, true, 0, 80, Same, false, -1},
		{"only the newest", letters(dots(1999) + "b"), true, 0, 80, Same, false, -1},
		{"one try", letters("a..........b"), true, 1, 8, Found, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var probed []int
			s := Search{Points: len(tt.letters), Named: tt.named, Tries: tt.tries, Probe: tt.letters.probe(&probed)}
			a, err := s.Run(context.Background())
			if err != nil || len(probed) > tt.most {
				t.Errorf("%d points looked at, want %d at most; %v", len(probed), tt.most, err)
			}
			if a.End != tt.end || a.Left > 0 != tt.left || a.Before != tt.before || a.Left+len(probed) > len(tt.letters) {
				t.Errorf("after %d points %d %d..%d, %d left, want %+v", len(probed), a.End, a.Before, a.After, a.Left, tt)
			}
			if a.End == Found && (tt.letters[a.After] != 'b' || a.After-a.Before-1 != len(a.Skips)+a.Left) {
				t.Errorf("%d..%d with %d skips and %d left", a.Before, a.After, len(a.Skips), a.Left)
			}
		})
	}
}

func TestStopped(t *testing.T) {
	h := letters("aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbb")
	for limit := range 9 {
		var probed []int
		probe := h.probe(&probed)
		s := Search{Points: len(h), Named: true}
		s.Probe = func(ctx context.Context, i int) (Shown, error) {
			if len(probed) == limit {
				return Shown{}, context.Canceled
			}
			return probe(ctx, i)
		}
		a, err := s.Run(context.Background())
		if errors.Is(err, context.Canceled) != (a.End == Stopped) {
			t.Fatalf("%v with %+v", err, a)
		}
		if a.End == Stopped && a.Before >= 0 && (a.Before > 15 || a.After < 16 || a.Left != a.After-a.Before-1) {
			t.Errorf("known after %d points: %+v", limit, a)
		}
	}
}
