package campaign

import (
	"testing"

	"parallax/internal/corpus"
	"parallax/internal/tape"
)

// A property draws nothing if what is kept are tapes without choices, and nothing else.
func TestDrawNothing(t *testing.T) {
	var s tape.Source
	s.Random(1)
	none := s.Tape().Append(nil)
	s.Random(1)
	s.Draw(7, tape.Value, 9)
	one := s.Tape().Append(nil)
	for _, c := range []struct {
		name  string
		flats [][]byte
		want  bool
	}{
		{"no input", nil, false}, {"nothing is drawn", [][]byte{none}, true}, {"a choice", [][]byte{one}, false}, {"one of two", [][]byte{none, one}, false},
		{"plain bytes", [][]byte{{}}, false},
	} {
		var entries []corpus.Entry
		for _, flat := range c.flats {
			entries = append(entries, corpus.Entry{Flat: flat})
		}
		if got := drawNothing(entries); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
