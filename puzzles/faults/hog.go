package faults

// Hog takes all the memory there is.
func Hog(data []byte) error {
	if Boom(data) {
		var kept [][]byte
		for {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			kept = append(kept, b)
			if len(kept) > 1<<12 { // 4 GiB: nothing has stopped it
				return errEmpty
			}
		}
	}
	return Harmless(data)
}
