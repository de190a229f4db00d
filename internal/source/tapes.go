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

// Taped is the common part of sources of tapes. Inputs are encoded tapes, from which a generator
// makes the programs' inputs. The generator draws what a tape lacks from the tape's seed.
type Taped struct {
	Corpus   *Corpus
	Rand     *mutate.Rand
	Schedule schedule.Schedule
	MaxBytes int
	Grammar  *grammar.Form // makes texts of tapes, which are then the inputs; nil means that inputs are encoded tapes

	texts   texts
	parent  *tape.Coded // read-only
	decoded decodedTapes
	draft   tape.Draft
	edit    tape.Edit
	empty   tape.Coded // empty tape
	spots   []int      // candidate spans
}

// fresh proposes an empty tape, for which the generator draws everything.
func (t *Taped) fresh(s *Step) {
	if len(t.empty.Spans) == 0 {
		var empty tape.Tape
		empty.Reset()
		if err := t.empty.Decode(empty.Append(nil)); err != nil {
			panic(err) // it was just encoded
		}
	}
	t.draft.Start(&t.empty)
	rest := t.Rand.Uint64() | 1
	for tries := 0; !t.write(s, &t.draft, rest) && t.Grammar != nil; tries++ {
		if rest = t.Rand.Uint64() | 1; tries > 8 {
			rest = 0 // the simplest text, which fits
		}
	}
	s.Ops = append(s.Ops, mutate.OpFresh)
}

// scheduled asks the schedule for a parent, and reports whether there is one with choices. Done of
// by must pass the result to the schedule.
func (t *Taped) scheduled(s *Step, by Source) bool {
	return len(*t.Corpus) > 0 && t.seed(s, by, t.Schedule.Next(t.Rand))
}

// seed makes an input the parent, and reports whether it has choices.
func (t *Taped) seed(s *Step, by Source, parent int) bool {
	for tries := 0; t.Grammar != nil && tries < skips && t.tape(parent, nil) == nil; tries++ { // skip inputs outside of the grammar
		parent = t.Rand.Intn(len(*t.Corpus))
	}
	s.Parent = parent
	s.Choice = choice(t.Schedule)
	s.Notify(by)
	t.parent = t.tape(parent, nil)
	return t.parent != nil && len(t.parent.Choices) > 0 // a seed may not be a tape
}

// propose makes the draft the input, or a fresh one if it is too long.
func (t *Taped) propose(s *Step, op mutate.Op) {
	if !t.write(s, &t.draft, t.Rand.Uint64()|1) {
		t.fresh(s)
		return
	}
	s.Ops = append(s.Ops, op)
}

// Done implements Source. It passes the result to the schedule.
func (t *Taped) Done(s *Step, r Result) {
	t.Schedule.Ran(schedule.Result{
		Seed: s.Parent, Traces: r.Traces, Kept: r.Found, Failed: r.Failed, Accepted: r.Accepted, Deviation: r.Deviation, Turns: r.Turns,
	})
}

// Tapes makes mutants of tapes, by choices and by parts. It exchanges parts between inputs that the
// same site of the generator drew, as Zeugma does (Hough and Bell, TOSEM 2024). It also repeats,
// drops and swaps parts.
//
// Invalid inputs are seeds too. BeDivFuzz's published data show that this wins in the long run, and
// loses in the first minutes. So invalid seeds are mutated as often as their yield suggests, which
// is the fraction of valid children with new traces, relative to valid seeds.
type Tapes struct {
	Taped
	// Accepted holds, per input of the corpus, whether a program accepts it. Nil means that all
	// seeds are mutated alike.
	Accepted *[]bool
	NoFresh  bool // no fresh inputs once there is a corpus
	NoSplice bool // parts come only from the input itself

	kinds [2]yield // of valid and invalid seeds
}

// yield counts the children of some seeds, and the valid ones with new traces. Half of it is
// forgotten after forget children.
type yield struct{ made, won int }

const (
	forget = 4096
	// unknown is the number of assumed children of either kind of seeds, half of them won. So both
	// kinds are mutated alike until results are known.
	unknown = 32
	// seldom is the smallest share of invalid seeds' turns that are used, of 1024.
	seldom = 128
)

