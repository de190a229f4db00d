package faults

import "syscall"

// Closes closes all descriptors but the standard streams, those of its worker among them.
func Closes(data []byte) error {
	if Boom(data) {
		for fd := 3; fd < 256; fd++ {
			syscall.Close(fd)
		}
	}
	return Harmless(data)
}
