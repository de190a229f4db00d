package toml

import (
	"testing"

	"github.com/BurntSushi/toml"
)

// FuzzDocument reads a document.
func FuzzDocument(f *testing.F) {
	f.Add("a = 1\nb = [1.5, 'x', true]\n")
	f.Add("# a comment\n[t.u]\nd = 1979-05-27T07:32:00Z\n\n[[p]]\nn = \"\\u00e9\"\n[[p]]\n")
	f.Add("x = {y = '''z''', w = 0xff}\n")
	f.Fuzz(func(t *testing.T, text string) {
		var document map[string]any
		if err := toml.Unmarshal([]byte(text), &document); err != nil {
			t.Skip()
		}
	})
}
