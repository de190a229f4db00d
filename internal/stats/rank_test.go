package stats

import (
	"math"
	"math/bits"
	"math/rand"
	"testing"
)

func TestMannWhitney(t *testing.T) {
	tests := []struct {
		name       string
		a, b       []float64
		u, p, a12  float64
		comparison string
	}{
		{
			// The example of SciPy's mannwhitneyu: method exact.
			"onset of diabetes", []float64{19, 22, 16, 29, 24}, []float64{20, 11, 17, 12}, 17, 1.0 / 9, 0.85, "scipy",
		},
		{
			// The example of R's wilcox.test (Hollander and Wolfe, 1973, p. 69): W = 35, one-sided
			// p = 0.1272.
			"permeability of a membrane",
			[]float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
			[]float64{1.15, 0.88, 0.90, 0.74, 1.21}, 35, 2 * 0.12720613, 0.7, "R",
		},
		// Two of the choose(20, 10) orders are as extreme.
		{"apart", seq(10, 10), seq(0, 10), 100, 2.0 / 184756, 1, "by hand"},
		{"apart, the other way", seq(0, 10), seq(10, 10), 0, 2.0 / 184756, 0, "by hand"},
		{"all equal", []float64{1, 1, 1}, []float64{1, 1}, 3, 1, 0.5, "by hand"},
		// The pairs of {1, 2, 2, 2} with the 1 have rank sum 4, the others 6: all are equally far
		// from 5.
		{"ties", []float64{1, 2}, []float64{2, 2}, 1, 1, 0.25, "by hand"},
		{"one each", []float64{2}, []float64{1}, 1, 1, 1, "by hand"},
		{"nothing", nil, []float64{1}, 0, 1, 0.5, "by hand"},
	}
	for _, test := range tests {
		got := MannWhitney(test.a, test.b)
		if got.U != test.u || math.Abs(got.P-test.p) > 1e-8 || math.Abs(got.A12-test.a12) > 1e-12 || !got.Exact {
			t.Errorf("%s (%s): got %+v, want U %v P %v A12 %v", test.name, test.comparison, got, test.u, test.p, test.a12)
		}
	}
}

func seq(from, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(from + i)
	}
	return v
}

// TestExact compares P with an enumeration of all ways to deal the values to two sides, with and
// without ties.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		m, n, kinds := 1+r.Intn(6), 1+r.Intn(6), 1+r.Intn(12)
		values := make([]float64, m+n)
		for i := range values {
			values[i] = float64(r.Intn(kinds))
		}
		got := MannWhitney(values[:m], values[m:])
		if want := enumerate(values, m); math.Abs(got.P-want) > 1e-12 {
			t.Fatalf("%v and %v: P %v, counted %v", values[:m], values[m:], got.P, want)
		}
		if want := wins(values[:m], values[m:]); got.U != want || got.A12 != want/float64(m*n) {
			t.Fatalf("%v and %v: %+v, pairs won %v", values[:m], values[m:], got, want)
		}
	}
}

func wins(a, b []float64) (u float64) {
	for _, x := range a {
		for _, y := range b {
			if x > y {
				u++
			} else if x == y {
				u += 0.5
			}
		}
	}
	return u
}

func enumerate(values []float64, m int) float64 {
	mean := float64(m*(len(values)-m)) / 2
	observed := math.Abs(wins(values[:m], values[m:]) - mean)
	far, every := 0, 0
	for set := uint(0); set < 1<<len(values); set++ {
		if bits.OnesCount(set) != m {
			continue
		}
		var a, b []float64
		for i, v := range values {
			if set>>i&1 == 1 {
				a = append(a, v)
			} else {
				b = append(b, v)
			}
		}
		every++
		if math.Abs(wins(a, b)-mean) >= observed {
			far++
		}
	}
	return float64(far) / float64(every)
}

func TestNormal(t *testing.T) {
	// SciPy, method asymptotic, on the first example above.
	ranks := doubledMidranks([]float64{19, 22, 16, 29, 24, 20, 11, 17, 12})
	if got := normal(ranks, 5, 4, 17); math.Abs(got-0.11134688653314041) > 1e-12 {
		t.Errorf("without ties: %v", got)
	}
	// At the switch to the approximation both results nearly agree, with ties and without.
	r := rand.New(rand.NewSource(2))
	for _, kinds := range []int{5, 30, 1000} {
		for range 20 {
			a, b := make([]float64, exactLimit/2), make([]float64, exactLimit/2)
			for i := range a {
				a[i], b[i] = float64(r.Intn(kinds))+0.2*float64(kinds), float64(r.Intn(kinds))
			}
			test := MannWhitney(a, b)
			approximate := normal(doubledMidranks(append(a, b...)), len(a), len(b), test.U)
			if !test.Exact || math.Abs(test.P-approximate) > 0.005 {
				t.Errorf("%d kinds: %+v, approximately %v", kinds, test, approximate)
			}
		}
	}
	if got := MannWhitney(make([]float64, 50), make([]float64, 50)); got.P != 1 || got.Exact {
		t.Errorf("all equal: %+v", got)
	}
}
