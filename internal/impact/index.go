package impact

import (
	"math"

	"parallax/internal/feature"
)

// Index looks an Impact's blocks up in constant time. It belongs to one goroutine.
type Index struct {
	*Impact
	impacted []bool
	holds    []bool   // a change
	after    [][]link // segments by their first block
	far      []uint64 // thousandths and one, 0: no change point can be reached

	counts []byte // of the trace at hand; 0 between calls
}

type link struct {
	to         uint32
	lone       bool // the first block has no other successor in Segments
	only       bool // the second has no other predecessor
	suspicious bool
}

// NewIndex returns the index of an Impact on programs with so many blocks; nil of one that knows of no change. Blocks that there are not
// are left out.
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
	before := make([]int, blocks)
	for _, s := range i.Segments {
		if int(s.From) < blocks && int(s.To) < blocks {
			x.after[s.From] = append(x.after[s.From], link{to: s.To, suspicious: s.Suspicious})
			before[s.To]++
		}
	}
	for _, links := range x.after {
		for k := range links {
			links[k].lone, links[k].only = len(links) == 1, before[links[k].to] == 1
		}
	}
	for _, f := range i.Distance {
		if int(f.Block) < blocks {
			x.far[f.Block] = f.Milli + 1
		}
	}
	return x
}

// trace returns the trace of the program that was changed; nil if it was not recorded.
func (x *Index) trace(traces []feature.Trace) *feature.Trace {
	if x.Program >= len(traces) {
		return nil
	}
	t := &traces[x.Program]
	t.Need()
	return t
}

// open marks the blocks that a trace has executed, until shut.
func (x *Index) open(t *feature.Trace) {
	for k, id := range t.Hits {
		if int(id) < len(x.counts) {
			x.counts[id] = t.Counts[k]
		}
	}
}

func (x *Index) shut(t *feature.Trace) {
	for _, id := range t.Hits {
		if int(id) < len(x.counts) {
			x.counts[id] = 0
		}
	}
}

// Fit is the paper's fitness (2) of a run: the part of its segments that are suspicious, of those in functions with an impacted block; 0
// if there are none. With visits each segment counts as often as it was executed, which is the literal reading of a path as a sequence: a
// block's count where the segment is the only way from or to it, else the smaller of both counts.
func (x *Index) Fit(traces []feature.Trace, visits bool) float64 {
	t := x.trace(traces)
	if t == nil {
		return 0
	}
	x.open(t)
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
	x.shut(t)
	if all == 0 {
		return 0
	}
	return float64(suspicious) / float64(all)
}

func (x *Index) visits(from uint32, l link) int {
	a, b := int(x.counts[from]), int(x.counts[l.to])
	switch {
	case l.only && !l.lone:
		return b
	case l.lone && !l.only:
		return a
	}
	return min(a, b)
}

// Features appends a feature for each suspicious segment that a run has executed.
func (x *Index) Features(traces []feature.Trace, out []uint64) []uint64 {
	t := x.trace(traces)
	if t == nil {
		return out
	}
	x.open(t)
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
	x.shut(t)
	return out
}

// Touches reports whether a run has executed an impacted block.
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

// Far is AFLGo's distance of a run: the mean over the blocks that it visited from which a change point can be reached, each as often as it
// was. It is infinite if there is none.
func (x *Index) Far(traces []feature.Trace) float64 {
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

// Share is the part of the executed blocks that hold a change.
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

// First appends the blocks with a change that a run has executed and that are not in seen.
func (x *Index) First(t *feature.Trace, seen feature.Map, out []uint32) []uint32 {
	t.Need()
	for _, id := range t.Hits {
		if int(id) < len(x.holds) && x.holds[id] && seen[id] == 0 {
			out = append(out, id)
		}
	}
	return out
}

// To is how near a run came to a change point: how many of the gates before it were not executed, and then how far the nearest executed
// block is from it; ok is false if none is from which the point can be reached.
func (x *Index) To(point int, traces []feature.Trace) (gates, distance int, ok bool) {
	t := x.trace(traces)
	if t == nil {
		return 0, 0, false
	}
	x.open(t)
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
	x.shut(t)
	return gates, distance, ok
}
