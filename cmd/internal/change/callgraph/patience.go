package callgraph

import (
	"context"
	"syscall"
	"time"
)

// A patience limits an analysis by the time of the processor that this process and its children
// get. A busy machine gives them less, and the analysis then takes longer and not the other way.
type patience struct {
	limit time.Duration
	began time.Time
	used  time.Duration // time of the processor at began
}

// longestWait is the multiple of the limit that no analysis exceeds, since it may wait for a lock
// or the network.
const longestWait = 10

// over reports whether the limit has passed, on the clock and of the processor.
func (p patience) over(now time.Time, used time.Duration) bool {
	passed := now.Sub(p.began)
	return passed >= p.limit && used-p.used >= p.limit || passed >= longestWait*p.limit
}

// wait returns when done is closed, the limit has passed, or ctx has ended. It reports whether done
// is closed.
func (p patience) wait(ctx context.Context, done <-chan struct{}) bool {
	every := time.NewTicker(max(1, min(p.limit, 100*time.Millisecond)))
	defer every.Stop()
	for {
		select {
		case <-done:
			return true
		case <-ctx.Done():
			return false
		case now := <-every.C:
			if p.over(now, processorTime()) {
				return false
			}
		}
	}
}

// processorTime returns the time of the processor of this process and of its children that have
// ended.
func processorTime() (used time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			used += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return used
}
