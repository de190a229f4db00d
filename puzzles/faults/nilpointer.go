package faults

type node struct{ next *node }

// NilPointer follows a pointer that is nil.
func NilPointer(data []byte) error {
	n := &node{}
	if Boom(data) {
		n = n.next.next
	}
	if n == nil {
		return errEmpty
	}
	return Harmless(data)
}
