package normalize

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// lower converts each character to lower case with unicode.ToLower. Invalid UTF-8 stays.
func lower(_ *scratch, dst, value []byte) []byte {
	for i := 0; i < len(value); {
		c := value[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(value[i:])
		if r == utf8.RuneError {
			dst = append(dst, value[i:i+size]...)
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += size
	}
	return dst
}

// oneSpace replaces each run of Unicode white space by one space, and trims both ends.
func oneSpace(_ *scratch, dst, value []byte) []byte {
	start, pending := len(dst), false
	for i := 0; i < len(value); {
		r, size := rune(value[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(value[i:])
		}
		if unicode.IsSpace(r) {
			pending = len(dst) > start
		} else {
			if pending {
				dst, pending = append(dst, ' '), false
			}
			dst = append(dst, value[i:i+size]...)
		}
		i += size
	}
	return dst
}

// trim removes Unicode's white space at both ends.
func trim(_ *scratch, dst, value []byte) []byte { return append(dst, bytes.TrimSpace(value)...) }

// sortLines sorts lines by their bytes, and ends each with a newline, including the last.
func sortLines(s *scratch, dst, value []byte) []byte {
	lines := s.lines[:0]
	for rest := value; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		lines, rest = append(lines, line), after
	}
	slices.SortFunc(lines, bytes.Compare)
	for _, line := range lines {
		dst = append(append(dst, line...), '\n')
	}
	clear(lines) // keep the memory, not the values
	s.lines = lines
	return dst
}
