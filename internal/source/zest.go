package source

import (
	"parallax/internal/mutate"
	"parallax/internal/tape"
)

// Zest mutates all choices of a tape alike, in one channel, as Zest does (Padhye et al., ISSTA
// 2019, section 3.1).
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

// Mutations of Zest, which BeDivFuzz shares (ZestGuidance.java, LinearInput.fuzz).
const (
	meanMutations = 8  // MEAN_MUTATION_COUNT
	meanSize      = 4  // MEAN_MUTATION_SIZE
	zeroed        = 10 // one child in ten has zeros instead of random bytes
)

// perturb mutates a tape at some of its choices, in order. The published code mutates bytes:
// Geom(8) times, each time Geom(4) bytes from a random one on. Here it mutates choices, since three
// of a choice's four bytes do not matter. A random byte makes the generator draw by its own
// distribution, and so does a choice that is drawn again. Uniform numbers would be huge where a
// generator prefers small ones.
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
