// Package magic reads the header of a file: four magic bytes, then a version.
//
// Obstacle: 32 bits compared at once, and behind them a version that only one program knows.
package magic

import (
	"encoding/binary"
	"errors"
)

var (
	errMagic   = errors.New("not a file of ours")
	errVersion = errors.New("unknown version")
)

// A knows versions 1 to 4.
func A(data []byte) error {
	if len(data) < 6 || binary.BigEndian.Uint32(data) != 0xCAFED00D {
		return errMagic
	}
	if v := binary.BigEndian.Uint16(data[4:]); v < 1 || v > 4 {
		return errVersion
	}
	return nil
}

// B knows versions 1 to 3.
func B(data []byte) error {
	if len(data) < 6 || binary.BigEndian.Uint32(data) != 0xCAFED00D {
		return errMagic
	}
	if v := binary.BigEndian.Uint16(data[4:]); v < 1 || v > 3 { // planted
		return errVersion
	}
	return nil
}
