package source

import (
	"parallax/internal/mutate"
	"parallax/internal/tape"
)

// Zest mutates all choices of a tape alike: one channel, as Zest does (Padhye et al., ISSTA 2019, section 3.1).
type Zest struct{ Taped }

// Propose implements Source.
func (z *Zest) Propose(s *Step) bool {
	if !z.scheduled(s, z) {
		z.fresh(s)
		return true
	}
	spots := z.parent.Spots(tape.Both)
	if len(spots) == 0 {
		z.fresh(s)
		return true
	}
	z.draft.Start(z.parent)
	perturb(z.Rand, &z.draft, spots)
	z.propose(s, mutate.OpChoices)
	return true
}

// Mutations of Zest, which BeDivFuzz has too (ZestGuidance.java, LinearInput.fuzz).
const (
	meanMutations = 8  // MEAN_MUTATION_COUNT
	meanSize      = 4  // MEAN_MUTATION_SIZE
	zeroed        = 10 // one child of so many has zeros in the place of random bytes
)

// perturb mutates a tape at some of its choices, in order. As published it is bytes that are mutated: Geom(8) times, each time Geom(4) of them from one
// chosen at random on. Here it is choices: of four bytes that a choice takes, three do not matter. A random byte has the generator
// draw something by its own odds, and so has a choice that is drawn anew: uniform numbers would be huge where a generator draws
// small ones more often.
func perturb(r *mutate.Rand, d *tape.Draft, spots []int) {
	n := geometric(r, meanMutations)
	zero := r.Chance(1, zeroed)
	for ; n > 0; n-- {
		from := r.Intn(len(spots))
		for _, i := range spots[from:min(len(spots), from+geometric(r, meanSize))] {
			d.Set(i, 0, !zero)
		}
	}
}
