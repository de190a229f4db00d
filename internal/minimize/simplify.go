package minimize

import "unicode/utf8"

// Passes that make plain what cannot be removed. Every replacement is shorter,
// or lower in the order of plainer, so that they end.

// numbers replaces runs of two or more digits by 0, by 1, and by their halves.
func (m *minimizer) numbers(i int) (changed bool) {
	for end := len(m.args[i]); end > 0 && !m.spent(); end-- {
		data := m.args[i]
		if !isDigit(data[end-1]) {
			continue
		}
		start := end
		for start > 0 && isDigit(data[start-1]) {
			start--
		}
		if n := end - start; n > 1 {
			half := start + n/2
			changed = m.with(i, start, end, '0') ||
				m.with(i, start, end, '1') ||
				m.without(i, half, end, end, end) ||
				m.without(i, start, half, half, half) ||
				changed
		}
		end = start + 1 // the loop goes on before start
	}
	return changed
}

// runes replaces characters of several bytes by one letter.
func (m *minimizer) runes(i int) (changed bool) {
	for end := len(m.args[i]); end > 0 && !m.spent(); {
		_, size := utf8.DecodeLastRune(m.args[i][:end])
		if size > 1 && m.with(i, end-size, end, 'a') {
			changed = true
		}
		end -= size
	}
	return changed
}

// plain replaces each byte by the plainest one of its class: digits by 0 or 1,
// letters by a or A, white space by a blank, bytes that are no ASCII text by
// NUL. Punctuation is what formats are made of, and stays.
func (m *minimizer) plain(i int) (changed bool) {
	for at := len(m.args[i]) - 1; at >= 0 && !m.spent(); at-- {
		c := m.args[i][at]
		for _, simple := range plainer(c) {
			if m.with(i, at, at+1, simple) {
				changed = true
				break
			}
		}
	}
	return changed
}

// plainer lists what may replace c, plainest first. Nothing that it lists
// leads back to c.
func plainer(c byte) []byte {
	switch {
	case c == '0' || c == 'a' || c == ' ' || c == 0:
		return nil
	case c == '1':
		return []byte{'0'}
	case isDigit(c):
		return []byte{'0', '1'}
	case 'a' <= c && c <= 'z' || c == 'A':
		return []byte{'a'}
	case 'A' <= c && c <= 'Z':
		return []byte{'a', 'A'}
	case c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
		return []byte{' '}
	case c < ' ' || c >= 0x7f:
		return []byte{0}
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
