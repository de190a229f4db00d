package faults

import "time"

// Late starts a goroutine that panics when the program has returned.
func Late(data []byte) error {
	if Boom(data) {
		go func() {
			time.Sleep(time.Millisecond)
			panic("after the fact")
		}()
	}
	return Harmless(data)
}
