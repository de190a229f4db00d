// Package depth checks that brackets are balanced and not nested too deeply.
//
// Obstacle: eight levels, all of them closed again.
package depth

import "errors"

const limit = 8

var (
	errDeep    = errors.New("nested too deeply")
	errBalance = errors.New("not balanced")
)

// A allows eight levels.
func A(s string) error {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
			if depth > limit {
				return errDeep
			}
		case ')':
			depth--
			if depth < 0 {
				return errBalance
			}
		}
	}
	if depth != 0 {
		return errBalance
	}
	return nil
}

// B allows seven.
func B(s string) error {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
			if depth >= limit { // planted
				return errDeep
			}
		case ')':
			depth--
			if depth < 0 {
				return errBalance
			}
		}
	}
	if depth != 0 {
		return errBalance
	}
	return nil
}
