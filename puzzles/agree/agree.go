// Package agree has two parsers of hexadecimal numbers that agree on every input.
//
// Obstacle: there is nothing to find, and nothing may be found.
package agree

import (
	"errors"
	"strconv"
)

var errSyntax = errors.New("not a hexadecimal number")

// A parses by hand.
func A(s string) (uint16, error) {
	if len(s) != 4 {
		return 0, errSyntax
	}
	n := uint16(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, errSyntax
		}
		n = n<<4 | uint16(c)
	}
	return n, nil
}

// B has it done.
func B(s string) (uint16, error) {
	if len(s) != 4 {
		return 0, errSyntax
	}
	n, err := strconv.ParseUint(s, 16, 16)
	if err != nil {
		return 0, errSyntax
	}
	return uint16(n), nil
}
