package worker

import (
	"runtime"
	"runtime/metrics"
)

// allocations counts what a program that is compared with another version of itself allocates, in bytes, freed or not. The clock is not
// read for what programs cost: it says another thing on each machine.
//
// While it fuzzes, a worker asks the runtime without stopping the world (0.7 µs). The runtime counts small objects by spans there, so that a
// run may be told up to some hundred kilobytes of what those before it have allocated: enough to see whether an input is worth
// another look. Triage, whose numbers people read, has them counted exactly (4 µs).
type allocations struct {
	counted bool
	exact   bool
	before  uint64
	sample  [1]metrics.Sample
	stats   runtime.MemStats
}

// allocsMetric is the cumulative sum, since Go 1.16.
const allocsMetric = "/gc/heap/allocs:bytes"

// count begins to count, if programs are of a kind whose cost is compared.
func (a *allocations) count(programs []Program) {
	for i := range programs {
		a.counted = a.counted || programs[i].Calls != nil
	}
	if a.counted {
		a.sample[0].Name = allocsMetric
		a.total() // it allocates once
	}
}

// begin is called before a run.
func (a *allocations) begin() {
	if a.counted {
		a.before = a.total()
	}
}

// since is what was allocated since begin; 0 where nobody counts.
func (a *allocations) since() uint64 {
	if !a.counted {
		return 0
	}
	return a.total() - a.before
}

// total is what the process has allocated so far.
func (a *allocations) total() uint64 {
	if a.exact {
		runtime.ReadMemStats(&a.stats)
		return a.stats.TotalAlloc
	}
	if metrics.Read(a.sample[:]); a.sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a runtime that does not know it
	}
	return a.sample[0].Value.Uint64()
}
