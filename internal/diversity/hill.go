// Package diversity computes behavioral diversity: the unique traces, how many of them executed
// each branch, Hill numbers over these counts, and estimates about further inputs. The engine
// counts every input, the supervisor sums its workers' counts, and reports read the results.
// Branches are blocks, whose counters distinguish branches as edges would (package feature).
//
// The measure is that of BeDivFuzz (Nguyen and Grunske, ICSE 2022, section 3.4). A branch is a
// species, and the number c of unique traces that executed it is its abundance. Hill numbers are
// Hill's (Ecology 54, 1973). The estimators are Chao's (Scandinavian Journal of Statistics 11,
// 1984; Biometrics 43, 1987), as STADS applies them to fuzzing (Böhme, TOSEM 27, 2018).
// docs/explanation/diversity.md explains what they mean and do not mean.
//
// Invariants: results depend on the counts alone, without a clock or chance. Counting allocates
// only the memory for traces.
package diversity

import "math"

// Hill returns the Hill number of order q of counts: the number of equally common species with the
// same diversity. Counts of zero are no species. An infinite order considers only the most common
// species. Without species the number is 0. It is NaN if q is NaN.
func Hill(q float64, counts []uint64) float64 {
	s, n, most := 0, 0.0, 0.0
	for _, c := range counts {
		if c > 0 {
			s, n, most = s+1, n+float64(c), math.Max(most, float64(c))
		}
	}
	switch {
	case math.IsNaN(q):
		return q
	case s == 0:
		return 0
	case q == 0:
		return float64(s)
	case q == 1:
		return shannon(counts, n)
	case math.IsInf(q, 1):
		return n / most
	}
	sum := 0.0
	for _, c := range counts {
		if c > 0 {
			sum += math.Pow(float64(c)/n, q)
		}
	}
	return math.Pow(sum, 1/(1-q))
}

// shannon returns the Hill number of order 1 of counts with sum n: exp(ln n - (1/n) sum of c ln c).
func shannon(counts []uint64, n float64) float64 {
	sum := 0.0
	for _, c := range counts {
		if c > 1 {
			sum += float64(c) * math.Log(float64(c))
		}
	}
	return math.Exp(math.Log(n) - sum/n)
}

// Profile holds the Hill numbers in reports, of branches by the unique traces that executed them.
type Profile struct {
	B0       int     // branches covered
	B1       float64 // effective number of typically covered branches
	B2       float64 // effective number of commonly covered branches
	Evenness float64 // B1/B0: 1 if equally many traces executed each branch, 0 without branches
}

// NewProfile returns the profile of counts. It makes two passes when a report needs it, since the
// counts grow with each trace.
func NewProfile(counts []uint64) Profile {
	var p Profile
	n, squares := 0.0, 0.0
	for _, c := range counts {
		if c > 0 {
			f := float64(c)
			p.B0, n, squares = p.B0+1, n+f, squares+f*f
		}
	}
	if p.B0 > 0 {
		p.B1, p.B2 = shannon(counts, n), n*n/squares
		p.Evenness = p.B1 / float64(p.B0)
	}
	return p
}
