package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestFuzz runs the fuzz tests of testdata/targets, which fail, do odd things and harm their
// process. Most of them, once a package, in one run each: what one does must not show in the
// others.
func TestFuzz(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs campaigns")
	}
	t.Parallel()
	f := newFuzzing(t, newTool(t))
	for _, s := range []struct {
		name string
		run  func(*fuzzing, *testing.T)
	}{
		{"Fails", (*fuzzing).fails}, {"Dies", (*fuzzing).dies}, {"Limits", (*fuzzing).limits}, {"Leaks", (*fuzzing).leaks},
		{"Repeats", (*fuzzing).repeats}, {"Turns", (*fuzzing).turns},
		{"Killed", (*fuzzing).killed}, {"CleansUp", (*fuzzing).cleansUp},
	} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.run(f, t)
		})
	}
}

// fuzzing is a copy of testdata/targets, and the tool.
type fuzzing struct {
	tool *tool
	dir  string
}

func newFuzzing(t *testing.T, u *tool) *fuzzing {
	t.Helper()
	f := &fuzzing{dir: moduletest.Dir(t)}
	if err := os.CopyFS(f.dir, os.DirFS(filepath.Join("testdata", "targets"))); err != nil {
		t.Fatal(err)
	}
	tool := *u
	tool.root = f.dir // where commands are given
	f.tool = &tool
	return f
}

// run fuzzes what the arguments name, with one worker, in a folder of its own, and returns the
// summaries of the targets.
func (f *fuzzing) run(t *testing.T, tool *tool, code int, args ...string) map[string]*finding.Summary {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	r := tool.run(t, append([]string{"fuzz", "--json", "--ui", "none", "--out", out, "--parallel", "1", "--seed", "1"}, args...)...)
	r.exits(t, code)
	var s struct {
		finding.Summary
		Targets []*finding.Summary `json:"targets"`
	}
	if err := json.Unmarshal(r.stdout, &s); err != nil {
		t.Fatalf("%v\n%s\n%s", err, r.stdout, r.stderr)
	}
	if s.Targets == nil {
		s.Targets = append(s.Targets, &s.Summary)
	}
	byName := map[string]*finding.Summary{}
	for _, target := range s.Targets {
		_, name, _ := strings.Cut(target.Target, ".Fuzz")
		byName[name] = target
		for i := range target.Findings.Buckets { // as seen from where the command was given
			if at := &target.Findings.Buckets[i].Location; *at != "" && !filepath.IsAbs(*at) {
				*at = filepath.Join(tool.root, *at)
			}
		}
	}
	for _, line := range bytes.Split(r.stderr, []byte("\n")) {
		if len(line) > 300 || bytes.Contains(line, []byte("flood flood")) {
			t.Errorf("standard error: %.400q", line)
		}
	}
	return byName
}

// wanted is a bucket that a target must have.
type wanted struct {
	kind  string
	text  string // part of what is said of it
	line  string // part of the source line where it is located; empty: unknown
	input string // the minimized one; empty: any
}

// outcome is the wanted result of a target.
type outcome struct {
	name     string
	findings []wanted
	flaky    bool
	restarts bool
	note     string
}

const boom = "boom"

