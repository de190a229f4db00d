package triage

import (
	"slices"
	"strings"

	"parallax/internal/input"
	"parallax/internal/tape"
	"parallax/internal/wire"
)

// Inputs of generators are encoded tapes. They are made smaller choice by choice and part by part, and their neighbors are those of choices.

func isTape(shape input.Shape, flat []byte) bool { return shape.Raw() && tape.IsTape(flat) }

// Drawn is what a generator drew in a run that was told in detail, a line a draw; empty where there is no generator.
func Drawn(results []wire.RunResult) string {
	for i := range results {
		if results[i].Shown != "" {
			return results[i].Shown
		}
	}
	return ""
}

// Made is the input that a generator made in a run that was told in detail, in flat form; nil where there is none.
func Made(results []wire.RunResult) []byte {
	for i := range results {
		if results[i].Shown != "" {
			return []byte(results[i].Made)
		}
	}
	return nil
}

// tellsDrawn reports whether a message holds a value that was drawn: as in t.Errorf("%v", value), each input then has a message of its own.
func tellsDrawn(message, drawn string) bool {
	for line := range strings.Lines(drawn) {
		_, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if value = strings.Trim(value, `"`); ok && len(value) > 1 && strings.Contains(message, value) {
			return true
		}
	}
	return false
}

// shrink looks for a simpler tape, with a budget of runs. try runs a draft, and returns what was drawn of it and whether that shows what is looked for.
// It reports what was taken in the end, how many runs it took, and whether there is nothing left to try.
//
// A tape may say less than is drawn of it: where what was drawn is longer than inputs may be, the short one is what is known of it. So it begins with
// what the tape stands for, or it would take all choices that the tape leaves to chance for none.
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

// tapeNeighbors yields tapes that differ in a choice or a part: each choice by one, at its ends, and each part left out or drawn as simple as can be.
// Evenly spaced choices and parts of long tapes are taken.
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
