// Package overlong validates UTF-8.
//
// Obstacle: two of 256 leading bytes, with a right continuation byte behind, separate the programs.
package overlong

// A refuses characters that are longer than they need to be.
func A(data []byte) bool {
	for len(data) > 0 {
		n := size(data)
		if n == 2 && data[0] < 0xC2 {
			return false
		}
		if n == 0 {
			return false
		}
		data = data[n:]
	}
	return true
}

// B takes any leading byte of a pair.
func B(data []byte) bool {
	for len(data) > 0 {
		n := size(data)
		if n == 0 { // planted
			return false
		}
		data = data[n:]
	}
	return true
}

// size returns the length of the character that b begins with, 0 if there is none.
func size(b []byte) int {
	n := 1
	switch {
	case b[0] < 0x80:
	case b[0] >= 0xC0 && b[0] < 0xE0:
		n = 2
	case b[0] >= 0xE1 && b[0] < 0xED:
		n = 3
	default:
		return 0
	}
	if len(b) < n {
		return 0
	}
	for _, c := range b[1:n] {
		if c&0xC0 != 0x80 {
			return 0
		}
	}
	return n
}
