package stats

import (
	"math/rand/v2"
	"slices"
)

// Draws is the number of random draws of Overlap and SplitHalf. It is odd, so that a median is one
// of the counts.
const Draws = 501

// Finds lists the elements that a trial has found, numbered from 0.
type Finds []int

// Pools holds the trials of several sides on one subject. As many trials are drawn from each side,
// since the union of finds grows with the number of trials.
type Pools struct {
	Sides    [][]Finds // at most 16
	Elements int       // number of elements
	Draw     int       // trials to draw from each side; all of a side that has fewer
}

// Overlap counts the elements over all subjects by the set of sides that found them. Bit i of the
// index represents side i. Each count is its own median over draws without replacement, so that the
// counts need not add up to the total. The first count, for no side, is zero. The random seed is
// fixed, so that results repeat.
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

// SplitHalf is Overlap of the first side with itself. It draws twice as many trials and deals them
// to two halves. Elements that only one half found show the effect of chance for that number of
// trials.
func SplitHalf(subjects []Pools) []int {
	return medianCounts(2, subjects, func(random *rand.Rand, s *Pools, mark func(side int, found []Finds)) {
		n := min(s.Draw, len(s.Sides[0])/2)
		both := choose(random, s.Sides[0], 2*n)
		mark(0, both[:n])
		mark(1, both[n:])
	})
}

// choose moves n random trials to the front and returns them.
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
