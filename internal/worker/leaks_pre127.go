//go:build !go1.27

package worker

import "runtime"

// leaked returns where most goroutines wait. Empty means unknown. Whether they are blocked
// permanently is unknown.
func leaked() string {
	records := make([]runtime.StackRecord, runtime.NumGoroutine()+100)
	n, ok := runtime.GoroutineProfile(records)
	if !ok {
		return ""
	}
	count := map[[32]uintptr]int{}
	var most *runtime.StackRecord
	for i := range records[:n] {
		r := &records[i]
		if count[r.Stack0]++; most == nil || count[r.Stack0] > count[most.Stack0] {
			most = r
		}
	}
	if most == nil {
		return ""
	}
	var frames []frame
	calls := runtime.CallersFrames(most.Stack())
	for {
		f, more := calls.Next()
		frames = append(frames, frame{f.Function, f.File, f.Line})
		if !more {
			return waiting(frames)
		}
	}
}
