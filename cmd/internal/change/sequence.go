package change

import "slices"

// maxEdits limits the work of comparing two sequences, which grows with the square of the number of
// edits.
const maxEdits = 2000

// common returns the indices of a longest common subsequence (Myers, An O(ND) difference algorithm,
// 1986). ok is false if the sequences differ too much.
func common[T comparable](a, b []T) (pairs [][2]int, ok bool) {
	before := 0
	for before < min(len(a), len(b)) && a[before] == b[before] {
		pairs = append(pairs, [2]int{before, before})
		before++
	}
	after := 0
	for after < min(len(a), len(b))-before && a[len(a)-1-after] == b[len(b)-1-after] {
		after++
	}
	middle, ok := myers(a[before:len(a)-after], b[before:len(b)-after])
	for _, p := range middle {
		pairs = append(pairs, [2]int{before + p[0], before + p[1]})
	}
	for i := after; i > 0; i-- {
		pairs = append(pairs, [2]int{len(a) - i, len(b) - i})
	}
	return pairs, ok
}

func myers[T comparable](a, b []T) (pairs [][2]int, ok bool) {
	if len(a) == 0 || len(b) == 0 {
		return nil, true
	}
	limit := min(len(a)+len(b), maxEdits)
	reach := make([]int, 2*limit+2) // furthest x on diagonal k, at limit+k
	var trace [][]int
	for d := 0; d <= limit; d++ {
		trace = append(trace, slices.Clone(reach[limit-d:limit+d+2]))
		for k := -d; k <= d; k += 2 {
			x := reach[max(limit+k-1, 0)] + 1
			if k == -d || k != d && reach[limit+k-1] < reach[limit+k+1] {
				x = reach[limit+k+1]
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			reach[limit+k] = x
			if x >= len(a) && y >= len(b) {
				return backtrack(trace, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// backtrack follows the edits from the end to the beginning. trace[d] holds the furthest points
// before edit d, from diagonal -d on.
func backtrack(trace [][]int, x, y int) (pairs [][2]int) {
	for d := len(trace) - 1; d >= 0; d-- {
		at := func(k int) int { return trace[d][k+d] }
		k := x - y
		var from int
		if k == -d || k != d && at(k-1) < at(k+1) {
			from = k + 1
		} else {
			from = k - 1
		}
		px, py := 0, 0
		if d > 0 {
			px = at(from)
			py = px - from
		}
		for x > px && y > py {
			x, y = x-1, y-1
			pairs = append(pairs, [2]int{x, y})
		}
		x, y = px, py
	}
	slices.Reverse(pairs)
	return pairs
}
