package queue

import (
	"sync/atomic"
	"time"
)

// BuildPatience bounds the time by which the build that locates disagreements moves the end of
// triage. The build takes long if nothing is in the build cache.
var BuildPatience = time.Minute

// slowBuild is the time after which users want to know what triage waits for.
const slowBuild = 5 * time.Second

// delay holds the time for which triage has waited for a build.
type delay struct {
	builds          atomic.Int32 // number of judges that wait
	last            time.Time
	waited, granted time.Duration
}

// building marks a judge as waiting for a build that takes over 100 ms until the returned function
// is called.
func (q *Queue) building() (built func()) {
	add := func(n int32) {
		q.waited.builds.Add(n)
		q.rouse()
	}
	long := time.AfterFunc(100*time.Millisecond, func() { add(1) })
	return func() {
		if !long.Stop() {
			add(-1)
		}
	}
}

// Waits reports whether judges wait for the build that locates disagreements.
func (q *Queue) Waits() bool { return !q.ordered && q.waited.builds.Load() > 0 }

// Waited returns the time since the last call if triage waits for a build. slow reports, once, that
// it has waited for long.
func (q *Queue) Waited(now time.Time) (took time.Duration, slow bool) {
	d := &q.waited
	if !d.last.IsZero() && q.Waits() {
		took = max(0, now.Sub(d.last))
		slow = d.waited < slowBuild && d.waited+took >= slowBuild
		d.waited += took
	}
	d.last = now
	return took, slow
}

// Extend returns the part of a time by which the end of triage may still move.
func (q *Queue) Extend(took time.Duration) time.Duration {
	took = min(took, BuildPatience-q.waited.granted)
	q.waited.granted += took
	return took
}
