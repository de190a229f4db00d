package source

import (
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/tape"
)

// Behaviour mutates either the structural choices of a tape or its values, whichever lately showed more new traces: the adaptive mutation of BeDivFuzz
// (ICSE 2022, Algorithm 2). A score is the part of the seed's children by one kind of mutation that had a trace which none had before and that a
// program accepted, as in the public code (formula 3 does not ask for the latter). Scores begin anew when another seed is chosen, and are 0 while there
// are no children. A seed without choices of one channel is mutated in the other.
type Behaviour struct {
	Taped
	Lifetime bool // each seed keeps its scores, as in the public code of later years

	scored int // the seed that the scores are of, and one; 0: there are none
	scores
	kept []scores // by seed, with Lifetime
}

// scores are how many children of a seed mutations of each channel made, and how many of these count.
type scores struct{ made, unique [tape.Channels]int }

// explore is with which part of 100 mutations a coin decides what is mutated: epsilon is 0.2 (section 4.1).
const explore = 20

// Propose implements Source.
func (b *Behaviour) Propose(s *Step) bool {
	if !b.scheduled(s, b) {
		b.fresh(s)
		return true
	}
	if b.scored != s.Parent+1 {
		b.turn(s.Parent)
	}
	c := b.channel()
	if b.choices(c); len(b.spots) == 0 {
		c = 1 - c
		b.choices(c)
	}
	if len(b.spots) == 0 {
		b.fresh(s)
		return true
	}
	t := b.edit.Copy(b.parent)
	perturb(b.Rand, t, b.spots)
	b.propose(s, t, [tape.Channels]mutate.Op{mutate.OpStructural, mutate.OpValue}[c])
	return true
}

// turn begins another seed's.
func (b *Behaviour) turn(seed int) {
	next := scores{}
	if b.Lifetime {
		for len(b.kept) <= max(seed, b.scored) {
			b.kept = append(b.kept, scores{})
		}
		if b.scored > 0 {
			b.kept[b.scored-1] = b.scores
		}
		next = b.kept[seed]
	}
	b.scored, b.scores = seed+1, next
}

// channel is what is mutated: Algorithm 2.
func (b *Behaviour) channel() tape.Channel {
	structural, value := b.score(tape.Structural), b.score(tape.Value)
	switch {
	case b.Rand.Chance(explore, 100) || structural == value:
		return tape.Channel(b.Rand.Intn(tape.Channels))
	case structural > value:
		return tape.Structural
	}
	return tape.Value
}

// score is the part of the seed's children by mutations of a channel that had new traces.
func (b *Behaviour) score(c tape.Channel) float64 {
	if b.made[c] == 0 {
		return 0
	}
	return float64(b.unique[c]) / float64(b.made[c])
}

// choices are those of a channel that can be another, in order.
func (b *Behaviour) choices(c tape.Channel) {
	b.spots = b.spots[:0]
	for i := range b.parent.Choices {
		if p := &b.parent.Choices[i]; p.Channel == c && p.Bound > 0 {
			b.spots = append(b.spots, i)
		}
	}
}

// Done implements Source: the mutation is scored, and the schedule is told.
func (b *Behaviour) Done(s *Step, r Result) {
	b.Taped.Done(s, r)
	if b.scored != s.Parent+1 {
		return // a batch went on to another seed
	}
	c, ok := s.Channel()
	if !ok {
		return
	}
	b.made[c]++
	if r.Unique && r.Validity == oracle.Valid {
		b.unique[c]++
	}
}
