package main_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parallax/internal/input"
	"parallax/puzzles/faults"
)

// fault is a program of puzzles/faults that does harm, and what must come of it.
type fault struct {
	name    string // of the function
	twin    string // what it is compared with; default Harmless, and the function is called by way of Chosen
	budget  int
	flags   []string
	kind    string // of the one bucket; empty: no finding
	result  string // part of what the program's result says
	file    string // where the finding is located; empty: unknown
	deadly  bool   // every such input ends a worker
	code    int    // default 1 with a finding, 0 without
	flaky   bool
	anyway  bool // it does harm on every input
	stopped string
	note    string // part of a note
	blames  bool   // an input that came later may be blamed first, which triage finds out: flaky
}

var harm = []fault{
	{name: "Panics", twin: "Harmless", budget: 2000, kind: "crash", result: "the roof is on fire", file: "panics.go"},
	{name: "NilPointer", budget: 2000, kind: "crash", result: "nil pointer dereference", file: "nilpointer.go"},
	{name: "MapWrites", budget: 400, kind: "crash", result: "concurrent map writes", file: "mapwrites.go", deadly: true},
	{
		name: "Overflow", budget: 100, flags: []string{"--timeout", "30s"}, kind: "crash", result: "stack overflow",
		file: "overflow.go", deadly: true,
	},
	{name: "Exits", budget: 400, kind: "crash", result: "the program ended its process: exit status 0", deadly: true},
	{name: "Deadlock", budget: 400, kind: "crash", result: "deadlock", file: "deadlock.go", deadly: true},
	{
		name: "Loops", budget: 200, flags: []string{"--timeout", "200ms"}, kind: "timeout", result: "still running after 200ms",
		file: "loops.go", deadly: true,
	},
	{
		name: "Hog", budget: 200, flags: []string{"--memory", "128MiB", "--timeout", "30s"}, kind: "oom",
		result: "more than 128 MiB in use", deadly: true,
	},
	{name: "Late", budget: 3000, kind: "crash", result: "after the fact", file: "late.go", deadly: true, blames: true},
	{name: "Goexit", twin: "Harmless", budget: 2000, kind: "crash", result: "runtime.Goexit", file: "goexit.go"},
	{name: "Message", budget: 2000, kind: "crash", result: "nil pointer dereference", file: "message.go"},
	{name: "Every", twin: "Harmless", budget: 2000, kind: "crash", result: "always", file: "every.go", code: 5, anyway: true, stopped: "error"},
	{name: "Closes", budget: 400, kind: "crash", result: "closed descriptors of its worker", deadly: true, blames: true},
	{name: "Scribbles", budget: 400, kind: "crash", result: "wrote into the memory that its worker shares with parallax", deadly: true, blames: true},
	{name: "NumberExits", budget: 400, kind: "crash", result: "wrote into the memory that its worker shares with parallax, and ended its process: exit status 3", deadly: true},
	{name: "CountExits", budget: 400, kind: "crash", result: "wrote into the memory that its worker shares with parallax, and ended its process: exit status 3", deadly: true},
	{name: "ZeroExits", budget: 400, kind: "crash", result: "wrote into the memory that its worker shares with parallax, and ended its process: exit status 3", deadly: true},
	{
		name: "CountHangs", budget: 200, flags: []string{"--timeout", "200ms"}, kind: "timeout",
		result: "wrote into the memory that its worker shares with parallax, and is still running after 200ms", file: "words.go", deadly: true,
	},
	{
		name: "StateHangs", budget: 200, flags: []string{"--timeout", "200ms"}, kind: "timeout",
		result: "wrote into the memory that its worker shares with parallax, and is still running after 200ms", file: "words.go", deadly: true,
	},
	{
		name: "IdleHangs", budget: 200, flags: []string{"--timeout", "200ms"}, kind: "timeout",
		result: "wrote into the memory that its worker shares with parallax, and is still running after 200ms", file: "words.go", deadly: true,
	},
	{
		name: "ZeroHangs", budget: 200, flags: []string{"--timeout", "200ms"}, kind: "timeout",
		result: "wrote into the memory that its worker shares with parallax, and is still running after 200ms", file: "words.go", deadly: true,
	},
	{name: "Answers", budget: 400, kind: "crash", result: "wrote to the socket between its worker and parallax", deadly: true, blames: true},
	{name: "Floods", budget: 400, kind: "crash", result: "wrote to the socket between its worker and parallax", deadly: true, blames: true},
	{name: "Shuts", budget: 400, kind: "crash", result: "took what parallax sends to its worker, or closed the way", deadly: true, blames: true},
	{name: "Truncates", budget: 2000},
	{name: "Starves", budget: 2000, note: "debug.SetMemoryLimit(1048576)"},
	{name: "Signals", budget: 500, flags: []string{"--no-cmplog"}},
	{name: "Prints", budget: 2000},
	{name: "Mutates", twin: "Sum", budget: 5000},
	{name: "Retains", budget: 5000},
	{name: "Flaky", budget: 50_000, flaky: true},
}

