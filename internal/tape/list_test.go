package tape

import (
	"slices"
	"testing"
)

// text draws a string as package gen does, a length and one span per rune. data draws bytes without
// spans.
func text(s *Source, span uint32, least uint64) (runes []rune) {
	s.Begin(span)
	defer s.End()
	n := least + s.Draw(1, Structural, 10)
	for range n {
		s.Begin(2)
		runes = append(runes, RuneAt(s.Draw(3, Value, Runes)))
		s.End()
	}
	return runes
}

func data(s *Source) (b []byte) {
	s.Begin(21)
	defer s.End()
	for range s.Draw(1, Structural, 4) {
		b = append(b, byte(s.Draw(4, Value, 255)))
	}
	return b
}

// both draws a number, a text, bytes, and a number.
func both(s *Source) (string, []byte) {
	s.Draw(9, Value, 100)
	r := text(s, 20, 2)
	b := data(s)
	s.Draw(9, Value, 100)
	return string(r), b
}

// TestWrite checks that lists are found, that written elements are drawn, and that the rest stays.
// The bounds of the count hold.
func TestWrite(t *testing.T) {
	var s Source
	var e Edit
	written := 0
	for seed := range uint64(300) {
		s.Random(seed)
		word, bytes := both(&s)
		whole := s.Tape().Clone()
		for _, l := range whole.Lists(nil, Runes) {
			values := []uint64{RunePlace('o'), RunePlace('k'), RunePlace('ß')}
			out := e.Write(whole, &l, values)
			if out == nil {
				t.Fatalf("seed %d: three runes do not go", seed)
			}
			again := out.Clone()
			s.Simplest(again)
			if got, b := both(&s); got != "okß" || string(b) != string(bytes) || s.Fresh != 0 || !s.Tape().Equal(again) {
				t.Fatalf("seed %d: %q and %v are drawn, %d fresh", seed, got, b, s.Fresh)
			}
			if e.Write(whole, &l, make([]uint64, 13)) != nil || e.Write(whole, &l, values[:1]) != nil {
				t.Fatalf("seed %d: more elements than there may be are written, or fewer", seed)
			}
			if len(l.Values) != len([]rune(word)) {
				t.Fatalf("seed %d: the list of %q has %d elements", seed, word, len(l.Values))
			}
			written++
		}
		for _, l := range whole.Lists(nil, 255) {
			if len(bytes) != len(l.Values) {
				t.Fatalf("seed %d: a list of %d bytes is %v", seed, len(bytes), l.Values)
			}
			out := e.Write(whole, &l, []uint64{1, 2, 3, 4})
			s.Simplest(out.Clone())
			if got, b := both(&s); got != word || !slices.Equal(b, []byte{1, 2, 3, 4}) {
				t.Fatalf("seed %d: %q and %v are drawn", seed, got, b)
			}
			written++
		}
	}
	if written < 400 {
		t.Errorf("%d lists", written)
	}
}
