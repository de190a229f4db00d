package impact

import (
	"math"

	"parallax/internal/feature"
)

// Index looks up an Impact's blocks in constant time. It belongs to one goroutine.
type Index struct {
	*Impact
	impacted []bool
	holds    []bool   // per block: it holds a change
	after    [][]link // segments by their first block
	far      []uint64 // thousandths plus one; 0 if no change point can be reached

	counts []byte // hit counts of the current trace; all 0 between calls
}

type link struct {
	to              uint32
	onlySuccessor   bool // the first block has no other successor in Segments, calls aside
	onlyPredecessor bool // the second block has no other predecessor
	suspicious      bool
	call            bool
}

// NewIndex returns the index of an Impact for programs with the given number of blocks. It ignores
// other blocks. It returns nil if the Impact describes no change.
func NewIndex(i *Impact, blocks int) *Index {
	if !i.Known() {
		return nil
	}
	x := &Index{Impact: i, impacted: make([]bool, blocks), holds: make([]bool, blocks), after: make([][]link, blocks), far: make([]uint64, blocks), counts: make([]byte, blocks)}
	for _, b := range i.Impacted {
		if int(b) < blocks {
			x.impacted[b] = true
		}
	}
	for _, p := range i.Points {
		for _, b := range p.Blocks {
			if int(b) < blocks {
				x.holds[b] = true
			}
		}
	}
	before, behind := make([]int, blocks), make([]int, blocks)
	for _, s := range i.Segments {
		if int(s.From) < blocks && int(s.To) < blocks {
			x.after[s.From] = append(x.after[s.From], link{to: s.To, suspicious: s.Suspicious, call: s.Call})
			if !s.Call {
				before[s.To]++
				behind[s.From]++
			}
		}
	}
	for from, links := range x.after {
		for k := range links {
			if l := &links[k]; !l.call {
				l.onlySuccessor, l.onlyPredecessor = behind[from] == 1, before[l.to] == 1
			}
		}
	}
	for _, f := range i.Distance {
		if int(f.Block) < blocks {
			x.far[f.Block] = f.Milli + 1
		}
	}
	return x
}

// trace returns the trace of the changed program, or nil if it was not recorded.
func (x *Index) trace(traces []feature.Trace) *feature.Trace {
	if x.Program >= len(traces) {
		return nil
	}
	t := &traces[x.Program]
	t.Need()
	return t
}

// mark sets counts from a trace, until unmark.
func (x *Index) mark(t *feature.Trace) {
	for k, id := range t.Hits {
		if int(id) < len(x.counts) {
			x.counts[id] = t.Counts[k]
		}
	}
}

func (x *Index) unmark(t *feature.Trace) {
	for _, id := range t.Hits {
		if int(id) < len(x.counts) {
			x.counts[id] = 0
		}
	}
}

// Fitness returns fitness (2) of the paper: the fraction of suspicious segments among a run's
// segments in functions with an impacted block. It is 0 if there are no segments.
//
// With visits, each segment counts as often as it was executed, which is the literal reading of a
// path as a sequence. The number is a block's count where the segment is the only way from or to
// the block, else the smaller of both counts.
func (x *Index) Fitness(traces []feature.Trace, visits bool) float64 {
	t := x.trace(traces)
	if t == nil {
		return 0
	}
	x.mark(t)
	suspicious, all := 0, 0
	for _, from := range t.Hits {
		if int(from) >= len(x.after) {
			continue
		}
		for _, l := range x.after[from] {
			if x.counts[l.to] == 0 {
				continue
			}
			n := 1
			if visits {
				n = x.visits(from, l)
			}
			all += n
			if l.suspicious {
				suspicious += n
			}
		}
	}
	x.unmark(t)
	if all == 0 {
		return 0
	}
	return float64(suspicious) / float64(all)
}

func (x *Index) visits(from uint32, l link) int {
	a, b := int(x.counts[from]), int(x.counts[l.to])
	switch {
	case l.onlyPredecessor && !l.onlySuccessor:
		return b
	case l.onlySuccessor && !l.onlyPredecessor:
		return a
	}
	return min(a, b)
}

// Features appends a feature for each suspicious segment that a run executed.
func (x *Index) Features(traces []feature.Trace, out []uint64) []uint64 {
	t := x.trace(traces)
	if t == nil {
		return out
	}
	x.mark(t)
	for _, from := range t.Hits {
		if int(from) >= len(x.after) || !x.impacted[from] {
			continue
		}
		for _, l := range x.after[from] {
			if l.suspicious && x.counts[l.to] != 0 {
				out = append(out, feature.Mix(uint64(from)<<32|uint64(l.to)))
			}
		}
	}
	x.unmark(t)
	return out
}

// Touches reports whether a run executed an impacted block.
func (x *Index) Touches(traces []feature.Trace) bool {
	t := x.trace(traces)
	if t == nil {
		return false
	}
	for _, id := range t.Hits {
		if int(id) < len(x.impacted) && x.impacted[id] {
			return true
		}
	}
	return false
}

// MeanDistance returns AFLGo's distance of a run. It is the mean distance of the executed blocks
// from which a change point can be reached, weighted by their counts. It is infinite if there are
// none.
func (x *Index) MeanDistance(traces []feature.Trace) float64 {
	t := x.trace(traces)
	if t == nil {
		return math.Inf(1)
	}
	sum, n := 0.0, 0.0
	for k, id := range t.Hits {
		if int(id) < len(x.far) && x.far[id] > 0 {
			visits := float64(t.Counts[k])
			sum += visits * float64(x.far[id]-1) / 1000
			n += visits
		}
	}
	if n == 0 {
		return math.Inf(1)
	}
	return sum / n
}

// Share returns the fraction of a run's executed blocks that hold a change.
func (x *Index) Share(traces []feature.Trace) float64 {
	t := x.trace(traces)
	if t == nil || len(t.Hits) == 0 {
		return 0
	}
	n := 0
	for _, id := range t.Hits {
		if int(id) < len(x.holds) && x.holds[id] {
			n++
		}
	}
	return float64(n) / float64(len(t.Hits))
}

// NewlyReached appends the executed blocks that hold a change and are not in seen.
func (x *Index) NewlyReached(t *feature.Trace, seen feature.Map, out []uint32) []uint32 {
	t.Need()
	for _, id := range t.Hits {
		if int(id) < len(x.holds) && x.holds[id] && seen[id] == 0 {
			out = append(out, id)
		}
	}
	return out
}

// PointDistance returns the distance of a run from a change point. It is the number of the point's
// gates that the run missed, and the smallest distance of an executed block. ok is false if the run
// executed no block from which the point can be reached.
func (x *Index) PointDistance(point int, traces []feature.Trace) (gates, distance int, ok bool) {
	t := x.trace(traces)
	if t == nil {
		return 0, 0, false
	}
	x.mark(t)
	for _, n := range x.Points[point].Near {
		if int(n.Block) >= len(x.counts) {
			continue
		}
		executed := x.counts[n.Block] != 0
		if n.Gate && !executed {
			gates++
		}
		if executed && (!ok || int(n.Distance) < distance) {
			distance, ok = int(n.Distance), true
		}
	}
	x.unmark(t)
	return gates, distance, ok
}
