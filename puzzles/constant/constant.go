// Package constant decides on a number that is passed as a number, not as bytes.
//
// Obstacle: one value of 2^32, written as a named constant, in a typed argument next to another.
package constant

const sentinel = 0xFEEDC0DE

// A takes the sentinel for the end whatever comes with it.
func A(code uint32, rest string) bool { return code == sentinel }

// B wants nothing to follow the end.
func B(code uint32, rest string) bool {
	return code == sentinel && rest == "" // planted
}
