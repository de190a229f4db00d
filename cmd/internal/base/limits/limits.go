// Package limits holds what one run of a program may use, and reads it from a configuration. Sandboxes and workers hold programs to it.
package limits

import (
	"slices"
	"time"

	"parallax/cmd/internal/base/tomldoc"
)

// Limits are what a run may use. Zero is no limit, but for Network.
type Limits struct {
	Timeout   time.Duration // for an input
	Memory    int64         // resident bytes of all the run's processes together
	FileSize  int64         // bytes of the largest file it may write
	Processes int           // at once, its own included
	Output    int           // bytes of standard output that are read; more is a crash with a message that says so
	Network   bool          // it may use the network
}

// Keys lists the keys of limits in their order.
var Keys = []string{"timeout", "memory", "file_size", "processes", "output", "network"}

// Bounds of the values that a configuration may have.
const (
	MinTimeout   = 10 * time.Millisecond
	maxTimeout   = time.Hour
	minMemory    = 1 << 20
	maxSize      = 1 << 50
	maxProcesses = 100_000
	maxOutput    = 1 << 30 // it is held in memory
)

// Read reads those keys that the table may have. A key that is missing leaves its limit as it is.
func (l Limits) Read(t *tomldoc.Table, keys []string) Limits {
	may := func(name string) bool { return slices.Contains(keys, name) }
	if may("timeout") {
		if v, ok := t.Span("timeout", MinTimeout, maxTimeout); ok {
			l.Timeout = v
		}
	}
	if may("memory") {
		if v, ok := t.Size("memory", minMemory, maxSize, true); ok {
			l.Memory = v
		}
	}
	if may("file_size") {
		if v, ok := t.Size("file_size", 1, maxSize, true); ok {
			l.FileSize = v
		}
	}
	if may("processes") {
		if v, ok := t.Whole("processes", 0, maxProcesses); ok {
			l.Processes = int(v)
		}
	}
	if may("output") {
		if v, ok := t.Size("output", 1, maxOutput, false); ok {
			l.Output = int(v)
		}
	}
	if may("network") && t.Has("network") {
		l.Network = t.Flag("network")
	} else if may("network") {
		t.Know("network")
	}
	return l
}
