package worker

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"parallax/internal/wire"
)

// collector runs the garbage collector between inputs, when enough has been allocated, and never
// during one. That is faster than the runtime's own pacing on a worker's small heap, and it
// repeats. A collection empties every sync.Pool, and whether a pool is empty affects a program's
// coverage. The runtime collects by itself only near the memory limit.
type collector struct {
	last  uint64 // bytes allocated up to the last check
	debt  uint64 // bytes allocated since the last collection
	limit uint64 // bytes allocated between two collections
	wait  int    // inputs until the next check
	step  int    // inputs between two checks

	memory   int64             // the runtime's memory limit: the initial one plus reserved
	reserved int64             // bytes of the engine, not of the programs
	note     func(text string) // reports a text to the user
}

const (
	// Least number of bytes allocated between two collections: the size of a processor cache. With
	// 64 MiB programs ran up to a tenth slower, since all their memory was cold. It is doubled
	// until it exceeds the live heap.
	collectAfter = 16 << 20
	checkAfter   = 2 << 20 // bytes allocated between two checks, about
	maxStep      = 4096    // inputs between two checks; a check stops the world for some ten microseconds
)

// singleThread makes the programs' goroutines take turns on one thread, unless the user sets
// GOMAXPROCS. The order in which they run, and which pool an object returns to, then repeat too.
// Campaigns use more cores by more workers.
func singleThread() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}

// off turns off the runtime's own pacing.
func (c *collector) off() {
	debug.SetGCPercent(-1)
	c.step, c.wait, c.limit = 16, 16, collectAfter
	c.memory = debug.SetMemoryLimit(-1)
}

// restore restores the collector's settings if a program has changed them. With a memory limit of a
// few MiB, the runtime would only collect.
func (c *collector) restore() {
	if percent := debug.SetGCPercent(-1); percent != -1 {
		c.noteRestored(fmt.Sprintf("a program has called debug.SetGCPercent(%d)", percent))
	}
	if limit := debug.SetMemoryLimit(-1); limit != c.memory {
		debug.SetMemoryLimit(c.memory)
		c.noteRestored(fmt.Sprintf("a program has called debug.SetMemoryLimit(%d)", limit))
	}
}

// reserve raises the memory limit by the engine's memory, in steps of a MiB.
func (c *collector) reserve(bytes int) {
	const step = 1 << 20
	bytes = (bytes + step - 1) / step * step
	if more := int64(bytes) - c.reserved; more != 0 && c.memory < math.MaxInt64-wire.MaxEngineBytes {
		c.reserved += more
		c.memory += more
		debug.SetMemoryLimit(c.memory)
	}
}

func (c *collector) noteRestored(what string) {
	if c.note != nil {
		c.note(what + ": parallax has put back what it needs")
	}
}

// tick counts an input.
func (c *collector) tick() {
	if c.wait--; c.wait > 0 {
		return
	}
	c.restore()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	allocated := m.TotalAlloc - c.last
	c.last = m.TotalAlloc
	if c.debt += allocated; c.debt >= c.limit {
		c.debt = 0
		runtime.GC()
		runtime.ReadMemStats(&m)
		for c.limit = collectAfter; c.limit < m.HeapAlloc; {
			c.limit *= 2
		}
	}
	each := allocated/uint64(c.step) + 1
	c.step = int(min(max(checkAfter/each, 1), maxStep, 2*uint64(c.step)))
	c.wait = c.step
}
