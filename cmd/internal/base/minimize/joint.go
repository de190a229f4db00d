package minimize

import "sort"

// Passes that change several places at once. Bytes that occur twice, in one argument or in several,
// often have to stay equal.

// spot holds the range [start,end) of argument arg.
type spot struct{ arg, start, end int }

// replaceAll tries the best input with text in place of every spot. The spots must be in order and
// must not overlap.
func (m *minimizer) replaceAll(spots []spot, text ...byte) bool {
	if m.spent() {
		return false // before the copies
	}
	m.next = append(m.next[:0], m.args...)
	for n := 0; n < len(spots); {
		i, from := spots[n].arg, 0
		data := make([]byte, 0, len(m.args[i])+len(text))
		for ; n < len(spots) && spots[n].arg == i; n++ {
			data = append(data, m.args[i][from:spots[n].start]...)
			data = append(data, text...)
			from = spots[n].end
		}
		m.next[i] = append(data, m.args[i][from:]...)
	}
	m.args, m.next = m.next, m.args
	if m.holds() {
		return true
	}
	m.args, m.next = m.next, m.args
	return false
}

// plainAll tries a plainer byte in place of the byte at every spot.
func (m *minimizer) plainAll(spots []spot) bool {
	worst := m.plainer(spots[0].arg, spots[0].start)
	for _, s := range spots[1:] {
		if list := m.plainer(s.arg, s.start); len(list) > len(worst) {
			worst = list
		}
	}
next:
	for _, simple := range []byte(worst) {
		for _, s := range spots {
			if m.args[s.arg][s.start] != simple && !m.canReplace(s.arg, s.start, simple) {
				continue next
			}
		}
		if m.replaceAll(spots, simple) {
			return true
		}
	}
	return false
}

// repeated deletes, shortens and simplifies tokens, and then bytes, that occur at least twice. It
// changes all their occurrences at once.
func (m *minimizer) repeated() (changed bool) {
	for _, split := range []func([]byte) int{tokenLength, byteLength} {
		if m.spent() {
			return changed
		}
		for _, token := range m.tokens(split) {
			if m.spent() {
				return changed
			}
			spots := m.occurrences(token, split)
			if len(spots) < 2 {
				continue // an earlier change removed them
			}
			changed = m.repeatedToken(spots) || changed
		}
	}
	return changed
}

func (m *minimizer) repeatedToken(spots []spot) bool {
	if m.replaceAll(spots) {
		return true
	}
	size := spots[0].end - spots[0].start
	if size == 1 {
		return m.plainAll(spots)
	}
	if m.replaceAll(spots, '0') || m.replaceAll(spots, '1') || m.replaceAll(spots, 'a') {
		return true
	}
	changed := false
	for chunk := size / 2; chunk > 0 && !m.spent(); chunk /= 2 {
		for at := size - chunk; at >= 0 && size > chunk; at -= chunk {
			if m.replaceAll(within(spots, at, at+chunk)) {
				changed = true
				size -= chunk
				spots = shrunk(spots, chunk)
			}
		}
	}
	for at := size - 1; at >= 0 && !m.spent(); at-- {
		changed = m.plainAll(within(spots, at, at+1)) || changed
	}
	return changed
}

// within returns the range [from,to) of every spot.
func within(spots []spot, from, to int) []spot {
	parts := make([]spot, len(spots))
	for n, s := range spots {
		parts[n] = spot{s.arg, s.start + from, s.start + to}
	}
	return parts
}

// shrunk returns the spots after each has lost by bytes.
func shrunk(spots []spot, by int) []spot {
	moved := make([]spot, len(spots))
	lost := 0
	for n, s := range spots {
		if n > 0 && spots[n-1].arg != s.arg {
			lost = 0
		}
		moved[n] = spot{s.arg, s.start - lost, s.end - lost - by}
		lost += by
	}
	return moved
}

// tokens returns the tokens that occur at least twice in the text arguments: the longest first,
// then in the order of first occurrence.
func (m *minimizer) tokens(split func([]byte) int) []string {
	count := make(map[string]int)
	var tokens []string
	m.eachToken(split, func(i, start, end int) {
		token := string(m.args[i][start:end])
		if count[token]++; count[token] == 2 {
			tokens = append(tokens, token)
		}
	})
	sort.SliceStable(tokens, func(a, b int) bool { return len(tokens[a]) > len(tokens[b]) })
	return tokens
}

func (m *minimizer) occurrences(token string, split func([]byte) int) (spots []spot) {
	m.eachToken(split, func(i, start, end int) {
		if string(m.args[i][start:end]) == token {
			spots = append(spots, spot{i, start, end})
		}
	})
	return spots
}

