package clang

import (
	"cmp"
	"slices"
)

// graph is the control flow of a function at the level of machine code. Blocks at one address are
// one node, since they are executed together. Not all nodes are counted: the compiler omits nodes
// whose execution follows from others.
type graph struct {
	nodes   []node // by address
	entry   int
	removed []int // counters of blocks that there are no more

	// For each node, the closest node on every path to it; -1 for the entry and unreachable nodes.
	dominator     []int
	postDominator []int // the same for paths to the end, which is len(nodes)
}

type node struct {
	pc, end      uint64
	ids          []int // of the counters, ascending; empty means not counted
	succs, preds []int
	calls        []uint64
	ends         bool // the function may return here, or the program end
}

func newGraph(b *body) *graph {
	g := &graph{}
	index := map[uint64]int{}
	add := func(pc uint64) {
		if _, ok := index[pc]; !ok && pc != removed {
			index[pc] = -1
			g.nodes = append(g.nodes, node{pc: pc})
		}
	}
	for _, p := range b.points {
		add(p.pc)
	}
	for _, r := range b.records {
		add(r.pc)
		for _, s := range r.succs {
			add(s)
		}
	}
	slices.SortFunc(g.nodes, func(x, y node) int { return cmp.Compare(x.pc, y.pc) })
	for i := range g.nodes {
		n := &g.nodes[i]
		index[n.pc] = i
		n.end = max(n.pc, b.end)
		if i+1 < len(g.nodes) {
			n.end = g.nodes[i+1].pc
		}
	}
	for i, p := range b.points {
		if p.pc == removed {
			g.removed = append(g.removed, b.first+i)
			continue
		}
		n := &g.nodes[index[p.pc]]
		n.ids = append(n.ids, b.first+i)
	}
	records := map[uint64]int{} // how many have an address
	for _, r := range b.records {
		records[r.pc]++
	}
	for i := range g.nodes {
		g.nodes[i].ends = records[g.nodes[i].pc] == 0 // nothing is known
	}
	for _, r := range b.records {
		if r.pc == removed {
			continue
		}
		from := index[r.pc]
		n := &g.nodes[from]
		n.calls = append(n.calls, r.calls...)
		n.ends = n.ends || len(r.succs) == 0
		if len(r.succs) == 1 && r.succs[0] == r.pc && records[r.pc] > 1 {
			continue // a block without code, before another at its address
		}
		for _, s := range r.succs {
			if to := index[s]; s != removed && !slices.Contains(n.succs, to) {
				n.succs = append(n.succs, to)
				g.nodes[to].preds = append(g.nodes[to].preds, from)
			}
		}
	}
	g.entry = index[b.entry]
	g.dominator, g.postDominator = g.dominators(), g.postDominators()
	return g
}

func (n *node) counted() bool { return len(n.ids) > 0 }

// next returns the counted nodes that can follow a counted node. It calls visit for the node itself
// and all uncounted nodes on the way.
func (g *graph) next(from int, visit func(n int)) (ids []int) {
	seen := make(map[int]bool)
	stack := []int{from}
	visit(from)
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range g.nodes[n].succs {
			if seen[s] {
				continue
			}
			seen[s] = true
			if g.nodes[s].counted() {
				ids = append(ids, g.nodes[s].ids...)
				continue
			}
			visit(s)
			stack = append(stack, s)
		}
	}
	slices.Sort(ids)
	return ids
}

