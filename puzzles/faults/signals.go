package faults

import (
	"fmt"
	"os"
	"syscall"
)

// Signals sends its parent process, which is parallax, the signals that end a process, on every
// input. It sends them to the number of the process and to those of its threads. Each of these
// means the process, too.
func Signals(data []byte) error {
	numbers := []int{os.Getppid()}
	threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", os.Getppid()))
	for _, t := range threads {
		n := 0
		if _, err := fmt.Sscan(t.Name(), &n); err == nil {
			numbers = append(numbers, n)
		}
	}
	for _, n := range numbers {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
			syscall.Kill(n, s)
		}
	}
	return Harmless(data)
}
