package faults

// Loops never returns.
func Loops(data []byte) error {
	if Boom(data) {
		for i := 0; ; i++ {
			data[i%4]++
		}
	}
	return Harmless(data)
}
