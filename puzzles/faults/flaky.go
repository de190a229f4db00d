package faults

import "time"

// Flaky rejects inputs at random. It is no finding, since it does not repeat.
func Flaky(data []byte) error {
	if time.Now().UnixNano()/1000%1009 == 0 {
		return errEmpty
	}
	return Harmless(data)
}
