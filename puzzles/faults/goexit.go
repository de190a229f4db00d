package faults

import "runtime"

// Goexit ends the goroutine that called it.
func Goexit(data []byte) error {
	if Boom(data) {
		runtime.Goexit()
	}
	return Harmless(data)
}
