package faults

import "time"

// Slow takes its time and does no harm: there is time to do harm from outside.
func Slow(data []byte) error {
	time.Sleep(100 * time.Microsecond)
	return Harmless(data)
}

// Picky takes its time too, and rejects some of what others accept.
func Picky(data []byte) error {
	time.Sleep(100 * time.Microsecond)
	if len(data) > 2 && data[1] == data[2] {
		return errEmpty
	}
	if len(data) > 1 && data[0] == '?' {
		return errEmpty
	}
	return Harmless(data)
}
