package subject

import (
	"bytes"
	"fmt"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/internal/grammar"
	"parallax/internal/input"
)

// ReadGrammar reads the file that the options name, and rejects an invalid grammar.
func (o *Options) ReadGrammar(path string) error {
	data, err := corpus.ReadFile(path)
	if err != nil {
		return exit.Usage("--grammar: %w", err)
	}
	g, err := grammar.Parse(o.GrammarFile, string(data))
	if err != nil {
		return exit.Usage("%w", err) // with the file, and each place
	}
	if _, err = g.Fitting(o.MaxBytes); err != nil {
		return exit.Usage("%s: %w: raise --max-bytes", o.GrammarFile, err)
	}
	o.Grammar = string(data)
	return nil
}

// CheckGrammar rejects a grammar for programs whose input is not one text.
func (o *Options) CheckGrammar(t *Facts) error {
	switch {
	case o.Grammar == "":
	case t.hello.Tapes:
		return exit.Usage("--grammar: inputs of %s are drawn by a generator of package gen. Draw from gen.Grammar in it, or leave the flag out", t.Name)
	case !t.Shape.Raw():
		return exit.Usage("--grammar makes one text, and an input of %s is %s: compare functions of one []byte or string", t.Name, describe(t.Shape))
	}
	return nil
}

func describe(shape input.Shape) string {
	if len(shape) == 1 {
		return "of type " + shape.String()
	}
	return shape.String()
}

// texts removes mined seeds that the grammar does not describe, and reports given ones. Files
// mostly end with a newline: a text that the grammar describes without it is a seed too.
func (o *Options) texts(given, mined []corpus.Seed) (list []corpus.Seed, problems []string) {
	g, err := grammar.Parse(o.GrammarFile, o.Grammar)
	if err != nil {
		return append(given, mined...), []string{err.Error()} // ReadGrammar parsed it before
	}
	for _, p := range append(g.Warnings, g.Ambiguities(corpus.Flats(append(given[:len(given):len(given)], mined...)))...) {
		problems = append(problems, p.Error())
	}
	form := g.Form(o.MaxBytes)
	list = given
	strange, first := 0, ""
	for _, s := range given {
		flat := s.Flat
		_, err := form.Tape(flat)
		if err == nil {
			continue
		}
		if line := bytes.TrimSuffix(flat, []byte("\n")); len(line) < len(flat) {
			if _, err := form.Tape(line); err == nil {
				list = append(list, corpus.Seed{Flat: line, From: s.From})
				continue
			}
		}
		if strange++; strange == 1 {
			first = fmt.Sprintf("%.60q: %v", flat, err)
		}
	}
	if strange > 0 {
		problems = append(problems, fmt.Sprintf("seeds: %d of %d inputs are no text of %s: they are run as they are, and no inputs are made of them. The first is %s",
			strange, len(given), o.GrammarFile, first))
	}
	texts := 0
	for _, s := range mined {
		if _, err := form.Tape(s.Flat); err == nil {
			list = append(list, s)
			texts++
		}
	}
	if texts < len(mined) && o.Mode != Model { // the grammar of a model describes the types of its arguments, not files
		problems = append(problems, fmt.Sprintf("of %d seeds that were found without --seeds, %d are texts of %s: the others are left out", len(mined), texts, o.GrammarFile))
	}
	return append(list, corpus.Seed{Flat: form.Simplest(), From: "the simplest text of the grammar"}), problems
}
