package cmplog

import "strings"

// solveText offers replacements that change the result of a comparison of strings.
func (s *Solver) solveText(op *Comparison, site int32, room int) {
	x, y := op.texts()
	if op.ConstA {
		s.tokens.text(x)
	}
	if op.ConstB {
		s.tokens.text(y)
	}
	if settled(op.Kind, x, y) {
		return
	}
	forward := task{op: op, site: site, room: room, constant: op.ConstB}
	backward := task{op: op, site: site, backward: true, constant: op.ConstA, cost: 1}
	if !op.ConstA && !op.ConstB {
		forward.room, backward.room = (room+1)/2, room/2
		if op.Kind == Lookup {
			backward.cost = 2
		}
	}
	if !op.ConstA {
		s.replace(&forward, x, y)
		if op.Kind == Lookup && len(s.lookups) < maxKeys {
			s.lookups = append(s.lookups, lookedUp{op, site, x, y})
		}
	}
	if !op.ConstB {
		if op.ConstA {
			backward.room, backward.cost = room, 0
		}
		s.replace(&backward, y, x)
	}
}

// texts returns the operands, cut to the recorded length.
func (o *Comparison) texts() (x, y string) {
	x, y = o.S, o.T
	if o.Kind == Suffix {
		return x[max(len(x)-recorded, 0):], y[max(len(y)-recorded, 0):]
	}
	return x[:min(len(x), recorded)], y[:min(len(y), recorded)]
}

// settled reports whether a comparison holds already. To make it false needs no operands.
func settled(k Kind, x, y string) bool {
	switch k {
	case Prefix:
		return strings.HasPrefix(x, y)
	case Suffix:
		return strings.HasSuffix(x, y)
	case Contains:
		return strings.Contains(x, y)
	case Fold:
		return strings.EqualFold(x, y)
	case StringOrder:
		return false
	}
	return x == y
}

// replace offers to replace x by y where x is found: as it is, else transformed together with y,
// else a part of it.
func (s *Solver) replace(t *task, x, y string) {
	if !t.constant {
		t.known = y != "" && s.findText(y).len() > 0
		t.cost++
		if t.known {
			t.cost += 2
		}
	}
	if x == "" {
		s.fill(t, y)
		return
	}
	if places := s.findText(x); places.len() > 0 {
		if !t.constant && !t.known && t.op.Kind != StringOrder {
			s.tokens.repeated(y, t.op.Site)
		}
		s.offerText(t, places, x, y)
		return
	}
	if s.replaceEnd(t, x, y) || s.replaceCore(t, x, y) || s.replaceDecoded(t, x, y) || s.replaceSpelled(t, x, y) {
		return
	}
	s.replacePart(t, x, y)
}

// offerText offers the replacements that suit the kind of the comparison at the places of x.
func (s *Solver) offerText(t *task, places placeSet, x, y string) {
	switch k := t.op.Kind; {
	case k == Prefix && !t.backward:
		s.splicePrefix(t, places, x, y)
	case k == Suffix && !t.backward:
		s.spliceSuffix(t, places, x, y)
	case k == Contains && !t.backward:
		s.spliceInto(t, places, x, y)
	case k == Prefix && len(y) > len(x):
		s.offerPlaces(t, keySplice, places, y[:len(x)])
		s.offerPlaces(t, keyReplace, places, y)
	case k == Suffix && len(y) > len(x):
		s.offerPlaces(t, keySplice, places, y[len(y)-len(x):])
		s.offerPlaces(t, keyReplace, places, y)
	case k == Contains && len(y) > len(x):
		s.offerPlaces(t, keyReplace, places, y)
		s.offerPlaces(t, keySplice, places, y[:len(x)])
		s.offerPlaces(t, keySplice+1<<8, places, y[:1])
	case k == StringOrder:
		if x != y {
			s.offerPlaces(t, keyReplace, places, y)
		}
		if x <= y {
			s.offerPlaces(t, keySplice, places, y+"\x00")
		} else if y != "" {
			last := len(y) - 1
			if y[last] == 0 {
				s.offerPlaces(t, keySplice, places, y[:last])
			} else {
				s.offerPlaces(t, keySplice, places, y[:last]+string([]byte{y[last] - 1}))
			}
		}
	default:
		s.offerPlaces(t, keyReplace, places, y)
		if len(x) >= recorded {
			s.offerLonger(t, places, y)
		}
	}
}

// offerPlaces offers to put y in each place, and in all at once.
func (s *Solver) offerPlaces(t *task, way uint64, places placeSet, y string) {
	if !s.open(t, way, mixText(0, y)) {
		return
	}
	if n := places.len(); n > 1 && n <= maxEvery {
		s.put(t, offer{from: int32(places.lo), to: int32(places.hi), every: true, text: y}, int(s.places[places.lo].cost))
	}
	s.rotated(t, places, maxPlaces, func(p place) { s.putText(t, p.view, p.from, p.to, y, int(p.cost), true) })
}

