package stats

import "math"

// Never is the time of an event that did not happen within the budget. It is later than all other
// times. All trials must have the same budget, and no conclusion may depend on how much later the
// event was.
var Never = math.Inf(1)

// CountHappened counts the times that are not Never.
func CountHappened(times []float64) (n int) {
	for _, t := range times {
		if !math.IsInf(t, 1) {
			n++
		}
	}
	return n
}

// MedianTime returns the time by which the event had happened in half of the trials. ok is false if
// it happened in fewer.
func MedianTime(times []float64) (median float64, ok bool) {
	median = Median(times)
	return median, !math.IsNaN(median) && !math.IsInf(median, 1)
}

// CompareTimes tests whether events of a tend to happen earlier or later than those of b. A12 is
// the probability that an event of a happens earlier. Events that did not happen tie as the latest
// (E. A. Gehan: A generalized Wilcoxon test for comparing arbitrarily singly-censored samples,
// 1965, with one budget for all).
func CompareTimes(a, b []float64) Test {
	t := MannWhitney(a, b)
	t.U = float64(len(a)*len(b)) - t.U
	t.A12 = 1 - t.A12
	return t
}
