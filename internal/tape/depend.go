package tape

// Depends says whether what a generator draws depends on a choice of the tape, by a tape that it drew when that choice had another value: what is
// drawn at which sites, and how deep, differs (BeDivFuzz, Definition 3.1, checked by running). whole says that the generator came to its end both
// times. Where it did not, a tape that is the beginning of the other one tells nothing, and clear is false.
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

// step is a span that begins, or a choice.
type step struct {
	site   uint32
	around int32 // the span that holds it
	choice bool
}

// walk goes through a tape in the order in which it was drawn.
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

// Other is a random value of a choice that is not the one that it has; false: its bound allows no other.
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
