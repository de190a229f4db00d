package source

import (
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// Behavior mutates either the structural choices of a tape or its values, whichever lately showed more new traces: the adaptive mutation of BeDivFuzz
// (ICSE 2022, Algorithm 2). A score is the part of the seed's children by one kind of mutation that had a trace which none had before and that a
// program accepted, as in the public code (formula 3 does not ask for the latter). Scores begin anew when another seed is chosen, and are 0 while there
// are no children. A seed without choices of one channel is mutated in the other.
//
// Children of a batch are made before anything is known of the first of them, and a turn of a seed is mostly shorter than a batch. What becomes known
// of a seed's children too late for the others of its turn, which the algorithm would have known, is what the next turn of the seed begins with. One
// input at a time, nothing is late.
type Behavior struct {
	Taped
	Lifetime bool // each seed keeps its scores, as in the public code of later years

	turn   int      // the seed that is mutated, and one; 0: there is none
	newest *Step    // the last child
	scored []scores // by seed
	late   scores   // of the turn: of children that were not the newest, since that was made
}

// scores are how many children of a seed mutations of each channel made, and how many of these count.
type scores struct{ made, unique [tape.Channels]int }

// explore is with which part of 100 mutations a coin decides what is mutated: epsilon is 0.2 (section 4.1).
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
	c := b.channel(b.of(s.Parent))
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
		*b.of(b.turn - 1) = b.late
	}
}

// of is the scores of a seed.
func (b *Behavior) of(seed int) *scores {
	for len(b.scored) <= seed {
		b.scored = append(b.scored, scores{})
	}
	return &b.scored[seed]
}

// channel is what is mutated: Algorithm 2.
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

// score is the part of the seed's children by mutations of a channel that had new traces.
func (s *scores) score(c tape.Channel) float64 {
	if s.made[c] == 0 {
		return 0
	}
	return float64(s.unique[c]) / float64(s.made[c])
}

// Done implements Source: the mutation is scored, and the schedule is told.
func (b *Behavior) Done(s *Step, r Result) {
	b.Taped.Done(s, r)
	c, ok := s.Channel()
	if !ok {
		return
	}
	won := r.Unique && r.Validity == oracle.Valid
	b.of(s.Parent).count(c, won)
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
