// Package spin has a program that does not end on some inputs, in a loop of one line: a signal
// finds it at that line, always.
package spin

// Ends always does.
func Ends(data []byte) bool { return len(data) > 0 }

// Spins does not, after two letters.
func Spins(data []byte) bool {
	if len(data) > 1 && data[0] == 'n' && data[1] == 'o' {
		for {
		}
	}
	return len(data) > 0
}
