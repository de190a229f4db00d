package tape

import "testing"

// TestDepends checks that draws depend on a choice if sites or their nesting change. Values and
// bounds do not matter.
func TestDepends(t *testing.T) {
	draw := func(f func(s *Source)) *Tape {
		var s Source
		s.Random(1)
		f(&s)
		return s.Tape().Clone()
	}
	list := func(n int, values ...uint64) *Tape {
		return draw(func(s *Source) {
			s.Record(1, Structural, 9, uint64(n))
			for i := 0; i < n; i++ {
				s.Begin(2)
				s.Record(3, Value, 99, values[i])
				s.End()
			}
		})
	}
	base := list(2, 5, 6)
	for _, c := range []struct {
		name           string
		other          *Tape
		whole          bool
		depends, clear bool
	}{
		{"another value", list(2, 5, 7), true, false, true},
		{"fewer elements", list(1, 5), true, true, true},
		{"more elements", list(3, 5, 6, 7), true, true, true},
		{"ended early at the same place", list(1, 5), false, false, false},
		{"ended early, and the same so far", list(2, 5, 6), false, false, false},
		{"ended early at another place", draw(func(s *Source) { s.Record(4, Value, 9, 1) }), false, true, true},
		{"the same choices, and deeper", draw(func(s *Source) {
			s.Record(1, Structural, 9, 2)
			s.Begin(2)
			s.Record(3, Value, 99, 5)
			s.Begin(2)
			s.Record(3, Value, 99, 6)
		}), true, true, true},
		{"an empty span behind it", draw(func(s *Source) {
			s.Record(1, Structural, 9, 2)
			for i := 0; i < 2; i++ {
				s.Begin(2)
				s.Record(3, Value, 99, 5)
				s.End()
			}
			s.Begin(2)
		}), true, true, true},
	} {
		if depends, clear := base.Depends(c.other, c.whole); depends != c.depends || clear != c.clear {
			t.Errorf("%s: depends %v, clear %v", c.name, depends, clear)
		}
	}
}

func TestOtherChoice(t *testing.T) {
	var s Source
	s.Random(7)
	for _, bound := range []uint64{1, 2, 7, 255, 1 << 40, 1<<64 - 1} {
		seen := map[uint64]bool{}
		for _, v := range []uint64{0, 1, bound / 2, bound} {
			for i := 0; i < 200; i++ {
				c := Choice{Bound: bound, Value: v}
				other, ok := c.Other(s.Uint64)
				if !ok || other == v || other > bound {
					t.Fatalf("bound %d: %d after %d, %v", bound, other, v, ok)
				}
				seen[other] = true
			}
		}
		if bound < 8 && len(seen) != int(bound)+1 {
			t.Errorf("bound %d: only %v come", bound, seen)
		}
	}
	if c := (Choice{}); func() bool { _, ok := c.Other(s.Uint64); return ok }() {
		t.Error("a choice of one value has another")
	}
}
