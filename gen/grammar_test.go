package gen

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestGrammar(t *testing.T) {
	text, err := os.ReadFile("../internal/grammar/testdata/json.ebnf")
	if err != nil {
		t.Fatal(err)
	}
	document := Grammar(string(text))
	seen := map[string]bool{}
	Check(t, func(t *T) {
		doc := document.Draw(t, "doc")
		if seen[doc] = true; !json.Valid([]byte(doc)) {
			t.Errorf("%s", doc)
		}
	})
	if len(seen) < 15 {
		t.Errorf("%d different documents", len(seen))
	}
	defer func() {
		if got, _ := recover().(string); !strings.HasPrefix(got, "gen: grammar:1:7: there is no rule b") {
			t.Errorf("a wrong grammar: %q", got)
		}
	}()
	Grammar("a ::= b")
}
