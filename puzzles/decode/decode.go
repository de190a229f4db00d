// Package decode has two decoders of lists of numbers into a variable of the caller's, as Unmarshal
// functions are.
//
// Obstacle: the verdicts are equal; a zero in front must be followed by digits that both bases
// have.
package decode

import (
	"errors"
	"strings"
)

var (
	errTarget = errors.New("not a pointer to an any")
	errNumber = errors.New("not a number")
)

// A reads decimal numbers.
func A(data []byte, v any) error { return decode(data, v, func(string) uint64 { return 10 }) }

// B reads numbers with a zero in front as octal ones where it can.
func B(data []byte, v any) error {
	return decode(data, v, func(s string) uint64 {
		if len(s) > 1 && s[0] == '0' && !strings.ContainsAny(s, "89") {
			return 8 // planted
		}
		return 10
	})
}

func decode(data []byte, v any, base func(string) uint64) error {
	p, ok := v.(*any)
	if !ok {
		return errTarget
	}
	var list []any
	for _, field := range strings.Split(string(data), " ") {
		n, ok := number(field, base(field))
		if !ok {
			return errNumber
		}
		list = append(list, n)
	}
	*p = list
	return nil
}

// number reads one of 32 bits.
func number(s string, base uint64) (n uint64, ok bool) {
	for i := 0; i < len(s); i++ {
		digit := uint64(s[i] - '0')
		if digit >= base {
			return 0, false
		}
		if n = n*base + digit; n >= 1<<32 {
			return 0, false
		}
	}
	return n, s != ""
}
