package tape

// slides puts a part of a repetition in the place of one that stands before the repetition and has the same site, and takes it out of there: in what is
// drawn as an element and more elements behind it, only the first one has to stay, and what is looked for may be in another.
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

// slide does it once for one span, if that begins with a count.
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

// slide is a tape in which a part of an element stands in the place of a span before it. The element is taken out, and what counts it is lowered.
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
