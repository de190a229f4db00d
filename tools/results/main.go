// Results reads the events of go test -json on standard input. It prints a line per package, and
// the output of tests that fail. At the end it prints how many tests passed, failed and were
// skipped, with the reasons. It exits with 1 if anything failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// An event is one of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

type results struct {
	w       io.Writer
	began   time.Time
	output  map[string][]string // of tests that run, by package and name
	passed  int
	failed  []string
	skipped map[string][]string // tests by reason
	whole   bool                // the last event has come
}

func main() {
	r := &results{w: os.Stdout, began: time.Now(), output: map[string][]string{}, skipped: map[string][]string{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
		os.Exit(1)
	}
	if !r.end() {
		os.Exit(1)
	}
}

func (r *results) read(from io.Reader) error {
	in := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil {
				fmt.Fprint(r.w, line) // of a go command that failed before there were tests
			} else {
				r.event(&e)
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *results) event(e *event) {
	key := e.Package + "." + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Action == "build-output" {
			fmt.Fprint(r.w, e.Output)
			return
		}
		r.output[key] = append(r.output[key], e.Output)
	case "end":
		r.whole = true
	case "build-fail":
		r.failed = append(r.failed, "building "+e.ImportPath)
	case "pass", "fail", "skip":
		lines := r.output[key]
		delete(r.output, key)
		switch {
		case e.Test == "":
			r.pkg(e, lines)
		case e.Action == "pass":
			r.passed++
		case e.Action == "skip":
			why := reason(lines)
			r.skipped[why] = append(r.skipped[why], key)
		default:
			r.failed = append(r.failed, key)
			r.print(lines)
		}
	}
}

// print prints lines of output, without those that say which test runs.
func (r *results) print(lines []string) {
	for _, l := range lines {
		if !strings.HasPrefix(l, "=== ") {
			fmt.Fprint(r.w, l)
		}
	}
}

// pkg prints the line of a package, and if it fails, what no test of it has printed.
func (r *results) pkg(e *event, lines []string) {
	switch e.Action {
	case "fail":
		r.failed = append(r.failed, e.Package)
		r.unfinished(e.Package)
		r.print(lines)
		fmt.Fprintf(r.w, "FAIL  %s  %.1fs\n", e.Package, e.Elapsed)
	case "pass":
		fmt.Fprintf(r.w, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
	}
}

// unfinished prints the output of a package's tests that never ended. The last of it has the stacks
// of go test's deadline.
func (r *results) unfinished(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(r.output)) {
		if strings.HasPrefix(key, pkg+".") {
			r.failed = append(r.failed, key+" (did not end)")
			r.print(r.output[key])
			delete(r.output, key)
		}
	}
}

// reason returns the text of t.Skip among the lines that a test has printed.
func reason(lines []string) string {
	for _, l := range lines {
		if at := strings.Index(l, ".go:"); at >= 0 {
			if _, text, ok := strings.Cut(l[at:], ": "); ok {
				return strings.TrimSpace(text)
			}
		}
	}
	return "no reason given"
}

// end prints the last lines, and reports whether all is well.
func (r *results) end() bool {
	n := 0
	var reasons []string
	for why, tests := range r.skipped {
		n += len(tests)
		reasons = append(reasons, why)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		if d := len(r.skipped[b]) - len(r.skipped[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	fmt.Fprintln(r.w)
	for _, why := range reasons {
		tests := r.skipped[why]
		text := tests[0]
		if len(tests) > 1 {
			text = fmt.Sprintf("%s and %d more", tests[0], len(tests)-1)
		}
		fmt.Fprintf(r.w, "skipped %3d: %s (%s)\n", len(tests), why, text)
	}
	for _, f := range r.failed {
		fmt.Fprintln(r.w, "failed:", f)
	}
	fmt.Fprintf(r.w, "%d tests passed, %d failed, %d skipped in %s\n", r.passed, len(r.failed), n, time.Since(r.began).Round(time.Second))
	if !r.whole {
		fmt.Fprintln(r.w, "the tests ended early")
	}
	return r.whole && len(r.failed) == 0 && r.passed > 0
}
