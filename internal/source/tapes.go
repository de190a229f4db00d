package source

import (
	"math"
	"math/bits"

	"parallax/internal/grammar"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
	"parallax/internal/schedule"
	"parallax/internal/tape"
)

// Taped is what sources of tapes have in common: inputs are encoded tapes, of which a generator makes what the programs run on. What a tape does
// not say is drawn by the generator, from a seed that the tape brings.
type Taped struct {
	Corpus   *Corpus
	Rand     *mutate.Rand
	Schedule schedule.Schedule
	MaxBytes int
	Grammar  *grammar.Form // makes texts of tapes, which are the inputs then; nil: inputs are encoded tapes

	texts   texts
	parent  *tape.Coded // is not changed
	decoded decodedTapes
	draft   tape.Draft
	edit    tape.Edit
	nothing tape.Coded // the tape that says nothing
	spots   []int      // room for spans to choose from
}

// fresh has everything drawn.
func (t *Taped) fresh(s *Step) {
	if len(t.nothing.Spans) == 0 {
		var empty tape.Tape
		empty.Reset()
		if err := t.nothing.Decode(empty.Append(nil)); err != nil {
			panic(err) // it was just encoded
		}
	}
	t.draft.Start(&t.nothing)
	rest := t.Rand.Uint64() | 1
	for tries := 0; !t.write(s, &t.draft, rest) && t.Grammar != nil; tries++ {
		if rest = t.Rand.Uint64() | 1; tries > 8 {
			rest = 0 // the simplest text, which fits
		}
	}
	s.Ops = append(s.Ops, mutate.OpFresh)
}

// scheduled has the schedule choose a parent, and reports whether there is one with choices. Who has its Done called tells the schedule.
func (t *Taped) scheduled(s *Step, by Source) bool {
	return len(*t.Corpus) > 0 && t.seed(s, by, t.Schedule.Next(t.Rand))
}

// seed makes an input the parent, and reports whether it has choices.
func (t *Taped) seed(s *Step, by Source, parent int) bool {
	for tries := 0; t.Grammar != nil && tries < skips && t.tape(parent, nil) == nil; tries++ { // an input that is none of the grammar's texts
		parent = t.Rand.Intn(len(*t.Corpus))
	}
	s.Parent = parent
	s.Choice = choice(t.Schedule)
	s.By(by)
	t.parent = t.tape(parent, nil)
	return t.parent != nil && len(t.parent.Choices) > 0 // a seed may be no tape
}

// propose makes the draft the input, or a fresh one if it is too long.
func (t *Taped) propose(s *Step, op mutate.Op) {
	if !t.write(s, &t.draft, t.Rand.Uint64()|1) {
		t.fresh(s)
		return
	}
	s.Ops = append(s.Ops, op)
}

// Done implements Source: the schedule is told.
func (t *Taped) Done(s *Step, r Result) {
	t.Schedule.Ran(schedule.Result{Seed: s.Parent, Traces: r.Traces, Kept: r.Found, Deviation: r.Deviation, Turns: r.Turns})
}

// Tapes makes mutants of tapes, choice by choice and part by part. Parts are exchanged between inputs
// where the same place of the generator drew them, as Zeugma does (Hough and Bell, TOSEM 2024), and parts are repeated, left out and
// swapped.
//
// Invalid inputs are seeds too, since the published data of BeDivFuzz say that this wins in the long run, and loses in the first minutes: how often
// they are mutated follows from what that yields, which is how many of their children are valid and have new traces, beside those of valid seeds.
type Tapes struct {
	Taped
	// Accepted tells of each input of the corpus whether a program accepts it; nil: all seeds are mutated alike.
	Accepted *[]bool
	NoFresh  bool // nothing is drawn from nothing once there is a corpus
	NoSplice bool // parts come from the input itself

	kinds [2]yield // of valid seeds and of invalid ones
}

// yield is what came of the children of some seeds. Half of it is forgotten after forget children.
type yield struct{ made, won int }

const (
	forget = 4096
	// unknown children of which every second one is won are what is known of either kind of seeds at first: they are mutated alike until something is known.
	unknown = 32
	// seldom is the smallest share of their turns that invalid seeds have, of 1024.
	seldom = 128
)

