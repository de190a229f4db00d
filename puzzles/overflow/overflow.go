// Package overflow parses unsigned 32-bit numbers.
//
// Obstacle: ten digits, all of them digits, beyond 4294967295 and not much longer: longer ones both
// refuse.
package overflow

import "errors"

var (
	errSyntax = errors.New("not a number")
	errRange  = errors.New("number out of range")
)

// A refuses what does not fit.
func A(s string) (uint32, error) {
	if s == "" || len(s) > 10 {
		return 0, errSyntax
	}
	n := uint64(0)
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, errSyntax
		}
		n = n*10 + uint64(s[i]-'0')
	}
	if n > 1<<32-1 {
		return 0, errRange
	}
	return uint32(n), nil
}

// B lets the number wrap round.
func B(s string) (uint32, error) {
	if s == "" || len(s) > 10 {
		return 0, errSyntax
	}
	n := uint32(0)
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, errSyntax
		}
		n = n*10 + uint32(s[i]-'0') // planted
	}
	return n, nil
}
