package stats

import (
	"math"
	"slices"
)

// Median returns the middle value, or the mean of the two middle values. It is NaN for no values.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// Quartiles returns the values below which a quarter, half and three quarters of the values lie.
func Quartiles(values []float64) (first, median, third float64) {
	return Quantile(values, 0.25), Median(values), Quantile(values, 0.75)
}

// Quantile returns the value below which the fraction p of the values lies, interpolated between
// values. It is NaN for no values. It implements definition 7 of R. J. Hyndman, Y. Fan: Sample
// quantiles in statistical packages, 1996, which R and NumPy use.
func Quantile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	v := slices.Clone(values)
	slices.Sort(v)
	at := p * float64(len(v)-1)
	low, part := int(at), at-math.Floor(at)
	if part == 0 || v[low] == v[low+1] { // also if both are infinite
		return v[low]
	}
	return v[low] + part*(v[low+1]-v[low])
}
