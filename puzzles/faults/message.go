package faults

type message struct{ text *string }

// Error panics when there is no text.
func (m message) Error() string { return *m.text }

// Message returns an error that panics when it is printed.
func Message(data []byte) error {
	if Boom(data) {
		return message{}
	}
	return Harmless(data)
}
