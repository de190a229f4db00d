package minimize

// Passes on lexemes: words, numbers, quoted strings, blanks. One step removes a whole lexeme. Byte
// passes need many steps, and chunks never cut at lexeme boundaries.

// lexemeLength returns the length of the first lexeme of data: a word, a number, a quoted string,
// or a run of blanks. Any other byte is a lexeme of its own.
func lexemeLength(data []byte) int {
	c := data[0]
	switch {
	case isDigit(c) || (c == '-' || c == '+' || c == '.') && len(data) > 1 && isDigit(data[1]):
		return numberLength(data)
	case isWord(c):
		return span(data, isWord)
	case isSpace(c):
		return span(data, isSpace)
	case c == '"' || c == '\'' || c == '`':
		return quotedLength(data)
	}
	return 1
}

func isWord(c byte) bool { return isDigit(c) || class(c) == 1 || c == '_' || c >= 0x80 }

// span returns how many bytes at the beginning of data satisfy is, at least one.
func span(data []byte, is func(byte) bool) int {
	n := 1
	for n < len(data) && is(data[n]) {
		n++
	}
	return n
}

// numberLength returns the length of a number with its sign, fraction, exponent or base.
func numberLength(data []byte) int {
	n := 1
	for n < len(data) {
		c := data[n]
		follows := n+1 < len(data) && isDigit(data[n+1])
		switch {
		case isWord(c):
		case c == '.' && follows:
		case (c == '-' || c == '+') && follows && data[n-1]|0x20 == 'e':
		default:
			return n
		}
		n++
	}
	return n
}

// maxQuoted bounds the search for a closing quote, so that many unclosed quotes cost little.
const maxQuoted = 256

// quotedLength returns the length of a quoted string. A quote without a near closing quote has
// length one.
func quotedLength(data []byte) int {
	for n := 1; n < len(data) && n < maxQuoted; n++ {
		switch data[n] {
		case data[0]:
			return n + 1
		case '\\':
			n++
		case '\n':
			return 1
		}
	}
	return 1
}

// lexemes returns the offsets of the lexemes of argument i, and its length as the last offset.
func (m *minimizer) lexemes(i int) []int {
	data := m.args[i]
	m.work += len(data)
	starts := []int{}
	for at := 0; at < len(data); at += lexemeLength(data[at:]) {
		starts = append(starts, at)
	}
	return append(starts, len(data))
}

// maxPhrase is the largest number of adjacent lexemes that are removed from any position, as in
// `key = value` and `, name`.
const maxPhrase = 4

// removeLexemes is ddmin on lexemes. It removes half of them, a quarter, and so on down to
// maxPhrase, from multiples of that size. Then it removes maxPhrase lexemes and fewer from any
// position.
func (m *minimizer) removeLexemes(i int) (changed bool) {
	if m.spent() || len(m.args[i]) < 2 {
		return false
	}
	starts := m.lexemes(i)
	for size := (len(starts) - 1) / 2; size > 0 && !m.spent(); {
		step := 1
		if size > maxPhrase {
			step = size
		}
		for end := len(starts) - 1; end >= size && !m.spent(); {
			from, to := starts[end-size], starts[end]
			if !m.without(i, from, to, to, to) {
				end -= step
				continue
			}
			changed = true
			starts = cutStarts(starts, end-size, end)
			end = min(end-size, len(starts)-1)
		}
		if size > maxPhrase {
			size = max(size/2, maxPhrase)
		} else {
			size--
		}
	}
	return changed
}

// cutStarts removes the lexemes [from,to) from starts. Their neighbors may now form one lexeme,
// which the next round sees.
func cutStarts(starts []int, from, to int) []int {
	by := starts[to] - starts[from]
	rest := starts[to:]
	starts = starts[:from]
	for _, s := range rest {
		starts = append(starts, s-by)
	}
	return starts
}

// shortLexemes replaces words, numbers and quoted strings by the plainest lexeme of their kind.
func (m *minimizer) shortLexemes(i int) (changed bool) {
	if m.spent() {
		return false
	}
	starts := m.lexemes(i)
	for n := len(starts) - 2; n >= 0 && !m.spent(); n-- {
		start, end := starts[n], starts[n+1]
		if end-start < 2 {
			continue
		}
		switch c := m.args[i][start]; {
		case isDigit(c) || c == '-' || c == '+' || c == '.':
			changed = m.with(i, start, end, '0') || m.with(i, start, end, '1') || changed
		case isWord(c):
			changed = m.with(i, start, end, '0') || m.with(i, start, end, 'a') || changed
		case isSpace(c):
			changed = m.with(i, start, end, ' ') || changed
		case end-start > 2: // quoted
			changed = m.with(i, start, end, c, c) || changed
		}
	}
	return changed
}
