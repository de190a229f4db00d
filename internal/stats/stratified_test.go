package stats

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

func TestVanElteren(t *testing.T) {
	apart := Stratum{A: []float64{4, 5, 6}, B: []float64{1, 2, 3}}
	tests := []struct {
		name   string
		strata []Stratum
		p, a12 float64
	}{
		{"nothing", nil, 1, 0.5},
		{"one side only", []Stratum{{A: []float64{1}}, {B: []float64{1}}}, 1, 0.5},
		{"all equal", []Stratum{{A: []float64{1, 1}, B: []float64{1}}}, 1, 0.5},
		// U is 9, which is 4.5 above its mean, with variance 3*3*7/12: z = 1.9640.
		{"one stratum", []Stratum{apart}, 0.049535, 1},
		// Twice the distance with twice the variance: z = 1.9640 times the root of 2.
		{"two strata", []Stratum{apart, apart}, 0.005475, 1},
		{"one of them is empty", []Stratum{{}, apart}, 0.049535, 1},
		{"they cancel out", []Stratum{apart, {A: apart.B, B: apart.A}}, 1, 0.5},
		// U of the second stratum is 1.5 of 2, with ties: variance 2/12*(4-6/6) = 1/2. Weights 1/7
		// and 1/4. Sum 4.5/7 + 0.5/4 = 0.767857, variance 5.25/49 + 0.5/16 = 0.138393: z = 2.0641.
		{"different sizes", []Stratum{apart, {A: []float64{2}, B: []float64{2, 1}}}, 0.039010, 0.5 + 0.767857142857143/(9.0/7+2.0/4)},
	}
	for _, test := range tests {
		if got := VanElteren(test.strata); math.Abs(got.P-test.p) > 1e-5 || math.Abs(got.A12-test.a12) > 1e-12 {
			t.Errorf("%s: got %+v, want P %v A12 %v", test.name, got, test.p, test.a12)
		}
	}
}

// TestVanElterenSign checks that A12 has the direction of the statistic. Here strata have different
// sizes and the plain mean of their A12 has the other direction.
func TestVanElterenSign(t *testing.T) {
	same := func(v float64, n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = v
		}
		return list
	}
	strata := []Stratum{
		{A: same(9, 4), B: []float64{1, 2, 3, 4}},
		{A: same(5, 20), B: append(same(6, 14), same(5, 6)...)},
	}
	// The strata's A12 are 1 and 0.15, with plain mean 0.575.
	got := VanElteren(strata)
	if math.Abs(got.P-0.0023) > 1e-4 || got.Sign != -1 || got.A12 >= 0.5 {
		t.Errorf("got %+v, want the sign -1 and A12 below 0.5", got)
	}
	for i := range strata {
		strata[i].A, strata[i].B = strata[i].B, strata[i].A
	}
	turned := VanElteren(strata)
	if turned.Sign != 1 || math.Abs(turned.A12+got.A12-1) > 1e-12 || math.Abs(turned.P-got.P) > 1e-12 {
		t.Errorf("turned round: got %+v, before %+v", turned, got)
	}
	if none := VanElteren(nil); none.Sign != 0 {
		t.Errorf("of nothing: %+v", none)
	}
}

// TestVanElterenShuffled checks that P is the frequency of a difference at least as large between
// random sides.
func TestVanElterenShuffled(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	strata := []Stratum{
		{A: []float64{3, 5, 6, 8, 9}, B: []float64{1, 2, 4, 5, 7}},
		{A: []float64{20, 20, 40, 50}, B: []float64{20, 10, 30, 20, 35}},
	}
	p := VanElteren(strata).P
	const times = 5000
	far := 0
	for range times {
		var shuffled []Stratum
		for _, s := range strata {
			all := slices.Concat(s.A, s.B)
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			shuffled = append(shuffled, Stratum{A: all[:len(s.A)], B: all[len(s.A):]})
		}
		if VanElteren(shuffled).P <= p+1e-12 {
			far++
		}
	}
	if got := float64(far) / times; math.Abs(got-p) > 0.015 {
		t.Errorf("P is %v, and %v of the shuffled ones are as far", p, got)
	}
}

func TestPlaces(t *testing.T) {
	if got, want := Places([]float64{10, 30, 20, 30}), []float64{4, 1.5, 3, 1.5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
