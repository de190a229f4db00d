package reach

import "parallax/cmd/internal/flow"

// dominators is the dominator tree of a program's blocks (Cooper, Harvey, Kennedy: "A Simple, Fast
// Dominance Algorithm", 2001). It spans functions: a call is a step from its block to the first
// block of the callee.
//
// Paths begin at the roots, and at functions without known callers. These may be called by
// reflection, by assembly or by code that is not instrumented. The pseudo functions with the
// initializers of a Go file begin at each of their blocks.
type dominators struct {
	// Immediate dominator of each block. None for blocks where paths begin, and where several paths
	// have no common block.
	parent []int
	number []int // in reverse postorder, 0 for a block that cannot be reached
}

// newDominators computes the tree. Without roots, ways begin at functions that no other calls.
func newDominators(s *flow.Space, calls *flow.Calls, g *graph, roots []int) *dominators {
	n := s.Len()
	begins := make([]bool, n)
	for _, r := range roots {
		begins[r] = true
	}
	s.Functions(func(t *flow.Table, f flow.Func, first int) {
		if f.Name == "init" && f.Symbol == "" && t.Blocks[f.First].Kind != flow.Entry {
			for b := first; b < first+f.Count; b++ {
				begins[b] = true
			}
		}
		if len(roots) == 0 && len(g.sites[first]) == 0 {
			begins[first] = true
		}
	})
	d := &dominators{parent: make([]int, n), number: make([]int, n)}
	var post []int
	visit := func(root int) {
		type frame struct{ block, next int }
		for stack := []frame{{root, 0}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			next := steps(s, calls, top.block)
			if top.next == len(next) {
				post = append(post, top.block)
				stack = stack[:len(stack)-1]
				continue
			}
			to := next[top.next]
			top.next++
			if d.number[to] == 0 {
				d.number[to] = 1
				stack = append(stack, frame{to, 0})
			}
		}
	}
	start := func(b int) {
		if d.number[b] == 0 {
			d.number[b] = 1
			visit(b)
		}
	}
	for b := range begins {
		if begins[b] {
			start(b)
		}
	}
	s.Functions(func(_ *flow.Table, _ flow.Func, first int) {
		if d.number[first] == 0 { // without reachable callers
			begins[first] = true
			start(first)
		}
	})
	for i, b := range post {
		d.number[b] = len(post) - i
		d.parent[b] = unknown
	}
	for changed := true; changed; {
		changed = false
		for i := len(post) - 1; i >= 0; i-- {
			b := post[i]
			parent := unknown
			if begins[b] {
				parent = flow.None
			}
			for _, from := range [][]int{g.before[b], g.sites[b]} {
				for _, p := range from {
					switch {
					case d.number[p] == 0 || d.parent[p] == unknown:
					case parent == unknown:
						parent = p
					default:
						parent = d.common(parent, p)
					}
				}
			}
			if parent != d.parent[b] {
				d.parent[b], changed = parent, true
			}
		}
	}
	return d
}

// unknown marks a parent while the tree is computed.
const unknown = flow.None - 1

// steps returns the possible next blocks: those of the function, and the first ones of callees.
func steps(s *flow.Space, calls *flow.Calls, b int) []int {
	return append(s.Succs(b), calls.Callees(b)...)
}

// common returns the nearest common dominator of two blocks.
func (d *dominators) common(a, b int) int {
	for a != b {
		if a == flow.None || b == flow.None {
			return flow.None
		}
		if d.number[a] > d.number[b] {
			a = d.parent[a]
		} else {
			b = d.parent[b]
		}
	}
	return a
}

// gates returns the blocks on every path to some of the given blocks, nearest first. It includes
// the block itself if only one is given.
func (d *dominators) gates(blocks []int) []int {
	at := unknown
	for _, b := range blocks {
		switch {
		case d.number[b] == 0:
		case at == unknown:
			at = b
		default:
			at = d.common(at, b)
		}
	}
	var gates []int
	for at != unknown && at != flow.None {
		gates = append(gates, at)
		at = d.parent[at]
	}
	return gates
}
