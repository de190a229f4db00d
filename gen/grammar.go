package gen

import "parallax/internal/grammar"

// Grammar draws texts of a language, whose grammar is written as docs/guides/grammars.md says: the EBNF of the W3C. Alternatives and repetitions are
// structural choices, the characters of a class are values. It panics if the grammar is wrong, with each mistake and its place.
//
//	//go:embed json.ebnf
//	var syntax string
//
//	var document = gen.Grammar(syntax)
func Grammar(text string) Gen[string] {
	g, err := grammar.Parse("grammar", text)
	if err != nil {
		panic("gen: " + err.Error())
	}
	return Gen[string]{draw: func(t *T) string {
		if t.shows != nil && t.shows.sites != nil {
			t.shows.sites.grammar(g.Where)
		}
		return string(g.Draw(t.src, longestText, nil))
	}}
}

// longestText is how long a text of a grammar gets, before it goes the shortest way to its end.
const longestText = 1 << 16
