package mutate

import (
	"bytes"
	"fmt"
	"strings"
)

// dictionary inserts a token, overwrites data by it, or replaces a word.
func dictionary(m *Mutator, r *Rand, b []byte) ([]byte, bool) {
	if len(m.tokens) == 0 {
		return b, false
	}
	t := m.tokens[r.Intn(len(m.tokens))]
	i := position(r, len(b))
	j := i
	switch r.Intn(4) {
	case 2:
		j = min(i+len(t), len(b))
	case 3:
		if at := find(r, b, isWord); at >= 0 {
			i, j = run(b, at, isWord)
		}
	}
	if len(b)-(j-i)+len(t) > m.limit {
		return b, false
	}
	return replace(b, i, j, t), true
}

// ParseDictionary reads a dictionary in the syntax of AFL and libFuzzer: lines of
//
//	"value"   or   name="value"   or   name@level="value"
//
// with the escapes \\, \" and \xAB, also \n, \r and \t. It skips empty lines and lines that start
// with #. It returns the tokens of all levels in order, each once.
func ParseDictionary(file []byte) ([][]byte, error) {
	var tokens [][]byte
	seen := map[string]bool{}
	for n, line := range bytes.Split(file, []byte("\n")) {
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		t, err := parseToken(text)
		if err != nil {
			return nil, fmt.Errorf("dictionary line %d: %w", n+1, err)
		}
		if !seen[string(t)] {
			seen[string(t)] = true
			tokens = append(tokens, t)
		}
	}
	return tokens, nil
}

// parseToken reads one entry. As in AFL and libFuzzer, the value ends at the last quote, so that
// quotes inside need no escape.
func parseToken(text string) ([]byte, error) {
	first, last := strings.IndexByte(text, '"'), strings.LastIndexByte(text, '"')
	if first < 0 || first == last {
		return nil, fmt.Errorf("expected \"value\" or name=\"value\", have %s", text)
	}
	if name := strings.TrimSpace(text[:first]); name != "" && (!strings.HasSuffix(name, "=") || len(name) == 1) {
		return nil, fmt.Errorf("expected name= before the quote, have %s", name)
	}
	if rest := strings.TrimSpace(text[last+1:]); rest != "" && rest[0] != '#' {
		return nil, fmt.Errorf("expected nothing after the closing quote, have %s", rest)
	}
	value := text[first+1 : last]
	var t []byte
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c == '\\' {
			size := 0
			if c, size = unescape(value[i:]); size == 0 {
				return nil, fmt.Errorf("expected \\\\, \\\", \\n, \\r, \\t or \\xAB, have %s", value[i:])
			}
			i += size - 1
		}
		t = append(t, c)
	}
	if len(t) == 0 {
		return nil, fmt.Errorf("the value is empty")
	}
	return t, nil
}

// unescape reads the escape at the start of text. It returns its byte and its length, which is 0 if
// it is invalid.
func unescape(text string) (byte, int) {
	if len(text) < 2 {
		return 0, 0
	}
	switch text[1] {
	case '\\', '"':
		return text[1], 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'x':
		if len(text) >= 4 {
			hi, lo := hexDigit(text[2]), hexDigit(text[3])
			if hi >= 0 && lo >= 0 {
				return byte(hi<<4 | lo), 4
			}
		}
	}
	return 0, 0
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
