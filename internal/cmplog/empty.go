package cmplog

// An empty operand occurs everywhere. The wanted text is therefore put where something may be
// missing.

// gap is a place of a view where something may be missing.
type gap struct {
	view, from, to int32
	wrap           wrapping
	cost           uint8
}

const (
	maxGaps = 48
	marks   = ":,=[{(>;&\n\t " // in front of gaps
)

// findGaps returns the gaps of the input, those of empty arguments first.
func (s *Solver) findGaps() []gap {
	if s.gapsKnown {
		return s.gaps
	}
	s.gapsKnown, s.gaps = true, s.gaps[:0]
	h := &s.hay
	for i := range h.views {
		v := &h.views[i]
		if v.fixed {
			continue
		}
		if s.dataLen(v) == 0 {
			s.gap(i, 0, 0, bare, 0)
			s.gap(i, 0, 0, inQuotes, 3)
			s.gap(i, 0, 0, inHex, 4)
			s.gap(i, 0, 0, inBase64, 4)
			continue
		}
		s.gap(i, 0, 0, bare, 3)
		s.gap(i, s.dataLen(v), s.dataLen(v), bare, 3)
	}
	for _, l := range h.literals {
		if k := h.viewAt(l.start, l.end); l.start == l.end && k >= 0 {
			s.gap(k, l.start-h.views[k].start, l.end-h.views[k].start, escaped, 1)
		}
	}
	for i := range h.views {
		if v := &h.views[i]; !v.fixed {
			s.gapsAfterMarks(i, h.text[v.start:v.end])
		}
	}
	return s.gaps
}

func (s *Solver) gap(view, from, to int, w wrapping, cost uint8) {
	if len(s.gaps) < maxGaps {
		s.gaps = append(s.gaps, gap{int32(view), int32(from), int32(to), w, cost})
	}
}

// gapsAfterMarks adds the gaps after punctuation, those in front of other punctuation or the end
// first.
func (s *Solver) gapsAfterMarks(view int, text []byte) {
	first := skip(text, 0, space)
	json := first < len(text) && (text[first] == '{' || text[first] == '[')
	for pass := 0; pass < 2; pass++ {
		for i := 1; i < len(text); i++ {
			if !isMark[text[i-1]] || isWord(text[i]) != (pass == 1) || text[i] == '"' {
				continue
			}
			if json {
				s.gap(view, i, i, inQuotes, uint8(4+pass))
			}
			s.gap(view, i, i, bare, uint8(4+pass))
		}
	}
}

var isMark = func() (t [256]bool) {
	for i := 0; i < len(marks); i++ {
		t[marks[i]] = true
	}
	return t
}()

// fill offers to put y, which was compared with empty text, into the gaps and in place of values.
func (s *Solver) fill(t *task, y string) {
	if y == "" {
		return
	}
	s.wishes = s.wishFor(t, offer{text: y}, mixText(1, y))
	if !s.open(t, keyEmpty, mixText(0, y)) {
		return
	}
	const likely = 2 // cost limit of gaps that are empty
	for _, g := range s.findGaps() {
		if g.cost < likely {
			s.put(t, g.filled(y), int(g.cost))
		}
	}
	s.replaceValues(t, offer{text: y}, 4)
	for _, g := range s.findGaps() {
		if g.cost >= likely {
			s.put(t, g.filled(y), int(g.cost))
		}
	}
}

func (g gap) filled(y string) offer {
	return offer{view: g.view, from: g.from, to: g.to, text: y, wrap: g.wrap}
}

// replaceNothing offers y in decimal for arguments that are empty or short, and for values. A
// number that is missing or unreadable is often 0.
func (s *Solver) replaceNothing(t *task, y number) {
	const short = 20
	fill := offer{form: decimal, number: y}
	s.wishes = s.wishFor(t, fill, mix(2, y.value))
	if !s.open(t, keyNothing, y.value) {
		return
	}
	for i := range s.hay.views {
		v := &s.hay.views[i]
		if v.codec == nil && !v.fixed && v.full <= short {
			fill.view, fill.to = int32(i), int32(v.full)
			s.put(t, fill, 6)
		}
	}
	s.replaceValues(t, fill, 6)
}
