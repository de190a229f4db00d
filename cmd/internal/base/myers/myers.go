// Package myers compares sequences by the algorithms of Eugene Myers: a longest common subsequence,
// and the number of edits between two texts. The comparison of results, of versions of code and of
// inputs uses it, as do messages that suggest a name.
package myers

import "slices"

// Ends returns the lengths of the common beginning and of the common end of two lists. They do not
// overlap.
func Ends[T comparable](a, b []T) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// Common returns the indices of a longest common subsequence of two lists (An O(ND)
// difference algorithm and its variations, 1986). The work and the memory grow with the square of
// the number of edits. ok is false if there are more than maxEdits: then only the common ends are
// paired.
func Common[T comparable](a, b []T, maxEdits int) (pairs [][2]int, ok bool) {
	head, tail := Ends(a, b)
	for i := range head {
		pairs = append(pairs, [2]int{i, i})
	}
	middle, ok := Greedy(a[head:len(a)-tail], b[head:len(b)-tail], maxEdits)
	for _, p := range middle {
		pairs = append(pairs, [2]int{head + p[0], head + p[1]})
	}
	for i := tail; i > 0; i-- {
		pairs = append(pairs, [2]int{len(a) - i, len(b) - i})
	}
	return pairs, ok
}

// Greedy is Common without a search for common ends first, which may choose another subsequence.
func Greedy[T comparable](a, b []T, maxEdits int) (pairs [][2]int, ok bool) {
	if len(a) == 0 || len(b) == 0 {
		return nil, true
	}
	limit := min(len(a)+len(b), maxEdits)
	reach := make([]int32, 2*limit+2) // furthest x on diagonal k, at limit+k
	var trace [][]int32
	for d := 0; d <= limit; d++ {
		trace = append(trace, slices.Clone(reach[limit-d:limit+d+2]))
		for k := -d; k <= d; k += 2 {
			x := int(reach[max(limit+k-1, 0)]) + 1
			if k == -d || k != d && reach[limit+k-1] < reach[limit+k+1] {
				x = int(reach[limit+k+1])
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			reach[limit+k] = int32(x)
			if x >= len(a) && y >= len(b) {
				return backtrack(trace, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// backtrack follows the edits from the end to the beginning. trace[d] holds the furthest points
// before edit d, from diagonal -d on.
func backtrack(trace [][]int32, x, y int) (pairs [][2]int) {
	for d := len(trace) - 1; d >= 0; d-- {
		at := func(k int) int { return int(trace[d][k+d]) }
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