func (o *outcome) check(t *testing.T, s *finding.Summary) {
	t.Helper()
	if s == nil {
		t.Errorf("%s was not fuzzed", o.name)
		return
	}
	if s.Stopped != "budget" || o.flaky != (s.Flaky > 0) || o.restarts != (s.Restarts > 0) {
		t.Errorf("%s: stopped by %s, %d flaky, %d restarts", o.name, s.Stopped, s.Flaky, s.Restarts)
	}
	if notes := strings.Join(s.Notes, "\n"); o.note == "" && notes != "" || !strings.Contains(notes, o.note) {
		t.Errorf("%s: notes %q", o.name, notes)
	}
	left := slices.Clone(s.Findings.Buckets)
	for _, want := range o.findings {
		i := slices.IndexFunc(left, func(b finding.Row) bool { return want.is(t, &b) })
		if i < 0 {
			t.Errorf("%s: no %s %q at %q on %q", o.name, want.kind, want.text, want.line, want.input)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, b := range left {
		data, _ := os.ReadFile(b.Minimized)
		t.Errorf("%s: a %s %v at %s on %q, not wanted", o.name, b.Kind, b.Results, b.Location, data)
	}
}

// is reports whether a bucket is the one.
func (f *wanted) is(t *testing.T, b *finding.Row) bool {
	t.Helper()
	if b.Kind != f.kind {
		return false
	}
	for _, text := range b.Results {
		if !strings.Contains(text, f.text) {
			return false
		}
	}
	data, err := os.ReadFile(b.Minimized)
	if err != nil {
		t.Error(err)
	}
	return (f.input == "" || string(data) == f.input) && strings.Contains(source(t, b.Location), f.line) && (f.line == "") == (b.Location == "")
}

// source is the line of source code at a location, empty if there is none.
func source(t *testing.T, location string) string {
	t.Helper()
	if location == "" {
		return ""
	}
	file, line, _ := cutLast(location, ":")
	n, err := strconv.Atoi(line)
	if err != nil {
		t.Errorf("location %q: %v", location, err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	lines := strings.Split(string(data), "\n")
	if n < 1 || n > len(lines) {
		t.Errorf("location %q in a file of %d lines", location, len(lines))
		return ""
	}
	return lines[n-1]
}

// failing are the targets of testdata/targets/fails.
var failing = []outcome{
	{name: "Panic", findings: []wanted{{"crash", "the roof is on fire", "panic(", boom}}},
	{name: "PanicNil", findings: []wanted{{"crash", "panic called with nil argument", "panic(nil)", boom}}},
	{name: "PanicError", findings: []wanted{{"crash", "wrapped: the cause", "panic(", boom}}},
	{name: "NilMap", findings: []wanted{{"crash", "assignment to entry in nil map", "m[s]++", boom}}},
	{name: "Goexit", findings: []wanted{{"crash", "runtime.Goexit", "runtime.Goexit", boom}}},
	{name: "Fatal", findings: []wanted{{"failure", "fatal is what it is", "t.Fatal", boom}}},
	{name: "ErrorTwice", findings: []wanted{{"failure", "the first error", "first", boom}}},
	{name: "Fail", findings: []wanted{{"failure", "failed without a message", "t.Fail()", boom}}},
	{name: "FailNow", findings: []wanted{{"failure", "before", "t.FailNow()", boom}}},
	{name: "ErrorThenSkip", findings: []wanted{{"failure", "failed before it was skipped", "t.Error", boom}}},
	{name: "ErrorThenPanic", findings: []wanted{{"crash", "and now this", "panic(", boom}}},
	{name: "FatalInDefer", findings: []wanted{{"failure", "recovered and failed", "panic(", boom}}},
	{name: "CleanupError", findings: []wanted{{"failure", "failed in cleanup", "t.Error", boom}}},
	{name: "CleanupFatal", findings: []wanted{{"failure", "fatal in cleanup", "t.Fatal", boom}}},
	{name: "CleanupPanic", findings: []wanted{{"crash", "panic in cleanup", "panic(", boom}}},
	{name: "CleanupAfterSkip", findings: []wanted{{"failure", "failed in cleanup after skip", "t.Error", boom}}},
	{name: "SubtestError", findings: []wanted{{"failure", "failed in a subtest", "t.Error", boom}}},
	{name: "SubtestFatal", findings: []wanted{{"failure", "fatal in a subtest", "t.Fatal", boom}}},
	{name: "SubtestPanic", findings: []wanted{{"crash", "panic in a subtest", "panic(", boom}}},
	{name: "SubtestParallel", findings: []wanted{{"failure", "failed in a parallel subtest", "t.Error", boom}}},
	{name: "SubtestSkip", findings: []wanted{{"failure", "failed after a skipped subtest", "t.Error", boom}}},
	{name: "Parallel", findings: []wanted{{"failure", "failed in parallel", "t.Error", boom}}},
	{name: "GoroutineError", findings: []wanted{{"failure", "failed in another goroutine", "t.Error", boom}}},
	{name: "Helper", findings: []wanted{{"failure", "failed in a helper", "check(t, s)", boom}}},
	{name: "Skips", findings: []wanted{{"failure", "failed among skips", "t.Error", boom}}},
	{name: "Flood", findings: []wanted{{"failure", "failed in a flood", "t.Fatal", boom}}},
	{name: "Exit0", findings: []wanted{{"crash", "unexpected call to os.Exit(0) during test", "os.Exit", boom}}},

	// One cause in one bucket, two in two.
	{name: "Recursion", findings: []wanted{{"crash", "unclosed", "panic(", boom}}},
	{name: "TwoCauses", findings: []wanted{
		{"crash", "index out of range", "return list[len(s)] // one", "boom1"}, {"crash", "index out of range", "return list[len(s)] // two", "boom2"},
	}},
	{name: "TwoMessages", findings: []wanted{
		{"failure", "ends in the first letter", "t.Fatal(message)", "boomx"}, {"failure", "ends in the other letter", "t.Fatal(message)", "boomy"},
	}},
	{name: "OneCause", findings: []wanted{{"failure", "too long", "t.Fatal", ""}}},
	{name: "Echoes", findings: []wanted{{"failure", "cannot read boom", "t.Fatal", ""}}},
	{name: "Computed", findings: []wanted{{"failure", "got ", "t.Fatal", ""}}},

	// Odd, but no failure.
	{name: "Setenv"}, {name: "TempDir"}, {name: "Chdir"}, {name: "TChdir"}, {name: "Relative"}, {name: "Context"}, {name: "Recovers"}, {name: "Mutates"},
	{name: "Retains"}, {name: "Late"}, {name: "SubtestNames"}, {name: "T"},
	{name: "Flaky", flaky: true, note: "FuzzFlaky does not always do the same"},
}

func (f *fuzzing) fails(t *testing.T) {
	targets := f.run(t, f.tool, 1, "./fails", "--fuzztime", "1500x")
	for _, o := range failing {
		o.check(t, targets[o.name])
		delete(targets, o.name)
	}
	// The number of buckets depends on the messages. If parallax finds that they say nothing, there
	// may be one or two.
	if s := targets["Transformed"]; s == nil || len(s.Findings.Buckets) < 1 || len(s.Findings.Buckets) > 3 {
		t.Errorf("Transformed: %+v", s)
	}
	delete(targets, "Transformed")
	for name := range targets {
		t.Errorf("nothing is wanted of %s", name)
	}
	entries, err := os.ReadDir(filepath.Join(f.dir, "fails"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "fails.go fails_test.go quiet_test.go written-by-target" {
		t.Errorf("the folder of the package holds %s", got)
	}
}

// mortal are targets of testdata/targets/dies.
var mortal = []outcome{
	{name: "Exit3", restarts: true, findings: []wanted{{"crash", "the program ended its process: exit status 3", "", boom}}},
	{name: "MapWrites", restarts: true, findings: []wanted{{"crash", "concurrent map writes", "m[", boom}}},
	{name: "Overflow", restarts: true, findings: []wanted{{"crash", "stack overflow", "func Overflow", boom}}},
	{name: "Deadlock", restarts: true, findings: []wanted{{"crash", "deadlock", "select {}", boom}}},
	{name: "GoroutinePanic", restarts: true, findings: []wanted{{"crash", "panic in another goroutine", "panic(", boom}}},
	{name: "LatePanic", restarts: true, findings: []wanted{{"crash", "after the fact", "panic(", boom}}},
	{name: "LateError", restarts: true, findings: []wanted{{"crash", "Fail in goroutine after", "t.Error", boom}}},
	{name: "Lock", restarts: true, flaky: true, note: "leaves something behind"},
}

func (f *fuzzing) dies(t *testing.T) {
	tool := f.tool.marked(t)
	var names []string
	for _, o := range mortal {
		names = append(names, o.name)
	}
	targets := f.run(t, tool, 1, "./dies", "--fuzz", "^Fuzz("+strings.Join(names, "|")+")$", "--fuzztime", "200x", "--timeout", "1m")
	for _, o := range mortal {
		o.check(t, targets[o.name])
	}
	tool.nothingLeft(t)
}

func (f *fuzzing) limits(t *testing.T) {
	tool := f.tool.marked(t)
	targets := f.run(t, tool, 1, "./dies", "--fuzz", "^Fuzz(Loop|Sleep)$", "--fuzztime", "100x", "--timeout", "400ms")
	for _, o := range []outcome{
		{name: "Loop", restarts: true, findings: []wanted{{"timeout", "still running after 400ms", " ", ""}}},
		{name: "Sleep", restarts: true, findings: []wanted{{"timeout", "still running after 400ms", "time.Sleep", ""}}},
	} {
		o.check(t, targets[o.name])
	}
	targets = f.run(t, tool, 1, "./dies", "--fuzz", "^FuzzHog$", "--fuzztime", "100x", "--timeout", "1m", "--memory", "128MiB")
	hog := outcome{name: "Hog", restarts: true, findings: []wanted{{"oom", "more than 128 MiB in use", "", ""}}}
	hog.check(t, targets["Hog"])
	tool.nothingLeft(t)
}

func (f *fuzzing) leaks(t *testing.T) {
	targets := f.run(t, f.tool, 1, "./dies", "--fuzz", "^FuzzLeak$", "--fuzztime", "5000x")
	leak := outcome{
		name: "Leak", restarts: true, note: "the programs leave thousands of goroutines behind, most of them in ",
		findings: []wanted{{"failure", "failed among leaks", "t.Error", boom}},
	}
	leak.check(t, targets["Leak"])
	targets = f.run(t, f.tool, 1, "./dies", "--fuzz", "^FuzzSlow$", "--fuzztime", "200x")
	slow := outcome{name: "Slow", findings: []wanted{{"failure", "failed slowly", "t.Error", boom}}}
	slow.check(t, targets["Slow"])
}

// types checks that parallax finds the failure of every type of argument, and that go test fails on
// the exported findings. They would be seeds of other campaigns.
func (f *fuzzing) types(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r := f.tool.run(t, "fuzz", "./types", "--json", "--ui", "none", "--out", out, "--parallel", "1", "--seed", "1", "--fuzztime", "10000x")
	r.exits(t, 1)
	var s struct {
		Targets []*finding.Summary `json:"targets"`
	}
	if err := json.Unmarshal(r.stdout, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Targets) != 21 {
		t.Errorf("%d targets", len(s.Targets))
	}
	for _, target := range s.Targets {
		if len(target.Findings.Buckets) != 1 {
			t.Errorf("%s: %d findings", target.Target, len(target.Findings.Buckets))
			continue
		}
		f.tool.run(t, "export", "--campaign", filepath.Join(out, target.Target)).exits(t, 0)
	}
	native, err := f.goTest(t, "./types")
	if err == nil {
		t.Error("go test passes on what was exported")
	}
	for _, target := range s.Targets {
		_, name, _ := strings.Cut(target.Target, ".")
		if n := strings.Count(native, "--- FAIL: "+name+"/"); n != 1 {
			t.Errorf("%d failures of %s under go test", n, name)
		}
	}
}

// goTest runs go test -v in the module.
func (f *fuzzing) goTest(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	cmd := f.tool.command(t)
	cmd.Path, cmd.Args = goCommand(t), append([]string{"go", "test", "-v"}, args...)
	data, err := cmd.CombinedOutput()
	return string(data), err
}

// repeats runs two campaigns that must not differ, operands included. Then types is their package's
// own test.
func (f *fuzzing) repeats(t *testing.T) {
	var trees [2][]string
	for i := range trees {
		place := filepath.Join(f.dir, fmt.Sprint("repeat", i))
		if err := os.Mkdir(place, 0o755); err != nil {
			t.Fatal(err)
		}
		tool := *f.tool
		tool.root = place
		tool.run(t, "fuzz", "../fails", "../types", "--fuzz", "^Fuzz(TwoCauses|Transformed|Computed|Skips|SubtestError|CleanupFatal|Context|TempDir|Mix|Number)$",
			"--ui", "none", "--out", "out", "--parallel", "1", "--seed", "7", "--fuzztime", "3000x").exits(t, 1)
		trees[i] = contents(t, place, "corpus", "findings")
	}
	for i, tree := range trees {
		for _, file := range tree {
			if !slices.Contains(trees[1-i], file) {
				t.Errorf("only campaign %d has %s", i+1, file)
			}
		}
	}
	if len(trees[0]) < 100 {
		t.Errorf("only %d files", len(trees[0]))
	}
	t.Run("Types", f.types)
}

// contents describes the files below folders of all targets in out.
func contents(t *testing.T, place string, folders ...string) (files []string) {
	t.Helper()
	targets, err := os.ReadDir(filepath.Join(place, "out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		for _, folder := range folders {
			err := filepath.WalkDir(filepath.Join(place, "out", target.Name(), folder), func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := os.ReadFile(path)
				name, _ := filepath.Rel(place, path)
				files = append(files, name+" "+corpus.Hash(seenTime.ReplaceAll(data, nil)))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// seenTime matches the times of day in the file of a bucket.
var seenTime = regexp.MustCompile(`"(first|last)_seen_time": "[^"]*"`)

// turns gives targets no budget: they take turns until ^C, which is no failure.
func (f *fuzzing) turns(t *testing.T) {
	tool := f.tool.marked(t)
	out := filepath.Join(t.TempDir(), "out")
	c := tool.launch(t, out, "fuzz", "./fails", "--fuzz", "^Fuzz(Mutates|Recovers)$", "--ui", "line", "--json", "--out", out, "--fuzztime", "0")
	c.await(t, "fails.FuzzRecovers (1 of 2)", "")
	c.await(t, "fails.FuzzMutates (2 of 2)", "")
	c.await(t, "fuzz: ", "0 inputs (")
	interrupt(t, c.pid)
	r := c.wait(t)
	r.exits(t, 0)
	var s struct {
		Targets []*finding.Summary `json:"targets"`
	}
	if err := json.Unmarshal(r.stdout, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Targets) != 2 || s.Targets[0].Inputs == 0 || s.Targets[1].Inputs == 0 || s.Targets[1].Stopped != "interrupted" {
		t.Errorf("%s", r.stdout)
	}
	tool.nothingLeft(t)
}

// killed kills a campaign in the middle. No process is left, that of the cmplog build neither, and
// the same command goes on with all that was announced.
func (f *fuzzing) killed(t *testing.T) {
	tool := f.tool.marked(t)
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"fuzz", "./dies", "--fuzz", "^FuzzSlow$", "--ui", "line", "--json", "--out", out, "--parallel", "2", "--fuzztime", "0"}
	c := tool.launch(t, out, args...)
	c.await(t, "failure ", "")
	id := strings.Fields(c.seen[len(c.seen)-1])[1]
	for lastStats(t, out).Inputs == 0 || len(tool.processes("PARALLAX_WORKER=cmplog")) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	before, kept := lastStats(t, out), inputs(t, out)
	kill(t, c.pid)
	c.wait(t)
	tool.nothingLeft(t)
	r := tool.run(t, append(args, "--fuzztime", "100x")...)
	r.exits(t, 1)
	s := r.summary(t)
	if s.Inputs < before.Inputs+100 || len(s.Findings.Buckets) != 1 || s.Findings.Buckets[0].ID != id {
		t.Errorf("%d inputs after %d, findings %+v, not %s", s.Inputs, before.Inputs, s.Findings.Buckets, id)
	}
	now := inputs(t, out)
	for _, hash := range kept {
		if !slices.Contains(now, hash) {
			t.Errorf("input %s is lost", hash)
		}
	}
	tool.nothingLeft(t)
}

// cleansUp fuzzes a test whose TestMain and cleanup functions remove what they made, in all
// processes that end by themselves.
func (f *fuzzing) cleansUp(t *testing.T) {
	tool := *f.tool.marked(t)
	left := t.TempDir()
	tool.env = append(tool.env, "PARALLAX_TARGET_LEFT="+left)
	targets := f.run(t, &tool, 1, "./cleans", "--fuzztime", "1000x")
	o := outcome{name: "Cleans", findings: []wanted{{"failure", "found", "t.Fatal", "the needle"}}}
	o.check(t, targets["Cleans"])
	tool.nothingLeft(t)
	entries, err := os.ReadDir(left)
	if err != nil {
		t.Fatal(err)
	}
	ended := map[string]bool{}
	for _, e := range entries {
		kind, ok := strings.CutPrefix(e.Name(), "ended-")
		if !ok {
			t.Errorf("%s is left", e.Name())
		}
		kind, _, _ = strings.Cut(kind, "-")
		ended[kind] = true
	}
	if !ended["1"] || !ended["cmplog"] {
		t.Errorf("processes that ended: %v", ended)
	}
}

// launch starts a command whose lines on standard error can be waited for.
func (u *tool) launch(t *testing.T, out string, args ...string) *campaign {
	t.Helper()
	return u.follow(t, out, u.command(t, args...))
}

func interrupt(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

func goCommand(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
