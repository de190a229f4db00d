package faults

import "time"

// while is so long that a campaign waits most of its time.
const while = 2 * time.Millisecond

// Slow takes its time and does no harm: there is time to do harm from outside.
func Slow(data []byte) error {
	time.Sleep(while)
	return Harmless(data)
}

// Picky takes its time too, and rejects some of what others accept.
func Picky(data []byte) error {
	time.Sleep(while)
	if len(data) > 2 && data[1] == data[2] {
		return errEmpty
	}
	if len(data) > 1 && data[0] == '?' {
		return errEmpty
	}
	return Harmless(data)
}