// rate is the part of the children that was won.
func (y *yield) rate() float64 { return (float64(y.won) + unknown/2) / (float64(y.made) + unknown) }

// kind is the place of a seed in kinds.
func (m *Tapes) kind(seed int) int {
	if (*m.Accepted)[seed] {
		return 0
	}
	return 1
}

// spares reports whether a seed has its turn: a valid one always.
func (m *Tapes) spares(seed int) bool {
	if m.Accepted == nil || m.kind(seed) == 0 {
		return true
	}
	share := 1024 * m.kinds[1].rate() / m.kinds[0].rate()
	return m.Rand.Intn(1024) < max(seldom, int(share))
}

// skips is how many seeds are passed over at most: there may be invalid ones alone.
const skips = 8

// next is the seed that is mutated: turns of invalid ones are passed over.
func (m *Tapes) next() int {
	seed := m.Schedule.Next(m.Rand)
	for n := 0; n < skips && !m.spares(seed); n++ {
		seed = m.Schedule.Next(m.Rand)
	}
	return seed
}

// Done implements Source.
func (m *Tapes) Done(s *Step, r Result) {
	m.Taped.Done(s, r)
	if m.Accepted == nil || s.Parent < 0 {
		return
	}
	y := &m.kinds[m.kind(s.Parent)]
	y.made++
	if r.Unique && r.Validity == oracle.Valid {
		y.won++
	}
	if y.made == forget {
		y.made, y.won = y.made/2, y.won/2
	}
}

// One proposal in freshPart is drawn from nothing, so that the corpus never confines the campaign.
const freshPart = 32

// Propose implements Source.
func (m *Tapes) Propose(s *Step) bool {
	if len(*m.Corpus) == 0 || !m.NoFresh && m.Rand.Intn(freshPart) == 0 || !m.seed(s, m, m.next()) {
		m.fresh(s)
		return true
	}
	m.propose(s, m.mutant(m.Rand))
	return true
}

// mutant makes the draft a mutant of the parent.
func (m *Tapes) mutant(r *mutate.Rand) mutate.Op {
	for range [8]struct{}{} {
		switch n := r.Intn(16); {
		case n < 4:
			if m.choices(r, tape.Structural) {
				return mutate.OpStructural
			}
		case n < 9:
			if m.choices(r, tape.Value) {
				return mutate.OpValue
			}
		case n < 11:
			if span := m.span(r); span > 0 {
				m.draft.Redraw(m.parent, span)
				return mutate.OpRedraw
			}
		default:
			if m.part(r, n) {
				return mutate.OpPart
			}
		}
	}
	m.draft.Start(m.parent)
	return mutate.OpRedraw
}

// geometric is a number of at least one with that mean.
func geometric(r *mutate.Rand, mean float64) int {
	u := float64(r.Uint64()>>11) / (1 << 53)
	return max(1, int(math.Ceil(math.Log(1-u)/math.Log(1-1/mean))))
}

// choices changes some choices of a channel; false where there are none.
func (m *Tapes) choices(r *mutate.Rand, c tape.Channel) bool {
	spots := m.parent.Spots(c)
	if len(spots) == 0 {
		return false
	}
	m.draft.Start(m.parent)
	for n := min(geometric(r, 3), len(spots)); n > 0; n-- {
		i := spots[r.Intn(len(spots))]
		if p := &m.parent.Choices[i]; c == tape.Structural && p.Bound >= counts {
			v, anew := m.count(r, i)
			m.draft.Set(i, v, anew || p.Redraw)
			continue
		}
		m.draft.Set(i, m.value(r, i), m.parent.Choices[i].Redraw)
	}
	return true
}

// counts is the bound from which on a structural choice is taken for a number of parts, each of which is drawn, and not for one of some alternatives.
const counts = 64

