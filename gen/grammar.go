package gen

import "parallax/internal/grammar"

// Grammar draws texts of a language. The grammar is in W3C EBNF, as docs/guides/grammars.md
// describes. Alternatives and repetitions are structural choices; the characters of a class are
// values. Grammar panics if the grammar has mistakes, and lists each with its place.
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

// longestText is the length of a text after which a grammar draws the shortest way to the end.
const longestText = 1 << 16
