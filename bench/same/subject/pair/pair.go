// Package pair reads a sign, a number and a unit, two times, with mistakes in the second.
package pair

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

var errUnit = errors.New("unknown unit")

// Strict takes what it should.
func Strict(s string) (int, error) {
	digits := strings.TrimRight(s, "kMG")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("no number: %w", err)
	}
	switch s[len(digits):] {
	case "":
		return n, nil
	case "k":
		return n * 1000, nil
	case "M":
		return n * 1000000, nil
	}
	return 0, errUnit
}

// Loose trims blanks, takes units in any case, and has a place that panics.
func Loose(s string) (int, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, nil
	}
	factor := 1
	switch s[len(s)-1] {
	case 'k', 'K':
		factor, s = 1000, s[:len(s)-1]
	case 'M':
		factor, s = 1000000, s[:len(s)-1]
	}
	if s[0] == '+' && factor > 1 { // panics where nothing is before the unit
		s = s[1:]
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("no number: %w", err)
	}
	return n * factor, nil
}
