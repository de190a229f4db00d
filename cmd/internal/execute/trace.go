package execute

import (
	"bytes"
	"strconv"
	"strings"

	"parallax/internal/judge"
)

// withoutWaiter takes the goroutine out of a trace that does nothing but wait for the one that runs programs. When nothing
// can run any more it comes first, and has nothing to do with it.
//
// Contract relied on: a trace has a paragraph for each goroutine, and the worker's is the one that calls worker.serve.
func withoutWaiter(text []byte) []byte {
	const head = "\n\ngoroutine 1 ["
	from := bytes.LastIndex(text, []byte(head))
	if from < 0 {
		return text
	}
	rest := text[from+2:]
	to := bytes.Index(rest, []byte("\n\n"))
	if to < 0 {
		return text // it is the only one
	}
	_, calls, _ := bytes.Cut(rest[:to], []byte("\n"))
	if first, _, _ := bytes.Cut(calls, []byte("(")); !bytes.HasSuffix(first, []byte("/plx/worker.serve")) {
		return text
	}
	return append(bytes.Clone(text[:from]), rest[to:]...)
}

// briefFrames is how many calls are told of a process that does not start.
const briefFrames = 4

// brief is the message of a trace and the calls nearest to the fault.
func brief(text []byte) string {
	c := judge.ParseTrace(text)
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
	if c := judge.ParseTrace([]byte(text)); len(c.Frames) > 0 {
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
