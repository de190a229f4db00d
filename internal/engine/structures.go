package engine

import (
	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// structures holds the structural signatures of the kept inputs (BeDivFuzz, Algorithm 1: S).
type structures struct {
	seen map[uint64]bool
	tape tape.Tape
	form *grammar.Form // inputs are texts of a grammar; nil means that they are encoded tapes
}

// signature returns the signature of an input as it was drawn. The public code hashes bytes, so
// that unused bytes make new structures. It reports false for an input that is not a tape.
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

// fresh reports whether no kept input has this structure.
func (s *structures) fresh(flat []byte) bool {
	h, ok := s.signature(flat)
	return ok && !s.seen[h]
}

// add adds a kept input.
func (s *structures) add(flat []byte) {
	if s.seen == nil {
		s.seen = map[uint64]bool{}
	}
	if h, ok := s.signature(flat); ok {
		s.seen[h] = true
	}
}

// searchAdmits reports whether the guidance's Search admits the input that has just run to the
// corpus. wanted means that the input is new.
func (e *Engine) searchAdmits(wanted bool) bool {
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
