package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/report"
	"parallax/internal/input"
	"parallax/puzzles/faults"
)

// fault is a program of puzzles/faults that does harm, and what must come of it.
type fault struct {
	name    string // of the function
	twin    string // what it is compared with; default Harmless
	budget  int
	flags   []string
	kind    string // of the one bucket; empty: no finding
	result  string // part of what the program's result says
	file    string // where the finding is located; empty: nobody can tell
	deadly  bool   // every such input ends a worker
	code    int    // default 1 with a finding, 0 without
	flaky   bool
	anyway  bool // it does harm on every input
	stopped string
}

var harm = []fault{
	{name: "Panics", budget: 2000, kind: "crash", result: "the roof is on fire", file: "panics.go"},
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
	{name: "Late", budget: 600, kind: "crash", result: "after the fact", file: "late.go", deadly: true},
	{name: "Goexit", budget: 2000, kind: "crash", result: "runtime.Goexit", file: "goexit.go"},
	{name: "Message", budget: 2000, kind: "crash", result: "nil pointer dereference", file: "message.go"},
	{name: "Every", budget: 2000, kind: "crash", result: "always", file: "every.go", code: 5, anyway: true, stopped: "error"},
	{name: "Prints", budget: 2000},
	{name: "Mutates", twin: "Sum", budget: 5000},
	{name: "Retains", budget: 5000},
	{name: "Flaky", budget: 50_000, flaky: true},
}

// Whatever a program does to its process, the campaign goes on and says once what happened.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	tool := newTool(t)
	for _, f := range harm {
		t.Run(f.name, func(t *testing.T) {
			mark := tool.marked(t)
			f.check(t, mark)
			mark.nothingLeft(t)
		})
	}
}

func (f *fault) check(t *testing.T, tool *tool) {
	if f.twin == "" {
		f.twin = "Harmless"
	}
	if f.code == 0 && f.kind != "" {
		f.code = 1
	}
	if f.stopped == "" {
		f.stopped = "budget"
	}
	funcs := []string{"./puzzles/faults." + f.name, "./puzzles/faults." + f.twin}
	r := tool.diff(t, funcs, append([]string{"--fuzztime", fmt.Sprint(f.budget, "x"), "--parallel", "1", "--seed", "1"}, f.flags...)...)
	r.exits(t, f.code)
	r.readable(t)
	s := r.summary(t)
	if s.Stopped != f.stopped || f.stopped == "budget" && s.Inputs < uint64(f.budget) {
		t.Errorf("stopped by %s after %d inputs, want %s after %d", s.Stopped, s.Inputs, f.stopped, f.budget)
	}
	if f.deadly != (s.Restarts > 0) || f.flaky != (s.Flaky > 0) {
		t.Errorf("%d restarts, %d flaky", s.Restarts, s.Flaky)
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
	name, twin := "faults."+f.name, "faults."+f.twin
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
		t.Errorf("minimised to %q, which does harm: %t", data, faults.Boom(data))
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

// A program whose package fails when it is initialised cannot be started at all.
func TestFaultOfInitialisation(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a worker")
	}
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

// readable fails the test if standard error is not what people should see: lines that are short, no stacks, nothing that a
// program printed, and at most one error.
func (r *result) readable(t *testing.T) {
	t.Helper()
	failures := 0
	for _, line := range strings.Split(string(r.stderr), "\n") {
		switch {
		case len(line) > 300, strings.HasPrefix(line, "goroutine "), strings.Contains(line, "not really"):
			t.Errorf("standard error: %.400q", line)
		case strings.HasPrefix(line, "parallax: "):
			failures++
		}
	}
	if want := r.code > 1; (failures == 1) != want {
		t.Errorf("%d error messages with exit code %d\n%s", failures, r.code, r.stderr)
	}
}

// A worker that is killed is replaced; what it was doing is no finding.
func TestKilledWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a campaign")
	}
	tool := newTool(t).marked(t)
	const budget, kills = 4000, 2
	c := tool.start(t, filepath.Join(t.TempDir(), "out"), []string{"./puzzles/faults.Slow", "./puzzles/faults.Harmless"},
		"--fuzztime", fmt.Sprint(budget, "x"), "--parallel", fmt.Sprint(kills))
	c.awaitStderr(t, "fuzz: ", 1)
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

// campaign is a parallax diff that runs.
type campaign struct {
	result
	pid   int
	lines chan string
	seen  []string
	ended chan error
}

// start starts a campaign.
func (u *tool) start(t *testing.T, out string, funcs []string, flags ...string) *campaign {
	t.Helper()
	cmd := u.command(t, diffArgs(out, funcs, flags...)...)
	c := &campaign{result: result{out: out, dir: cmd.Dir}, lines: make(chan string, 1000), ended: make(chan error, 1)}
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.pid = cmd.Process.Pid
	t.Cleanup(func() { syscall.Kill(-c.pid, syscall.SIGKILL) })
	go func() {
		for s := bufio.NewScanner(stderr); s.Scan(); {
			c.lines <- s.Text()
		}
		close(c.lines)
		err := cmd.Wait()
		c.stdout, c.code = stdout.Bytes(), cmd.ProcessState.ExitCode()
		c.ended <- err
	}()
	return c
}

// awaitStderr waits until n lines of standard error contain text.
func (c *campaign) awaitStderr(t *testing.T, text string, n int) {
	t.Helper()
	for _, line := range c.seen {
		if strings.Contains(line, text) {
			n--
		}
	}
	for n > 0 {
		line, ok := <-c.lines
		if !ok {
			t.Fatalf("the campaign ended without %q\n%s", text, strings.Join(c.seen, "\n"))
		}
		c.seen = append(c.seen, line)
		if strings.Contains(line, text) {
			n--
		}
	}
}

// wait returns what came of the campaign.
func (c *campaign) wait(t *testing.T) *result {
	t.Helper()
	for line := range c.lines {
		c.seen = append(c.seen, line)
	}
	<-c.ended
	c.stderr = []byte(strings.Join(c.seen, "\n"))
	return &c.result
}

// process is one that a test's parallax started, itself included.
type process struct {
	pid     int
	command []string
}

const markKey = "PARALLAX_TEST_MARK="

// marked returns the tool with an environment by which all processes of the test can be found.
func (u *tool) marked(t *testing.T) *tool {
	m := *u
	m.mark = markKey + strconv.Itoa(os.Getpid()) + "/" + t.Name()
	m.env = append(slices.Clone(u.env), m.mark)
	return &m
}

// processes returns the running processes that have the tool's mark and the variables in their environment.
func (u *tool) processes(variables ...string) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil {
			continue // another's, or gone
		}
		have := strings.Split(string(environ), "\x00")
		if !slices.Contains(have, u.mark) || slices.ContainsFunc(variables, func(v string) bool { return !slices.Contains(have, v) }) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		found = append(found, process{pid, strings.Split(strings.TrimRight(string(command), "\x00"), "\x00")})
	}
	return found
}

// nothingLeft fails the test unless all processes end by themselves, soon.
func (u *tool) nothingLeft(t *testing.T) {
	t.Helper()
	var left []process
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if left = u.processes(); len(left) == 0 {
			return
		}
	}
	for _, p := range left {
		t.Errorf("process %d is left: %.200q", p.pid, p.command)
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
}

// total is the part of a summary that never shrinks.
type total struct {
	inputs, executions uint64
	corpus             int
	findings           uint64
}

func totalOf(s *report.Summary) total {
	return total{s.Inputs, s.Executions, s.Corpus.Size, s.Findings.Total}
}
