package reach

import (
	"math"

	"parallax/cmd/internal/flow"
)

// Unreachable is the distance of a block from which no path leads to the target.
const Unreachable = math.MaxInt

// graph holds the reverse steps between the blocks of a space. They lead from a block to its
// predecessors in the function, and from a function's first block to its call sites.
type graph struct {
	before [][]int // blocks
	sites  [][]int // of first blocks: call sites
}

func newGraph(s *flow.Space, calls *flow.Calls) *graph {
	g := &graph{before: make([][]int, s.Len()), sites: make([][]int, s.Len())}
	for b := range g.before {
		for _, n := range s.Succs(b) {
			g.before[n] = append(g.before[n], b)
		}
		if s.Function(b) == b {
			g.sites[b] = calls.Sites(b)
		}
	}
	return g
}

// distances returns the lengths of the shortest paths from all blocks to the nearest of some
// blocks. A step within a function counts 1, and a call counts call. room is reused memory. It is
// Dial's algorithm: lengths of steps are small, so that a ring of queues replaces a heap.
func (g *graph) distances(to []int, call int, room []int) []int {
	for i := range room {
		room[i] = Unreachable
	}
	ring := make([][]int, call+1)
	left := 0
	put := func(b, d int) {
		if d < room[b] {
			room[b] = d
			ring[d%len(ring)] = append(ring[d%len(ring)], b)
			left++
		}
	}
	for _, b := range to {
		put(b, 0)
	}
	for d := 0; left > 0; d++ {
		slot := d % len(ring)
		// call exceeds 1, so that the current slot does not grow
		for k := 0; k < len(ring[slot]); k++ {
			b := ring[slot][k]
			left--
			if room[b] != d {
				continue
			}
			for _, n := range g.before[b] {
				put(n, d+1)
			}
			for _, n := range g.sites[b] {
				put(n, d+call)
			}
		}
		ring[slot] = ring[slot][:0]
	}
	return room
}
