// Package kinds is imported by package input only, so that a copy must follow imports.
package kinds

type Kind string

// Generic code and ranging over a number need Go 1.22, whatever the module that this is copied into
// says.
func count[T any](list []T) (n int) {
	for range len(list) {
		n++
	}
	return n
}

var _ = count[Kind](nil)
