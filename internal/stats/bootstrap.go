package stats

import (
	"math/rand/v2"
	"slices"
)

// resamples is the number of bootstrap samples. With 2000, 50 of them lie beyond each end of a 95 %
// interval.
const resamples = 2000

// Interval holds a 95 % confidence interval.
type Interval struct{ Low, High float64 }

// A12Interval estimates a confidence interval of A12 of a and b by resampling both sides. It is the
// percentile interval of B. Efron, R. J. Tibshirani: An Introduction to the Bootstrap, 1993,
// chapter 13. The random seed is fixed, so that results repeat. With few values the interval is too
// narrow. Where all values of one side are larger, it has no width.
func A12Interval(a, b []float64) Interval {
	m, n := len(a), len(b)
	if m == 0 || n == 0 {
		return Interval{0, 1}
	}
	// Twice the wins of each pair, so that a resample's sum is an integer.
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
