package stats

import "math/bits"

// Overlap counts the elements of the union of sets by which of the sets hold them: bit i of the index is set i. The first
// count, of none, is zero.
func Overlap(sets []map[string]bool) []int {
	counts := make([]int, 1<<len(sets))
	for i, s := range sets {
		for e := range s {
			in := 0
			for j, other := range sets {
				if other[e] {
					in |= 1 << j
				}
			}
			if bits.TrailingZeros(uint(in)) == i { // once, for the first set that has it
				counts[in]++
			}
		}
	}
	return counts
}
