package tape

// slides replaces a span before a repetition by a part of the repetition with the same site, and
// removes the part's element. A grammar often draws one element and then further ones. Only the
// first must stay, but the failure may need another one.
func (s *shrinker) slides() (changed bool) {
	var e Edit
	for r := 1; r < len(s.best.Spans) && !s.spent(); r++ {
		for s.slide(&e, r) {
			changed = true
			if r >= len(s.best.Spans) {
				break
			}
		}
	}
	return changed
}

// slide does so once for one span, if it begins with a count.
func (s *shrinker) slide(e *Edit, r int) bool {
	t := s.best
	count := t.Spans[r].First
	if int(count) >= len(t.Choices) || t.Choices[count].Span != int32(r) || t.Choices[count].Channel != Structural || t.Choices[count].Value == 0 {
		return false
	}
	for before := int(t.Spans[r].Parent) + 1; before < r; before = int(t.Spans[before].After) {
		for element := r + 1; element < int(t.Spans[r].After); element = int(t.Spans[element].After) {
			for part := element; part < int(t.Spans[element].After) && !s.spent(); part++ {
				s.work++
				if at := t.Spans[part]; at.Site != t.Spans[before].Site || part != element && at.Parent != int32(element) {
					continue
				}
				if s.try(e.slide(t, before, element, part, int(count))) {
					return true
				}
			}
		}
	}
	return false
}

// slide returns the tape with the span before replaced by a part of an element. It removes the
// element and decrements its count.
func (e *Edit) slide(t *Tape, before, element, part, count int) *Tape {
	out := e.whole(t, func(child int32) bool {
		if int(child) == before {
			e.span(t, int32(part), nil)
		}
		return int(child) == before || int(child) == element
	})
	moved := count + int(t.Spans[part].End-t.Spans[part].First) - int(t.Spans[before].End-t.Spans[before].First)
	out.Choices[moved].Value--
	return out
}
