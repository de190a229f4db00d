package triage

import (
	"testing"

	"parallax/internal/input"
	"parallax/internal/tape"
)

// numbers draws a list of numbers below 1000.
func numbers(s *tape.Source) (list []uint64) {
	for n := s.Draw(1, tape.Structural, 20); n > 0; n-- {
		s.Begin(2)
		list = append(list, s.Draw(3, tape.Value, 999))
		s.End()
	}
	return list
}

func drawn(flat []byte) (list []uint64, out []byte) {
	var t tape.Tape
	var s tape.Source
	if t.Decode(flat) != nil {
		return nil, nil
	}
	s.Play(&t)
	list = numbers(&s)
	return list, s.Tape().Append(nil)
}

// TestShrinkTape checks that a tape is minimized by its draws, and that every accepted step shows
// the finding.
func TestShrinkTape(t *testing.T) {
	var s tape.Source
	large := func(list []uint64) bool {
		for _, n := range list {
			if n >= 100 {
				return true
			}
		}
		return false
	}
	found := 0
	for seed := uint64(1); seed < 50; seed++ {
		s.Random(seed)
		list := numbers(&s)
		flat := s.Tape().Append(nil)
		if !large(list) {
			continue
		}
		found++
		steps := 0
		small, tried, done := shrink(flat, 1000, func() bool { return false }, func(draft []byte) ([]byte, bool) {
			list, out := drawn(draft)
			return out, large(list)
		}, func(taken []byte) {
			steps++
			if list, _ := drawn(taken); !large(list) {
				t.Fatalf("%v was taken", list)
			}
		})
		if list, _ := drawn(small); len(list) != 1 || list[0] != 100 || !done || tried > 1000 {
			t.Errorf("seed %d: %v after %d runs", seed, list, tried)
		}
		if len(list) > 1 && steps == 0 {
			t.Errorf("seed %d: no step was told", seed)
		}
	}
	if found < 40 {
		t.Errorf("only %d lists", found)
	}
	// Choices that a tape leaves to chance are minimized, too. Here, all are.
	var nothing tape.Tape
	nothing.Reset()
	for nothing.Rest = 1; ; nothing.Rest++ {
		if list, _ := drawn(nothing.Append(nil)); len(list) > 3 && large(list) {
			break
		}
	}
	small, _, _ := shrink(nothing.Append(nil), 1000, func() bool { return false }, func(draft []byte) ([]byte, bool) {
		list, out := drawn(draft)
		return out, large(list)
	}, func([]byte) {})
	if list, _ := drawn(small); len(list) != 1 || list[0] != 100 {
		t.Errorf("of a tape that says nothing: %v", list)
	}
	stopped, _, done := shrink(s.Tape().Append(nil), 100, func() bool { return true }, nil, nil)
	if done || string(stopped) != string(s.Tape().Append(nil)) {
		t.Error("a search that is stopped reaches its end")
	}
	if same, tried, _ := shrink([]byte("no tape"), 100, nil, nil, nil); string(same) != "no tape" || tried != 0 {
		t.Errorf("%q, %d", same, tried)
	}
}

// TestTapeNeighbors checks that neighbors of a tape are different tapes, within the limit.
func TestTapeNeighbors(t *testing.T) {
	var s tape.Source
	s.Random(4)
	numbers(&s)
	flat := s.Tape().Append(nil)
	for _, limit := range []int{1, 10, 1000} {
		seen := map[string]bool{}
		for n := range Neighbors(input.Shape{input.Bytes}, flat, limit) {
			var other tape.Tape
			if err := other.Decode(n); err != nil || seen[string(n)] {
				t.Fatalf("%q: %v", n, err)
			}
			seen[string(n)] = true
		}
		if len(seen) == 0 || len(seen) > limit {
			t.Errorf("%d neighbors of at most %d", len(seen), limit)
		}
	}
}

// TestVaries checks that a message holds a drawn value only if it changes with the value.
func TestVaries(t *testing.T) {
	for _, test := range []struct {
		message, drawn, other, otherDrawn string
		want                              bool
	}{
		{"got (1 + 2)", "e = (1 + 2)\nn = 3", "got (1 + 3)", "e = (1 + 3)\nn = 3", true},
		{"got abc, want abcd", `s = "abc"`, "got abd, want abdd", `s = "abd"`, true},
		{"got abc, want 7", `s = "abc"`, "got xyz, want 9", `s = "xyz"`, true},
		{"got abc", `s = "abc"`, "got ", `s = ""`, true},
		{"index out of range", "e = (1 + 2)", "index out of range", "e = (1 + 3)", false},
		{"3 is left", "n = 3", "4 is left", "n = 4", false}, // classes drop numbers anyway
		{"anything", "", "something", "", false},
		// The value is in the message by chance.
		{"value without end", "name = \"en\"\nvalue = `\\`", "value without end", "name = \"em\"\nvalue = `\\`", false},
		{"value without end", "name = \"en\"\nvalue = `\\`", "element without end", "name = \"en\"\nvalue = `\\x`", false},
		{"value without end", "name = \"va\"\nvalue = `\\`", "element without end", "name = \"el\"\nvalue = `\\x`", false},
		{"value without end", "name = \"va\"", "element without end", "name = \"vb\"", false},
		{"value without end", "name = \"va\"", "element without end", "name = \"va\"\nname = \"el\"", false},
	} {
		if got := varies(test.message, test.drawn, test.other, test.otherDrawn); got != test.want {
			t.Errorf("%q of %q, and %q of %q: %t", test.message, test.drawn, test.other, test.otherDrawn, got)
		}
	}
}
