package source

import (
	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// texts holds the encoded tapes of corpus inputs that are texts of a grammar, by index. Each input
// is parsed once. Nil means not yet parsed. Empty means outside of the grammar.
type texts Corpus

// read parses an input of the corpus if it has not been parsed.
func (t *texts) read(form *grammar.Form, corpus Corpus, seed int) Corpus {
	for len(*t) <= seed {
		*t = append(*t, nil)
	}
	if (*t)[seed] == nil {
		(*t)[seed] = []byte{}
		if read, err := form.Tape(corpus[seed]); err == nil {
			(*t)[seed] = read.Append(nil)
		}
	}
	return Corpus(*t)
}

// tape returns the tape of an input of the corpus, or nil if it has none. The call may overwrite
// tapes that it returned earlier, except busy.
func (t *Taped) tape(seed int, busy *tape.Coded) *tape.Coded {
	corpus := *t.Corpus
	if t.Grammar != nil {
		corpus = t.texts.read(t.Grammar, corpus, seed)
	}
	return t.decoded.get(corpus, seed, busy)
}

// write makes a mutant the input. It reports false if the mutant is too long. The step then holds
// nothing useful, unless tapes are the inputs.
func (t *Taped) write(s *Step, d *tape.Draft, rest uint64) (fits bool) {
	if t.Grammar == nil {
		s.Flat = d.Append(s.Flat[:0], rest)
		return len(s.Flat) <= t.MaxBytes
	}
	s.Flat, fits = t.Grammar.Text(d.Tape(&t.edit, rest), s.Flat[:0])
	return fits
}
