package tape

import "math/bits"

// Shrink returns the simplest tape it finds for which the test holds, and the used part of the
// budget. The budget limits the calls of the test. The test replays a draft (Source.Simplest). It
// returns the drawn tape, and whether the tape still shows the failure. The drawn tape may differ
// from the draft; the drawn tape counts. It must not change after the call.
//
// The method is that of Hypothesis's internal reduction (MacIver and Donaldson, ECOOP 2020). It
// makes choices fewer and smaller, since the generator makes a valid input from any choices. It
// removes repeated parts and adjusts their counts. It replaces a part by an inner part from the
// same generator, or by a repeated part behind it. It simplifies whole parts, and then each choice.
//
// The cost of a test grows with its draft: each further 4096 choices count as another run of the
// budget.
//
// Every accepted draft is simpler than the previous one (Tape.Simpler), so that Shrink ends for any
// test. It uses no randomness.
func Shrink(t *Tape, budget int, test func(draft *Tape) (drawn *Tape, holds bool)) (smallest *Tape, runs int) {
	s := &shrinker{best: t.Clone(), budget: budget, test: test, failed: map[uint64]bool{}}
	for changed := true; changed && !s.spent(); {
		changed = s.counts()
		changed = s.hoists() || changed
		changed = s.slides() || changed
		changed = s.zeroSpans() || changed
		changed = s.values() || changed
		changed = s.equalValues() || changed
		changed = s.shift() || changed
	}
	return s.best, s.runs
}

// longDraft is the number of a draft's choices that count as a run.
const longDraft = 1 << 12

type shrinker struct {
	best   *Tape
	budget int
	runs   int
	work   int // choices of all drafts, including untested ones
	test   func(*Tape) (*Tape, bool)
	failed map[uint64]bool // hashes of drafts
}

// try tests a draft. If the test holds and the drawn tape is simpler, it becomes the best.
func (s *shrinker) try(draft *Tape) bool {
	s.work += len(draft.Choices)
	key := draft.hash()
	if s.failed[key] || s.spent() {
		return false
	}
	s.runs += 1 + len(draft.Choices)/longDraft
	if drawn, ok := s.test(draft); ok && drawn.Simpler(s.best) {
		s.best = drawn.Clone()
		return true
	}
	s.failed[key] = true
	return false
}

// spent reports whether the budget is used up. Long drafts also cost work to build, which is
// limited, too.
func (s *shrinker) spent() bool { return s.runs >= s.budget || s.work >= s.budget*mostWork }

// mostWork limits the choices of all drafts per run of the budget.
const mostWork = 16 * longDraft

// hash hashes sites and values.
func (t *Tape) hash() uint64 {
	h := t.Skeleton()
	for i := range t.Choices {
		h = mix(h, t.Choices[i].Value)
	}
	return h
}

// counts lowers structural choices: to zero, by half, by one. It also lowers by one and removes a
// following part of the same span, which the choice may count.
func (s *shrinker) counts() (changed bool) {
	for i := 0; i < len(s.best.Choices) && !s.spent(); i++ {
		if s.best.Choices[i].Channel != Structural {
			continue
		}
		changed = s.lower(i) || changed
		for i < len(s.best.Choices) && s.best.Choices[i].Value > 0 && s.takeOut(i) {
			changed = true
		}
	}
	return changed
}

// takeOut lowers a structural choice by one and removes one of the following parts, if the test
// holds without it.
func (s *shrinker) takeOut(i int) bool {
	t := s.best
	owner := t.Choices[i].Span
	for k := int(owner) + 1; k < int(t.Spans[owner].After) && !s.spent(); k = int(t.Spans[k].After) {
		if int(t.Spans[k].First) > i && s.try(t.without(func(c int) bool { return c >= int(t.Spans[k].First) && c < int(t.Spans[k].End) },
			func(other int) bool { return other >= k && other < int(t.Spans[k].After) }).with(i, t.Choices[i].Value-1)) {
			return true
		}
	}
	for k := i + 1; k < int(t.Spans[owner].End) && !s.spent(); k++ {
		if t.Choices[k].Span == owner && s.try(t.without(func(c int) bool { return c == k }, none).with(i, t.Choices[i].Value-1)) {
			return true
		}
	}
	return false
}

func none(int) bool { return false }

// hoists replaces a span by an inner one of the same site, as recursive generators produce.
func (s *shrinker) hoists() (changed bool) {
next:
	for k := 1; k < len(s.best.Spans) && !s.spent(); k++ {
		t := s.best
		for inner := k + 1; inner < int(t.Spans[k].After) && !s.spent(); inner++ {
			s.work++
			if t.Spans[inner].Site == t.Spans[k].Site && s.try(t.hoist(k, inner)) {
				changed = true
				k--
				continue next
			}
		}
	}
	return changed
}

// zeroSpans replaces all choices of a span by the simplest.
func (s *shrinker) zeroSpans() (changed bool) {
	for k := 0; k < len(s.best.Spans) && !s.spent(); k++ {
		draft := s.best.Clone()
		for i := draft.Spans[k].First; i < draft.Spans[k].End; i++ {
			draft.Choices[i].Value = 0
		}
		s.work += len(draft.Choices)
		if !draft.Equal(s.best) && s.try(draft) {
			changed = true
		}
	}
	return changed
}

