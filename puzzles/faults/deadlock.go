package faults

import "sync"

// Deadlock takes a lock twice.
func Deadlock(data []byte) error {
	if Boom(data) {
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	}
	return Harmless(data)
}
