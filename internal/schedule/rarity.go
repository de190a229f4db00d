package schedule

import (
	"math"
	"math/bits"

	"parallax/internal/feature"
	"parallax/internal/mutate"
)

// rarity gives a seed energy by the rarest block that it executes: 1/(c*sqrt(t)), where c counts how often that block was
// executed, by seeds and by a sample of the mutants, and t is the number of blocks that the seed's run entered, which stands for its
// time. So every block that is the rarest of some seed gets a share of its own, which the seeds that have it divide
// among themselves; a new seed that covers something new begins with the largest share there is; a block that mutants hit
// easily loses its share, and one that they keep missing does not.
//
// It is in the spirit of FairFuzz's rare branches (Lemieux, Sen, ASE 2018) and of Entropic's rare features (Böhme, Manès, Cha,
// ESEC/FSE 2020), without keeping statistics of each seed's mutants. A seed has short turns, so that chance decides often.
//
// Seeds lie in classes: those of class k have energy 2^(-k/2), rounded up. Choosing is then a choice of a class, from a table of
// fixed size, and of any seed in it. Energies only fall, so that they need not be kept up to date: a seed that is
// drawn by an outdated energy is moved where it belongs, and taken with the probability of the one energy by the other, which
// is as exact as if all had been up to date.
type rarity struct {
	programs int
	counts   []uint32 // of block b in program p at 1+b*programs+p; of runs that execute nothing at 0
	seeds    []rare
	order    []int32      // seeds by class
	ends     [classes]int // of the classes in order
	lowest   int          // no class below has seeds

	at   int
	left int
	ran  uint
}

type rare struct {
	blocks []uint32 // places in counts of the rarest blocks, when it was added
	cost   int      // the part of the class that stays
	class  int
	place  int // in order
}

const (
	rareTurn   = 16  // children of a turn: few enough for chance to even out, enough to share the cost of choosing
	rareSample = 8   // one of so many mutants is counted: in trials as good as counting all, and next to free
	rareBlocks = 64  // remembered of a seed
	rareCost   = 256 // blocks that an input costs by itself

	countClasses = 64 // half octaves of a count
	costClasses  = 40 // octaves of a cost, since its root counts
	classes      = countClasses + costClasses
)

// energies is 2^(-k/2) in units of 2^-40. What is less than 2^-32 of the greatest has none.
var energies = func() (e [64]uint64) {
	for k := range e {
		e[k] = uint64(math.Ldexp(math.Pow(2, -float64(k&1)/2), 40)) >> (k / 2)
	}
	return e
}()

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
			if need := 1 + (int(t.Hits[n-1])+1)*q.programs; need > len(q.counts) {
				q.counts = append(q.counts, make([]uint32, need-len(q.counts))...)
			}
		}
	}
	q.count(s.Traces)
	n := rare{blocks: q.rarest(s.Traces), cost: min(bits.Len64(length)-1, costClasses-1), place: len(q.seeds)}
	q.order = append(q.order, int32(len(q.seeds)))
	q.seeds = append(q.seeds, n)
	q.sink(len(q.seeds) - 1)
}

// count counts what a run executed, as far as seeds have executed it.
func (q *rarity) count(traces []feature.Trace) {
	nothing := true
	for p := range traces {
		for _, id := range traces[p].Hits {
			nothing = false
			if i := 1 + int(id)*q.programs + p; i < len(q.counts) && q.counts[i] < math.MaxUint32 {
				q.counts[i]++
			}
		}
	}
	if nothing && q.counts[0] < math.MaxUint32 {
		q.counts[0]++
	}
}

// rarest returns the places of a seed's rarest blocks. Of those that are about as rare, when there are too many, it takes some
// that lie apart: the first seeds know no better.
func (q *rarity) rarest(traces []feature.Trace) []uint32 {
	var octaves [33]int // blocks, by the length of their count
	all := 0
	for p := range traces {
		all += len(traces[p].Hits)
		for _, id := range traces[p].Hits {
			octaves[bits.Len32(q.counts[1+int(id)*q.programs+p])]++
		}
	}
	if all == 0 {
		return []uint32{0}
	}
	room := min(all, rareBlocks)
	out := make([]uint32, 0, room)
	last := 0 // the octave of which only some are taken
	for room > octaves[last] {
		room -= octaves[last]
		last++
	}
	seen := 0
	for p := range traces {
		for _, id := range traces[p].Hits {
			i := 1 + int(id)*q.programs + p
			octave := bits.Len32(q.counts[i])
			if octave == last {
				seen++
			}
			if octave < last || octave == last && seen*room/octaves[last] != (seen-1)*room/octaves[last] {
				out = append(out, uint32(i))
			}
		}
	}
	return out
}

// class is where a seed belongs now. It never falls.
func (q *rarity) class(s *rare) int {
	least := uint32(math.MaxUint32)
	for _, i := range s.blocks {
		least = min(least, q.counts[i])
	}
	return bits.Len64(uint64(least)*uint64(least)) - 1 + s.cost
}

// sink takes a seed that is last in order, which is behind all classes, to its class.
func (q *rarity) sink(i int) {
	s := &q.seeds[i]
	s.class = classes - 1
	q.ends[s.class]++
	for want := q.class(s); s.class > want; s.class-- {
		first := q.ends[s.class-1]
		q.swap(s.place, first)
		q.ends[s.class-1]++
	}
	q.lowest = min(q.lowest, s.class)
}

// raise takes a seed up to a class.
func (q *rarity) raise(s *rare, class int) {
	for ; s.class < class; s.class++ {
		q.ends[s.class]--
		q.swap(s.place, q.ends[s.class])
	}
}

func (q *rarity) swap(a, b int) {
	i, k := q.order[a], q.order[b]
	q.order[a], q.order[b] = k, i
	q.seeds[i].place, q.seeds[k].place = b, a
}

func (q *rarity) Next(r *mutate.Rand) int {
	if q.left == 0 {
		q.at = q.choose(r)
		q.left = rareTurn
	}
	q.left--
	return q.at
}

// choose draws a seed by its energy.
func (q *rarity) choose(r *mutate.Rand) int {
	for {
		i := q.draw(r)
		s := &q.seeds[i]
		was, is := s.class, q.class(s)
		q.raise(s, is)
		if fall := is - was; fall == 0 || fall < len(energies) && r.Uint64()>>24 < energies[fall] {
			return i
		}
	}
}

// draw draws a seed by the energy of its class.
func (q *rarity) draw(r *mutate.Rand) int {
	for q.ends[q.lowest] == 0 {
		q.lowest++
	}
	total, begin := uint64(0), 0
	span := q.ends[q.lowest:min(q.lowest+len(energies), classes)]
	for k, end := range span {
		total += uint64(end-begin) * energies[k]
		begin = end
	}
	x := uint64(r.Intn(int(total)))
	begin = 0
	for k, end := range span {
		if part := uint64(end-begin) * energies[k]; x < part {
			return int(q.order[begin+int(x/energies[k])])
		} else {
			x -= part
		}
		begin = end
	}
	panic("unreachable: x is below the sum of the parts")
}

func (q *rarity) Ran(r Result) {
	if q.ran++; q.ran%rareSample == 0 {
		q.count(r.Traces)
	}
}
