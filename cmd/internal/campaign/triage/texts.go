package triage

import (
	"bytes"

	"parallax/internal/grammar"
	"parallax/internal/tape"
)

// Texts of a grammar are minimized on their tapes, and so stay in its language.

// Speak sets the grammar of inputs, so that minimized ones stay in its language. Empty means none.
// An invalid grammar is ignored, as the campaign would have reported it.
func (j *Triager) Speak(text string, maxBytes int) {
	if text == "" || !j.Shape.Raw() {
		return
	}
	if g, err := grammar.Parse("grammar", text); err == nil {
		j.Grammar = g.Form(maxBytes)
	}
}

// read returns the tape of an input, or nil if there is no grammar, or the input is not of it.
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

// shrinkText does the work of shrink for the text of a grammar with tape t. Repaired drafts must be
// in the language. Texts may not become longer: simpler choices can make longer texts.
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
		if bytes.Equal(text, small) { // the same text shows the same
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
