package faults

import (
	"os"
	"syscall"
)

// Signals sends its parent process, which is parallax, the signals that end one, on every input.
func Signals(data []byte) error {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
		syscall.Kill(os.Getppid(), s)
	}
	return Harmless(data)
}
