package source

import (
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// Behavior mutates either the structural choices of a tape or its values, whichever showed more new
// traces. This is the adaptive mutation of BeDivFuzz (ICSE 2022, Algorithm 2). A score is the
// fraction of a seed's children by one kind of mutation with a new trace that a program accepted.
// The public code requires acceptance, and formula 3 does not. Scores start at 0 when another seed
// is chosen. A seed without choices in one channel is mutated in the other.
//
// Children of a batch are made before any result is known, and a turn is mostly shorter than a
// batch. The algorithm would have used each result within the turn. Here, results that arrive too
// late for the turn start the scores of the seed's next turn. Without batches, no result is late.
type Behavior struct {
	Taped
	Lifetime bool // each seed keeps its scores, as in later public code

	turn   int      // index of the mutated seed plus one; 0 means none
	newest *Step    // last child
	scored []scores // by seed
	late   scores   // of this turn: results of children that were not the newest any more
}

// scores counts the children of a seed by mutated channel, and those with a new trace.
type scores struct{ made, unique [tape.Channels]int }

// explore is the percentage of mutations whose channel is random: epsilon is 0.2 (section 4.1).
const explore = 20

// Propose implements Source.
func (b *Behavior) Propose(s *Step) bool {
	if !b.scheduled(s, b) {
		b.fresh(s)
		return true
	}
	if b.turn != s.Parent+1 {
		b.end()
		b.turn = s.Parent + 1
	}
	b.newest, b.late = s, scores{}
	c := b.channel(b.scoresOf(s.Parent))
	spots := b.parent.Spots(c)
	if len(spots) == 0 {
		c = 1 - c
		spots = b.parent.Spots(c)
	}
	if len(spots) == 0 {
		b.fresh(s)
		return true
	}
	b.draft.Start(b.parent)
	perturb(b.Rand, &b.draft, spots)
	b.propose(s, [tape.Channels]mutate.Op{mutate.OpStructural, mutate.OpValue}[c])
	return true
}

// end ends the turn of a seed.
func (b *Behavior) end() {
	if b.turn > 0 && !b.Lifetime {
		*b.scoresOf(b.turn - 1) = b.late
	}
}

// scoresOf returns the scores of a seed.
func (b *Behavior) scoresOf(seed int) *scores {
	for len(b.scored) <= seed {
		b.scored = append(b.scored, scores{})
	}
	return &b.scored[seed]
}

// channel chooses the channel to mutate: Algorithm 2.
func (b *Behavior) channel(s *scores) tape.Channel {
	structural, value := s.score(tape.Structural), s.score(tape.Value)
	switch {
	case b.Rand.Chance(explore, 100) || structural == value:
		return tape.Channel(b.Rand.Intn(tape.Channels))
	case structural > value:
		return tape.Structural
	}
	return tape.Value
}

// score returns the fraction of the seed's children by mutations of a channel that had new traces.
func (s *scores) score(c tape.Channel) float64 {
	if s.made[c] == 0 {
		return 0
	}
	return float64(s.unique[c]) / float64(s.made[c])
}

// Done implements Source. It scores the mutation and passes the result to the schedule.
func (b *Behavior) Done(s *Step, r Result) {
	b.Taped.Done(s, r)
	c, ok := s.Channel()
	if !ok {
		return
	}
	won := r.Unique && r.Validity == oracle.Valid
	b.scoresOf(s.Parent).count(c, won)
	if b.turn == s.Parent+1 && b.newest != s {
		b.late.count(c, won)
	}
}

// count counts a child.
func (s *scores) count(c tape.Channel, won bool) {
	s.made[c]++
	if won {
		s.unique[c]++
	}
}