// cover returns the counters that show whether a node is executed: it is if one of them is hit.
// This is exact if the compiler omitted the node by its usual rule. By this rule, a node need not
// be counted if every successor implies it, or every predecessor leads to it
// (SanitizerCoverage.cpp, shouldInstrumentBlock).
func (g *graph) cover(n int) []int {
	var ids []int
	seen := map[int]bool{}
	var walk func(n int)
	walk = func(n int) {
		if seen[n] {
			return
		}
		seen[n] = true
		x := &g.nodes[n]
		if x.counted() {
			ids = append(ids, x.ids...)
			return
		}
		around := x.preds
		if len(x.succs) > 0 && !slices.ContainsFunc(x.succs, func(s int) bool { return !dominates(g.dominator, n, s) }) {
			around = x.succs
		}
		for _, a := range around {
			walk(a)
		}
	}
	walk(n)
	if len(ids) == 0 {
		if d := g.countedDominator(n); d >= 0 {
			ids = append(ids, g.nodes[d].ids...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// owner returns the counted node with which a node is executed, or -1 if there is none. It is the
// closest one before the node, if all paths from there lead to it.
func (g *graph) owner(n int) int {
	if g.nodes[n].counted() {
		return n
	}
	if d := g.countedDominator(n); d >= 0 && dominates(g.postDominator, n, d) {
		return d
	}
	return -1
}

func (g *graph) countedDominator(n int) int {
	for n = g.dominator[n]; n >= 0 && !g.nodes[n].counted(); {
		n = g.dominator[n]
	}
	return n
}

// condition returns the node that ends in the decision to go to node n, and whether there is one
// and only one.
func (g *graph) condition(n int) (from int, branch, single bool) {
	for steps := 0; steps < len(g.nodes); steps++ {
		preds := g.nodes[n].preds
		if len(preds) != 1 || g.nodes[preds[0]].counted() || len(g.nodes[preds[0]].succs) > 1 {
			break
		}
		n = preds[0]
	}
	from = -1
	for _, p := range g.nodes[n].preds {
		if len(g.nodes[p].succs) > 1 {
			branch, single = true, from < 0
			from = p
		}
	}
	return from, branch, single
}

func (g *graph) dominators() []int {
	succs := make([][]int, len(g.nodes))
	preds := make([][]int, len(g.nodes))
	for i := range g.nodes {
		succs[i], preds[i] = g.nodes[i].succs, g.nodes[i].preds
	}
	return immediateDominators(succs, preds, g.entry)
}

func (g *graph) postDominators() []int {
	end := len(g.nodes)
	succs := make([][]int, end+1)
	preds := make([][]int, end+1)
	for i := range g.nodes {
		succs[i], preds[i] = g.nodes[i].preds, g.nodes[i].succs
		if g.nodes[i].ends {
			succs[end] = append(succs[end], i)
			preds[i] = append(slices.Clone(preds[i]), end)
		}
	}
	return immediateDominators(succs, preds, end)
}

// immediateDominators implements the algorithm of Cooper, Harvey and Kennedy, "A simple, fast
// dominance algorithm", 2001.
func immediateDominators(succs, preds [][]int, root int) []int {
	order := postorder(succs, root)
	number := make([]int, len(succs)) // in postorder, plus one; 0 means unreachable
	for i, n := range order {
		number[n] = i + 1
	}
	dominator := make([]int, len(succs))
	for i := range dominator {
		dominator[i] = -1
	}
	dominator[root] = root
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			n, best := order[i], -1
			for _, p := range preds[n] {
				if number[p] == 0 || dominator[p] < 0 {
					continue
				}
				if best < 0 {
					best = p
					continue
				}
				for p != best {
					if number[p] < number[best] {
						p = dominator[p]
					} else {
						best = dominator[best]
					}
				}
			}
			if best != dominator[n] {
				dominator[n], changed = best, true
			}
		}
	}
	dominator[root] = -1
	return dominator
}

func postorder(succs [][]int, root int) (order []int) {
	type frame struct{ n, next int }
	seen := make([]bool, len(succs))
	seen[root] = true
	for stack := []frame{{root, 0}}; len(stack) > 0; {
		f := &stack[len(stack)-1]
		if f.next == len(succs[f.n]) {
			order = append(order, f.n)
			stack = stack[:len(stack)-1]
			continue
		}
		s := succs[f.n][f.next]
		f.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
	return order
}

// dominates reports whether node a dominates node b, by immediate dominators; each node does
// itself.
func dominates(dominator []int, a, b int) bool {
	for b >= 0 && b != a {
		b = dominator[b]
	}
	return b == a
}