// values lowers each choice.
func (s *shrinker) values() (changed bool) {
	for i := 0; i < len(s.best.Choices) && !s.spent(); i++ {
		changed = s.lower(i) || changed
	}
	return changed
}

// Values that are tried one by one: the smallest, and those next to a shorter one. If the test
// holds for few values, such as odd ones, halving alone may stop at any of them.
const (
	fewValues      = 16
	neighborValues = 8
)

// lower minimizes a choice. It tries zero and small values, then halving with smaller and smaller
// steps, then values of fewer bits.
func (s *shrinker) lower(i int) (changed bool) {
	set := func(v uint64) bool {
		if s.spent() {
			return false
		}
		ok := s.try(s.best.with(i, v))
		changed = changed || ok
		return ok && i < len(s.best.Choices)
	}
	for v := uint64(0); v < fewValues; v++ {
		if v >= s.best.Choices[i].Value || set(v) {
			return changed
		}
	}
	for i < len(s.best.Choices) && !s.spent() {
		v := s.best.Choices[i].Value
		step := (v + 1) / 2
		for ; step > 0; step /= 2 {
			if set(v - step) {
				break
			}
		}
		if step == 0 && !s.shorter(i, set) {
			return changed
		}
	}
	return changed
}

// shorter tries values near those of fewer bits, shortest first, and then slightly lower values.
func (s *shrinker) shorter(i int, set func(uint64) bool) bool {
	v := s.best.Choices[i].Value
	for shift := bits.Len64(v) - 1; shift > 0; shift-- {
		for d := uint64(0); d < neighborValues; d++ {
			if n := v>>shift + d; n >= fewValues && n < v && set(n) {
				return true
			}
		}
	}
	for d := uint64(2); d <= fewValues && d < v; d++ {
		if set(v - d) {
			return true
		}
	}
	return false
}

// shift moves as much as possible from a choice to the next one of its site, since a property may
// need their sum.
func (s *shrinker) shift() (changed bool) {
	last := map[uint32]int{}
	for i := 0; i < len(s.best.Choices) && !s.spent(); i++ {
		c := s.best.Choices[i]
		before, ok := last[c.Site]
		last[c.Site] = i
		if !ok || c.Channel != Value || s.best.Choices[before].Value == 0 {
			continue
		}
		from := s.best.Choices[before].Value
		for by := min(from, c.Bound-c.Value); by > 0 && !s.spent(); by /= 2 {
			if s.try(s.best.with(before, from-by).with(i, c.Value+by)) {
				changed = true
				break
			}
		}
		if i >= len(s.best.Choices) {
			break
		}
	}
	return changed
}

// equalValues lowers choices of one channel with equal values, since a property may need equal
// values.
func (s *shrinker) equalValues() (changed bool) {
	seen := map[uint64]bool{}
	for i := 0; i < len(s.best.Choices) && !s.spent(); i++ {
		v := s.best.Choices[i].Value
		if v == 0 || seen[v] {
			continue
		}
		seen[v] = true
		for _, to := range []uint64{0, v / 2, v - 1} {
			draft, n := s.best.Clone(), 0
			s.work += len(draft.Choices)
			for k := range draft.Choices {
				if c := &draft.Choices[k]; c.Value == v && c.Channel == Value {
					c.Value = to
					n++
				}
			}
			if n > 1 && s.try(draft) {
				changed = true
				break
			}
		}
	}
	return changed
}

// with returns the tape with another value of a choice.
func (t *Tape) with(i int, value uint64) *Tape {
	other := t.Clone()
	other.Choices[i].Value = value
	return other
}

// without returns the tape without some choices and spans. The parents of remaining spans must
// remain.
func (t *Tape) without(choice, span func(int) bool) *Tape {
	out := &Tape{}
	spans := make([]int32, len(t.Spans)+1) // new indices
	for k := range t.Spans {
		spans[k] = int32(len(out.Spans))
		if !span(k) {
			out.Spans = append(out.Spans, t.Spans[k])
		}
	}
	spans[len(t.Spans)] = int32(len(out.Spans))
	choices := make([]int32, len(t.Choices)+1)
	for i := range t.Choices {
		choices[i] = int32(len(out.Choices))
		if !choice(i) {
			c := t.Choices[i]
			c.Span = spans[c.Span]
			out.Choices = append(out.Choices, c)
		}
	}
	choices[len(t.Choices)] = int32(len(out.Choices))
	for k := range out.Spans {
		s := &out.Spans[k]
		s.First, s.End, s.After = choices[s.First], choices[s.End], spans[s.After]
		if s.Parent >= 0 {
			s.Parent = spans[s.Parent]
		}
	}
	return out
}

// hoist returns the tape with a span replaced by one within it.
func (t *Tape) hoist(outer, inner int) *Tape {
	o, n := t.Spans[outer], t.Spans[inner]
	moved := t.Clone()
	moved.Spans[inner].Parent = o.Parent
	in := func(at, from, to int32) bool { return at >= from && at < to }
	return moved.without(
		func(i int) bool { return in(int32(i), o.First, o.End) && !in(int32(i), n.First, n.End) },
		func(k int) bool {
			return in(int32(k), int32(outer), o.After) && !in(int32(k), int32(inner), n.After)
		})
}
