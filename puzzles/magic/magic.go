// Package magic reads the header of a file: four magic bytes, then a version.
//
// Obstacle: 32 bits compared at once, and behind them a version that only one program knows.
package magic

import "errors"

var (
	errMagic   = errors.New("not a file of ours")
	errVersion = errors.New("unknown version")
)

// A knows versions 1 to 4.
func A(data []byte) error {
	if len(data) < 6 || word(data) != 0xCAFED00D {
		return errMagic
	}
	if v := half(data[4:]); v < 1 || v > 4 {
		return errVersion
	}
	return nil
}

// B knows versions 1 to 3.
func B(data []byte) error {
	if len(data) < 6 || word(data) != 0xCAFED00D {
		return errMagic
	}
	if v := half(data[4:]); v < 1 || v > 3 { // planted
		return errVersion
	}
	return nil
}

func word(b []byte) uint32 { return uint32(half(b))<<16 | uint32(half(b[2:])) }

func half(b []byte) uint16 { return uint16(b[0])<<8 | uint16(b[1]) }
