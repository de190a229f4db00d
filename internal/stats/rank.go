// Package stats compares sets of measurements whose distribution is unknown: ranks, medians,
// resampling. Each published method names its source. `parallax bench` calls it. Nothing here reads
// a file or a clock, and the same values give the same results.
//
// Values must be independent of each other. NaN is not allowed. +Inf is larger than all other
// values and represents a time that was not reached.
package stats

import (
	"math"
	"slices"
)

// The Mann-Whitney test: H. B. Mann, D. R. Whitney: On a test of whether one of two random
// variables is stochastically larger than the other, 1947. A12: A. Vargha, H. D. Delaney: A
// critique and improvement of the CL common language effect size statistics of McGraw and Wong,
// 2000.

// exactLimit is the largest number of values for which P is exact, with or without ties. Beyond it,
// MannWhitney uses the normal approximation, which is good to three digits at a quarter of that
// number.
const exactLimit = 80

// Test holds the result of a Mann-Whitney U test.
type Test struct {
	U     float64 // number of pairs with the larger value from a; equal values count as half
	P     float64 // two-sided: the probability of a U at least as far from its mean if the side does not matter
	A12   float64 // probability that a value of a is larger than one of b; equal values count as half; 0.5 is no effect
	Exact bool    // P is exact, not approximated
}

// MannWhitney tests whether values of a tend to be larger or smaller than values of b. If a side
// has no values, P is 1 and A12 is 0.5.
func MannWhitney(a, b []float64) Test {
	m, n := len(a), len(b)
	if m == 0 || n == 0 {
		return Test{P: 1, A12: 0.5, Exact: true}
	}
	all := append(slices.Clone(a), b...)
	ranks := doubledMidranks(all)
	sum := 0
	for _, r := range ranks[:m] {
		sum += r
	}
	// Twice U keeps all values integers. U is the sum of ranks less the smallest sum that m ranks
	// can have.
	u := sum - m*(m+1)
	t := Test{U: float64(u) / 2, A12: float64(u) / float64(2*m*n)}
	if m+n <= exactLimit {
		t.P, t.Exact = exact(ranks, m, sum), true
	} else {
		t.P = normal(ranks, m, n, t.U)
	}
	return t
}

// LeastP returns the smallest P of any test of m against n values. Of all orders of the values, two
// have one side above the other.
func LeastP(m, n int) float64 {
	orders := 1.0 // m+n choose m
	for i := 1; i <= m; i++ {
		orders *= float64(n+i) / float64(i)
	}
	return min(1, 2/orders)
}

// doubledMidranks returns twice the rank of each value, counted from one. Equal values share the
// mean of their ranks.
func doubledMidranks(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	ranks := make([]int, len(values))
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && values[order[end]] == values[order[first]] {
			end++
		}
		for _, i := range order[first:end] {
			ranks[i] = first + 1 + end // twice the mean of first+1 ... end
		}
		first = end
	}
	return ranks
}

// exact returns the fraction of all choices of m ranks whose sum is at least as far from its mean
// as sum. If the side does not matter, all choices are equally likely, with or without ties.
func exact(ranks []int, m, sum int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	// ways[k][s] counts the choices of k ranks with sum s among the ranks seen so far. A float64
	// holds the counts to 15 digits.
	ways := make([][]float64, m+1)
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for seen, r := range ranks {
		for k := min(seen+1, m); k > 0; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	// Distances from the mean, total*m/len(ranks), are multiplied by len(ranks) to keep them
	// integers.
	distance := func(s int) int { return max(s*len(ranks)-total*m, total*m-s*len(ranks)) }
	far, every := 0.0, 0.0
	for s, w := range ways[m] {
		every += w
		if distance(s) >= distance(sum) {
			far += w
		}
	}
	return far / every
}

// normal approximates the distribution of U, corrected for ties and for continuity.
func normal(ranks []int, m, n int, u float64) float64 {
	variance := varianceOfU(ranks, m, n)
	if variance <= 0 {
		return 1 // all values are equal
	}
	z := max(0, math.Abs(u-float64(m*n)/2)-0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}

// varianceOfU returns the variance of U if the side does not matter, corrected for ties.
func varianceOfU(ranks []int, m, n int) float64 {
	size := map[int]int{}
	for _, r := range ranks {
		size[r]++
	}
	ties := 0 // integers, so that map order does not affect the result
	for _, t := range size {
		ties += t*t*t - t
	}
	N, mn := float64(m+n), float64(m*n)
	return mn / 12 * (N + 1 - float64(ties)/(N*(N-1)))
}

// Places returns the place of each value, where the largest has place one. Equal values share the
// mean of their places.
func Places(values []float64) []float64 {
	places := make([]float64, len(values))
	for i, r := range doubledMidranks(values) {
		places[i] = float64(len(values)+1) - float64(r)/2
	}
	return places
}
