package faults

import (
	"fmt"
	"os"
)

// Prints floods standard output and standard error, whatever its input. It is no finding.
func Prints(data []byte) error {
	for i := 0; i < 20; i++ {
		fmt.Println("{\"version\": 99, \"program\": \"prints a flood\"}")
		fmt.Fprintln(os.Stderr, "panic: not really")
	}
	return Harmless(data)
}