// TestFaults checks that the campaign continues whatever a program does to its process, and that it
// reports the fault once. The environment chooses most of the functions, so that they have one
// build. Functions that panic or end their goroutine by themselves are not among them. Such a
// finding would lie in their caller, Chosen.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	tool := newTool(t)
	for _, f := range harm {
		t.Run(f.name, func(t *testing.T) {
			mark := tool.marked(t)
			if f.twin == "" {
				mark.env = append(mark.env, faults.Choice+"="+f.name)
			}
			f.check(t, mark)
			mark.nothingLeft(t)
		})
	}
}

func (f *fault) check(t *testing.T, tool *tool) {
	function := f.name
	if f.twin == "" {
		function, f.twin = "Chosen", "Harmless"
	}
	if f.code == 0 && f.kind != "" {
		f.code = 1
	}
	if f.stopped == "" {
		f.stopped = "budget"
	}
	funcs := []string{"./puzzles/faults." + function, "./puzzles/faults." + f.twin}
	r := tool.diff(t, funcs, append([]string{"--fuzztime", fmt.Sprint(f.budget, "x"), "--parallel", "1", "--seed", "1"}, f.flags...)...)
	r.exits(t, f.code)
	r.readable(t)
	s := r.summary(t)
	if s.Stopped != f.stopped || f.stopped == "budget" && s.Inputs < uint64(inputsOf(f.budget)) {
		t.Errorf("stopped by %s after %d inputs, want %s after %d", s.Stopped, s.Inputs, f.stopped, f.budget)
	}
	if f.deadly != (s.Restarts > 0) || f.flaky != (s.Flaky > 0) && !f.blames {
		t.Errorf("%d restarts, %d flaky", s.Restarts, s.Flaky)
	}
	if f.note != "" && !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, f.note) }) {
		t.Errorf("notes: %q", s.Notes)
	}
	if f.kind == "" {
		if len(s.Findings.Buckets) > 0 {
			t.Errorf("findings: %+v", s.Findings.Buckets)
		}
		return
	}
	if len(s.Findings.Buckets) != 1 {
		t.Fatalf("%d buckets\n%s", len(s.Findings.Buckets), r.stderr)
	}
	b := s.Findings.Buckets[0]
	name, twin := "faults."+function, "faults."+f.twin
	outcome := f.kind
	if f.kind == "crash" {
		outcome = "crashed"
	}
	if b.Kind != f.kind || b.Outcomes[name] != outcome || !slices.Contains([]string{"accepted", "rejected"}, b.Outcomes[twin]) {
		t.Errorf("a %s with outcomes %v", b.Kind, b.Outcomes)
	}
	if !strings.Contains(b.Results[name], f.result) {
		t.Errorf("the result is %q, want %q", b.Results[name], f.result)
	}
	if base, _, _ := cutLast(filepath.Base(b.Location), ":"); base != f.file && !(f.file == "" && b.Location == "") {
		t.Errorf("located at %q, want %s", b.Location, f.file)
	}
	if data := minimized(t, input.Shape{input.Bytes}, r.resolve(b.Minimized))[0].([]byte); !f.anyway && string(data) != "boom" {
		t.Errorf("minimized to %q, which does harm: %t", data, faults.Boom(data))
	}
	folder := filepath.Dir(r.resolve(b.Minimized))
	for _, file := range []string{"input", "minimized", "outputs.json", "report.md"} {
		if _, err := os.Stat(filepath.Join(folder, file)); err != nil {
			t.Error(err)
		}
	}
	if n := strings.Count(string(r.stderr), b.ID+" on "); n != 1 {
		t.Errorf("announced %d times", n)
	}
}

