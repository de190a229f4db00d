// Package length takes labels, 1 to 300 characters of them.
//
// Obstacle: more than 255 characters, all of them lower-case letters.
package length

import "errors"

var (
	errLength = errors.New("length out of range")
	errLetter = errors.New("not a lower-case letter")
)

// A counts.
func A(s string) error {
	if len(s) == 0 || len(s) > 300 {
		return errLength
	}
	return letters(s)
}

// B counts in a byte, as its wire format does.
func B(s string) error {
	if len(s) == 0 || len(s) > 300 {
		return errLength
	}
	if n := uint8(len(s)); int(n) != len(s) { // planted
		return errLength
	}
	return letters(s)
}

func letters(s string) error {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return errLetter
		}
	}
	return nil
}
