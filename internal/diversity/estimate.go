package diversity

import "math"

// Sample holds the counts that estimators need: the number of species seen, those seen once and
// twice, and the number of units. A unit is an input. It shows one species if these are traces, and
// many if they are branches. Once and Twice are then Chao's Q1 and Q2.
type Sample struct {
	Species     float64
	Once, Twice float64
	Units       float64
}

// Richness estimates a lower bound of the number of species, seen or not. It is Chao1 for a sample
// of individuals, and Chao2, which has the same formula, for units with several species each.
func (s Sample) Richness() float64 { return s.Species + s.unseen() }

// unseen estimates f0, the number of unseen species.
func (s Sample) unseen() float64 {
	if s.Units < 1 {
		return 0
	}
	f := s.Once * (s.Once - 1) / 2
	if s.Twice > 0 {
		f = s.Once * s.Once / (2 * s.Twice)
	}
	return math.Max(0, (s.Units-1)/s.Units*f)
}

// Discovery returns the Good-Turing estimate of the number of new species that the next unit shows.
// For units with one species each, that is the probability of a new one. For units with several
// species, it bounds that probability. The estimate itself is not a bound, least of all at 0: see
// Bound.
func (s Sample) Discovery() float64 {
	if s.Units < 1 {
		return 1
	}
	return s.Once / s.Units
}

// Bound applies if no species was seen once, where Discovery is 0. It returns a bound of the
// probability of a new species at 95 % confidence, by the rule of three. It returns 0 if there is
// an estimate.
func (s Sample) Bound() float64 {
	if s.Once > 0 || s.Units < 1 {
		return 0
	}
	return math.Min(1, 3/s.Units)
}

// After estimates the number of species seen after the given number of further units.
func (s Sample) After(further float64) float64 {
	f0 := s.unseen()
	if f0 == 0 || s.Once == 0 {
		return s.Species
	}
	return s.Species + f0*(1-math.Pow(1-s.Once/(s.Units*f0+s.Once), further))
}

// Risk estimates the probability that the next input fails, after failed of n failed, by Laplace's
// rule. bound is its upper bound at 95 % confidence. Without failures these are 1/(n+2) and 3/n.
func Risk(failed, n uint64) (estimate, bound float64) {
	estimate = (float64(failed) + 1) / (float64(n) + 2)
	if n == 0 {
		return estimate, 1
	}
	return estimate, math.Min(1, poisson(failed)/float64(n))
}

// poisson returns the mean at which at most k events have a probability of 5 %. From k = 20 on, it
// is Wilson and Hilferty's approximation, which is right to three digits. For k = 0 it is 3, the
// rule of three, instead of 2.996.
func poisson(k uint64) float64 {
	if k >= 20 {
		m := float64(k) + 1
		root := 1 - 1/(9*m) + 1.6448536/(3*math.Sqrt(m))
		return m * root * root * root
	}
	if k == 0 {
		return 3
	}
	low, high := 0.0, 64.0
	for i := 0; i < 60; i++ {
		mean := (low + high) / 2
		term, sum := math.Exp(-mean), 0.0
		for e := uint64(0); e <= k; e++ {
			if e > 0 {
				term *= mean / float64(e)
			}
			sum += term
		}
		if sum > 0.05 {
			low = mean
		} else {
			high = mean
		}
	}
	return high
}

// Rarefied returns the expected number of branches covered by a random subset of the unique traces.
// It compares campaigns at equal numbers of traces (Hurlbert, Ecology 52, 1971, for sampling
// units). counts holds traces per branch, and all is the number of traces.
func Rarefied(counts []uint64, all, traces uint64) float64 {
	if traces >= all {
		traces = all
	}
	choose := func(n, k uint64) float64 { // logarithm of n choose k
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(float64(k) + 1)
		c, _ := math.Lgamma(float64(n-k) + 1)
		return a - b - c
	}
	whole, sum := choose(all, traces), 0.0
	for _, c := range counts {
		if c == 0 {
			continue
		}
		sum++
		if c <= all && all-c >= traces { // the subset may miss the branch
			sum -= math.Exp(choose(all-c, traces) - whole)
		}
	}
	return sum
}
