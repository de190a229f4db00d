package tape

// List is a span with a count and that number of elements of one choice each: text, or bytes.
type List struct {
	Span    int
	Bound   uint64 // of the elements
	Values  []uint64
	spans   bool // each element has its own span
	site    uint32
	element Choice
}

// Lists appends the nonempty lists of a tape whose elements have this bound and are values.
func (t *Tape) Lists(to []List, bound uint64) []List {
	for k := 1; k < len(t.Spans); k++ {
		if l, ok := t.list(k, bound); ok {
			to = append(to, l)
		}
	}
	return to
}

// list returns a span as a list.
func (t *Tape) list(span int, bound uint64) (l List, ok bool) {
	s := &t.Spans[span]
	n := int(s.End - s.First - 1)
	if n < 1 || t.Choices[s.First].Channel != Structural || int(t.Choices[s.First].Span) != span {
		return List{}, false
	}
	children := int(s.After) - span - 1
	if children != 0 && children != n {
		return List{}, false
	}
	l = List{Span: span, Bound: bound, spans: children > 0, element: t.Choices[s.First+1]}
	for i := 0; i < n; i++ {
		c := &t.Choices[int(s.First)+1+i]
		if c.Channel != Value || c.Bound != bound || c.Site != l.element.Site {
			return List{}, false
		}
		if l.spans {
			child := &t.Spans[span+1+i]
			if int(c.Span) != span+1+i || int(child.Parent) != span || i > 0 && child.Site != l.site {
				return List{}, false
			}
			l.site = child.Site
		} else if int(c.Span) != span {
			return List{}, false
		}
		l.Values = append(l.Values, c.Value)
	}
	return l, true
}

// Write returns the tape with other elements of a list. It returns nil if the count cannot have
// this value.
func (e *Edit) Write(t *Tape, l *List, values []uint64) *Tape {
	first := t.Spans[l.Span].First
	count := t.Choices[first]
	if n := len(values) - len(l.Values); n < 0 && uint64(-n) > count.Value || n > 0 && uint64(n) > count.Bound-count.Value {
		return nil
	}
	count.Value += uint64(len(values) - len(l.Values))
	return e.whole(t, func(child int32) bool {
		if int(child) != l.Span {
			return false
		}
		e.begin(t.Spans[child].Site)
		count.Span = e.at
		e.Out.Choices = append(e.Out.Choices, count)
		c := l.element
		for _, v := range values {
			if l.spans {
				e.begin(l.site)
			}
			c.Span, c.Value = e.at, v
			e.Out.Choices = append(e.Out.Choices, c)
			if l.spans {
				e.end()
			}
		}
		e.end()
		return true
	})
}
