package minimize

// Passes that remove bytes of a []byte or string. All of them work from the
// end to the beginning: what follows the interesting part goes first, and
// offsets before a removal stay valid.

const (
	// maxWindow and windowLength: chunks are removed at multiples of their
	// size only; short pieces such as `,1` or `a=` lie anywhere. Three tests
	// a byte are worth it once the input is short, seven when it is shorter.
	maxWindow      = 4
	windowLength   = 512
	wideWindow     = 8
	wideWindowFrom = 64
	// pairLength bounds the pass that is quadratic: 120 tests.
	pairLength = 16
)

// chunks is ddmin: chunks of the whole length, then half of it, down to 1.
func (m *minimizer) chunks(i int) (changed bool) {
	for size := len(m.args[i]); size > 0 && !m.spent(); size /= 2 {
		for end := len(m.args[i]); end > 0; end -= size {
			start := end - size
			if start < 0 {
				start = 0
			}
			// After a removal as after a failure the next chunk ends at start.
			changed = m.without(i, start, end, end, end) || changed
		}
	}
	return changed
}

// records is ddmin on whole records of a layout. The last one may be short.
func (m *minimizer) records(i int) (changed bool) {
	if m.layout == nil || m.layout.Record == 0 {
		return false
	}
	record := m.layout.Record
	for size := (len(m.args[i]) + record - 1) / record; size > 0 && !m.spent(); size /= 2 {
		for end := (len(m.args[i]) + record - 1) / record; end > 0; end -= size {
			from, to := max(end-size, 0)*record, min(end*record, len(m.args[i]))
			changed = m.without(i, from, to, to, to) || changed
		}
	}
	return changed
}

// windows removes a few adjacent bytes at any offset.
func (m *minimizer) windows(i int) (changed bool) {
	if len(m.args[i]) > windowLength {
		return false
	}
	size := maxWindow
	if len(m.args[i]) <= wideWindowFrom {
		size = wideWindow
	}
	for ; size >= 2; size-- {
		for start := len(m.args[i]) - size; start >= 0; start-- {
			if m.without(i, start, start+size, start+size, start+size) {
				changed = true
				start -= size - 1
			}
		}
	}
	return changed
}

// pairs removes any two bytes of a short argument together.
func (m *minimizer) pairs(i int) (changed bool) {
	if len(m.args[i]) > pairLength {
		return false
	}
	for d := len(m.args[i]) - 1; d > 0; d-- {
		for a := d - 1; a >= 0; a-- {
			if m.without(i, a, a+1, d, d+1) {
				changed = true
				d-- // one byte before d and d itself are gone
				break
			}
		}
	}
	return changed
}

// match is a pair of brackets or quotes, or the ends of the data.
type match struct{ open, close, parent int }

// matches finds the pairs (), [], {}, <>, and those of ", ' and backquotes, in
// the order in which they open. A bracket that nothing closes has a negative
// close; brackets between quotes are text.
func matches(data []byte) []match {
	var all []match
	var open []int // indices in all
	parent := func() int {
		if len(open) == 0 {
			return -1
		}
		return open[len(open)-1]
	}
	quote := -1           // index in all
	var unclosed [128]int // brackets in open, by what opens them
	for at, c := range data {
		if quote >= 0 && c != data[all[quote].open] {
			continue
		}
		switch c {
		case '"', '\'', '`':
			if quote >= 0 {
				all[quote].close = at
				quote = -1
				continue
			}
			// A quote that is not closed is text.
			if closes(data[at+1:], c) {
				quote = len(all)
				all = append(all, match{at, -1, parent()})
			}
		case '(', '[', '{', '<':
			all = append(all, match{at, -1, parent()})
			open = append(open, len(all)-1)
			unclosed[c]++
		case ')', ']', '}', '>':
			// Those within that nothing closes are left behind.
			for own := unclosed[opening(c)]; own > 0 && unclosed[opening(c)] == own; {
				last := &all[open[len(open)-1]]
				open = open[:len(open)-1]
				unclosed[data[last.open]]--
				if data[last.open] == opening(c) {
					last.close = at
				}
			}
		}
	}
	return all
}

func closes(data []byte, quote byte) bool {
	for _, c := range data {
		if c == quote {
			return true
		}
	}
	return false
}

func opening(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	}
	return '<'
}

// nested works on pairs of brackets and quotes: the pair with all it holds,
// all it holds, what stands around it inside the pair it is in, all but one of
// its elements, and the pair alone.
func (m *minimizer) nested(i int) (changed bool) {
	if m.spent() {
		return false
	}
	all := matches(m.args[i])
	for n := 0; n < len(all) && !m.spent(); n++ {
		p := all[n]
		if p.close < 0 {
			continue
		}
		outer := match{0, len(m.args[i]) - 1, -1}
		if p.parent >= 0 && all[p.parent].close >= 0 {
			outer = all[p.parent]
		}
		inside := p.close - p.open - 1
		around := p.open > outer.open || p.close < outer.close
		if m.without(i, p.open, p.close+1, p.close+1, p.close+1) ||
			inside > 0 && m.without(i, p.open+1, p.close, p.close, p.close) ||
			around && m.without(i, outer.open, p.open, p.close+1, outer.close+1) ||
			m.hoist(i, p) ||
			m.without(i, p.open, p.open+1, p.close, p.close+1) {
			changed = true
			all = matches(m.args[i])
			n-- // what is now in this place
		}
	}
	return changed
}

// hoist puts an element of a pair, or a value behind a colon, in its place.
func (m *minimizer) hoist(i int, p match) bool {
	data := m.args[i][:p.close]
	for _, separator := range []byte{',', ':'} {
		for start := p.open + 1; start < p.close && !m.spent(); {
			end := elementEnd(data, start, separator)
			if end-start < p.close-p.open-1 && m.without(i, p.open, start, end, p.close+1) {
				return true
			}
			start = end + 1
		}
	}
	return false
}

var separators = []byte{'\n', ',', ';', ' ', '&', ':'}

// elements removes what stands between separators, with the separator before
// it or the one after it. A separator within brackets separates what is in
// them.
func (m *minimizer) elements(i int) (changed bool) {
	for _, separator := range separators {
		for at := len(m.args[i]) - 1; at >= 0 && !m.spent(); at-- {
			data := m.args[i]
			if at >= len(data) || data[at] != separator {
				continue
			}
			end := elementEnd(data, at+1, separator)
			start := elementStart(data, at-1, separator)
			if m.without(i, at, end, end, end) {
				changed = true
			} else if m.without(i, start, at+1, at+1, at+1) {
				changed = true
				at = start
			}
		}
	}
	return changed
}

// elementEnd returns the index of the separator or closing bracket that ends
// the element which begins at the index at.
func elementEnd(data []byte, at int, separator byte) int {
	depth := 0
	for ; at < len(data); at++ {
		switch c := data[at]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return at
			}
			depth--
		default:
			if c == separator && depth == 0 {
				return at
			}
		}
	}
	return at
}

// elementStart returns the index of the first byte of the element whose last
// one is at the index at.
func elementStart(data []byte, at int, separator byte) int {
	depth := 0
	for ; at >= 0; at-- {
		switch c := data[at]; c {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth == 0 {
				return at + 1
			}
			depth--
		default:
			if c == separator && depth == 0 {
				return at + 1
			}
		}
	}
	return 0
}
