package faults

// Panics panics.
func Panics(data []byte) error {
	if Boom(data) {
		panic("the roof is on fire")
	}
	return Harmless(data)
}
