package faults

import "os"

// Exits ends the process as if all were well.
func Exits(data []byte) error {
	if Boom(data) {
		os.Exit(0)
	}
	return Harmless(data)
}