// eachToken calls do for each token of the text arguments. It stops when the budget is spent.
func (m *minimizer) eachToken(split func([]byte) int, do func(i, start, end int)) {
	for i, kind := range m.shape {
		if kind.Width() > 0 {
			continue
		}
		m.work += len(m.args[i])
		for start := 0; start < len(m.args[i]); {
			end := start + split(m.args[i][start:])
			if start/workPerRun != end/workPerRun && m.spent() {
				return
			}
			do(i, start, end)
			start = end
		}
	}
}

func byteLength([]byte) int { return 1 }

// tokenLength returns how many bytes at the beginning of data have the class of the first one.
func tokenLength(data []byte) int {
	n := 1
	for n < len(data) && class(data[n]) == class(data[0]) {
		n++
	}
	return n
}

func class(c byte) int {
	switch {
	case isDigit(c):
		return 0
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return 1
	case isSpace(c):
		return 2
	case c >= 0x80:
		return 3
	case c < ' ' || c == 0x7f:
		return 4
	}
	return 5
}

// aligned changes the same range of several text arguments at once. The ranges are the common
// prefix and suffix of all arguments, those of each pair, and the whole of two arguments of equal
// length.
func (m *minimizer) aligned() (changed bool) {
	var texts []int
	for i, kind := range m.shape {
		if kind.Width() == 0 {
			texts = append(texts, i)
		}
	}
	if len(texts) < 2 {
		return false
	}
	changed = m.alignedIn(texts)
	for b := 1; b < len(texts); b++ {
		for a := 0; a < b && !m.spent(); a++ {
			pair := []int{texts[a], texts[b]}
			if len(texts) > 2 {
				changed = m.alignedIn(pair) || changed
			}
			if size := len(m.args[pair[0]]); size == len(m.args[pair[1]]) {
				changed = m.alignedSpots([]spot{{pair[0], 0, size}, {pair[1], 0, size}}) || changed
			}
		}
	}
	return changed
}

func (m *minimizer) alignedIn(texts []int) bool {
	first := m.args[texts[0]]
	prefix := len(first)
	var spots []spot
	for _, i := range texts {
		n := 0
		for n < prefix && n < len(m.args[i]) && m.args[i][n] == first[n] {
			n++
		}
		prefix = n
	}
	for _, i := range texts {
		spots = append(spots, spot{i, 0, prefix})
	}
	changed := m.alignedSpots(spots)

	first = m.args[texts[0]]
	suffix := len(first)
	for _, i := range texts {
		n, data := 0, m.args[i]
		for n < suffix && n < len(data) && data[len(data)-1-n] == first[len(first)-1-n] {
			n++
		}
		suffix = n
	}
	spots = spots[:0]
	for _, i := range texts {
		spots = append(spots, spot{i, len(m.args[i]) - suffix, len(m.args[i])})
	}
	return m.alignedSpots(spots) || changed
}

// alignedSpots deletes chunks, tokens and a few adjacent bytes of all spots together, and
// simplifies the rest. The spots have one length and lie in different arguments, so that a deletion
// moves none of them.
func (m *minimizer) alignedSpots(spots []spot) (changed bool) {
	size := spots[0].end - spots[0].start
	without := func(from, to int) bool {
		if !m.replaceAll(within(spots, from, to)) {
			return false
		}
		size -= to - from
		return true
	}
	for chunk := size; chunk > 0 && !m.spent(); chunk /= 2 {
		for end := size; end > 0; end -= chunk {
			start := max(end-chunk, 0)
			changed = without(start, end) || changed
		}
	}
	for end := size; end > 0 && !m.spent(); {
		data := m.args[spots[0].arg][spots[0].start:]
		start := end - 1
		for start > 0 && class(data[start-1]) == class(data[start]) {
			start--
		}
		if end-start > 1 {
			if without(start, end) {
				changed = true
			} else {
				for _, simple := range []byte{'0', '1', 'a'} {
					if m.replaceAll(within(spots, start, end), simple) {
						changed = true
						size -= end - start - 1
						break
					}
				}
			}
		}
		end = start
	}
	if size <= windowLength {
		for width := maxWindow; width >= 2; width-- {
			for start := size - width; start >= 0; start-- {
				if without(start, start+width) {
					changed = true
					start -= width - 1
				}
			}
		}
	}
	for at := size - 1; at >= 0 && !m.spent(); at-- {
		changed = m.plainAll(within(spots, at, at+1)) || changed
	}
	return changed
}