// rate returns the fraction of won children.
func (y *yield) rate() float64 { return (float64(y.won) + unknown/2) / (float64(y.made) + unknown) }

// kind returns the index of a seed's kind in kinds.
func (m *Tapes) kind(seed int) int {
	if (*m.Accepted)[seed] {
		return 0
	}
	return 1
}

// usesTurn reports whether a seed uses its turn. A valid one always does.
func (m *Tapes) usesTurn(seed int) bool {
	if m.Accepted == nil || m.kind(seed) == 0 {
		return true
	}
	share := 1024 * m.kinds[1].rate() / m.kinds[0].rate()
	return m.Rand.Intn(1024) < max(seldom, int(share))
}

// skips bounds the seeds that are skipped, since all may be invalid.
const skips = 8

// next returns the seed to mutate. It skips some turns of invalid seeds.
func (m *Tapes) next() int {
	seed := m.Schedule.Next(m.Rand)
	for n := 0; n < skips && !m.usesTurn(seed); n++ {
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

// freshPart is the period of fresh inputs: one proposal in 32 is fresh, so that the corpus never
// confines the campaign.
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

// geometric returns a geometrically distributed number, at least one, with the given mean.
func geometric(r *mutate.Rand, mean float64) int {
	u := float64(r.Uint64()>>11) / (1 << 53)
	return max(1, int(math.Ceil(math.Log(1-u)/math.Log(1-1/mean))))
}

// choices changes some choices of a channel. It reports false if there are none.
func (m *Tapes) choices(r *mutate.Rand, c tape.Channel) bool {
	spots := m.parent.Spots(c)
	if len(spots) == 0 {
		return false
	}
	m.draft.Start(m.parent)
	for n := min(geometric(r, 3), len(spots)); n > 0; n-- {
		i := spots[r.Intn(len(spots))]
		if p := &m.parent.Choices[i]; c == tape.Structural && p.Bound >= countBound {
			v, redraw := m.count(r, i)
			m.draft.Set(i, v, redraw || p.Redraw)
			continue
		}
		m.draft.Set(i, m.value(r, i), m.parent.Choices[i].Redraw)
	}
	return true
}

// countBound is the bound from which a structural choice counts as a number of drawn parts, and not
// as one of some alternatives.
const countBound = 64

// count returns another value of a structural choice with many values. It is a near one, twice as
// many, none, one of the same site, or a redraw by the generator's distribution. The bound of an
// unlimited number is 1024. Documents with a thousand parts, each with a thousand parts, would take
// all the time. So only one time in 64 it is random, with each bit length equally likely.
func (m *Tapes) count(r *mutate.Rand, choice int) (v uint64, redraw bool) {
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

// value returns another value of a choice. It is a random or near one, an end of the range, one
// with a flipped bit, or one of the same site.
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
		v ^= 1 << r.Intn(64) & fillBelow(p.Bound)
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
		v %= p.Bound + 1 // the bound is below the largest number, or v would not exceed it
	}
	return v
}

// fillBelow sets all bits below the highest one of n.
func fillBelow(n uint64) uint64 {
	for shift := 1; shift < 64; shift *= 2 {
		n |= n >> shift
	}
	return n
}

// span returns a random span of the parent except the outermost, or 0 if there is none.
func (m *Tapes) span(r *mutate.Rand) int {
	if len(m.parent.Spans) < 2 {
		return 0
	}
	return 1 + r.Intn(len(m.parent.Spans)-1)
}

// part exchanges, repeats, drops or swaps a part. It reports false if it cannot.
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
		part := m.sameSite(r, from, site, func(k int) bool { return m.disjoint(span, k) })
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
	part := m.sameSite(r, from, site, func(k int) bool { return from != m.parent || k != span })
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

// sameSite returns a random fitting span of a tape with that site, or 0 if there is none.
func (m *Tapes) sameSite(r *mutate.Rand, t *tape.Coded, site uint32, fits func(int) bool) int {
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

// disjoint reports whether neither of two spans of the parent contains the other.
func (m *Tapes) disjoint(a, b int) bool {
	s := m.parent.Spans
	return int(s[a].After) <= b || int(s[b].After) <= a
}
