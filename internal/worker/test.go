package worker

import (
	"fmt"
	"runtime"
	"strings"

	"parallax/internal/feature"
	"parallax/internal/judge"
)

// endTest ends the execution of a fuzz target: its cleanup functions run, and what it said of itself becomes the
// observation, unless it panicked, which obs then tells.
func (r *runner) endTest(obs judge.Observation) judge.Observation {
	if late, normal := r.cleanup(); !normal && obs.Outcome == 0 {
		obs = late
	}
	_, skipped, failed := r.test.Status()
	switch {
	case obs.Outcome != 0:
	case failed:
		obs = r.failure()
	case skipped:
		obs.Outcome = judge.Declined
	default:
		obs = r.observe()
	}
	if r.detail {
		_, _, r.output = r.test.Failure()
	}
	r.test.Reset()
	return obs
}

// cleanup runs the execution's cleanup functions. Panics in them are the target's.
func (r *runner) cleanup() (obs judge.Observation, normal bool) {
	defer func() {
		if normal {
			return
		}
		if v := recover(); v != nil {
			obs = r.panicked(v)
			return
		}
		// A cleanup function called t.FailNow: the goroutine ends, and the next one goes on from here.
		if r.dead = r.failure(); r.detail {
			_, _, r.output = r.test.Failure()
		}
		r.test.Reset()
	}()
	r.test.End()
	normal = true
	return obs, normal
}

// failure is the observation of a target that called t.Error, t.Fatal or the like.
func (r *runner) failure() judge.Observation {
	r.failed = true
	pcs, message, _ := r.test.Failure()
	message = strings.TrimSuffix(message, "\n")
	key := hashString(message)
	for _, pc := range pcs {
		key = feature.Chain(key, uint64(pc))
	}
	class, ok := r.known[key]
	if !ok || r.detail {
		own := user(pcs)
		class = class64(message, own)
		if len(r.known) < maxKnown {
			r.known[key] = class
		}
		if r.detail {
			r.words, r.stack = message, traceback(own)
		}
	}
	return judge.Observation{Outcome: judge.Crashed, Class: class}
}

// maxKnown bounds the classes that are remembered: messages may hold the input.
const maxKnown = 1 << 14

// user drops the innermost callers that belong to package testing: the methods of T that were called.
func user(pcs []uintptr) []uintptr {
	for i := range pcs {
		f, _ := runtime.CallersFrames(pcs[i:]).Next()
		if !strings.HasPrefix(f.Function, "testing.") && !strings.HasPrefix(f.Function, "runtime.") {
			return pcs[i:]
		}
	}
	return pcs
}

// traceback prints callers as the runtime prints a goroutine.
func traceback(pcs []uintptr) string {
	var b strings.Builder
	b.WriteString("goroutine 1 [running]:\n")
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" {
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}
