package source

import (
	"testing"

	"parallax/internal/cmplog"
	"parallax/internal/grammar"
	"parallax/internal/input"
)

// words compares any text with a keyword and a number.
type words struct{}

func (words) Ready() bool { return true }

func (words) Compare(flat []byte) []cmplog.Comparison {
	return []cmplog.Comparison{
		{Kind: cmplog.StringEqual, Site: 1, S: "name", T: "keyword"},
		{Kind: cmplog.StringEqual, Site: 2, S: "12", T: "4711"},
		{Kind: cmplog.StringEqual, Site: 3, S: "name", T: "no name"},
	}
}

// TestCmpLogWithGrammar checks that operands are written only where the text stays in the grammar's
// language, and never into a text outside of it.
func TestCmpLogWithGrammar(t *testing.T) {
	g, err := grammar.Parse("g", `a ::= id "=" num (";" a)?  id ::= [a-z]{1,9}  num ::= [0-9]+`)
	if err != nil {
		t.Fatal(err)
	}
	corpus := Corpus{[]byte("name=12;b=3"), []byte("name 12")}
	c := NewCmpLog(words{}, &corpus, input.Shape{input.String}, 64, [][]byte{[]byte("keyword=12;b=3")}, func([][]byte) {})
	c.SetGrammar(g.Form(64))
	for i := range corpus {
		c.Added(i, false)
	}
	form, found := g.Form(64), map[string]bool{}
	for n := 0; c.Ready() && n < 1000; n++ {
		var s Step
		if s.Reset(); !c.Propose(&s) {
			break
		}
		if _, err := form.Tape(s.Flat); err != nil {
			t.Errorf("%q: %v", s.Flat, err)
		}
		if s.Parent != 0 {
			t.Errorf("%q is made of %q", s.Flat, corpus[s.Parent])
		}
		found[string(s.Flat)] = true
	}
	if !found["name=4711;b=3"] || found["keyword=12;b=3"] {
		t.Errorf("of a number, and not of what ends a process: %v", found)
	}
}
