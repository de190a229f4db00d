// Package query reads queries, as in a=1&b=%20+.
package query

import "errors"

var (
	errEscape = errors.New("bad escape")
	errKey    = errors.New("a value without a key")
	errMany   = errors.New("too many pairs")
)

// Read returns the values by key, the first one of each.
func Read(text string) (map[string]string, error) {
	pairs := map[string]string{}
	for text != "" {
		var key, value string
		var err error
		if key, text, err = token(text, true); err != nil {
			return nil, err
		}
		if text != "" && text[0] == '=' {
			if key == "" { // counterpart: key
				return nil, errKey
			}
			if value, text, err = token(text[1:], false); err != nil {
				return nil, err
			}
		}
		if text != "" {
			text = text[1:]
		}
		if _, known := pairs[key]; !known { // counterpart: first
			pairs[key] = value
		}
		if len(pairs) > 6 { // counterpart: many
			return nil, errMany
		}
	}
	return pairs, nil
}

// token reads up to a separator; a key ends at an equals sign too.
func token(text string, key bool) (token, rest string, err error) {
	var out []byte
	i := 0
	for ; i < len(text) && text[i] != '&' && !(key && text[i] == '='); i++ {
		switch text[i] {
		case '+': // counterpart: plus
			out = append(out, ' ')
		case '%':
			if i+2 >= len(text) {
				return "", "", errEscape
			}
			high, low := digit(text[i+1]), digit(text[i+2])
			if high < 0 || low < 0 {
				return "", "", errEscape
			}
			out = append(out, byte(high<<4|low))
			i += 2
		default:
			out = append(out, text[i])
		}
	}
	return string(out), text[i:], nil
}

// digit is called for both digits of an escape.
func digit(c byte) int {
	if '0' <= c && c <= '9' {
		return int(c - '0')
	}
	c |= 0x20 // counterpart: case
	if 'a' <= c && c <= 'f' {
		return int(c-'a') + 10
	}
	return -1
}
