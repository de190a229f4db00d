package engine

import "parallax/internal/feature"

// shortest keeps short inputs for the blocks that a program executes, as Zeugma does (Hough and Bell, TOSEM 2024, which keeps the shortest for each branch): of a
// long input few mutations hit what matters. A block is held by the input that executed it first. One of at most half the length takes it over, so that a block is
// taken over a bounded number of times, and only one that is accepted from one that is. What held it stays a seed: the schedule has shorter ones run more often.
type shortest struct {
	held []holder // by block
}

// holder is the length of the input that holds a block; 0: none does.
type holder struct {
	size     uint32
	accepted bool
}

// takes reports whether an input of that size takes a block over.
func (s *shortest) takes(t *feature.Trace, size int, accepted bool) bool {
	t.Need()
	for _, id := range t.Hits {
		if int(id) < len(s.held) && s.held[id].yields(size, accepted) {
			return true
		}
	}
	return false
}

// yields reports whether an input of that size takes over what the holder has.
func (h *holder) yields(size int, accepted bool) bool {
	return 2*size <= int(h.size) && (accepted || !h.accepted)
}

// add notes an input that joins the corpus.
func (s *shortest) add(t *feature.Trace, size int, accepted bool) {
	for _, id := range t.Hits {
		for int(id) >= len(s.held) {
			s.held = append(s.held, make([]holder, int(id)+1)...)
		}
		if h := &s.held[id]; h.size == 0 || h.yields(size, accepted) {
			*h = holder{uint32(max(size, 1)), accepted}
		}
	}
}

// shorter reports whether the input that has just run is to be kept because it is short. What was given is no longer than what was drawn, in most
// cases, so that few are looked at twice.
func (e *Engine) shorter() bool {
	t, accepted := &e.joint.Traces[0], e.accepted()
	if e.short == nil || !e.short.takes(t, len(e.step.Flat), accepted) {
		return false
	}
	e.settle()
	if e.large || !e.short.takes(t, len(e.step.Flat), accepted) {
		return false
	}
	e.newIn = append(e.newIn, e.covers...)
	return true
}
