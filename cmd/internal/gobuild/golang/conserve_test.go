package golang

import (
	"math"

	"parallax/cmd/internal/flow"
)

// conserved checks flow conservation. Every activation of a function is a walk from its entry along
// edges of the table. The counts of a function's blocks must therefore be the sums of a
// non-negative integer flow on its edges. This is a transportation problem: the outflow of blocks
// supplies their inflow. It is solved by maximum flow.
//
// With strict, every walk must also end at a block with Exit, as it does if nothing panics and
// nothing still runs. Otherwise, a walk may end anywhere.
func conserved(f flow.Func, blocks []flow.Block, counts []uint64, strict bool) bool {
	n := f.Count
	source, exit, sink := 2*n, 2*n+1, 2*n+2
	g := newNetwork(2*n + 3)
	count := func(i int) int64 { return int64(counts[f.First+i]) }
	var needed int64
	for i := range n {
		b := blocks[f.First+i]
		g.edge(source, i, count(i))
		if i > 0 {
			needed += count(i)
			g.edge(n+i, sink, count(i))
		}
		for _, s := range b.Succs {
			g.edge(i, n+s-f.First, math.MaxInt64)
		}
		if strict && b.Exit {
			g.edge(i, exit, math.MaxInt64)
		}
	}
	if strict {
		needed += count(0)
		g.edge(exit, sink, count(0))
	}
	return g.max(source, sink) == needed
}

// A network is a flow network for Dinic's algorithm.
type network struct {
	arcs  []arc
	heads [][]int
	level []int
	next  []int
}

type arc struct {
	to   int
	left int64
}

func newNetwork(n int) *network {
	return &network{heads: make([][]int, n), level: make([]int, n), next: make([]int, n)}
}

func (g *network) edge(from, to int, capacity int64) {
	g.heads[from] = append(g.heads[from], len(g.arcs))
	g.heads[to] = append(g.heads[to], len(g.arcs)+1)
	g.arcs = append(g.arcs, arc{to, capacity}, arc{from, 0})
}

func (g *network) max(source, sink int) (total int64) {
	for g.levels(source, sink) {
		clear(g.next)
		for {
			pushed := g.push(source, sink, math.MaxInt64)
			if pushed == 0 {
				break
			}
			total += pushed
		}
	}
	return total
}

func (g *network) levels(source, sink int) bool {
	for i := range g.level {
		g.level[i] = -1
	}
	g.level[source] = 0
	queue := []int{source}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, a := range g.heads[v] {
			if to := g.arcs[a].to; g.arcs[a].left > 0 && g.level[to] < 0 {
				g.level[to] = g.level[v] + 1
				queue = append(queue, to)
			}
		}
	}
	return g.level[sink] >= 0
}

func (g *network) push(v, sink int, limit int64) int64 {
	if v == sink {
		return limit
	}
	for ; g.next[v] < len(g.heads[v]); g.next[v]++ {
		a := g.heads[v][g.next[v]]
		to := g.arcs[a].to
		if g.arcs[a].left == 0 || g.level[to] != g.level[v]+1 {
			continue
		}
		if pushed := g.push(to, sink, min(limit, g.arcs[a].left)); pushed > 0 {
			g.arcs[a].left -= pushed
			if g.arcs[a^1].left < math.MaxInt64-pushed {
				g.arcs[a^1].left += pushed
			}
			return pushed
		}
	}
	return 0
}
