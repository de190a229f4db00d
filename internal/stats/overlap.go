package stats

import (
	"math/rand/v2"
	"slices"
)

// Draws is how often Overlap and SplitHalf draw. It is odd, so that a median is one of the counts.
const Draws = 501

// Finds are the elements that a trial has found, numbered from 0.
type Finds []int

// Pools are the trials of several sides on one subject, from each of which as many are drawn: what some trials have found
// together grows with their number.
type Pools struct {
	Sides    [][]Finds // at most 16
	Elements int       // how many there are
	Draw     int       // trials of each side; of a side with fewer, all
}

// Overlap counts the elements by which of the sides have found them, bit i of the index for side i, over all subjects. Each
// count is the median of its own over draws without replacement, so that counts need not add up; the first, of none, is
// zero. It repeats: the randomness has a fixed seed.
func Overlap(subjects []Pools) []int {
	sides := 0
	for _, s := range subjects {
		sides = max(sides, len(s.Sides))
	}
	return medianCounts(sides, subjects, func(random *rand.Rand, s *Pools, mark func(side int, found []Finds)) {
		for i, trials := range s.Sides {
			mark(i, choose(random, trials, s.Draw))
		}
	})
}

// SplitHalf is Overlap of the first side with itself: twice as many of its trials are drawn, and no trial is on both sides.
// What only one of them has is what chance alone makes of the same number of trials.
func SplitHalf(subjects []Pools) []int {
	return medianCounts(2, subjects, func(random *rand.Rand, s *Pools, mark func(side int, found []Finds)) {
		n := min(s.Draw, len(s.Sides[0])/2)
		both := choose(random, s.Sides[0], 2*n)
		mark(0, both[:n])
		mark(1, both[n:])
	})
}

// choose moves n trials that it chooses to the front, and returns them.
func choose(random *rand.Rand, trials []Finds, n int) []Finds {
	n = min(n, len(trials))
	for i := range n {
		j := i + random.IntN(len(trials)-i)
		trials[i], trials[j] = trials[j], trials[i]
	}
	return trials[:n]
}

func medianCounts(sides int, subjects []Pools, one func(*rand.Rand, *Pools, func(int, []Finds))) []int {
	random := rand.New(rand.NewPCG(1, 1))
	subjects = slices.Clone(subjects)
	for i := range subjects { // drawing changes the order
		subjects[i].Sides = slices.Clone(subjects[i].Sides)
		for j := range subjects[i].Sides {
			subjects[i].Sides[j] = slices.Clone(subjects[i].Sides[j])
		}
	}
	counts := make([][]int, 1<<sides)
	for mask := range counts {
		counts[mask] = make([]int, Draws)
	}
	var in []uint16 // which sides have an element
	for k := range Draws {
		for i := range subjects {
			in = append(in[:0], make([]uint16, subjects[i].Elements)...)
			one(random, &subjects[i], func(side int, found []Finds) {
				for _, f := range found {
					for _, e := range f {
						in[e] |= 1 << side
					}
				}
			})
			for _, mask := range in {
				counts[mask][k]++
			}
		}
	}
	medians := make([]int, len(counts))
	for mask := 1; mask < len(counts); mask++ {
		slices.Sort(counts[mask])
		medians[mask] = counts[mask][Draws/2]
	}
	return medians
}
