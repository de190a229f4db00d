// Package agree has two parsers of hexadecimal numbers that agree on every input.
//
// Obstacle: there is nothing to find, and nothing may be found.
package agree

import (
	"errors"
	"strings"
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

// B looks digits up.
func B(s string) (uint16, error) {
	if len(s) != 4 {
		return 0, errSyntax
	}
	n := 0
	for i := 0; i < len(s); i++ {
		v := strings.IndexByte("0123456789abcdefABCDEF", s[i])
		if v < 0 {
			return 0, errSyntax
		}
		if v > 15 {
			v -= 6
		}
		n = 16*n + v
	}
	return uint16(n), nil
}
