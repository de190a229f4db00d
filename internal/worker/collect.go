package worker

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"parallax/internal/wire"
)

// collector runs the garbage collector between inputs, when enough has been allocated, and never in the middle of one.
// That is quicker than the runtime's own pace on the small heaps of a worker, and it repeats: a collection empties
// every sync.Pool, and whether a pool is empty shows in a program's coverage. Only near the memory limit does the
// runtime collect by itself.
type collector struct {
	last  uint64 // bytes allocated up to the last look
	debt  uint64 // bytes allocated since the last collection
	limit uint64 // bytes allocated between two collections
	wait  int    // inputs until the next look
	step  int    // inputs between two looks

	memory int64             // the runtime's memory limit: as it was when the worker began, and what is spared
	spared int64             // bytes that are not the programs'
	note   func(text string) // tells the user something
}

const (
	// Bytes allocated between two collections, at least: as many as a cache of the processor holds. With 64 MiB
	// programs ran up to a tenth slower, as all they were given was cold. Doubled until it exceeds what is alive.
	collectAfter = 16 << 20
	lookAfter    = 2 << 20 // bytes allocated between two looks, about
	maxStep      = 4096    // inputs between two looks: a look stops the world for some ten microseconds
)

// singleThread makes the programs' goroutines take turns on one thread, unless the user asks otherwise: which of them
// runs first, and whose pool an object goes to, then repeats too. Campaigns use more cores by more workers.
func singleThread() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(1)
	}
}

// off stops the runtime's own pace.
func (c *collector) off() {
	debug.SetGCPercent(-1)
	c.step, c.wait, c.limit = 16, 16, collectAfter
	c.memory = debug.SetMemoryLimit(-1)
}

// keep puts back what a program has changed of the collector's settings. With a memory limit of a few MiB, the runtime would do nothing but
// collect.
func (c *collector) keep() {
	if percent := debug.SetGCPercent(-1); percent != -1 {
		c.tell(fmt.Sprintf("a program has called debug.SetGCPercent(%d)", percent))
	}
	if limit := debug.SetMemoryLimit(-1); limit != c.memory {
		debug.SetMemoryLimit(c.memory)
		c.tell(fmt.Sprintf("a program has called debug.SetMemoryLimit(%d)", limit))
	}
}

// spare raises the memory limit by what the engine holds, in steps of a MiB.
func (c *collector) spare(bytes int) {
	const step = 1 << 20
	bytes = (bytes + step - 1) / step * step
	if more := int64(bytes) - c.spared; more != 0 && c.memory < math.MaxInt64-wire.MostHeld {
		c.spared += more
		c.memory += more
		debug.SetMemoryLimit(c.memory)
	}
}

func (c *collector) tell(what string) {
	if c.note != nil {
		c.note(what + ": parallax has put back what it needs")
	}
}

// tick counts an input.
func (c *collector) tick() {
	if c.wait--; c.wait > 0 {
		return
	}
	c.keep()
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
	c.step = int(min(max(lookAfter/each, 1), maxStep, 2*uint64(c.step)))
	c.wait = c.step
}
