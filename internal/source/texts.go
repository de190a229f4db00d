package source

import (
	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// texts are the encoded tapes of inputs that are texts of a grammar, by their places in the corpus. An input is read once. nil: not yet; empty: it is none of
// the grammar.
type texts Corpus

// read makes sure that an input of the corpus has been read.
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

// tape is that of an input of the corpus; nil if it has none. What was got before may be another tape then, but for busy.
func (t *Taped) tape(seed int, busy *tape.Coded) *tape.Coded {
	corpus := *t.Corpus
	if t.Grammar != nil {
		corpus = t.texts.read(t.Grammar, corpus, seed)
	}
	return t.decoded.get(corpus, seed, busy)
}

// write makes a mutant the input. It is false where that is longer than inputs may be; what the step holds then is of no use, unless tapes are
// inputs themselves.
func (t *Taped) write(s *Step, d *tape.Draft, rest uint64) (fits bool) {
	if t.Grammar == nil {
		s.Flat = d.Append(s.Flat[:0], rest)
		return len(s.Flat) <= t.MaxBytes
	}
	s.Flat, fits = t.Grammar.Text(d.Tape(&t.edit, rest), s.Flat[:0])
	return fits
}
