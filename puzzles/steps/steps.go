// Package steps runs a session: o opens it, l logs in, w writes, c closes.
//
// Obstacle: six steps in the right order; every other order is refused, by both programs alike.
package steps

import "errors"

var errOrder = errors.New("step out of order")

type state uint8

const (
	closed state = iota
	opened
	writer
)

// A forgets the login when the session is closed.
func A(script string) error {
	s := closed
	for i := 0; i < len(script); i++ {
		switch {
		case script[i] == 'o' && s == closed:
			s = opened
		case script[i] == 'l' && s == opened:
			s = writer
		case script[i] == 'w' && s == writer:
		case script[i] == 'c' && s != closed:
			s = closed
		default:
			return errOrder
		}
	}
	if s != closed {
		return errOrder
	}
	return nil
}

// B remembers it.
func B(script string) error {
	s, known := closed, false
	for i := 0; i < len(script); i++ {
		switch {
		case script[i] == 'o' && s == closed:
			s = opened
			if known { // planted
				s = writer
			}
		case script[i] == 'l' && s == opened:
			s, known = writer, true
		case script[i] == 'w' && s == writer:
		case script[i] == 'c' && s != closed:
			s = closed
		default:
			return errOrder
		}
	}
	if s != closed {
		return errOrder
	}
	return nil
}
