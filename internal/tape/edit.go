package tape

// Edit makes a tape of another one, part by part. Its zero value is ready, and keeps its memory from tape to tape.
type Edit struct {
	Out Tape
	at  int32 // the span of Out that is open
}

// begin begins a span of Out.
func (e *Edit) begin(site uint32) {
	n, first := int32(len(e.Out.Spans)), int32(len(e.Out.Choices))
	e.Out.Spans = append(e.Out.Spans, Span{Site: site, Parent: e.at, First: first, End: first, After: n + 1})
	e.at = n
}

// end ends the span of Out that is open.
func (e *Edit) end() {
	e.Out.end(e.at)
	e.at = e.Out.Spans[e.at].Parent
}

// inside copies what is in a span. instead copies something else in the place of a span within, and reports whether it did.
func (e *Edit) inside(t *Tape, k int32, instead func(child int32) bool) {
	child, last := k+1, t.Spans[k].After
	for i := t.Spans[k].First; ; {
		if child < last && t.Spans[child].First <= i {
			if instead == nil || !instead(child) {
				e.span(t, child, instead)
			}
			i, child = t.Spans[child].End, t.Spans[child].After
			continue
		}
		if i >= t.Spans[k].End {
			return
		}
		c := t.Choices[i]
		c.Span = e.at
		e.Out.Choices = append(e.Out.Choices, c)
		i++
	}
}

// span copies a span.
func (e *Edit) span(t *Tape, k int32, instead func(child int32) bool) {
	e.begin(t.Spans[k].Site)
	e.inside(t, k, instead)
	e.end()
}

// whole copies a tape into Out.
func (e *Edit) whole(t *Tape, instead func(child int32) bool) *Tape {
	e.Out.Reset()
	e.at = 0
	e.inside(t, 0, instead)
	e.Out.end(0)
	e.Out.Rest = t.Rest
	return &e.Out
}

// Copy is a tape as it is, which may be changed.
func (e *Edit) Copy(t *Tape) *Tape {
	e.Out.Choices, e.Out.Spans, e.Out.Rest = append(e.Out.Choices[:0], t.Choices...), append(e.Out.Spans[:0], t.Spans...), t.Rest
	return &e.Out
}

// piece is a part of a tape that is put into another one, or a span of its site without what is in it.
type piece struct {
	of    *Tape
	span  int32
	empty bool
}

// put is a tape with pieces in front of a span, or in its place where that is not kept. What is before and behind is copied as it is, since only
// places shift.
func (e *Edit) put(t *Tape, span int, keep bool, pieces ...piece) *Tape {
	out := &e.Out
	at := &t.Spans[span]
	choice, behind := at.First, int32(span) // the first choice and span of what is behind
	if !keep {
		choice, behind = at.End, at.After
	}
	out.Choices = append(out.Choices[:0], t.Choices[:at.First]...)
	out.Spans = append(out.Spans[:0], t.Spans[:span]...)
	out.Rest = t.Rest
	for _, p := range pieces {
		out.piece(p, at.Parent)
	}
	choices, spans := int32(len(out.Choices))-choice, int32(len(out.Spans))-behind
	for k := at.Parent; k >= 0; k = t.Spans[k].Parent {
		out.Spans[k].End += choices
		out.Spans[k].After += spans
	}
	from := len(out.Choices)
	out.Choices = append(out.Choices, t.Choices[choice:]...)
	if spans != 0 {
		for i := from; i < len(out.Choices); i++ {
			if c := &out.Choices[i]; c.Span >= behind {
				c.Span += spans
			}
		}
	}
	from = len(out.Spans)
	out.Spans = append(out.Spans, t.Spans[behind:]...)
	for k := from; k < len(out.Spans); k++ {
		s := &out.Spans[k]
		s.First, s.End, s.After = s.First+choices, s.End+choices, s.After+spans
		if s.Parent >= behind {
			s.Parent += spans
		}
	}
	return out
}

// piece appends a piece within an open span.
func (t *Tape) piece(p piece, parent int32) {
	k, first := int32(len(t.Spans)), int32(len(t.Choices))
	from := &p.of.Spans[p.span]
	if p.empty {
		t.Spans = append(t.Spans, Span{Site: from.Site, Parent: parent, First: first, End: first, After: k + 1})
		return
	}
	choices, spans := first-from.First, k-p.span
	t.Spans = append(t.Spans, p.of.Spans[p.span:from.After]...)
	for i := int(k); i < len(t.Spans); i++ {
		s := &t.Spans[i]
		s.Parent, s.First, s.End, s.After = s.Parent+spans, s.First+choices, s.End+choices, s.After+spans
	}
	t.Spans[k].Parent = parent
	t.Choices = append(t.Choices, p.of.Choices[from.First:from.End]...)
	for i := int(first); i < len(t.Choices); i++ {
		t.Choices[i].Span += spans
	}
}

// Splice is a tape in which a part of another one, or of the same, takes the place of a span.
func (e *Edit) Splice(t *Tape, span int, from *Tape, part int) *Tape {
	return e.put(t, span, false, piece{of: from, span: int32(part)})
}

// Redraw is a tape in which a span has no choices, so that they are drawn anew.
func (e *Edit) Redraw(t *Tape, span int) *Tape {
	return e.put(t, span, false, piece{of: t, span: int32(span), empty: true})
}

// TakeOut is a tape without a span, and with one less in the structural choice that counts such spans, if there is one.
func (e *Edit) TakeOut(t *Tape, span int) *Tape {
	out := e.put(t, span, false)
	if c := t.count(span); c >= 0 && out.Choices[c].Value > 0 {
		out.Choices[c].Value--
	}
	return out
}

// Repeat is a tape that has a part of it, or of another tape, once more in front of a span, and one more in the structural choice that counts such
// spans, if there is one.
func (e *Edit) Repeat(t *Tape, span int, from *Tape, part int) *Tape {
	out := e.put(t, span, true, piece{of: from, span: int32(part)})
	if c := t.count(span); c >= 0 && out.Choices[c].Value < out.Choices[c].Bound {
		out.Choices[c].Value++
	}
	return out
}

// Swap is a tape in which two spans, of which neither holds the other, have changed places.
func (e *Edit) Swap(t *Tape, a, b int) *Tape {
	return e.whole(t, func(child int32) bool {
		switch int(child) {
		case a:
			e.span(t, int32(b), nil)
		case b:
			e.span(t, int32(a), nil)
		default:
			return false
		}
		return true
	})
}

// count is the structural choice that may count spans like one: the last one before it in the span around it; -1: there is none.
func (t *Tape) count(span int) int {
	owner := t.Spans[span].Parent
	for i := int(t.Spans[span].First) - 1; i >= int(t.Spans[owner].First); i-- {
		if c := &t.Choices[i]; c.Span == owner && c.Channel == Structural {
			return i
		}
	}
	return -1
}
