package genjson

import (
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"parallax/gen"
)

var hints = Hints{Keys: []string{"name", "children"}, Strings: []string{"a \"word\"", "\x01"}}

// TestDocument checks that every document is valid.
func TestDocument(t *testing.T) {
	for name, h := range map[string]Hints{"without hints": {}, "with hints": hints} {
		t.Run(name, func(t *testing.T) {
			gen.Check(t, func(t *gen.T) {
				text := Document(h).Draw(t, "text")
				if !json.Valid([]byte(text)) {
					t.Errorf("it is not valid")
				}
			})
		})
	}
}

// TestDrawn checks that the generator draws everything that it should. Otherwise the test above
// proves nothing.
func TestDrawn(t *testing.T) {
	flag.Set("gen.checks", "100")
	flag.Set("gen.seed", "1")
	seen := map[string]int{}
	gen.Check(t, func(t *gen.T) {
		text := Document(hints).Draw(t, "text")
		for _, part := range []string{"{", "[", `"name"`, `\u`, "null", "e+", `"a \"word\""`} {
			if strings.Contains(text, part) {
				seen[part]++
			}
		}
	})
	if len(seen) < 7 {
		t.Errorf("only %v", seen)
	}
}

// FuzzRoundTrip: what is decoded and encoded is decoded to the same.
func FuzzRoundTrip(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) {
		var first, second any
		t.Valid(json.Unmarshal([]byte(Document(hints).Draw(t, "text")), &first)) // a number may be too large
		text, err := json.Marshal(first)
		if err == nil {
			err = json.Unmarshal(text, &second)
		}
		again, _ := json.Marshal(second)
		if err != nil || string(again) != string(text) {
			t.Errorf("%s, then %s: %v", text, again, err)
		}
	})
}
