// Package signed reads records of a type, a length and that many bytes.
//
// Obstacle: the length must be 128 or more and the record as long as it says.
package signed

import "errors"

var (
	errShort = errors.New("record too short")
	errType  = errors.New("unknown type")
)

// A reads the length as the unsigned byte that it is.
func A(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, errShort
	}
	if data[0] > 3 {
		return 0, errType
	}
	n := int(data[1])
	if len(data)-2 < n {
		return 0, errShort
	}
	return n, nil
}

// B reads it as a signed byte.
func B(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, errShort
	}
	if data[0] > 3 {
		return 0, errType
	}
	n := int(int8(data[1])) // planted
	if n < 0 || len(data)-2 < n {
		return 0, errShort
	}
	return n, nil
}
