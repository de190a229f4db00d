package execute

import (
	"bytes"
	"strconv"
	"strings"

	"parallax/internal/oracle"
)

// withoutWaiters removes goroutines from a trace that only wait for the one that runs programs.
// They are the worker's and, in a test binary, those of the FuzzXxx and of the binary itself. When
// no goroutine can run, or the process is stopped from outside, they come first although they are
// not at fault.
//
// Contract relied on: a trace has a paragraph per goroutine. The worker waits in worker.serve, a
// test binary in testing.runFuzzTests.
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

// LeftBehind reports whether the goroutine that ended a worker does not run programs. The program
// that started it may have returned before, and others may have run since.
//
// Contract relied on: the goroutine at fault comes first, and functions of package worker call
// programs.
func LeftBehind(text []byte) bool {
	_, all, _ := bytes.Cut(text, []byte("\ngoroutine "))
	fault, others, _ := bytes.Cut(all, []byte("\n\n"))
	return callsPrograms(others) && !callsPrograms(fault)
}

// callsPrograms reports whether a frame belongs to package worker. Targets have it in their copy of
// the library. Tests of the library's own module are workers, too.
func callsPrograms(frames []byte) bool {
	return bytes.Contains(frames, []byte("/plx/worker.")) || bytes.Contains(frames, []byte("parallax/internal/worker."))
}

// briefFrames is the number of calls that brief shows.
const briefFrames = 4

// briefTrace returns the message of a trace and the calls nearest to the fault.
func briefTrace(text []byte) string {
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

// outputLines limits the output shown of a test that ends early.
const outputLines = 12

// testOutput returns the output of a test without the lines of go test. For a panic it returns the
// brief form.
func testOutput(text string) string {
	if c := oracle.ParseTrace([]byte(text)); len(c.Frames) > 0 {
		return briefTrace([]byte(text))
	}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line == "PASS" || line == "FAIL" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if len(lines) == outputLines {
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
