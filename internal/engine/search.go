package engine

import (
	"errors"
	"fmt"

	"parallax/internal/feature"
	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// search holds the state of the search for tapes: which inputs it keeps, apart from new features.
// The zero search admits all inputs, as for campaigns without a generator or grammar.
type search struct {
	domain   *feature.Domain // guidance with a Search; nil means the usual search
	form     *grammar.Form   // makes texts of tapes; nil means that there is no grammar
	tapes    bool            // inputs are tapes, or texts of a grammar
	draws    bool            // some inputs are fresh besides mutants, and estimators use them
	confined bool            // large inputs are not seeds
	short    *shortest       // nil means that no input is kept for being short

	structures map[uint64]bool // of the kept inputs, if the domain keeps one of each (BeDivFuzz, Algorithm 1: S)
	tape       tape.Tape       // buffer
}

// newSearch returns the search that guidance and grammar define.
func newSearch(cfg *Config, guidance []string) (search, error) {
	s := search{domain: feature.SearchOf(guidance), tapes: cfg.Tapes || cfg.Grammar != "", structures: map[uint64]bool{}}
	switch {
	case s.domain != nil && !s.tapes:
		return s, fmt.Errorf("guidance %s goes by the choices of a generator or grammar, and there is none", s.domain.Name)
	case s.guides() && cfg.Guide == nil:
		return s, fmt.Errorf("guidance %s makes the choices of a generator while it draws, and this one cannot be asked", s.domain.Name)
	case cfg.Grammar == "":
		return s, nil
	case cfg.Tapes:
		return s, errors.New("inputs are drawn by a generator: a grammar cannot make them")
	case !cfg.Shape.Raw():
		return s, fmt.Errorf("a grammar makes one text, and an input is %s", cfg.Shape)
	}
	g, err := grammar.Parse("grammar", cfg.Grammar)
	if err == nil {
		s.form, err = g.Fitting(cfg.MaxBytes)
	}
	return s, err
}

// name returns the name of the guidance, or an empty string for the usual search.
func (s *search) name() string {
	if s.domain == nil {
		return ""
	}
	return s.domain.Name
}

// guides reports whether the guidance makes the generator's choices while it draws.
func (s *search) guides() bool { return s.domain != nil && s.domain.Search.Guides }

// admits reports whether the guidance admits the input that has just run to the corpus. wanted
// means that the input is new.
func (s *search) admits(x *execution, d *drawing, wanted bool) bool {
	switch {
	case s.domain == nil:
		return true
	case s.domain.Search.Accepted && !x.accepted():
		return false
	case s.domain.Search.Structures && wanted:
		d.settle(x)
		h, ok := s.structure(x.step.Flat)
		return ok && !s.structures[h]
	}
	return true
}

// shortens reports whether the input that has just run is kept because it is short. The given tape
// is mostly no longer than the drawn one, so that few inputs are checked twice.
func (s *search) shortens(x *execution, d *drawing) bool {
	if s.short == nil {
		return false
	}
	t, accepted := &x.joint.Traces[0], x.accepted()
	if !s.short.takes(t, len(x.step.Flat), accepted) {
		return false
	}
	d.settle(x)
	return !d.large && s.short.takes(t, len(x.step.Flat), accepted)
}

// kept records an input that joins the corpus.
func (s *search) kept(flat []byte, x *execution) {
	s.measure(len(flat), x)
	if s.domain == nil || !s.domain.Search.Structures {
		return
	}
	if h, ok := s.structure(flat); ok {
		s.structures[h] = true
	}
}

// measure records the size of the tape that executed the current input's blocks.
func (s *search) measure(size int, x *execution) {
	if s.short != nil {
		x.joint.Traces[0].Need()
		s.short.add(&x.joint.Traces[0], size, x.accepted())
	}
}

// structure returns the structural signature of an input as it was drawn. The public code hashes
// bytes, so that unused bytes make new structures. It reports false for an input that is not a
// tape.
func (s *search) structure(flat []byte) (uint64, bool) {
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
