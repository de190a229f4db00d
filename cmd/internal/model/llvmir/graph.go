package llvmir

import "slices"

// Graph is a function's control flow. Blocks are their indices.
type Graph struct {
	Succs [][]int // without repetitions
	Preds [][]int // without repetitions, from reachable blocks only
	Order []int   // reachable blocks, in reverse postorder
	Idom  []int   // immediate dominators; -1 for the entry and unreachable blocks
	Loops []Loop  // natural loops, outer ones before inner ones

	rank []int // places in Order, or -1
}

// Loop is a natural loop: all back edges to one header.
type Loop struct {
	Header int
	Body   []int // with the header, ascending
	Backs  []int // sources of the back edges, ascending
}

// NewGraph analyses a function with a body.
func NewGraph(f *Function) *Graph {
	n := len(f.Blocks)
	g := &Graph{Succs: make([][]int, n), Preds: make([][]int, n), Idom: make([]int, n), rank: make([]int, n)}
	for i, b := range f.Blocks {
		for _, s := range b.Successors() {
			if !slices.Contains(g.Succs[i], s) {
				g.Succs[i] = append(g.Succs[i], s)
			}
		}
		g.Idom[i], g.rank[i] = -1, -1
	}
	g.order()
	for _, b := range g.Order {
		for _, s := range g.Succs[b] {
			g.Preds[s] = append(g.Preds[s], b)
		}
	}
	g.dominators()
	g.loops()
	return g
}

// Reached reports whether a block is reachable from the entry.
func (g *Graph) Reached(b int) bool { return g.rank[b] >= 0 }

// order walks depth first, without recursion: bodies may have thousands of blocks.
func (g *Graph) order() {
	seen := make([]bool, len(g.Succs))
	type visit struct{ block, next int }
	stack := []visit{{0, 0}}
	seen[0] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(g.Succs[top.block]) {
			g.Order = append(g.Order, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		s := g.Succs[top.block][top.next]
		top.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, visit{s, 0})
		}
	}
	slices.Reverse(g.Order)
	for i, b := range g.Order {
		g.rank[b] = i
	}
}

// dominators implements the algorithm of Cooper, Harvey and Kennedy.
func (g *Graph) dominators() {
	for changed := true; changed; {
		changed = false
		for _, b := range g.Order[1:] {
			idom := -1
			for _, p := range g.Preds[b] {
				switch {
				case p != 0 && g.Idom[p] < 0: // not yet known
				case idom < 0:
					idom = p
				default:
					idom = g.meet(idom, p)
				}
			}
			if g.Idom[b] != idom {
				g.Idom[b] = idom
				changed = true
			}
		}
	}
}

func (g *Graph) meet(a, b int) int {
	for a != b {
		for g.rank[a] > g.rank[b] {
			a = g.Idom[a]
		}
		for g.rank[b] > g.rank[a] {
			b = g.Idom[b]
		}
	}
	return a
}

// Dominates reports whether each path to b goes through a. Blocks that are not reached are
// dominated by none but themselves.
func (g *Graph) Dominates(a, b int) bool {
	for ; b >= 0; b = g.Idom[b] {
		if a == b {
			return true
		}
	}
	return false
}

// loops finds the natural loops, from edges to a block that dominates their source.
func (g *Graph) loops() {
	for _, h := range g.Order {
		l := Loop{Header: h}
		for _, p := range g.Preds[h] {
			if g.Dominates(h, p) {
				l.Backs = append(l.Backs, p)
			}
		}
		if l.Backs == nil {
			continue
		}
		slices.Sort(l.Backs)
		in := map[int]bool{h: true}
		work := slices.Clone(l.Backs)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if !in[b] {
				in[b] = true
				work = append(work, g.Preds[b]...)
			}
		}
		for b := range in {
			l.Body = append(l.Body, b)
		}
		slices.Sort(l.Body)
		g.Loops = append(g.Loops, l)
	}
}

// children returns the blocks that each block dominates immediately.
func (g *Graph) children() [][]int {
	c := make([][]int, len(g.Succs))
	for _, b := range g.Order {
		if d := g.Idom[b]; d >= 0 {
			c[d] = append(c[d], b)
		}
	}
	return c
}

// frontiers returns the dominance frontiers: the blocks where a block's definitions meet others.
func (g *Graph) frontiers() [][]int {
	front := make([][]int, len(g.Succs))
	for _, b := range g.Order {
		if len(g.Preds[b]) < 2 {
			continue
		}
		for _, p := range g.Preds[b] {
			for at := p; at >= 0 && at != g.Idom[b]; at = g.Idom[at] {
				if !slices.Contains(front[at], b) {
					front[at] = append(front[at], b)
				}
			}
		}
	}
	return front
}
