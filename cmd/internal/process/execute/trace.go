package execute

import (
	"bytes"
	"strconv"
	"strings"

	"parallax/internal/oracle"
)

// withoutWaiters takes the goroutines out of a trace that do nothing but wait for the one that runs programs: the worker's, in
// a test binary that of the FuzzXxx, and the test binary's own. When nothing can run any more, or the process is stopped from
// outside, they come first, and have nothing to do with it.
//
// Contract relied on: a trace has a paragraph for each goroutine; the worker waits in worker.serve, a test binary in
// testing.runFuzzTests.
func withoutWaiters(text []byte) []byte {
	var kept [][]byte
	goroutines, waiters := 0, 0
	for _, p := range bytes.Split(text, []byte("\n\n")) {
		if bytes.HasPrefix(p, []byte("goroutine ")) {
			goroutines++
			if waits(p) {
				waiters++
				continue
			}
		}
		kept = append(kept, p)
	}
	if waiters == goroutines {
		return text
	}
	return bytes.Join(kept, []byte("\n\n"))
}

func waits(goroutine []byte) bool {
	head, calls, _ := bytes.Cut(goroutine, []byte("\n"))
	if !bytes.Contains(head, []byte("[chan receive")) {
		return false
	}
	return bytes.Contains(calls, []byte("/plx/worker.serve(")) || bytes.Contains(calls, []byte("testing.runFuzzTests("))
}

// LeftBehind reports whether the goroutine that ended a worker is not the one that runs programs. That program may have returned
// before, and on a busy machine others may have run since.
//
// Contract relied on: the goroutine at fault comes first, and programs are called by functions of the package worker.
func LeftBehind(text []byte) bool {
	_, all, _ := bytes.Cut(text, []byte("\ngoroutine "))
	fault, others, _ := bytes.Cut(all, []byte("\n\n"))
	return callsPrograms(others) && !callsPrograms(fault)
}

// callsPrograms reports whether frames are of the package worker: below the folder that targets have the library in, or in the library's own
// module, whose tests are workers too.
func callsPrograms(frames []byte) bool {
	return bytes.Contains(frames, []byte("/plx/worker.")) || bytes.Contains(frames, []byte("parallax/internal/worker."))
}

// briefFrames is how many calls are told of a process that does not start.
const briefFrames = 4

// brief is the message of a trace and the calls nearest to the fault.
func brief(text []byte) string {
	c := oracle.ParseTrace(text)
	if c.Message == "" {
		return "it printed nothing"
	}
	var b strings.Builder
	b.WriteString("  " + strings.ReplaceAll(c.Message, "\n", "\n  "))
	for i, f := range c.Frames {
		if i == briefFrames {
			break
		}
		b.WriteString("\n    " + f.Func)
		if f.File != "" {
			b.WriteString(" " + f.File + ":" + strconv.Itoa(f.Line))
		}
	}
	return b.String()
}

// saidLines bounds what is told of a test that ends early.
const saidLines = 12

// said is what a test printed, without what go test adds around it; of a panic its brief form.
func said(text string) string {
	if c := oracle.ParseTrace([]byte(text)); len(c.Frames) > 0 {
		return brief([]byte(text))
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line == "PASS" || line == "FAIL" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if len(lines) == saidLines {
			lines = append(lines, "...")
			break
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return "  it printed nothing"
	}
	return "  " + strings.Join(lines, "\n  ")
}
