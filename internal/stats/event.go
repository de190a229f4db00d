package stats

import "math"

// Never is the time of an event that did not happen within the budget: later than all others. That is right where all trials
// had the same budget, and where nothing is concluded from how much later.
var Never = math.Inf(1)

// Happened counts the times that are not Never.
func Happened(times []float64) (n int) {
	for _, t := range times {
		if !math.IsInf(t, 1) {
			n++
		}
	}
	return n
}

// MedianTime returns the time by which the event has happened in half of the trials; ok is false if it has not.
func MedianTime(times []float64) (median float64, ok bool) {
	median = Median(times)
	return median, !math.IsNaN(median) && !math.IsInf(median, 1)
}

// Earlier tests whether events of a tend to come earlier or later than those of b; A12 is how likely one of a comes
// earlier. Events that did not happen tie as the latest of all (E. A. Gehan: A generalized Wilcoxon test for comparing
// arbitrarily singly-censored samples, 1965, with one budget for all).
func Earlier(a, b []float64) Test {
	t := MannWhitney(a, b)
	t.U = float64(len(a)*len(b)) - t.U
	t.A12 = 1 - t.A12
	return t
}
