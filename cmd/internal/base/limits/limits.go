// Package limits holds the resource limits of one run of a program, and reads them from a
// configuration. Sandboxes and workers enforce them.
package limits

import (
	"slices"
	"time"

	"parallax/cmd/internal/base/tomldoc"
)

// Limits are the resources that a run may use. Zero means no limit, except for Network.
type Limits struct {
	Timeout   time.Duration // per input
	Memory    int64         // resident bytes of all processes of the run together
	FileSize  int64         // bytes of the largest file that the run may write
	Processes int           // at once, including the program itself
	// bytes of standard output that are read; more output is a crash with a message that says so
	Output  int
	Network bool // the run may use the network
}

// Keys lists the configuration keys of limits in order.
var Keys = []string{"timeout", "memory", "file_size", "processes", "output", "network"}

// Bounds of the values in a configuration.
const (
	MinTimeout   = 10 * time.Millisecond
	maxTimeout   = time.Hour
	minMemory    = 1 << 20
	maxSize      = 1 << 50
	maxProcesses = 100_000
	maxOutput    = 1 << 30 // output is held in memory
)

// Read reads those of the keys that the table has. A missing key leaves its limit unchanged.
func (l Limits) Read(t *tomldoc.Table, keys []string) Limits {
	may := func(name string) bool { return slices.Contains(keys, name) }
	if may("timeout") {
		if v, ok := t.Duration("timeout", MinTimeout, maxTimeout); ok {
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
		if v, ok := t.Int("processes", 0, maxProcesses); ok {
			l.Processes = int(v)
		}
	}
	if may("output") {
		if v, ok := t.Size("output", 1, maxOutput, false); ok {
			l.Output = int(v)
		}
	}
	if may("network") && t.Has("network") {
		l.Network = t.Bool("network")
	} else if may("network") {
		t.Accept("network")
	}
	return l
}
