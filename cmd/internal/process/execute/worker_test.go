package execute

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/process/execute/workertest"
	"parallax/cmd/internal/process/quota/doorstest"
	"parallax/internal/oracle"
	"parallax/internal/wire"
)

func TestMain(m *testing.M) {
	if binary := os.Getenv("EXECUTE_TEST_SUPERVISE"); binary != "" {
		supervise(binary)
	}
	if len(os.Args) == 3 && os.Args[1] == "doors" {
		os.Exit(doorstest.Main(os.Args[2]))
	}
	workertest.Main(m)
}

// spec returns limits that these tests never reach by accident, even on a loaded machine.
func spec(t testing.TB, counters bool) Spec {
	return Spec{Binary: workertest.Build(t, counters), Dir: t.TempDir(), MaxFlat: 4096, Timeout: time.Minute, Memory: 2 << 30}
}

func start(t *testing.T, s Spec) *Worker {
	t.Helper()
	w, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// run executes an input that must not end the process.
func run(t *testing.T, w *Worker, input string, flags uint64) []wire.RunResult {
	t.Helper()
	results, err := w.Run([]byte(input), flags)
	if err != nil {
		t.Fatalf("%q: %v", input, err)
	}
	return results
}

// hasEnded waits until a process has ended. A zombie counts as ended.
func hasEnded(pid int) bool {
	for range 3000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestResults(t *testing.T) {
	w := start(t, spec(t, false))
	if got := fmt.Sprintf("%v %s %d", w.Hello.Programs, w.Hello.Shape, len(w.Hello.Regions)); got != "[a b] ([]byte) 0" {
		t.Errorf("hello: %s", got)
	}
	tests := []struct {
		input string
		want  string // outcomes
		a, b  string // values or errors
	}{
		{"12", "accepted accepted", `""`, `""`},
		{"300", "accepted rejected", `""`, "too large for a byte"},
		{"", "rejected rejected", "no number", "no number"},
		{"x", "rejected rejected", `"x" is no number`, `"x" is no number`},
		{"ab:echo", "accepted accepted", `"ab:echo"`, `"ab:echo"`},
		{"a:panic 17", "crashed accepted", "as told: 17", `""`},
		{"b:panic", "accepted crashed", `""`, "as told: "},
		{"a:nil", "crashed accepted", "runtime error: invalid memory address or nil pointer dereference", `""`},
		{"a:error", "crashed accepted", "in Error", `""`},
		{"a:goexit", "crashed accepted", "runtime.Goexit", `""`},
		{"ab:goexit", "crashed crashed", "runtime.Goexit", "runtime.Goexit"},
		{"ab:noise", "accepted accepted", `""`, `""`},
		{"12", "accepted accepted", `""`, `""`}, // and without everything it leaves behind
	}
	for _, test := range tests {
		results := run(t, w, test.input, wire.WantDetail|wire.WantHits)
		var outcomes, words []string
		for _, r := range results {
			outcomes = append(outcomes, oracle.Outcome(r.Outcome).String())
			words = append(words, r.Panic+r.Error+r.Rendered)
			if crashed := oracle.Outcome(r.Outcome) == oracle.Crashed; crashed != strings.Contains(r.Stack, "goroutine") {
				t.Errorf("%q: stack %q", test.input, r.Stack)
			}
			if len(r.Hits) != 0 || r.Length != 0 {
				t.Errorf("%q: coverage of programs without counters: %v, %d", test.input, r.Hits, r.Length)
			}
		}
		if got := strings.Join(outcomes, " "); got != test.want || words[0] != test.a || words[1] != test.b {
			t.Errorf("%q: %s %q, want %s %q %q", test.input, got, words, test.want, test.a, test.b)
		}
	}
	if w.Death() != nil {
		t.Error("the worker has died")
	}
}

// TestInputsAreIsolated checks that a program that changes its input does not affect the other
// program or the next run.
func TestInputsAreIsolated(t *testing.T) {
	w := start(t, spec(t, false))
	for range 2 {
		results := run(t, w, "a:mutate", wire.WantDetail)
		again := run(t, w, "ab:echo", wire.WantDetail)
		if results[1].Outcome != uint64(oracle.Accepted) || again[0].Rendered != `"ab:echo"` || again[1].Rendered != again[0].Rendered {
			t.Errorf("after a change: %+v %+v", results[1], again)
		}
	}
	if got := string(w.Mem.Recent()[1]); got != "a:mutate" {
		t.Errorf("the input in shared memory became %q", got)
	}
}

// TestRunAll checks that RunAll gives the same results as single runs, whatever the programs do to
// their goroutine, and for any size of inputs.
func TestRunAll(t *testing.T) {
	w := start(t, spec(t, true))
	var inputs [][]byte
	for i := range 40 {
		inputs = append(inputs, []byte(fmt.Sprint(i*20)), []byte("a:panic 1"), []byte("ab:goexit"), []byte("ab:echo"),
			[]byte("b:goexit"), []byte(strings.Repeat("x", 4000)))
	}
	const flags = wire.WantHits | wire.WantDetail
	all, err := w.RunAll(inputs, flags)
	if err != nil || len(all) != len(inputs) {
		t.Fatalf("%d of %d results: %v", len(all), len(inputs), err)
	}
	for i, in := range inputs {
		one := run(t, w, string(in), flags)
		for p := range one {
			one[p].Stack, all[i][p].Stack = "", "" // with addresses
		}
		if !reflect.DeepEqual(all[i], one) {
			t.Fatalf("input %d, %.20q: %+v, by itself %+v", i, in, all[i], one)
		}
	}
	if all, err := w.RunAll(nil, flags); len(all) != 0 || err != nil {
		t.Errorf("no inputs: %v, %v", all, err)
	}
}

// TestRunAllDies checks that a worker that ends leaves the results of inputs before the last.
func TestRunAllDies(t *testing.T) {
	for _, at := range []int{0, 1, 20} {
		w := start(t, spec(t, false))
		inputs := slices.Repeat([][]byte{[]byte("12")}, 40)
		inputs[at] = []byte("a:exit 3")
		all, err := w.RunAll(inputs, 0)
		var death *Death
		if !errors.As(err, &death) || death.Status != "exit status 3" || len(all) > at {
			t.Errorf("input %d ends the worker: %d results, error %v", at, len(all), err)
		}
	}
}

func TestSkip(t *testing.T) {
	w := start(t, spec(t, false))
	results := run(t, w, "ab:echo", wire.WantDetail|1<<wire.SkipShift)
	if results[0].Outcome != 0 || results[1].Outcome != uint64(oracle.Accepted) {
		t.Errorf("program 0 left out: %+v", results)
	}
}

// TestCoverage checks that each program has its own coverage, although they share a package and its
// counters.
func TestCoverage(t *testing.T) {
	table := workertest.Table(t)
	w := start(t, spec(t, true))
	if len(w.Hello.Regions) != 1 || w.Hello.Regions[0].Package != workertest.Subject || w.Hello.Regions[0].Counters != len(table.Blocks) {
		t.Fatalf("regions %v, want the %d blocks of %s", w.Hello.Regions, len(table.Blocks), workertest.Subject)
	}
	functions := func(r wire.RunResult) string {
		seen := map[string]bool{}
		var names []string
		for _, id := range r.Hits {
			if name := table.Funcs[table.Blocks[id].Func].Name; !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		return strings.Join(names, " ")
	}
	tests := []struct{ input, a, b string }{
		{"300", "A program lenient", "B program strict tooLarge"},
		{"7", "A program lenient", "B program strict"},
		{"b:echo", "A program", "B program misbehave"},
		{"b:panic", "A program", "B program misbehave"},
		// printing the error is not part of the run
		{"b:error", "A program", "B program misbehave"},
	}
	for _, test := range tests {
		for range 2 {
			results := run(t, w, test.input, wire.WantHits)
			if a, b := functions(results[0]), functions(results[1]); a != test.a || b != test.b {
				t.Errorf("%q: a ran %s, b ran %s, want %s and %s", test.input, a, b, test.a, test.b)
			}
		}
	}
	// The length counts repetitions: three digits are three rounds.
	short, long := run(t, w, "1", 0)[0], run(t, w, "111", 0)[0]
	if long.Length <= short.Length || long.Set != short.Set {
		t.Errorf("one digit: %d blocks, three: %d", short.Length, long.Length)
	}
}

func TestDeaths(t *testing.T) {
	tests := []struct {
		input   string
		env     string
		edit    func(*Spec)
		outcome oracle.Outcome
		status  string
		program int
		text    []string // all in standard error
	}{
		{input: "a:exit 0", outcome: oracle.Crashed, status: "exit status 0", program: 0},
		{input: "b:exit 3", outcome: oracle.Crashed, status: "exit status 3", program: 1},
		{input: "a:overflow x", outcome: oracle.Crashed, status: "exit status 2", text: []string{"stack overflow", "subject.overflow"}},
		{input: "b:maps", env: "GOMAXPROCS=4", outcome: oracle.Crashed, status: "exit status 2", program: 1, text: []string{"concurrent map", "subject.maps"}},
		{input: "a:deadlock", outcome: oracle.Crashed, status: "exit status 2", text: []string{"all goroutines are asleep", "subject.misbehave"}},
		{
			input: "b:loop", edit: func(s *Spec) { s.Timeout = 2 * time.Second }, outcome: oracle.Timeout,
			status: "exit status 2", program: 1, text: []string{"SIGQUIT", "subject.loop"},
		},
		{input: "a:hog", edit: func(s *Spec) { s.Memory = 128 << 20 }, outcome: oracle.OOM, status: "signal: killed"},
	}
	for _, test := range tests {
		t.Run(strings.ReplaceAll(test.input, ":", " "), func(t *testing.T) {
			if name, value, ok := strings.Cut(test.env, "="); ok {
				t.Setenv(name, value)
			}
			s := spec(t, true)
			if test.edit != nil {
				test.edit(&s)
			}
			w := start(t, s)
			run(t, w, "12", 0)
			_, err := w.Run([]byte(test.input), wire.WantDetail)
			d, ok := err.(*Death)
			if !ok {
				t.Fatalf("error %v, want a death", err)
			}
			if d != w.Death() || d.Outcome != test.outcome || d.Status != test.status || d.Program != test.program || !d.InFlight {
				t.Errorf("died of %v, %s, program %d, in flight %v; text:\n%s", d.Outcome, d.Status, d.Program, d.InFlight, d.Text)
			}
			if len(d.Recent) != 2 || string(d.Recent[0]) != test.input || string(d.Recent[1]) != "12" {
				t.Errorf("recent inputs %q", d.Recent)
			}
			for _, words := range test.text {
				if !bytes.Contains(d.Text, []byte(words)) {
					t.Errorf("%q is missing in:\n%s", words, d.Text)
				}
			}
			if _, err := w.Run([]byte("12"), 0); err != d {
				t.Errorf("a dead worker answers %v", err)
			}
		})
	}
}

// TestLateGoroutine checks that a goroutine that fails after its program has returned is found by
// waiting for it.
func TestLateGoroutine(t *testing.T) {
	w := start(t, spec(t, false))
	run(t, w, "12", wire.Settle)
	_, err := w.Run([]byte("a:later boom"), wire.Settle)
	d, ok := err.(*Death)
	if !ok || !d.InFlight || d.Outcome != oracle.Crashed || string(d.Recent[0]) != "a:later boom" {
		t.Fatalf("%v, %+v", err, d)
	}
	if !bytes.Contains(d.Text, []byte("later: boom")) || !bytes.Contains(d.Text, []byte("subject.fail")) {
		t.Errorf("text:\n%s", d.Text)
	}
}

// TestOutputIsBounded checks that the output that is kept is limited, and includes the end.
func TestOutputIsBounded(t *testing.T) {
	w := start(t, spec(t, false))
	for range 6 {
		run(t, w, "ab:noise", 0)
	}
	_, err := w.Run([]byte("a:overflow x"), 0)
	d, ok := err.(*Death)
	if !ok || len(d.Text) > headLimit+2*tailLimit+100 || !bytes.Contains(d.Text, []byte("bytes left out")) || !bytes.Contains(d.Text, []byte("subject.overflow")) {
		t.Errorf("%v; %d bytes kept", err, len(d.Text))
	}
}

func TestStartFails(t *testing.T) {
	script := func(text string) string {
		path := t.TempDir() + "/worker"
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tests := []struct{ name, binary, want string }{
		{"no such file", "/nonexistent/worker", "starting /nonexistent/worker"},
		{"ends at once", script("echo 'panic: no configuration' >&2; exit 7"), "exit status 7"},
		{"says something else", script(`printf '\003\000\000\000\001xyz, and more' >&4; sleep 60`), "another version"},
	}
	for _, test := range tests {
		w, err := Start(Spec{Binary: test.binary, MaxFlat: 10})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
		if w != nil && w.Death() == nil && w.cmd.Process != nil {
			t.Errorf("%s: a process is left", test.name)
		}
	}
	// Run by hand, it explains itself.
	out, err := exec.Command(workertest.Build(t, false)).CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("a worker of parallax")) {
		t.Errorf("by hand: %v %s", err, out)
	}
}

// TestCloseLeavesNothing checks that Close ends the process, its children, and its watching
// goroutines, in any state.
func TestCloseLeavesNothing(t *testing.T) {
	s := spec(t, false)
	before := runtime.NumGoroutine()
	tests := []struct {
		name string
		do   func(*Worker) (others []int)
	}{
		{"fresh", func(*Worker) []int { return nil }},
		{"used", func(w *Worker) []int { run(t, w, "12", 0); return nil }},
		{"dead", func(w *Worker) []int { w.Run([]byte("a:exit 1"), 0); return nil }},
		{"killed", func(w *Worker) []int { w.Kill(); return nil }},
		{"hanging", func(w *Worker) []int {
			w.Send(wire.Run, wire.AppendBytes(wire.AppendUint(nil, 0), "a:loop"))
			for w.Mem.State() != wire.InFlight {
				time.Sleep(time.Millisecond)
			}
			return nil
		}},
		{"with a child", func(w *Worker) []int { return []int{child(t, w, "a:child")} }},
		{"with a daemon", func(w *Worker) []int {
			// It left the worker's process group and lives on, without resources of the worker.
			child(t, w, "a:daemon")
			return nil
		}},
	}
	for _, test := range tests {
		w, err := Start(s)
		if err != nil {
			t.Fatal(err)
		}
		pid := w.cmd.Process.Pid
		others := test.do(w)
		w.Close()
		w.Close() // a second Close is harmless
		for _, p := range append(others, pid) {
			if !hasEnded(p) {
				t.Errorf("%s: process %d is left", test.name, p)
			}
		}
	}
	after := 0
	for range 1000 {
		if after = runtime.NumGoroutine(); after <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines before, %d after:\n%s", before, after, stacks[:runtime.Stack(stacks, true)])
}

// child makes a program start a process and returns its number. The process ends with the test.
func child(t *testing.T, w *Worker, input string) int {
	t.Helper()
	r := run(t, w, input, wire.WantDetail)[0]
	pid, err := strconv.Atoi(strings.Trim(r.Rendered, `"`))
	if err != nil {
		t.Fatalf("%q: %+v", input, r)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	return pid
}

// supervise starts a worker, lets it run forever, and is killed.
func supervise(binary string) {
	w, err := Start(Spec{Binary: binary, MaxFlat: 100, Timeout: time.Hour})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(w.cmd.Process.Pid)
	w.Run([]byte("a:loop"), 0)
	os.Exit(0)
}

func TestWorkersDieWithTheirSupervisor(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "EXECUTE_TEST_SUPERVISE="+workertest.Build(t, false))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if !hasEnded(pid) {
		syscall.Kill(pid, syscall.SIGKILL)
		t.Errorf("the worker %d has outlived its supervisor", pid)
	}
}
