package triage

import (
	"slices"
	"strings"

	"parallax/internal/input"
	"parallax/internal/tape"
	"parallax/internal/wire"
)

// Encoded tapes are minimized by choices and parts, and so are their neighbors made.

func isTape(shape input.Shape, flat []byte) bool { return shape.Raw() && tape.IsTape(flat) }

// Drawn returns the draws of a generator in a run with detail, one per line, or "".
func Drawn(results []wire.RunResult) string {
	for i := range results {
		if results[i].Shown != "" {
			return results[i].Shown
		}
	}
	return ""
}

// Made returns the input that a generator made in a run with detail, in flat form, or nil.
func Made(results []wire.RunResult) []byte {
	for i := range results {
		if results[i].Shown != "" {
			return []byte(results[i].Made)
		}
	}
	return nil
}

// varies reports whether a message holds a drawn value: another message has the value that
// replaced it there. A message may hold a short value by chance. So the draws of both may differ in
// that value only.
func varies(message, drawn, other, otherDrawn string) bool {
	lines, others := strings.Split(drawn, "\n"), strings.Split(otherDrawn, "\n")
	if message == other || len(lines) != len(others) {
		return false
	}
	at := -1
	for i := range lines {
		switch {
		case lines[i] == others[i]:
		case at >= 0:
			return false
		default:
			at = i
		}
	}
	if at < 0 {
		return false
	}
	label, value, _ := strings.Cut(lines[at], " = ")
	otherLabel, otherValue, _ := strings.Cut(others[at], " = ")
	value, otherValue = strings.Trim(value, `"`), strings.Trim(otherValue, `"`)
	if label != otherLabel || len(value) < minHeld || !strings.Contains(message, value) {
		return false
	}
	return strings.ReplaceAll(message, value, otherValue) == other ||
		len(otherValue) >= minHeld && strings.Contains(other, otherValue) && !strings.Contains(other, value)
}

// minHeld is the length from which a value counts as held by a message.
const minHeld = 2

// shrink searches a simpler tape, with a budget of runs. try runs a draft, and returns its draws
// and whether it still shows the finding. took gets each accepted tape. done reports that nothing
// is left to try.
//
// A tape may be shorter than its draws, as long draws exceed the limit of inputs. So the search
// begins with the draws, to include choices that the tape leaves to chance.
func shrink(flat []byte, budget int, stop func() bool, try func(draft []byte) (drawn []byte, ok bool), took func([]byte)) (small []byte, tried int, done bool) {
	first, best := &tape.Tape{}, &tape.Tape{}
	if first.Decode(flat) != nil {
		return flat, 0, true
	}
	small = flat
	if stop() || budget < 1 {
		return flat, 0, false
	}
	if made, ok := try(flat); ok && best.Decode(made) == nil && len(best.Choices) > len(first.Choices) {
		first = best.Clone()
	}
	best = first.Clone()
	out, tried := tape.Shrink(first, budget-1, func(draft *tape.Tape) (*tape.Tape, bool) {
		if stop() {
			return draft, false
		}
		draft.Rest = 0
		made, ok := try(draft.Append(nil))
		drawn := &tape.Tape{}
		if !ok || drawn.Decode(made) != nil {
			return draft, false
		}
		if drawn.Simpler(best) {
			best, small = drawn.Clone(), slices.Clone(made)
			took(small)
		}
		return drawn, true
	})
	if !out.Equal(best) {
		small = out.Append(nil)
	}
	return small, tried + 1, tried < budget-1 && !stop()
}

// tapeNeighbors yields tapes that differ in a choice or part. Choices change by one or to their
// ends. Parts are removed or redrawn. In long tapes, they are evenly spaced.
func tapeNeighbors(flat []byte, limit int, yield func([]byte) bool) {
	t := &tape.Tape{}
	if t.Decode(flat) != nil {
		return
	}
	t.Rest = 0
	var e tape.Edit
	left := limit
	add := func(t *tape.Tape) bool {
		if left--; left < 0 {
			return false
		}
		return yield(t.Append(nil))
	}
	const each = 4
	step := max(1, (len(t.Choices)*each+2*len(t.Spans)+limit-1)/max(1, limit))
	for i := 0; i < len(t.Choices); i += step {
		c := t.Choices[i]
		seen := []uint64{c.Value}
		for _, v := range []uint64{c.Value + 1, c.Value - 1, 0, c.Bound} {
			if v > c.Bound || slices.Contains(seen, v) {
				continue
			}
			seen = append(seen, v)
			other := e.Copy(t)
			if other.Choices[i].Value = v; !add(other) {
				return
			}
		}
	}
	for k := 1; k < len(t.Spans); k += step {
		if !add(e.TakeOut(t, k)) || !add(e.Redraw(t, k)) {
			return
		}
	}
}
