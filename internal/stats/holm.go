package stats

import "slices"

// Holm corrects the p values of a family of tests for the number of tests. If an effect is claimed
// wherever the corrected value is below 0.05, the probability of any wrong claim is below 0.05. The
// order of the values stays.
//
// S. Holm: A simple sequentially rejective multiple test procedure, 1979.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	corrected := make([]float64, len(p))
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, min(1, p[i]*float64(len(p)-rank)))
		corrected[i] = largest
	}
	return corrected
}