// TestFaultOfInitialization checks that a program whose package fails during initialization cannot
// be started.
func TestFaultOfInitialization(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a worker")
	}
	t.Parallel()
	tool := newTool(t).marked(t)
	r := tool.diff(t, []string{"./puzzles/faults/start.A", "./puzzles/faults/start.B"}, "--fuzztime", "10x")
	r.exits(t, 4)
	r.readable(t)
	for _, part := range []string{"parallax: a worker does not start", "PARALLAX_PUZZLE_CONFIG is not set", "start.go:10"} {
		if !bytes.Contains(r.stderr, []byte(part)) {
			t.Errorf("%q is missing in\n%s", part, r.stderr)
		}
	}
	if _, err := os.Stat(r.out); err == nil {
		t.Error("a folder was made for a campaign that cannot begin")
	}
	tool.nothingLeft(t)
}

// TestKilledWorker checks that a killed worker is replaced, and that its input is no finding.
func TestKilledWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a campaign")
	}
	t.Parallel()
	tool := newTool(t).marked(t)
	const budget, kills = 8000, 2 // some seconds, so that a busy machine sees the workers while they run
	c := tool.start(t, filepath.Join(t.TempDir(), "out"), []string{"./puzzles/faults.Slow", "./puzzles/faults.Harmless"},
		"--fuzztime", fmt.Sprint(budget, "x"), "--parallel", fmt.Sprint(kills))
	c.await(t, "fuzz: ", "workers") // all are up
	workers := tool.processes("PARALLAX_WORKER=1")
	if len(workers) != kills {
		t.Fatalf("%d workers: %v", len(workers), workers)
	}
	for _, p := range workers {
		if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	r := c.wait(t)
	r.exits(t, 0)
	r.readable(t)
	s := r.summary(t)
	if s.Restarts != kills || len(s.Findings.Buckets) != 0 || s.Inputs < budget || s.Inputs > budget+kills {
		t.Errorf("%d restarts, %d buckets, %d inputs", s.Restarts, len(s.Findings.Buckets), s.Inputs)
	}
	tool.nothingLeft(t)
}

// TestSpoiledInputs checks that a campaign drops the latest inputs that a program has overwritten,
// reports it, and continues. It finds the one input that is still readable.
func TestSpoiledInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a campaign")
	}
	t.Parallel()
	tool := newTool(t)
	r := tool.diff(t, []string{"./puzzles/faults.Pair", "./puzzles/faults.PairHarmless"}, "--fuzztime", "3000x", "--parallel", "1", "--seed", "1")
	r.exits(t, 1)
	r.readable(t)
	s := r.summary(t)
	const note = "wrote into the memory that its worker shares with parallax, over the inputs"
	if s.Stopped != "budget" || s.Restarts == 0 || len(s.Findings.Buckets) != 1 || !slices.ContainsFunc(s.Notes, func(n string) bool { return strings.Contains(n, note) }) {
		t.Errorf("stopped by %s after %d restarts, notes %q", s.Stopped, s.Restarts, s.Notes)
	}
}
