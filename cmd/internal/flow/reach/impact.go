package reach

import (
	"math"

	"parallax/cmd/internal/flow"
	"parallax/internal/impact"
)

// Request describes a change to analyze.
type Request struct {
	Space   *flow.Space
	Calls   *flow.Calls // nil means those of the space
	Program int         // index of the changed program, among those of the target
	// for each change point, its blocks in the space; empty for a point without executable code
	Points [][]int
	// first blocks of entry functions, such as harnesses; empty means those without callers
	Roots     []int
	Direction Direction
}

// Analyze computes the impact of a change for workers.
func Analyze(r Request) *impact.Impact {
	s, calls := r.Space, r.Calls
	if calls == nil {
		calls = s.Calls()
	}
	var all []int
	for _, blocks := range r.Points {
		all = append(all, blocks...)
	}
	impacted := Impacted(s, calls, all, r.Direction)
	out := &impact.Impact{Program: r.Program}
	for b, is := range impacted {
		if is {
			out.Impacted = append(out.Impacted, uint32(b))
		}
	}
	s.Functions(func(_ *flow.Table, f flow.Func, first int) {
		if !contains(impacted[first : first+f.Count]) {
			return
		}
		for b := first; b < first+f.Count; b++ {
			for _, n := range s.Succs(b) {
				out.Segments = append(out.Segments, impact.Segment{From: uint32(b), To: uint32(n), Suspicious: impacted[b] && impacted[n]})
			}
			for _, n := range calls.Callees(b) {
				if t, k := s.Block(n); t != nil && contains(impacted[n:n+t.Funcs[k.Func].Count]) {
					out.Segments = append(out.Segments, impact.Segment{From: uint32(b), To: uint32(n), Suspicious: impacted[b] && impacted[n], Call: true})
				}
			}
		}
	})
	for b, d := range AFLGo(s, calls, all) {
		if d > 0 {
			out.Distance = append(out.Distance, impact.BlockDistance{Block: uint32(b), Milli: uint64(math.Round(1000 * d))})
		}
	}
	g := newGraph(s, calls)
	tree := newDominators(s, calls, g, r.Roots)
	room := make([]int, s.Len())
	gate := make([]bool, s.Len())
	for _, blocks := range r.Points {
		p := impact.Point{}
		for _, b := range blocks {
			p.Blocks = append(p.Blocks, uint32(b))
		}
		gates := tree.gates(blocks)
		for _, b := range gates {
			gate[b] = true
		}
		g.distances(blocks, impact.CallDistance, room)
		far := horizon(room)
		for b, d := range room {
			if d <= far || d != Unreachable && gate[b] {
				p.Near = append(p.Near, impact.Near{Block: uint32(b), Distance: uint32(min(d, math.MaxUint32)), Gate: gate[b]})
			}
		}
		for _, b := range gates {
			gate[b] = false
		}
		out.Points = append(out.Points, p)
	}
	return out
}

// mostNear limits the blocks with distances per change point, besides gates. In a large program,
// nearly all blocks may lead to the point. Distant ones do not distinguish seeds better than gates
// do.
const mostNear = 2048

// horizon returns the largest distance that at most mostNear blocks do not exceed.
func horizon(distances []int) int {
	within := map[int]int{}
	longest := 0
	for _, d := range distances {
		if d != Unreachable {
			within[d]++
			longest = max(longest, d)
		}
	}
	n := 0
	for d := 0; d <= longest; d++ {
		if n += within[d]; n > mostNear {
			return d - 1
		}
	}
	return longest
}

func contains(marks []bool) bool {
	for _, is := range marks {
		if is {
			return true
		}
	}
	return false
}
