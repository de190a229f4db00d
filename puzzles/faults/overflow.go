package faults

// Overflow recurses until the stack is full, which no program recovers from.
func Overflow(data []byte) error {
	if Boom(data) && descend(data) == 0 {
		return errEmpty
	}
	return Harmless(data)
}

func descend(data []byte) int { return descend(data) + 1 }

//lint:file-ignore SA5007 the stack has to be full
