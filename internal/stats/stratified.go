package stats

import (
	"cmp"
	"math"
)

// Stratum holds values of both sides that can be compared with each other, such as those of one
// subject.
type Stratum struct{ A, B []float64 }

// Stratified holds the result of a van Elteren test.
type Stratified struct {
	P    float64 // two-sided, by the normal approximation, corrected for ties
	A12  float64 // mean over the strata, with the weights of the test
	Sign int     // sign of the test statistic: 1 if values of A tend to be larger, -1 if those of B do
}

// VanElteren tests whether values of A tend to be larger or smaller than values of B. It compares
// only values of the same stratum. The statistic is the sum of Mann-Whitney's U of the strata,
// weighted by 1/(values+1), which is best if the effect is equal in all strata. Strata with an
// empty side do not count. The approximation needs a dozen values in total.
//
// P. H. van Elteren: On the combination of independent two sample tests of Wilcoxon, 1960.
func VanElteren(strata []Stratum) Stratified {
	sum, variance, most := 0.0, 0.0, 0.0
	for _, s := range strata {
		if len(s.A) == 0 || len(s.B) == 0 {
			continue
		}
		ranks := doubledMidranks(append(append([]float64(nil), s.A...), s.B...))
		t := MannWhitney(s.A, s.B)
		weight, pairs := 1/float64(len(ranks)+1), float64(len(s.A)*len(s.B))
		sum += weight * (t.U - pairs/2)
		variance += weight * weight * varianceOfU(ranks, len(s.A), len(s.B))
		most += weight * pairs
	}
	r := Stratified{P: 1, A12: 0.5}
	if variance > 0 {
		// Weighting A12 as U keeps its direction equal to the sum's. A plain mean may contradict
		// the sum where strata have different sizes.
		r.A12, r.Sign = 0.5+sum/most, cmp.Compare(sum, 0)
		r.P = math.Erfc(math.Abs(sum) / math.Sqrt(2*variance))
	}
	return r
}
