package engine

import (
	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// structures are the structural signatures of the inputs that were kept (BeDivFuzz, Algorithm 1: S).
type structures struct {
	seen map[uint64]bool
	tape tape.Tape
	form *grammar.Form // inputs are texts of a grammar; nil: they are encoded tapes
}

// signature is that of an input, as it was drawn: the public code hashes bytes, of which those that no choice needed made new structures. It is
// false of what is no tape.
func (s *structures) signature(flat []byte) (uint64, bool) {
	if s.form != nil {
		t, err := s.form.Tape(flat)
		if err != nil {
			return 0, false
		}
		return t.Structure(), true
	}
	if s.tape.Decode(flat) != nil {
		return 0, false
	}
	return s.tape.Structure(), true
}

// fresh reports whether no input that was kept has the structure of one.
func (s *structures) fresh(flat []byte) bool {
	h, ok := s.signature(flat)
	return ok && !s.seen[h]
}

// add notes an input that is kept.
func (s *structures) add(flat []byte) {
	if s.seen == nil {
		s.seen = map[uint64]bool{}
	}
	if h, ok := s.signature(flat); ok {
		s.seen[h] = true
	}
}

// searched reports whether the input that has just run may be kept, as far as the way to search is concerned. wanted says that there is something
// new in it.
func (e *Engine) searched(wanted bool) bool {
	switch {
	case e.search == nil:
		return true
	case e.search.Search.Accepted && !e.accepted():
		return false
	case e.search.Search.Structures && wanted:
		e.settle()
		return e.shapes.fresh(e.step.Flat)
	}
	return true
}
