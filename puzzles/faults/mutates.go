package faults

// Mutates adds up its input and overwrites it, which it may. It is no finding: others are given
// their own.
func Mutates(data []byte) int {
	n := Sum(data)
	for i := range data {
		data[i]++
	}
	return n
}

// Sum adds up its input.
func Sum(data []byte) int {
	n := 0
	for _, b := range data {
		n = n*3 + int(b)
	}
	return n
}
