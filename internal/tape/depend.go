package tape

// Depends reports whether a generator's draws depend on one of the tape's choices. other is the
// tape that it drew with another value of this choice. Draws depend on the choice if sites or
// depths differ (BeDivFuzz, Definition 3.1, checked by execution). whole says that the generator
// returned both times. Otherwise, if one tape is a prefix of the other, nothing is known, and clear
// is false.
func (t *Tape) Depends(other *Tape, whole bool) (depends, clear bool) {
	a, b := walk{tape: t}, walk{tape: other}
	for {
		x, more := a.next()
		y, also := b.next()
		switch {
		case !more && !also:
			return false, whole
		case !more || !also:
			return whole, whole
		case x != y:
			return true, true
		}
	}
}

// step is a begin of a span, or a choice.
type step struct {
	site   uint32
	around int32 // its enclosing span
	choice bool
}

// walk iterates over a tape in the order of its draws.
type walk struct {
	tape         *Tape
	choice, span int
}

func (w *walk) next() (step, bool) {
	if k := w.span + 1; k < len(w.tape.Spans) && int(w.tape.Spans[k].First) <= w.choice {
		w.span = k
		return step{site: w.tape.Spans[k].Site, around: w.tape.Spans[k].Parent}, true
	}
	if w.choice >= len(w.tape.Choices) {
		return step{}, false
	}
	c := &w.tape.Choices[w.choice]
	w.choice++
	return step{site: c.Site, around: c.Span, choice: true}, true
}

// Other returns a random value that differs from the choice's. It reports false if the bound allows
// no other value.
func (c *Choice) Other(random func() uint64) (value uint64, ok bool) {
	if c.Bound == 0 {
		return c.Value, false
	}
	r := random()
	switch v := c.Value; r & 7 {
	case 0:
		value = 0
	case 1:
		value = c.Bound
	case 2:
		value = v + 1
	case 3:
		value = v - 1
	default:
		if value = r >> 3; r&7 > 5 {
			value &= 0xff
		}
	}
	if value = within(value, c.Bound); value == c.Value {
		if value++; value > c.Bound || value == 0 {
			value = 0
		}
	}
	return value, true
}
