package schedule

import (
	"math"
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/mutate"
)

var rarityRow = Row{Name: "rarity", Text: "seeds with blocks that are rarely executed", New: func(Environment) Schedule { return newRarity() }}

// rarity gives a seed energy by the rarest block that it executes: 1/(c*sqrt(t*(1+n))). c is the
// number of executions of that block, by seeds and a sample of mutants. t is the number of blocks
// executed by the seed's run, as a measure of time. n is the number of the seed's turns. So every
// block that is some seed's rarest has its own share, divided among its seeds. A block that mutants
// hit easily loses its share, and one that they miss does not. A new seed with a new block starts
// with the largest share, and others catch up.
//
// It resembles FairFuzz's rare branches (Lemieux, Sen, ASE 2018) and Entropic's rare features
// (Böhme, Manès, Cha, ESEC/FSE 2020), without statistics of each seed's mutants. Turns are short,
// so that chance decides often.
//
// Energies only fall, so that they need no updates. A seed drawn by an outdated energy moves to its
// class. It is accepted with the ratio of its new to its old energy, which is as exact as if all
// had been up to date.
type rarity struct {
	programs int
	counts   []uint32 // by index
	seeds    []raritySeed
	seats    lottery // seeds by energy

	at   int
	left int
	ran  uint
}

type raritySeed struct {
	blocks []uint32 // indices of the rarest blocks at the time it was added
	cost   int      // octave of its cost
	turns  uint64   // number of its turns
}

const (
	rareTurn   = 16  // children of usual cost per turn: few to even out chance, enough to share the cost of drawing
	rareSample = 8   // one mutant in rareSample is counted
	rareBlocks = 64  // remembered blocks of a seed
	rareCost   = 256 // fixed cost of an input, in blocks

	// Octaves of cost and of turns. Together with a count's 64 half octaves they are fewer than the
	// classes.
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
	q.seeds = append(q.seeds, raritySeed{blocks: q.rarest(s.Traces), cost: octave(length)})
	q.seats.add(q.class(len(q.seeds) - 1))
}

// index returns a block's index in counts. Index 0 counts runs without blocks.
func (q *rarity) index(program int, id uint32) int { return 1 + int(id)*q.programs + program }

// count counts the blocks of a run that some seed executes.
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

// rarest returns the indices of a seed's rarest blocks. If too many are similarly rare, it takes
// some at regular intervals, since the first seeds' blocks are all alike.
func (q *rarity) rarest(traces []feature.Trace) []uint32 {
	var sizes [33]int // number of blocks by the bit length of their count
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
	last := 0 // blocks whose counts have this bit length are taken in part
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

// class returns a seed's current class. It never falls.
func (q *rarity) class(seed int) int {
	s := &q.seeds[seed]
	least := uint32(math.MaxUint32)
	for _, i := range s.blocks {
		least = min(least, q.counts[i])
	}
	halves := bits.Len64(uint64(least)*uint64(least)) - 1
	return halves + s.cost + octave(1+s.turns)
}

// octave returns the logarithm of n, n > 0, rounded down and bounded.
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
		if accept(r, was, is) {
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
