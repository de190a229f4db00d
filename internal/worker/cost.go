package worker

import (
	"runtime"
	"runtime/metrics"
)

// allocations counts the bytes that a program allocates, freed or not, if it is compared with
// another version of itself. Cost is not measured in time, which differs between machines.
//
// While it fuzzes, a worker reads the runtime's metrics without stopping the world (0.7 µs). They
// count small objects by spans, so that a run may include up to some hundred kilobytes of earlier
// runs' allocations. That is enough to decide whether an input needs another run. Triage, whose
// numbers are reported, counts exactly (4 µs).
type allocations struct {
	counted bool
	exact   bool
	before  uint64
	sample  [1]metrics.Sample
	stats   runtime.MemStats
}

// allocsMetric is a cumulative sum, available since Go 1.16.
const allocsMetric = "/gc/heap/allocs:bytes"

// count turns counting on if the cost of the programs is compared.
func (a *allocations) count(programs []Program) {
	for i := range programs {
		a.counted = a.counted || programs[i].Calls != nil
	}
	if a.counted {
		a.sample[0].Name = allocsMetric
		a.total() // it allocates once
	}
}

// begin must be called before a run.
func (a *allocations) begin() {
	if a.counted {
		a.before = a.total()
	}
}

// since returns the bytes allocated since begin, or 0 if counting is off.
func (a *allocations) since() uint64 {
	if !a.counted {
		return 0
	}
	return a.total() - a.before
}

// total returns the bytes that the process has allocated so far.
func (a *allocations) total() uint64 {
	if a.exact {
		runtime.ReadMemStats(&a.stats)
		return a.stats.TotalAlloc
	}
	if metrics.Read(a.sample[:]); a.sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // the runtime lacks the metric
	}
	return a.sample[0].Value.Uint64()
}
