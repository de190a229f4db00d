// Package blank splits lists as in "a, b, c".
//
// Obstacle: the programs accept the same inputs; only their values differ.
package blank

import (
	"errors"
	"strings"
)

var errEmpty = errors.New("empty element")

// A drops the blanks around elements.
func A(s string) ([]string, error) {
	parts := strings.Split(s, ",")
	for i, p := range parts {
		parts[i] = strings.Trim(p, " ")
		if parts[i] == "" {
			return nil, errEmpty
		}
	}
	return parts, nil
}

// B leaves those at the end of elements where they are.
func B(s string) ([]string, error) {
	parts := strings.Split(s, ",")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, " ") // planted
		if parts[i] == "" {
			return nil, errEmpty
		}
	}
	return parts, nil
}
