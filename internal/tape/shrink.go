package tape

import "math/bits"

// Shrink returns the simplest tape it finds that a test holds for, and how much of the budget it took: so often it calls the test at most. The test replays a
// draft (Source.Simplest), and returns what was drawn and whether what is looked for still shows; what was drawn may be another tape than the draft, and is what
// counts. It must stay as it is after the call.
//
// The method is that of Hypothesis's internal reduction (MacIver and Donaldson, ECOOP 2020): choices are made fewer and smaller, and whatever the
// generator makes of them is a valid input. Repeated parts are taken out with their counts, a part is replaced by a part of it that the same generator
// drew, or by a repeated one behind it, parts are made as simple as can be, and then each choice is.
//
// A test costs what its draft is long: a run for each begun 4096 choices counts against the budget.
//
// Every draft that is taken is simpler than the one before it (Tape.Simpler), so that it ends whatever the test says. There is no randomness.
func Shrink(t *Tape, budget int, test func(draft *Tape) (drawn *Tape, holds bool)) (smallest *Tape, runs int) {
	s := &shrinker{best: t.Clone(), budget: budget, test: test, failed: map[uint64]bool{}}
	for changed := true; changed && !s.spent(); {
		changed = s.counts()
		changed = s.hoists() || changed
		changed = s.slides() || changed
		changed = s.zeroSpans() || changed
		changed = s.values() || changed
		changed = s.together() || changed
		changed = s.shift() || changed
	}
	return s.best, s.runs
}

// longDraft is how many choices of a draft count as a run.
const longDraft = 1 << 12

type shrinker struct {
	best   *Tape
	budget int
	runs   int
	work   int // choices of all drafts, also of those that are not tested
	test   func(*Tape) (*Tape, bool)
	failed map[uint64]bool // hashes of drafts
}

// try tests a draft, and makes what was drawn the best if it is simpler and the test holds.
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

// spent reports whether the budget is used up. To make a draft costs as well, if it is long: all that is looked at ends here.
func (s *shrinker) spent() bool { return s.runs >= s.budget || s.work >= s.budget*mostWork }

// mostWork is how many choices all drafts may have for each run of the budget.
const mostWork = 16 * longDraft

// hash is of sites and values.
func (t *Tape) hash() uint64 {
	h := t.Skeleton()
	for i := range t.Choices {
		h = mix(h, t.Choices[i].Value)
	}
	return h
}

// counts lowers structural choices: to zero, by half, by one; and by one with a part of the same span taken out that comes behind it, since what a count
// counts comes there.
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

// takeOut lowers a structural choice by one and takes out one of the parts behind it, if there is one without which the test holds.
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

// hoists puts in a span's place one within it that has the same site: that of a generator which calls itself.
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

// zeroSpans makes all choices of a span the simplest.
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

// Values that are tried one by one: the smallest, and those next to a shorter one. Where few values hold, such as odd ones, halving alone ends at
// any of them.
const (
	fewValues = 16
	beside    = 8
)

// lower makes a choice as small as can be found: zero and the values next to it, else half of it and then less and less, else one of fewer bits.
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

// shorter looks for a value near one of fewer bits, the shortest first, and else a little lower.
func (s *shrinker) shorter(i int, set func(uint64) bool) bool {
	v := s.best.Choices[i].Value
	for shift := bits.Len64(v) - 1; shift > 0; shift-- {
		for d := uint64(0); d < beside; d++ {
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

// shift moves what it can from a choice to the next one of its site: a property may need a sum.
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

// together lowers choices of one channel that have the same value: a property may need that they are equal.
func (s *shrinker) together() (changed bool) {
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

// with is the tape with another value of a choice.
func (t *Tape) with(i int, value uint64) *Tape {
	other := t.Clone()
	other.Choices[i].Value = value
	return other
}

// without is the tape without some choices and spans; the parent of a span that is left is left too.
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

// hoist is the tape with a span within another one in that one's place.
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
