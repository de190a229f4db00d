package worker

import (
	"fmt"
	"runtime"
	"strings"

	"parallax/internal/feature"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

// endTest ends the execution of a fuzz target. It runs cleanup functions and returns the
// observation from the target's status. After a panic, obs is already the observation.
func (r *runner) endTest(obs oracle.Observation) oracle.Observation {
	late, normal := r.cleanup(obs)
	if r.dead.Outcome != 0 { // see Run
		return r.takeDead()
	}
	if !normal && obs.Outcome == 0 {
		obs = late
	}
	return r.conclude(obs)
}

// cleanup runs the execution's cleanup functions. Panics in them are the target's. ran is the
// target's own observation, if it is known.
func (r *runner) cleanup(ran oracle.Observation) (obs oracle.Observation, normal bool) {
	defer func() {
		if normal {
			return
		}
		if v := recover(); v != nil {
			obs = r.panicked(v)
			return
		}
		// A cleanup function called t.FailNow or t.SkipNow: the goroutine ends, and the next one
		// continues from here.
		r.dead = r.conclude(ran)
	}()
	r.test.End()
	normal = true
	return obs, normal
}

// conclude reads the counters and the status after the cleanup functions, and resets the test for
// the next execution.
func (r *runner) conclude(obs oracle.Observation) oracle.Observation {
	r.read()
	_, skipped, failed := r.test.Status()
	switch {
	case obs.Outcome != 0:
	case failed:
		obs = r.failure()
	case r.calls != nil:
		obs = r.compared(skipped)
	case skipped:
		obs.Outcome = oracle.Declined
	default:
		obs = r.observe()
	}
	if r.detail {
		_, _, output := r.test.Failure()
		r.output = bounded(output)
	}
	r.test.Reset()
	return obs
}

// compared returns the observation of a target that is compared with another version of itself. The
// results of its calls are its value, also if it skipped the input after them. A panic in an
// error's own method is the program's.
func (r *runner) compared(skipped bool) (obs oracle.Observation) {
	normal := false
	defer func() {
		if !normal {
			obs = r.panicked(recover())
		}
	}()
	obs = oracle.Observation{Outcome: oracle.Accepted, Value: r.calls.Digest(), Class: r.calls.Failures(), Parts: r.calls.Parts()}
	if skipped {
		obs.Outcome, obs.Class = oracle.Rejected, hashString(skippedText)
	}
	normal = true
	return obs
}

// renderCalls adds the results of a target's calls to res as text. It does nothing if they are not
// recorded.
func (r *runner) renderCalls(res *wire.RunResult) {
	if r.calls == nil {
		return
	}
	defer func() {
		if v := recover(); v != nil { // Digest has returned, and so has Error
			res.Rendered = "printing the results panics: " + bounded(panicText(v))
		}
	}()
	text, truncated := r.calls.Text(detailLimit)
	if res.Outcome == uint64(oracle.Rejected) {
		if res.Error, res.ErrorClass, res.Rendered = skippedText, skippedText, ""; text != "" {
			res.Error += "\n" + text
		}
	} else {
		res.Rendered = text
	}
	res.Truncated = truncated
}

// skippedText replaces the error of a target that skips an input.
const skippedText = "skipped (t.Skip)"

// failure returns the observation of a target that called t.Error, t.Fatal or the like, or whose
// subtest panicked.
func (r *runner) failure() oracle.Observation {
	pcs, message, _ := r.test.Failure()
	message = bounded(message)
	words, stack, panicked := subtestPanic(message)
	r.failed = !panicked
	key := hashString(words)
	for _, pc := range pcs {
		key = feature.Chain(key, uint64(pc))
	}
	class, ok := r.classes[key]
	if !ok || r.detail {
		own := userCallers(pcs)
		class = newFailureClass(words, own)
		r.remember(key, class)
		if r.detail {
			if r.words, r.stack = words, stack; !panicked {
				r.stack = traceback(own)
			}
		}
	}
	return oracle.Observation{Outcome: oracle.Crashed, Class: class.class, Place: class.place, Failed: r.failed}
}

// subtestPanic extracts a panic from a message. While it fuzzes, package testing recovers a
// subtest's panic and logs it with the goroutine's stack. The frames above the panic are testing's
// own.
func subtestPanic(message string) (words, stack string, ok bool) {
	const head = "\ngoroutine "
	message = strings.TrimRight(message, "\n")
	at := strings.Index(message, head)
	if at < 0 || !strings.Contains(message, "testing.tRunner.") {
		if message == "" {
			message = "failed without a message"
		}
		return message, "", false
	}
	words, stack = strings.TrimPrefix(message[:at], "panic: "), message[at+1:]
	if i := strings.LastIndex(stack, "\npanic("); i >= 0 {
		first, _, _ := strings.Cut(stack, "\n")
		stack = first + stack[i:]
	}
	return words, stack, true
}

// userCallers drops the innermost callers that belong to package testing: the called methods of T.
func userCallers(pcs []uintptr) []uintptr {
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
