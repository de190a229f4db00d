package faults

import "runtime/debug"

// Starves leaves the runtime next to no memory, so that it does nothing but collect garbage from
// then on.
func Starves(data []byte) error {
	if Boom(data) {
		debug.SetMemoryLimit(1 << 20)
	}
	return Harmless(data)
}
