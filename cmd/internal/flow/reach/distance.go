package reach

import (
	"math"

	"parallax/cmd/internal/flow"
)

// Unreachable is the distance of a block from which there is no way.
const Unreachable = math.MaxInt

// graph is the blocks of a space with the steps between them, backwards: from a block to those that come before it in its function, and
// from the first block of a function to those that call it.
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

// distances are the lengths of the shortest ways from all blocks to the nearest of some: a step within a function counts 1, a call as many
// as given, in room, which is used again. It is Dial's algorithm: lengths of steps are small, so that a ring of queues does for a heap.
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
		for k := 0; k < len(ring[slot]); k++ { // call is above 1, so that nothing is put into the slot at hand
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
