package reach

import (
	"slices"

	"parallax/cmd/internal/flow"
)

// AFLGo returns the distance of each block to the targets (Böhme et al., CCS 2017, section 3.2), as
// AFLGo's code computes it. 0 means that no target is reachable, since distances are never 0.
//
// A function's distance is the harmonic mean of 1 + n over the functions with targets that it
// reaches. n is the number of calls on the shortest path: |R| / sum 1/(1+n).
//
// A block's distance is |I| / sum 1/(1 + 10 D + m). The sum covers the blocks that it reaches in
// its function by m steps. They hold a target (D is 0) or call a function with a distance (D is the
// smallest such distance).
func AFLGo(s *flow.Space, calls *flow.Calls, targets []int) []float64 {
	g := newGraph(s, calls)
	functions := functionDistances(s, g, targets)
	distance := make([]float64, s.Len())
	target := map[int]bool{}
	for _, b := range targets {
		target[b] = true
	}
	s.Functions(func(_ *flow.Table, f flow.Func, first int) {
		sum, reached := make([]float64, f.Count), make([]int, f.Count)
		for b := first; b < first+f.Count; b++ {
			d, ok := 0.0, target[b]
			if !ok {
				for _, callee := range calls.Callees(b) {
					if far := functions[callee]; far > 0 && (!ok || far < d) {
						d, ok = far, true
					}
				}
			}
			if !ok {
				continue
			}
			steps := map[int]int{b: 0}
			for queue := []int{b}; len(queue) > 0; queue = queue[1:] {
				at := queue[0]
				sum[at-first] += 1 / (1 + 10*d + float64(steps[at]))
				reached[at-first]++
				for _, n := range g.before[at] {
					if _, seen := steps[n]; !seen {
						steps[n] = steps[at] + 1
						queue = append(queue, n)
					}
				}
			}
		}
		for i := range sum {
			if reached[i] > 0 {
				distance[first+i] = float64(reached[i]) / sum[i]
			}
		}
	})
	return distance
}

// functionDistances returns the distances of functions, by their first blocks.
func functionDistances(s *flow.Space, g *graph, targets []int) map[int]float64 {
	callers := map[int][]int{}
	s.Functions(func(_ *flow.Table, _ flow.Func, first int) {
		for _, site := range g.sites[first] {
			if f := s.Function(site); !slices.Contains(callers[first], f) {
				callers[first] = append(callers[first], f)
			}
		}
	})
	var with []int
	for _, b := range targets {
		if f := s.Function(b); f != flow.None && !slices.Contains(with, f) {
			with = append(with, f)
		}
	}
	slices.Sort(with)
	sum, reached := map[int]float64{}, map[int]int{}
	for _, t := range with {
		steps := map[int]int{t: 0}
		for queue := []int{t}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			sum[at] += 1 / (1 + float64(steps[at]))
			reached[at]++
			for _, n := range callers[at] {
				if _, seen := steps[n]; !seen {
					steps[n] = steps[at] + 1
					queue = append(queue, n)
				}
			}
		}
	}
	distance := map[int]float64{}
	for f, n := range reached {
		distance[f] = float64(n) / sum[f]
	}
	return distance
}
