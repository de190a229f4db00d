// Package reach computes the blocks that lead to a change of a program. It implements the impact
// analysis of DeltaFuzz (Zhang et al., JCST 37(1), 2022, section 2.2, Algorithm 1) and AFLGo's
// distances. For each place of the change, it also computes distances and dominating blocks
// (gates). Workers receive the result (parallax/internal/impact).
//
// All functions are pure functions of the space, its calls and the change points. They read block
// tables and calls of package flow, and run nothing. Callees are never entered. Results list blocks
// in ascending order.
package reach

import (
	"slices"

	"parallax/cmd/internal/flow"
)

// Direction selects the blocks that count as impacted.
type Direction uint8

// The directions. The paper's prose and its listing differ. Both readings of its backward analysis
// are available.
const (
	// Both is Algorithm 1 as printed: the blocks of a function that reach the change or are
	// reachable from it. The same applies to the blocks that call the function, up to the entry.
	Both Direction = iota
	// Forward is the first half of line 11: blocks that can reach the change, up to the entry. The
	// paper's DeltaFuzz_F.
	Forward
	// Backward is the second half, to the end of the function that holds the change: DeltaFuzz_B by
	// the prose.
	Backward
	// BackwardUp is the second half with line 15: it includes the blocks after each call of a
	// function with impacted blocks.
	BackwardUp
)

// Directions holds the names of the directions for users, by direction.
var Directions = []string{Both: "both", Forward: "forward", Backward: "backward", BackwardUp: "backward-up"}

// Named returns the direction of a name; ok is false if there is none.
func Named(name string) (d Direction, ok bool) {
	i := slices.Index(Directions, name)
	return Direction(max(0, i)), i >= 0
}

// Impacted marks the blocks that are impacted by changes in points.
//
// Algorithm 1 takes blocks from a queue one by one and skips checked ones. This implementation
// processes the blocks of one function together, since their marks are a union. A function is
// processed again if a call site in it is found later.
func Impacted(s *flow.Space, calls *flow.Calls, points []int, d Direction) []bool {
	impacted, checked := make([]bool, s.Len()), make([]bool, s.Len())
	queue := map[int][]int{} // by function: blocks to process
	var order []int
	push := func(block int) {
		f := s.Function(block)
		if f == flow.None || checked[block] {
			return
		}
		checked[block] = true
		if len(queue[f]) == 0 {
			order = append(order, f)
		}
		queue[f] = append(queue[f], block)
	}
	for _, p := range points {
		push(p)
	}
	called := map[int]bool{} // functions whose call sites are in the queue
	for len(order) > 0 {
		f := order[0]
		order = order[1:]
		blocks := queue[f]
		delete(queue, f)
		for _, b := range blocks {
			impacted[b] = true
		}
		if d == Both || d == Forward {
			spread(blocks, impacted, predecessors(s, f))
		}
		if d != Forward {
			spread(blocks, impacted, s.Succs)
		}
		if d == Backward || called[f] {
			continue
		}
		called[f] = true
		for _, site := range calls.Sites(f) {
			push(site)
		}
	}
	return impacted
}

// spread marks all blocks that are reachable from the given ones.
func spread(from []int, marked []bool, next func(int) []int) {
	seen := map[int]bool{}
	stack := slices.Clone(from)
	for _, b := range stack {
		seen[b] = true
	}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		marked[b] = true
		for _, n := range next(b) {
			if !seen[n] {
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
}

// predecessors returns a function from a block to its predecessors within the function, which its
// first block names.
func predecessors(s *flow.Space, function int) func(int) []int {
	before := map[int][]int{}
	for b := function; s.Function(b) == function; b++ {
		for _, n := range s.Succs(b) {
			before[n] = append(before[n], b)
		}
	}
	return func(b int) []int { return before[b] }
}
