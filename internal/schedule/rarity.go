package schedule

import (
	"math"
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/mutate"
)

var rarityRow = Row{Name: "rarity", Text: "seeds with blocks that are rarely executed", New: func(Environment) Schedule { return newRarity() }}

// rarity gives a seed energy by the rarest block that it executes: 1/(c*sqrt(t*(1+n))). C is how often that block was executed, by
// seeds and by a sample of the mutants; t is the number of blocks that the seed's run entered, which stands for its time;
// n is the number of turns that the seed had. So every block that is the rarest of some seed has a share of its own, which the
// seeds with that block divide among themselves. A block that mutants hit easily loses its share, and one that they keep
// missing does not. A new seed that covers something new begins with the largest share there is, and others catch up too.
//
// It is in the spirit of FairFuzz's rare branches (Lemieux, Sen, ASE 2018) and of Entropic's rare features (Böhme, Manès, Cha,
// ESEC/FSE 2020), without keeping statistics of each seed's mutants. Turns are short, so that chance decides often.
//
// Energies only fall, so that they need not be kept up to date: a seed that is drawn by an outdated energy is moved where it
// belongs, and taken with the probability of the one energy by the other, which is as exact as if all had been up to date.
type rarity struct {
	programs int
	counts   []uint32 // see index
	seeds    []rare
	seats    lottery // of the seeds, by their energies

	at   int
	left int
	ran  uint
}

type rare struct {
	blocks []uint32 // indices of the rarest blocks, when it was added
	cost   int      // octave of its cost
	turns  uint64   // that it had
}

const (
	rareTurn   = 16  // children of usual cost (Usual) of a turn: few enough for chance to even out, enough to share the cost of drawing
	rareSample = 8   // one of so many mutants is counted
	rareBlocks = 64  // remembered of a seed
	rareCost   = 256 // blocks that could be entered in the time that an input takes besides

	// Octaves of cost and of turns. With a count's 64 half octaves they make less than all classes.
	rareOctaves = 40
)

func newRarity() *rarity { return &rarity{} }

func (q *rarity) Added(s Seed) {
	if len(q.seeds) == 0 {
		q.programs = len(s.Traces)
		q.counts = make([]uint32, 1)
	}
	length := uint64(rareCost)
	for p := range s.Traces {
		t := &s.Traces[p]
		length += t.Length
		if n := len(t.Hits); n > 0 {
			if need := q.index(p, t.Hits[n-1]) + 1; need > len(q.counts) {
				q.counts = append(q.counts, make([]uint32, need-len(q.counts))...)
			}
		}
	}
	q.count(s.Traces)
	q.seeds = append(q.seeds, rare{blocks: q.rarest(s.Traces), cost: octave(length)})
	q.seats.add(q.class(len(q.seeds) - 1))
}

// index is a block's place in counts. The first place is that of runs that execute nothing.
func (q *rarity) index(program int, id uint32) int { return 1 + int(id)*q.programs + program }

// count counts what a run executed, as far as seeds have executed it.
func (q *rarity) count(traces []feature.Trace) {
	nothing := true
	for p := range traces {
		traces[p].Need()
		for _, id := range traces[p].Hits {
			nothing = false
			if i := q.index(p, id); i < len(q.counts) && q.counts[i] < math.MaxUint32 {
				q.counts[i]++
			}
		}
	}
	if nothing && q.counts[0] < math.MaxUint32 {
		q.counts[0]++
	}
}

// rarest returns the indices of a seed's rarest blocks. When too many are about as rare, it takes some that lie apart: the first
// seeds' blocks are all alike.
func (q *rarity) rarest(traces []feature.Trace) []uint32 {
	var sizes [33]int // blocks, by the length of their count
	all := 0
	for p := range traces {
		all += len(traces[p].Hits)
		for _, id := range traces[p].Hits {
			sizes[bits.Len32(q.counts[q.index(p, id)])]++
		}
	}
	if all == 0 {
		return []uint32{0}
	}
	room := min(all, rareBlocks)
	out := make([]uint32, 0, room)
	last := 0 // the length of which only some are taken
	for room > sizes[last] {
		room -= sizes[last]
		last++
	}
	seen := 0
	for p := range traces {
		for _, id := range traces[p].Hits {
			i := q.index(p, id)
			n := bits.Len32(q.counts[i])
			take := n < last
			if n == last {
				seen++
				take = seen*room/sizes[n] > (seen-1)*room/sizes[n]
			}
			if take {
				out = append(out, uint32(i))
			}
		}
	}
	return out
}

// class is a seed's class by what is known now. It never falls.
func (q *rarity) class(seed int) int {
	s := &q.seeds[seed]
	least := uint32(math.MaxUint32)
	for _, i := range s.blocks {
		least = min(least, q.counts[i])
	}
	halves := bits.Len64(uint64(least)*uint64(least)) - 1
	return halves + s.cost + octave(1+s.turns)
}

// octave is the logarithm of n, n > 0, rounded down and bounded.
func octave(n uint64) int { return min(bits.Len64(n), rareOctaves) - 1 }

func (q *rarity) Next(r *mutate.Rand) int {
	if q.left == 0 {
		q.at = q.draw(r)
		q.seeds[q.at].turns++
		q.left = rareTurn
	}
	q.left--
	return q.at
}

// draw draws a seed by its energy.
func (q *rarity) draw(r *mutate.Rand) int {
	for {
		i := q.seats.draw(r)
		was, is := q.seats.members[i].class, q.class(i)
		q.seats.raise(i, is)
		if still(r, was, is) {
			return i
		}
	}
}

func (q *rarity) Ran(r Result) {
	if r.Seed == q.at {
		q.left -= min(q.left, max(r.Turns, 1)-1)
	}
	if q.ran++; q.ran%rareSample == 0 {
		q.count(r.Traces)
	}
}
