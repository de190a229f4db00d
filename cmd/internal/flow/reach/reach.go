// Package reach finds what a change of a program reaches: the impact analysis of DeltaFuzz (Zhang et al., JCST 37(1), 2022, section 2.2,
// Algorithm 1), AFLGo's distances, and for each place of the change how far it is and which blocks every way to it leads through. It reads
// block tables and calls of package flow and runs nothing. What comes out is what workers are told (parallax/internal/impact).
//
// Invariants: everything is a pure function of the space, its calls and the change points; callees are never entered; blocks ascend.
package reach

import (
	"slices"

	"parallax/cmd/internal/flow"
)

// Direction says which blocks count as impacted.
type Direction uint8

// The directions. The paper's prose and its listing differ; both readings of its backward analysis are here.
const (
	// Both is Algorithm 1 as it is printed: the blocks of a function that can reach the change or be reached from it, and the same for
	// blocks that call that function, up to the entry.
	Both Direction = iota
	// Forward is the first half of line 11: blocks that can reach the change, up to the entry. The paper's DeltaFuzz_F.
	Forward
	// Backward is the second half, to the end of the function that holds the change: DeltaFuzz_B by the prose.
	Backward
	// BackwardUp is the second half with line 15: what follows each call of a function with impacted blocks too.
	BackwardUp
)

// Directions are the names by which users choose one, in their order.
var Directions = []string{Both: "both", Forward: "forward", Backward: "backward", BackwardUp: "backward-up"}

// Named returns the direction of a name; ok is false if there is none.
func Named(name string) (d Direction, ok bool) {
	i := slices.Index(Directions, name)
	return Direction(max(0, i)), i >= 0
}

// Impacted marks the blocks that are impacted by changes in points.
//
// Algorithm 1 takes blocks from a queue one by one and skips those that were checked. Blocks of one function are taken together here, since
// what they mark is a union; a function is looked at again when a call site in it is found later.
func Impacted(s *flow.Space, calls *flow.Calls, points []int, d Direction) []bool {
	impacted, checked := make([]bool, s.Len()), make([]bool, s.Len())
	queue := map[int][]int{} // by function: blocks to look at
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

// spread marks all blocks that can be come to from others.
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

// predecessors are the blocks before each block of a function, which is named by its first.
func predecessors(s *flow.Space, function int) func(int) []int {
	before := map[int][]int{}
	for b := function; s.Function(b) == function; b++ {
		for _, n := range s.Succs(b) {
			before[n] = append(before[n], b)
		}
	}
	return func(b int) []int { return before[b] }
}
