package stats

import (
	"math/rand/v2"
	"slices"
)

// resamples is how often a bootstrap draws; with 2000 the ends of a 95 % interval have 50 resamples beyond them.
const resamples = 2000

// Interval is a range that holds what is estimated with a confidence of 95 %.
type Interval struct{ Low, High float64 }

// A12Interval estimates between which values A12 of a and b lies, by resampling both sides: the percentile interval of
// B. Efron, R. J. Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13. It repeats: the randomness has a fixed
// seed. With few values it is too narrow, and where all values of one side are larger it has no width at all.
func A12Interval(a, b []float64) Interval {
	m, n := len(a), len(b)
	if m == 0 || n == 0 {
		return Interval{0, 1}
	}
	// Twice the wins of each pair, so that a resample is a sum of whole numbers.
	wins := make([]int, m*n)
	for i, x := range a {
		for j, y := range b {
			switch {
			case x > y:
				wins[i*n+j] = 2
			case x == y:
				wins[i*n+j] = 1
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	effects := make([]float64, resamples)
	chosen := make([]int, n)
	for k := range effects {
		for j := range chosen {
			chosen[j] = random.IntN(n)
		}
		sum := 0
		for range m {
			row := wins[random.IntN(m)*n:]
			for _, j := range chosen {
				sum += row[j]
			}
		}
		effects[k] = float64(sum) / float64(2*m*n)
	}
	slices.Sort(effects)
	return Interval{Quantile(effects, 0.025), Quantile(effects, 0.975)}
}
