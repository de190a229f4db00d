package faults

import (
	"fmt"
	"os"
	"strings"
	"unsafe"
)

// Scribbles writes over the beginning of all memory that its process shares with others.
func Scribbles(data []byte) error {
	if Boom(data) {
		maps, _ := os.ReadFile("/proc/self/maps")
		for _, line := range strings.Split(string(maps), "\n") {
			var from, to uintptr
			if _, err := fmt.Sscanf(line, "%x-%x rw-s", &from, &to); err == nil {
				// The kernel says that these addresses are mapped; that is no address that vet could know.
				for at := from; at < min(to, from+1<<20); at++ {
					**(**byte)(unsafe.Pointer(&at)) = 0xa5
				}
			}
		}
	}
	return Harmless(data)
}
