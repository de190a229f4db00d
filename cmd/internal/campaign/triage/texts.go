package triage

import (
	"bytes"

	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// Texts of a grammar are made smaller on the tapes that they are drawn from, so that they stay in its language.

// Speak has inputs that are texts of a grammar made smaller within its language; "" is no grammar. One that cannot be read makes no difference: the
// campaign would not have run with it.
func (j *Triager) Speak(text string, maxBytes int) {
	if text == "" || !j.Shape.Raw() {
		return
	}
	if g, err := grammar.Parse("grammar", text); err == nil {
		j.Grammar = g.Form(maxBytes)
	}
}

// read is the tape of an input; nil where there is no grammar, or the input is none of its texts.
func (j *Triager) read(flat []byte) *tape.Tape {
	if j.Grammar == nil {
		return nil
	}
	t, err := j.Grammar.Tape(flat)
	if err != nil {
		return nil
	}
	return t.Clone()
}

// shrinkText is shrink for the text of a grammar, whose tape is t. What try makes of a draft must be of the language too, where inputs are repaired,
// and no text may become longer: simpler choices can make longer texts.
func (j *Triager) shrinkText(flat []byte, t *tape.Tape, budget int, stop func() bool, try func(draft []byte) (made []byte, ok bool), took func([]byte)) (small []byte, tried int, done bool) {
	small = flat
	best := t
	_, tried = tape.Shrink(t, budget, func(draft *tape.Tape) (*tape.Tape, bool) {
		if stop() {
			return draft, false
		}
		draft.Rest = 0
		text, ok := j.Grammar.Text(draft, nil)
		if !ok || len(text) > len(small) {
			return draft, false
		}
		drawn := j.Grammar.Drawn().Clone()
		if bytes.Equal(text, small) { // what is the same shows the same
			return drawn, true
		}
		made, ok := try(text)
		if !ok || len(made) > len(small) {
			return draft, false
		}
		if !bytes.Equal(made, text) {
			if drawn = j.read(made); drawn == nil {
				return draft, false
			}
		}
		if drawn.Simpler(best) {
			best, small = drawn, made
			took(small)
		}
		return drawn, true
	})
	return small, tried, tried < budget && !stop()
}
