package tape

// Edit builds a tape from parts of other tapes. The zero value is ready, and keeps its memory
// between tapes.
type Edit struct {
	Out Tape
	at  int32 // the open span of Out
}

// begin begins a span of Out.
func (e *Edit) begin(site uint32) {
	n, first := int32(len(e.Out.Spans)), int32(len(e.Out.Choices))
	e.Out.Spans = append(e.Out.Spans, Span{Site: site, Parent: e.at, First: first, End: first, After: n + 1})
	e.at = n
}

// end ends the open span of Out.
func (e *Edit) end() {
	e.Out.end(e.at)
	e.at = e.Out.Spans[e.at].Parent
}

// inside copies the contents of a span. For each span within, instead may copy something else in
// its place, and reports whether it did.
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

// Copy returns a copy of the tape, which may be changed.
func (e *Edit) Copy(t *Tape) *Tape {
	e.Out.Choices, e.Out.Spans, e.Out.Rest = append(e.Out.Choices[:0], t.Choices...), append(e.Out.Spans[:0], t.Spans...), t.Rest
	return &e.Out
}

// piece is a part of a tape for another tape, or an empty span of its site.
type piece struct {
	tape  *Tape
	span  int32
	empty bool
}

// put returns the tape with pieces before a span. Without keep, they replace the span. Parts before
// and behind are copied in bulk, since only indices shift.
func (e *Edit) put(t *Tape, span int, keep bool, pieces ...piece) *Tape {
	out := &e.Out
	at := &t.Spans[span]
	choice, behind := at.First, int32(span) // first choice and span behind the place
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
	from := &p.tape.Spans[p.span]
	if p.empty {
		t.Spans = append(t.Spans, Span{Site: from.Site, Parent: parent, First: first, End: first, After: k + 1})
		return
	}
	choices, spans := first-from.First, k-p.span
	t.Spans = append(t.Spans, p.tape.Spans[p.span:from.After]...)
	for i := int(k); i < len(t.Spans); i++ {
		s := &t.Spans[i]
		s.Parent, s.First, s.End, s.After = s.Parent+spans, s.First+choices, s.End+choices, s.After+spans
	}
	t.Spans[k].Parent = parent
	t.Choices = append(t.Choices, p.tape.Choices[from.First:from.End]...)
	for i := int(first); i < len(t.Choices); i++ {
		t.Choices[i].Span += spans
	}
}

// Splice returns the tape with a span replaced by a part of another tape or of itself.
func (e *Edit) Splice(t *Tape, span int, from *Tape, part int) *Tape {
	return e.put(t, span, false, piece{tape: from, span: int32(part)})
}

// Redraw returns the tape with an emptied span, whose choices will be redrawn.
func (e *Edit) Redraw(t *Tape, span int) *Tape {
	return e.put(t, span, false, piece{tape: t, span: int32(span), empty: true})
}

// TakeOut returns the tape without a span. If a structural choice counts such spans, it is
// decremented.
func (e *Edit) TakeOut(t *Tape, span int) *Tape {
	out := e.put(t, span, false)
	if c := t.count(span); c >= 0 && out.Choices[c].Value > 0 {
		out.Choices[c].Value--
	}
	return out
}

// Repeat returns the tape with a further part before a span, from this or another tape. If a
// structural choice counts such spans, it is incremented.
func (e *Edit) Repeat(t *Tape, span int, from *Tape, part int) *Tape {
	out := e.put(t, span, true, piece{tape: from, span: int32(part)})
	if c := t.count(span); c >= 0 && out.Choices[c].Value < out.Choices[c].Bound {
		out.Choices[c].Value++
	}
	return out
}

// Swap returns the tape with two disjoint spans exchanged.
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

// count returns the structural choice that may count a span and its siblings. It is the last one
// before the span in the enclosing span, or -1.
func (t *Tape) count(span int) int {
	owner := t.Spans[span].Parent
	for i := int(t.Spans[span].First) - 1; i >= int(t.Spans[owner].First); i-- {
		if c := &t.Choices[i]; c.Span == owner && c.Channel == Structural {
			return i
		}
	}
	return -1
}
