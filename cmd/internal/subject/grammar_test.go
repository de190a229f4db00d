package subject

import (
	"fmt"
	"slices"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/policy"
)

// TestTextsAsSeeds checks the seeds of a campaign with a grammar. These are the given texts, also
// without their final newline, the mined texts of the language, and the simplest text.
func TestTextsAsSeeds(t *testing.T) {
	o := &Options{GrammarFile: "numbers", Policy: policy.Policy{Grammar: "n ::= [0-9]+\nm ::= n", MaxBytes: 9}}
	b := func(texts ...string) (list []corpus.Seed) {
		for _, s := range texts {
			list = append(list, corpus.Seed{Flat: []byte(s)})
		}
		return list
	}
	flats, problems := o.texts(b("12", "34\n", "x\n"), b("56", "y", ""))
	if got, want := fmt.Sprintf("%q", corpus.Flats(flats)), `["12" "34\n" "x\n" "34" "56" "0"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := []string{
		"numbers:2:1: rule m is not used: the start is n, the first rule",
		`seeds: 1 of 3 inputs are no text of numbers: they are run as they are, and no inputs are made of them. The first is "x\n": line 1, column 1: there is "x", and [0-9] may stand there`,
		"of 3 seeds that were found without --seeds, 1 are texts of numbers: the others are left out",
	}
	if !slices.Equal(problems, want) {
		t.Errorf("%q", problems)
	}
	o.Mode = Model
	if _, problems = o.texts(nil, b("56", "y", "")); !slices.Equal(problems, want[:1]) {
		t.Errorf("of a model: %q", problems)
	}
}

// TestAmbiguousGrammar checks that a warning names the ambiguous part of a grammar and a text with
// two derivations. The text is a seed, since random texts rarely are ambiguous. The campaign
// continues.
func TestAmbiguousGrammar(t *testing.T) {
	o := &Options{GrammarFile: "words", Policy: policy.Policy{Grammar: "w ::= [a-m]{9} | [m-z]{9}", MaxBytes: 9}}
	for _, mined := range []bool{false, true} {
		given, found := []corpus.Seed{{Flat: []byte("mmmmmmmmm")}}, []corpus.Seed(nil)
		if mined {
			given, found = nil, given
		}
		flats, problems := o.texts(given, found)
		want := []string{`words:1:7: rule w is ambiguous: "mmmmmmmmm" can be read in two ways, by the alternative at 1:7 and by that at 1:18`}
		if !slices.Equal(problems, want) || fmt.Sprintf("%q", corpus.Flats(flats)) != `["mmmmmmmmm" "aaaaaaaaa"]` {
			t.Errorf("%q, %q", problems, flats)
		}
	}
}
