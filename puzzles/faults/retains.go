package faults

var retained struct {
	data []byte
	text string
}

// Retains keeps its input and looks at it when it is called again. It is no finding: what a program
// is given stays as it is.
func Retains(data []byte) error {
	if string(retained.data) != retained.text {
		panic("the input was changed behind the program's back")
	}
	retained.data, retained.text = data, string(append([]byte{}, data...))
	return Harmless(data)
}
