// Package spin has a program that does not end on some inputs. Its loop has one line, so a signal
// always finds it at that line.
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
