package minimize

import "slices"

// Passes that remove bytes of a []byte or string. All of them work from the end to the beginning.
// Text behind the interesting part is removed first, and offsets before a removal stay valid.

const (
	// Chunks are removed only at multiples of their size. Short pieces such as `,1` or `a=` lie
	// anywhere. So windows of up to maxWindow bytes are tried at every offset of arguments of up to
	// windowLength bytes. This costs three tests per byte. Arguments of up to wideWindowFrom bytes get
	// windows of up to wideWindow bytes, for seven tests per byte.
	maxWindow      = 4
	windowLength   = 512
	wideWindow     = 8
	wideWindowFrom = 64
	// pairLength bounds the quadratic pass to 120 tests.
	pairLength = 16
)

// chunks is ddmin: it removes chunks of the whole length, then half of it, down to 1.
func (m *minimizer) chunks(i int) (changed bool) {
	for size := len(m.args[i]); size > 0 && !m.spent(); size /= 2 {
		for end := len(m.args[i]); end > 0; end -= size {
			start := max(end-size, 0)
			// The next chunk ends at start, both after a removal and after a failure.
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
				d-- // d and one byte before it are removed
				break
			}
		}
	}
	return changed
}

// match holds the positions of a pair of brackets or quotes, or of the ends of the data.
type match struct{ open, close, parent int }

// matches finds the pairs (), [], {}, <>, and those of ", ' and backquotes, in the order of their
// opening. An unclosed bracket has a negative close. Brackets between quotes are text.
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
	var unclosed [128]int // open brackets by opening character
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
			// An unclosed quote is text.
			if slices.Contains(data[at+1:], c) {
				quote = len(all)
				all = append(all, match{at, -1, parent()})
			}
		case '(', '[', '{', '<':
			all = append(all, match{at, -1, parent()})
			open = append(open, len(all)-1)
			unclosed[c]++
		case ')', ']', '}', '>':
			// Unclosed brackets inside the pair are dropped.
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

// nested removes parts of pairs of brackets and quotes. Per pair it tries to remove the pair with
// its content, and then the content alone. Next it tries the surroundings inside the outer pair,
// all but one of its elements, and the two brackets alone.
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
			n-- // another pair has this index now
		}
	}
	return changed
}

// hoist replaces a pair by one of its elements, or by the value behind a colon.
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

// elements removes the elements between separators, each with the separator before or after it.
// Separators within brackets separate the elements in the brackets.
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

// elementEnd returns the index of the separator or closing bracket that ends the element at index
// at.
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

// elementStart returns the index of the first byte of the element whose last byte is at index at.
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
