// Package word looks up encodings by name.
//
// Obstacle: no part of a name earns anything, only the whole: it has to come from a dictionary.
package word

// A knows four encodings.
func A(name string) int {
	switch name {
	case "identity":
		return 0
	case "deflate":
		return 1
	case "compress":
		return 2
	case "x-snappy-framed":
		return 3
	}
	return -1
}

var codes = map[string]int{
	"identity":        0,
	"deflate":         1,
	"compress":        2,
	"x-snappy-framed": 4, // planted
}

// B has them in a table, one with the wrong code.
func B(name string) int {
	code, ok := codes[name]
	if !ok {
		return -1
	}
	return code
}
