package minimize

import (
	"strings"
	"unicode/utf8"
)

// Passes that simplify bytes that cannot be removed. Every replacement is shorter, or lower in the
// order of plainer, so that the passes end.

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
		end = start + 1 // continue before start
	}
	return changed
}

// runes replaces multi-byte characters by one byte.
func (m *minimizer) runes(i int) (changed bool) {
	for end := len(m.args[i]); end > 0 && !m.spent(); {
		_, size := utf8.DecodeLastRune(m.args[i][:end])
		if size > 1 && (m.with(i, end-size, end, '0') || m.with(i, end-size, end, 'a')) {
			changed = true
		}
		end -= size
	}
	return changed
}

// plain replaces each byte by the plainest one that passes.
func (m *minimizer) plain(i int) (changed bool) {
	for at := len(m.args[i]) - 1; at >= 0 && !m.spent(); at-- {
		for _, simple := range []byte(m.plainer(i, at)) {
			if m.with(i, at, at+1, simple) {
				changed = true
				break
			}
		}
	}
	return changed
}

// plainer lists the replacements of c, plainest first: 0, a, a blank, and then the plainest byte of
// its class. That byte is 1 for digits, A for capitals, and NUL for control bytes. A plainer byte
// has a shorter list, and no replacement leads back to c.
func plainer(c byte) string {
	switch {
	case c == '0':
		return ""
	case c == 'a':
		return "0"
	case c == ' ':
		return "0a"
	case isDigit(c) && c != '1':
		return "0a 1"
	case 'B' <= c && c <= 'Z':
		return "0a A"
	case (c < ' ' || c == 0x7f) && c != 0 && !isSpace(c):
		return "0a \x00"
	}
	return "0a "
}

// plainer lists the replacements of a byte of argument i, plainest first.
func (m *minimizer) plainer(i, at int) string {
	c := m.args[i][at]
	if m.layout == nil {
		return plainer(c)
	}
	return m.layout.plainer(c, at)
}

// plainer lists the replacements of a byte of an input with this layout. NUL precedes those of
// text. In numbers, 1 and -1 follow it.
func (l *Layout) plainer(c byte, at int) string {
	if at < l.Numbers {
		const order = "\x00\x01\xff0a "
		if k := strings.IndexByte(order, c); k >= 0 {
			return order[:k]
		}
		return order
	}
	if c == 0 {
		return ""
	}
	return "\x00" + strings.TrimSuffix(plainer(c), "\x00")
}

// canReplace reports whether simple may replace a byte of argument i.
func (m *minimizer) canReplace(i, at int, simple byte) bool {
	return strings.IndexByte(m.plainer(i, at), simple) >= 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
