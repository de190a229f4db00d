package cmplog

// Lengths are the most frequent operands, but are not written in the input. They are lengths of
// arguments, of encoded parts, or of texts in quotes.

const maxResized = 8

// resize offers to change the length of a part from x to y bytes.
func (s *Solver) resize(t *task, x, y number) {
	// Lengths are of type int.
	if t.room <= 0 || x.width < 4 || y.negative() || x.negative() || y.value > uint64(s.maxLen) || x.value > 1<<30 || x == y {
		return
	}
	known := t.known
	t.known = !t.constant
	defer func() { t.known = known }()
	if !s.open(t, keyLength, y.value) {
		return
	}
	n, m := int(x.value), int(y.value)
	found := 0
	for i := range s.hay.views {
		v := &s.hay.views[i]
		if length := s.dataLen(v); !v.fixed && length == n && found < maxResized {
			found++
			s.stretch(t, i, 0, n, m, 2)
		}
	}
	for _, l := range s.hay.literals {
		if !s.hay.lengths[n%len(s.hay.lengths)] || found == maxResized {
			break
		}
		if l.end-l.start == n {
			found++
			k := s.hay.viewAt(l.start, l.end)
			if k >= 0 {
				s.stretch(t, k, l.start-s.hay.views[k].start, n, m, 4)
			}
		}
	}
	// The rest of an argument after a part of it was read.
	if found == 0 && t.constant && m > n && m-n <= 64 {
		for i := range s.hay.views {
			if v := &s.hay.views[i]; !v.fixed && v.codec == nil && v.full > n {
				s.stretch(t, i, 0, v.full, v.full+m-n, 6)
			}
		}
	}
}

// dataLen returns the length of the data that a view shows.
func (s *Solver) dataLen(v *view) int {
	if v.codec == nil {
		return v.full
	}
	return v.len()
}

// stretch offers to change n bytes of a view from an offset on to m bytes, by changes at their end.
func (s *Solver) stretch(t *task, view, from, n, m, cost int) {
	o := offer{view: int32(view), from: int32(from + n), to: int32(from + n), form: padding, number: number{value: uint64(max(m-n, 0))}}
	if m < n {
		o.from = int32(from + m)
	}
	s.put(t, o, cost)
}

// A length field was compared with the length of the remaining data. If another comparison wants a
// number in the field, the data must get this length in the same patch. Neither change helps alone.

const (
	maxLengths = 8  // fields per call
	maxApart   = 64 // bytes of the data that a field does not count
)

// lengthField is a number in a view that was compared with the length of the view's data, apart
// from some bytes.
type lengthField struct {
	view, from, to int32
	form           form
	apart          int
}

// findLength records the places of x, if y may be the length of the remaining data there.
func (s *Solver) findLength(x, y number) {
	if y.negative() || y.value > uint64(s.maxLen) || len(s.lengths) == maxLengths {
		return
	}
	for _, p := range s.placesIn(s.findNumber(x)) {
		v := &s.hay.views[p.view]
		apart := v.full - int(y.value)
		if v.fixed || v.codec != nil || apart < 0 || apart > maxApart || p.form == asText || len(s.lengths) == maxLengths {
			continue
		}
		s.lengths = append(s.lengths, lengthField{p.view, p.from, p.to, p.form, apart})
	}
}

// resizeWithFields repeats the offers for length fields with data of the same length.
func (s *Solver) resizeWithFields() {
	for i := range s.offers[:len(s.offers)] {
		for _, f := range s.lengths {
			o := s.offers[i]
			if o.every || o.with > 0 || o.view != f.view || o.from != f.from || o.to != f.to || o.form != f.form || len(s.offers) >= maxOffers {
				continue
			}
			full := s.hay.views[f.view].full
			length := int(min(o.number.value, uint64(s.maxLen))) + f.apart
			if o.number.negative() || length == full || length > s.maxLen {
				continue
			}
			end := offer{view: f.view, from: int32(full), to: int32(full), form: padding, number: number{value: uint64(max(length-full, 0))}}
			if length < full {
				end.from = int32(length)
			}
			s.fills = append(s.fills, end)
			o.with, o.joins = int32(len(s.fills)), false
			s.offers = append(s.offers, o)
		}
	}
}
