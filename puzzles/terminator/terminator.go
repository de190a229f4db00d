// Package terminator reads a name after its length.
//
// Obstacle: a zero byte within a name whose length is right; the verdicts are equal, the names are
// not.
package terminator

import (
	"bytes"
	"errors"
)

var errLength = errors.New("length is wrong")

// A returns the name.
func A(data []byte) (string, error) {
	if len(data) < 3 || int(data[0]) != len(data)-1 {
		return "", errLength
	}
	return string(data[1:]), nil
}

// B returns what C would print of it.
func B(data []byte) (string, error) {
	if len(data) < 3 || int(data[0]) != len(data)-1 {
		return "", errLength
	}
	name := data[1:]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i] // planted
	}
	return string(name), nil
}