// putText offers to put text in a place. Inside quotes, it escapes the text first if necessary.
func (s *Solver) putText(t *task, view, from, to int32, text string, cost int, joins bool) {
	v := &s.hay.views[view]
	if v.fixed && int(to-from) != len(text) {
		return
	}
	o := offer{view: view, from: from, to: to, text: text, joins: joins}
	marks := s.marks(text)
	if marks&needsQuotes != 0 && s.hay.inLiteral(v.start+int(from), v.start+int(to)) {
		o.wrap = escaped
		s.put(t, o, cost)
		o.wrap = bare
		cost += 2
	}
	s.put(t, o, cost)
	if marks&needsPercent != 0 && v.codec == nil && s.inURL(v, int(from), int(to)) {
		o.wrap, o.joins = inURL, false
		s.put(t, o, cost+1)
	}
}

// Encodings that a text needs.
const (
	needsQuotes  = 1 << iota // in JSON
	needsPercent             // in URLs
)

// marks returns the encodings that a text needs. It caches the last one.
func (s *Solver) marks(text string) uint8 {
	if text != s.lastText {
		s.lastText, s.lastMarks = text, 0
		for i := 0; i < len(text); i++ {
			if c := text[i]; !isPlainInURL(c) {
				s.lastMarks |= needsPercent
				if c < ' ' || c == '"' || c == '\\' {
					s.lastMarks |= needsQuotes
				}
			}
		}
	}
	return s.lastMarks
}

// inURL reports whether a part of a view is at the place of a value in a URL or a form, next to a
// delimiter.
func (s *Solver) inURL(v *view, from, to int) bool {
	text := s.hay.text[v.start:v.end]
	isMark := func(c byte) bool { return c == '=' || c == '&' || c == '?' || c == '/' }
	return from > 0 && from <= len(text) && isMark(text[from-1]) || to < len(text) && isMark(text[to])
}

// offerLonger offers to replace more than the place of a cut operand: up to the quote, the end of
// the line, or the end.
func (s *Solver) offerLonger(t *task, places placeSet, y string) {
	if !s.open(t, keyReplace+1<<8, mixText(0, y)) {
		return
	}
	for _, p := range s.placesIn(placeSet{places.lo, min(places.hi, places.lo+4)}) {
		for _, end := range s.ends(p) {
			s.putText(t, p.view, p.from, end, y, int(p.cost), true)
		}
	}
}

// ends returns possible ends of a text that begins at a place and extends beyond it.
func (s *Solver) ends(p place) []int32 {
	v := &s.hay.views[p.view]
	text := s.hay.text[v.start:v.end]
	var ends []int32
	for i := p.to; i < int32(len(text)); i++ {
		if c := text[i]; (c == '"' || c == '\n') && (len(ends) == 0 || text[ends[0]] != c) {
			if ends = append(ends, i); len(ends) == 2 {
				break
			}
		}
	}
	if v.codec == nil {
		return append(ends, int32(v.full))
	}
	return append(ends, int32(len(text)))
}

// splicePrefix offers ways to make x begin with y: y over its start, before it, only the missing
// part of y, or y alone.
func (s *Solver) splicePrefix(t *task, places placeSet, x, y string) {
	if !s.open(t, keySplice, mixText(0, y)) {
		return
	}
	n := min(len(x), len(y))
	common := 0
	for common < n && x[common] == y[common] {
		common++
	}
	s.rotated(t, places, maxPlaces/4, func(p place) {
		c := int(p.cost)
		s.putText(t, p.view, p.from, p.from+int32(n), y, c, true)
		s.putText(t, p.view, p.from, p.from, y, c+1, false)
		if common > 0 {
			s.putText(t, p.view, p.from+int32(common), p.from+int32(common), y[common:], c+1, false)
		}
		s.putText(t, p.view, p.from, p.to, y, c+2, false)
	})
}

// spliceSuffix offers ways to make x end with y.
func (s *Solver) spliceSuffix(t *task, places placeSet, x, y string) {
	if !s.open(t, keySplice, mixText(0, y)) {
		return
	}
	n := int32(min(len(x), len(y)))
	s.rotated(t, places, maxPlaces/4, func(p place) {
		c := int(p.cost)
		s.putText(t, p.view, p.to-n, p.to, y, c, true)
		s.putText(t, p.view, p.to, p.to, y, c+1, false)
		s.putText(t, p.view, p.from, p.to, y, c+2, false)
	})
}

// spliceInto offers ways to make x contain y: over its start, at its end, before it, or y alone.
func (s *Solver) spliceInto(t *task, places placeSet, x, y string) {
	if !s.open(t, keySplice, mixText(0, y)) {
		return
	}
	n := int32(min(len(x), len(y)))
	s.rotated(t, places, maxPlaces/4, func(p place) {
		c := int(p.cost)
		s.putText(t, p.view, p.to, p.to, y, c, false)
		s.putText(t, p.view, p.from, p.from, y, c+1, false)
		s.putText(t, p.view, p.from, p.from+n, y, c+1, true)
		middle := (p.from + p.to) / 2
		s.putText(t, p.view, middle, middle, y, c+2, false)
		s.putText(t, p.view, p.from, p.to, y, c+2, false)
	})
}
