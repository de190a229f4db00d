// Package trailing parses lists of numbers in brackets, as in [1,22,3].
//
// Obstacle: a whole list must precede the garbage that only one of the programs rejects.
package trailing

import "errors"

var errSyntax = errors.New("no list")

// A wants the list to be everything.
func A(data []byte) error {
	rest, ok := list(data)
	if !ok || len(rest) > 0 {
		return errSyntax
	}
	return nil
}

// B reads the list and no further.
func B(data []byte) error {
	if _, ok := list(data); !ok { // planted
		return errSyntax
	}
	return nil
}

// list returns what follows the list.
func list(b []byte) (rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '[' {
		return b, false
	}
	for {
		b = b[1:]
		digits := 0
		for digits < len(b) && b[digits] >= '0' && b[digits] <= '9' {
			digits++
		}
		if digits == 0 || digits == len(b) {
			return b, false
		}
		b = b[digits:]
		switch b[0] {
		case ',':
		case ']':
			return b[1:], true
		default:
			return b, false
		}
	}
}
