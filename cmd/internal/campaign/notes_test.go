package campaign

import (
	"strings"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/tape"
)

// TestInvalid checks that mostly invalid inputs are reported once there are enough inputs.
func TestInvalid(t *testing.T) {
	for _, c := range []struct {
		valid, invalid uint64
		want           string
	}{
		{0, 99, ""}, {0, 100, "none of 100 inputs was valid"}, {4, 96, "of 100 inputs 4 were valid"}, {10, 200, ""}, {10, 201, "of 211 inputs 10 were valid"}, {500, 0, ""},
	} {
		got := strings.Join(invalid(&finding.Behavior{Behavior: sample.Behavior{Valid: c.valid, Invalid: c.invalid}}), "")
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d valid and %d invalid: %q", c.valid, c.invalid, got)
		}
	}
	if got := invalid(nil); got != nil {
		t.Error(got)
	}
}

// TestDrawNothing checks that a property draws nothing if all kept inputs are tapes without
// choices.
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