// count is another value of a structural choice with many values: one nearby, twice as many, none, one of the same site, or what the generator draws by its own
// odds (anew). The bound of a number without limit is 1024, and documents of a thousand parts, each of which may have a thousand, take all the time that there is:
// of one in 64, any number is as likely as one that has a bit more.
func (m *Tapes) count(r *mutate.Rand, choice int) (v uint64, anew bool) {
	p, v := &m.parent.Choices[choice], m.draft.Value(choice)
	if r.Intn(64) == 0 {
		return min(p.Bound, r.Uint64()&(1<<r.Intn(bits.Len64(p.Bound)+1)-1)), false
	}
	switch n := r.Intn(16); {
	case n == 0:
		return 0, false
	case n < 5:
		v += uint64(1 + r.Intn(8))
	case n < 7:
		v -= min(v, uint64(1+r.Intn(4)))
	case n < 11:
		v *= 2
	case n == 11:
		if other := r.Intn(len(m.parent.Choices)); m.parent.Choices[other].Site == p.Site {
			return min(p.Bound, m.draft.Value(other)), false
		}
		fallthrough
	default:
		return 0, true
	}
	return min(v, p.Bound), false
}

// value is another value of a choice: any, one nearby, an end, one with a bit flipped, or one of the same site.
func (m *Tapes) value(r *mutate.Rand, choice int) uint64 {
	p, v := &m.parent.Choices[choice], m.draft.Value(choice)
	switch r.Intn(8) {
	case 0:
		v = 0
	case 1:
		v = p.Bound
	case 2:
		v += uint64(1 + r.Intn(16))
	case 3:
		v -= uint64(1 + r.Intn(16))
	case 4:
		v ^= 1 << r.Intn(64) & spread(p.Bound)
	case 5:
		if other := r.Intn(len(m.parent.Choices)); m.parent.Choices[other].Site == p.Site {
			v = m.draft.Value(other)
			break
		}
		fallthrough
	default:
		v = r.Uint64() >> r.Intn(64)
	}
	if v > p.Bound {
		v %= p.Bound + 1 // the bound is not the largest number, or v would not be above it
	}
	return v
}

// spread has all bits below the highest of n.
func spread(n uint64) uint64 {
	for shift := 1; shift < 64; shift *= 2 {
		n |= n >> shift
	}
	return n
}

// span is one of the parent's, but for the outermost; 0 where there is none.
func (m *Tapes) span(r *mutate.Rand) int {
	if len(m.parent.Spans) < 2 {
		return 0
	}
	return 1 + r.Intn(len(m.parent.Spans)-1)
}

// part exchanges, repeats, leaves out or swaps a part; false where it cannot.
func (m *Tapes) part(r *mutate.Rand, n int) bool {
	span := m.span(r)
	if span == 0 {
		return false
	}
	site := m.parent.Spans[span].Site
	from := m.parent
	switch n {
	case 11:
		m.draft.TakeOut(m.parent, span)
		return true
	case 12:
		part := m.alike(r, from, site, func(k int) bool { return m.apart(span, k) })
		if part > 0 {
			m.draft.Swap(m.parent, span, part)
		}
		return part > 0
	}
	if !m.NoSplice && r.Intn(4) > 0 { // from another input
		if other := m.tape(r.Intn(len(*m.Corpus)), m.parent); other != nil {
			from = other
		}
	}
	part := m.alike(r, from, site, func(k int) bool { return from != m.parent || k != span })
	switch {
	case n == 13 && part > 0:
		m.draft.Repeat(m.parent, span, from, part)
	case n == 13:
		m.draft.Repeat(m.parent, span, m.parent, span)
	case part > 0:
		m.draft.Splice(m.parent, span, from, part)
	default:
		return false
	}
	return true
}

// alike is one of the spans of a tape with that site that fit; 0 where there is none.
func (m *Tapes) alike(r *mutate.Rand, t *tape.Coded, site uint32, fits func(int) bool) int {
	m.spots = m.spots[:0]
	for k := 1; k < len(t.Spans); k++ {
		if t.Spans[k].Site == site && fits(k) {
			m.spots = append(m.spots, k)
		}
	}
	if len(m.spots) == 0 {
		return 0
	}
	return m.spots[r.Intn(len(m.spots))]
}

// apart reports whether neither of two spans of the parent holds the other.
func (m *Tapes) apart(a, b int) bool {
	s := m.parent.Spans
	return int(s[a].After) <= b || int(s[b].After) <= a
}
