package diversity

import "math"

// Sample is what estimators know of a sample: so many species were seen, so many of them once and twice, in n units. A unit is an
// input. It shows one species where these are traces, and many where they are branches: once and twice are then Chao's Q1 and Q2.
type Sample struct {
	Species     float64
	Once, Twice float64
	Units       float64
}

// Richness estimates how many species there are, seen or not, from below: Chao1 for a sample of individuals, and Chao2, which is the same
// formula, for a sample of units with several species each.
func (s Sample) Richness() float64 { return s.Species + s.unseen() }

// unseen is f0, the species that were not seen.
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

// Discovery estimates, by Good and Turing, how many new species the next unit shows: of units with one species each, the probability that it
// shows a new one. Of units with several that probability is no more than what is estimated. The estimate itself is no bound of anything, least of
// all where it is 0: see Bound.
func (s Sample) Discovery() float64 {
	if s.Units < 1 {
		return 1
	}
	return s.Once / s.Units
}

// Bound is for a sample in which no species was seen once, of which the estimate of Discovery is 0: what the probability of a new one is below at 95 %
// confidence, by the rule of three. It is 0 where there is an estimate.
func (s Sample) Bound() float64 {
	if s.Once > 0 || s.Units < 1 {
		return 0
	}
	return math.Min(1, 3/s.Units)
}

// After estimates how many species will have been seen after so many further units.
func (s Sample) After(further float64) float64 {
	f0 := s.unseen()
	if f0 == 0 || s.Once == 0 {
		return s.Species
	}
	return s.Species + f0*(1-math.Pow(1-s.Once/(s.Units*f0+s.Once), further))
}

// Risk estimates the probability that the next input fails, where failed of n have: Laplace's rule, and a bound that the probability is
// below at 95 % confidence. Without a failure these are 1/(n+2) and 3/n.
func Risk(failed, n uint64) (estimate, bound float64) {
	estimate = (float64(failed) + 1) / (float64(n) + 2)
	if n == 0 {
		return estimate, 1
	}
	return estimate, math.Min(1, poisson(failed)/float64(n))
}

// poisson is the mean at which as few events as k have a probability of 5 %. Wilson and Hilferty's approximation is right to three digits
// from 20 on. Of no event it is 2.996, the rule of three.
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

// Rarefied is how many branches would have been covered, on the average, by so few unique traces, drawn from all that there are: campaigns
// are compared at equal numbers of traces by it (Hurlbert, Ecology 52, 1971, for sampling units). Counts are of branches.
func Rarefied(counts []uint64, all, traces uint64) float64 {
	if traces >= all {
		traces = all
	}
	choose := func(n, k uint64) float64 { // its logarithm
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
		if c <= all && all-c >= traces { // it may be missed
			sum -= math.Exp(choose(all-c, traces) - whole)
		}
	}
	return sum
}
