package toml

import (
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// FuzzDocument reads a document, and writes it again.
func FuzzDocument(f *testing.F) {
	f.Add([]byte("a = 1\nb = [1.5, 'x', true]\n"))
	f.Add([]byte("# a comment\n[t.u]\nd = 1979-05-27T07:32:00Z\n\n[[p]]\nn = \"\\u00e9\"\n[[p]]\n"))
	f.Add([]byte("x = {y = '''z''', w = 0xff}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var document map[string]any
		if toml.Unmarshal(data, &document) != nil {
			t.Skip()
		}
		if _, err := toml.Marshal(document); err != nil {
			t.Error(err)
		}
	})
}
