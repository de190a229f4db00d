package diversity

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// TestHill has values worked by hand from the definition: p is 3/4 and 1/4.
func TestHill(t *testing.T) {
	for _, c := range []struct {
		q      float64
		counts []uint64
		want   float64
	}{
		{0, []uint64{3, 0, 1}, 2},
		{1, []uint64{3, 0, 1}, 4 / math.Pow(3, 0.75)}, // exp(ln 4 - (3 ln 3)/4)
		{2, []uint64{3, 0, 1}, 1.6},                   // 16/(9+1)
		{3, []uint64{3, 1}, math.Sqrt(64.0 / 28)},
		{0.5, []uint64{9, 1}, 1.6}, // (3+1)^2/10
		{-1, []uint64{3, 1}, math.Sqrt(4.0/3 + 4)},
		{math.Inf(1), []uint64{3, 1}, 4.0 / 3},
		{1, []uint64{5, 5, 5}, 3},
		{2, []uint64{7}, 1},
		{2, []uint64{0, 0}, 0},
		{1, nil, 0},
	} {
		if got := Hill(c.q, c.counts); !near(got, c.want) {
			t.Errorf("order %v of %v: %v, want %v", c.q, c.counts, got, c.want)
		}
	}
	if !math.IsNaN(Hill(math.NaN(), []uint64{1})) {
		t.Error("an order that is no number")
	}
	if p := NewProfile([]uint64{0}); p != (Profile{}) {
		t.Errorf("nothing covered: %+v", p)
	}
}

// TestProfile compares the profile with the definition. Diversity falls as the order rises.
func TestProfile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		counts := make([]uint64, 1+r.IntN(40))
		n := 0.0
		for i := range counts {
			counts[i] = r.Uint64N(1 << r.IntN(20))
			n += float64(counts[i])
		}
		b0, entropy, squares := 0, 0.0, 0.0
		for _, c := range counts {
			if p := float64(c) / n; c > 0 {
				b0++
				entropy -= p * math.Log(p)
				squares += p * p
			}
		}
		got := NewProfile(counts)
		if b0 == 0 {
			continue
		}
		if got.B0 != b0 || !near(got.B1, math.Exp(entropy)) || !near(got.B2, 1/squares) || !near(got.Evenness, math.Exp(entropy)/float64(b0)) {
			t.Fatalf("%v: %+v, want %v %v %v", counts, got, b0, math.Exp(entropy), 1/squares)
		}
		last := math.Inf(1)
		for _, q := range []float64{0, 0.5, 0.999999, 1, 1.000001, 2, 5, math.Inf(1)} {
			h := Hill(q, counts)
			if h > last*(1+1e-9) {
				t.Fatalf("%v: order %v has %v, more than a lower one, %v", counts, q, h, last)
			}
			last = h
		}
		if !near(Hill(0, counts), float64(got.B0)) || !near(Hill(1, counts), got.B1) || !near(Hill(2, counts), got.B2) {
			t.Fatalf("%v: %+v and Hill differ", counts, got)
		}
	}
}
