// Package arguments repeats a text.
//
// Obstacle: three arguments of different kinds have to be right at the same time.
package arguments

import (
	"errors"
	"strings"
)

var errCount = errors.New("count out of range")

// A refuses counts below zero, and large ones when strict.
func A(count int, text string, strict bool) (string, error) {
	if count < 0 {
		return "", errCount
	}
	if strict && count > 100 {
		return "", errCount
	}
	return strings.Repeat(text, count%8), nil
}

// B has a limit of its own when strict, for long texts.
func B(count int, text string, strict bool) (string, error) {
	if count < 0 {
		return "", errCount
	}
	if strict {
		if count > 100 {
			return "", errCount
		}
		if len(text) > 3 && count > 90 { // planted
			return "", errCount
		}
	}
	return strings.Repeat(text, count%8), nil
}
