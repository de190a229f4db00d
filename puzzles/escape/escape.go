// Package escape finds the end of a quoted string.
//
// Obstacle: a backslash that is itself escaped, right before the closing quote.
package escape

import "errors"

var errQuote = errors.New("not a quoted string")

// A skips what a backslash escapes.
func A(data []byte) error {
	if len(data) < 2 || data[0] != '"' {
		return errQuote
	}
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			if i == len(data)-1 {
				return nil
			}
			return errQuote
		}
	}
	return errQuote
}

// B takes a quote for escaped if a backslash is before it.
func B(data []byte) error {
	if len(data) < 2 || data[0] != '"' {
		return errQuote
	}
	for i := 1; i < len(data); i++ {
		if data[i] != '"' {
			continue
		}
		if data[i-1] == '\\' { // planted
			continue
		}
		if i == len(data)-1 {
			return nil
		}
		return errQuote
	}
	return errQuote
}
