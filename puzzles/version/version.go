// Package version is Figure 1 of the NEZHA paper: two checks of a protocol's version that differ at
// one end of a range.
//
// Obstacle: one value of all separates the programs, and each of them has been seen to accept and
// to reject before.
package version

import "errors"

var (
	errParity = errors.New("odd version")
	errRange  = errors.New("version out of range")
)

// A accepts even versions from 1 to 7.
func A(v int32) error {
	if v%2 != 0 {
		return errParity
	}
	if v < 1 || v > 7 {
		return errRange
	}
	return nil
}

// B accepts even versions from 3 to 7: 2 is missing.
func B(v int32) error {
	if v < 3 || v > 7 { // planted
		return errRange
	}
	if v%2 != 0 {
		return errParity
	}
	return nil
}
