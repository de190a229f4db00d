// Package checksum unpacks messages: MSG, a length, that many bytes, and their sum.
//
// Obstacle: one program has to agree with header and length while the sum is wrong.
package checksum

import "errors"

var (
	errHeader = errors.New("no message")
	errLength = errors.New("message cut short")
	errSum    = errors.New("wrong checksum")
)

// A verifies the sum.
func A(data []byte) ([]byte, error) {
	body, sum, err := split(data)
	if err != nil {
		return nil, err
	}
	for _, b := range body {
		sum -= b
	}
	if sum != 0 { // planted: only here
		return nil, errSum
	}
	return body, nil
}

// B does not.
func B(data []byte) ([]byte, error) {
	body, _, err := split(data)
	return body, err
}

func split(data []byte) (body []byte, sum byte, err error) {
	if len(data) < 5 || string(data[:3]) != "MSG" {
		return nil, 0, errHeader
	}
	n := int(data[3])
	if n < 4 || len(data) != n+5 {
		return nil, 0, errLength
	}
	return data[4 : 4+n], data[4+n], nil
}
