package tape

import "testing"

// listed draws a number, and further numbers behind it.
func listed(s *Source) (list []uint64) {
	number := func() {
		s.Begin(1)
		list = append(list, s.Draw(2, Value, 99))
		s.End()
	}
	number()
	s.Begin(3)
	for n := s.Draw(4, Structural, 9); n > 0; n-- {
		s.Begin(5)
		s.Draw(6, Value, 1) // a separator
		number()
		s.End()
	}
	s.End()
	return list
}

// TestShrinkSlides checks that one element remains of an element and further ones, whichever is
// needed.
func TestShrinkSlides(t *testing.T) {
	var s Source
	slid := 0
	for seed := range uint64(100) {
		s.Random(seed)
		list := listed(&s)
		large := func(list []uint64) bool {
			for _, n := range list {
				if n >= 70 {
					return true
				}
			}
			return false
		}
		if !large(list) {
			continue
		}
		if list[0] < 70 {
			slid++
		}
		small, _ := Shrink(s.Tape().Clone(), 2000, func(draft *Tape) (*Tape, bool) {
			s.Simplest(draft)
			got := listed(&s)
			return s.Tape(), large(got)
		})
		s.Simplest(small)
		if got := listed(&s); len(got) != 1 || got[0] != 70 {
			t.Errorf("seed %d: %v becomes %v", seed, list, got)
		}
	}
	if slid < 20 {
		t.Errorf("only %d lists begin with another element", slid)
	}
}
