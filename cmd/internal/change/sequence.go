package change

import "parallax/cmd/internal/base/myers"

// maxEdits limits the work of comparing two sequences, which grows with the square of the number of
// edits.
const maxEdits = 2000

// common returns the indices of a longest common subsequence. ok is false if the sequences differ
// too much.
func common[T comparable](a, b []T) (pairs [][2]int, ok bool) {
	return myers.Common(a, b, maxEdits)
}
