// Package folding recognizes the keyword no_op whatever its case.
//
// Obstacle: the keyword must be there but for one byte, and of 256 values one is taken for an
// underscore.
package folding

const keyword = "no_op"

// A folds letters.
func A(s string) bool {
	if len(s) != len(keyword) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != keyword[i] {
			return false
		}
	}
	return true
}

// B sets the bit that distinguishes upper and lower case, on both sides and in all characters.
func B(s string) bool {
	if len(s) != len(keyword) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i]|0x20 != keyword[i]|0x20 { // planted
			return false
		}
	}
	return true
}
