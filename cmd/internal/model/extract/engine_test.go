package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/buildcache"
)

// fake returns an engine that needs only Python. args are the arguments of testdata/fake.py.
func fake(t *testing.T, o Options, args ...string) *Engine {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("python3 is missing: install the package python3")
	}
	script, err := filepath.Abs("testdata/fake.py")
	if err != nil {
		t.Fatal(err)
	}
	if len(args) == 0 {
		args = []string{"fake", "1.0"}
	}
	e := Open(&Env{Engine: "fake", Version: "1.0", Adapter: "a", Command: append([]string{python, script}, args...)}, o)
	t.Cleanup(e.Close)
	return e
}

func extractOne(t *testing.T, e *Engine, name string) Answer {
	t.Helper()
	answers, err := e.Extract(t.Context(), []Request{{Function: name, Mode: Bytes}}, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return answers[0]
}

// TestFaults checks that an engine's failure is a result with its reason, and that the next request
// gets an answer.
func TestFaults(t *testing.T) {
	e := fake(t, Options{MemoryMB: 256})
	before := extractOne(t, e, "f")
	for _, test := range []struct{ name, status, reason string }{
		{"exception", "crash", "ValueError: no"},
		{"crash", "crash", "it ended: signal: segmentation fault: about to crash"},
		{"garbage", "crash", `it wrote what is no answer: "Warning: symbolic memory read"`},
		{"other", "crash", "its answer is not to what was asked: it is to request"},
		{"noresult", "crash", "it ended without an answer"},
		{"nopaths", "crash", "its answer is not to what was asked: there are no paths"},
		{"closes", "crash", "it closed its output without an answer"},
		{"memory", "crash", "it ended: exit status 1: MemoryError"},
	} {
		if test.name == "closes" && testing.Short() {
			continue
		}
		a := extractOne(t, e, test.name)
		if string(a.Status) != test.status || !strings.HasPrefix(a.Reason, test.reason) || a.Function != test.name {
			t.Errorf("%s: %s %q, want %s %q", test.name, a.Status, a.Reason, test.status, test.reason)
		}
		if a := extractOne(t, e, "f"); a.Status != OK || len(a.Paths) != 1 {
			t.Errorf("after %s: %+v", test.name, a)
		} else if again := a.Reason == before.Reason; again != (test.name == "exception") {
			t.Errorf("after %s the process that goes on is the same: %v", test.name, again)
		} else {
			before = a
		}
	}
}

// TestMemoryExhausted checks that a request that lacks memory in a used process is repeated in a
// new one. If it lacks memory there, too, the model is the cause.
func TestMemoryExhausted(t *testing.T) {
	e := fake(t, Options{Workers: 1})
	before := extractOne(t, e, "f")
	if a := extractOne(t, e, "fills"); a.Status != OK || a.Reason == before.Reason {
		t.Errorf("in a new process: %s %q", a.Status, a.Reason)
	}
	if a := extractOne(t, e, "full"); a.Status != Crash || a.Reason != "out of memory" {
		t.Errorf("in any process: %s %q", a.Status, a.Reason)
	}
	if a := extractOne(t, e, "f"); a.Status != OK {
		t.Errorf("afterwards: %s %q", a.Status, a.Reason)
	}
}

// TestProtocol checks the code that adapters share. An answer is unique if all ends of a call give
// it, and a lack of memory concerns the process.
func TestProtocol(t *testing.T) {
	script := `
import sys
sys.argv, sys.path[:0] = ["adapter"], ["adapter"]
import protocol
def full():
    raise MemoryError
def out(n, unique=True):
    return {"value": n, "unique": unique}
for outcomes, ways in [([out(1)], 1), ([out(1), out(1)], 2), ([out(1), out(1), out(2)], 3), ([out(1), out(1)], 3), ([out(1, False)], 1)]:
    protocol.send(protocol.agreed(outcomes, ways)["unique"])
protocol.send(protocol.guarded(full)["passing"])
`
	out, err := exec.Command("python3", "-c", script).CombinedOutput()
	if want := "true\ntrue\nfalse\nfalse\nfalse\ntrue\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s, want\n%s", err, out, want)
	}
}

// TestHang checks that a request that takes too long ends with all processes that the engine has
// started.
func TestHang(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	var data []byte
	// a busy machine may not start the engine in time
	for timeout := 2 * time.Second; len(data) == 0; timeout *= 2 {
		if timeout > 2*time.Minute {
			t.Fatal("the engine does not start within a minute")
		}
		e := fake(t, Options{Timeout: timeout})
		a := extractOne(t, e, "hang:"+file)
		if a.Status != Timeout || a.Reason != fmt.Sprintf("no answer within %v", timeout) {
			t.Errorf("it came out as %s %q", a.Status, a.Reason)
		}
		data, _ = os.ReadFile(file)
	}
	pid, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if hasEnded(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d, which the engine started, is still there", pid)
}

// hasEnded reports whether a process has ended, even if its parent has not waited for it.
func hasEnded(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestStarts(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"fake", "1.1"}, "fake 1.0 was asked for, and what runs is fake 1.1: remove "},
		{[]string{"other", "1.0"}, "fake 1.0 was asked for, and what runs is other 1.0: remove "},
		{[]string{"fake", "1.0", "dies"}, "fake 1.0 does not start: it ended: exit status 1: no module named engine: remove "},
		{[]string{"fake", "1.0", "silent"}, "fake 1.0 does not start: no answer within 1s: remove "},
		{[]string{"fake", "1.0", "stranger"}, `fake 1.0 does not speak protocol 1: it begins with "Welcome!"`},
	} {
		e := fake(t, Options{Start: 30 * time.Second}, test.args...)
		if test.args[len(test.args)-1] == "silent" {
			e.Options.Start = time.Second
		}
		_, err := e.List(t.Context())
		if !errors.Is(err, ErrUnavailable) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%v: %v, want %s", test.args, err, test.want)
		}
	}
	e := Open(&Env{Engine: "fake", Version: "1.0", Command: []string{"/nowhere/python"}}, Options{})
	if _, err := e.List(t.Context()); !errors.Is(err, ErrUnavailable) {
		t.Errorf("an engine without an interpreter: %v", err)
	}
	e.Close()
	if _, err := e.List(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("an engine that is closed: %v", err)
	}
}

func TestList(t *testing.T) {
	listed, err := fake(t, Options{}).List(t.Context())
	want := []Listed{{"f", "libc", "int f(int)", ""}, {"g", "libc", "", "variadic"}}
	if err != nil || len(listed) != 2 || listed[0] != want[0] || listed[1] != want[1] {
		t.Errorf("listed are %v, %v", listed, err)
	}
}

// TestParallel checks that answers of several processes are in the order of the requests.
func TestParallel(t *testing.T) {
	e := fake(t, Options{Workers: 3})
	var requests []Request
	for i := range 30 {
		requests = append(requests, Request{Function: "f" + strconv.Itoa(i), Mode: Bytes})
	}
	called := map[int]bool{}
	answers, err := e.Extract(t.Context(), requests, func(i int, a Answer) { called[i] = a.Function == requests[i].Function })
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		if a.Function != requests[i].Function || a.Status != OK || !called[i] {
			t.Errorf("answer %d is to %s, %s", i, a.Function, a.Status)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Extract(ctx, requests, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// TestAsk checks that an input that ends the engine does not affect the others of its batch.
func TestAsk(t *testing.T) {
	e := fake(t, Options{Workers: 2})
	var inputs [][]Value
	for i := range 70 {
		inputs = append(inputs, []Value{{Int: strconv.Itoa(i)}})
	}
	inputs[40][0].Int = "666"
	outcomes, err := e.Ask(t.Context(), Question{Function: "f", Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		switch {
		case i == 40 && (o.Status != Crash || o.Reason != "it ended: signal: segmentation fault"):
			t.Errorf("the input that ends it came out as %s %q", o.Status, o.Reason)
		case i != 40 && (o.Status != OK || o.Value != strconv.Itoa(i) || !o.Unique):
			t.Errorf("input %d came out as %+v", i, o)
		}
	}
	q := Question{Function: "f", Inputs: inputs[:2], Symbolic: true, Sizes: Sizes{Buffer: 4}, Plain: []int{1}}
	if outcomes, err = e.Ask(t.Context(), q); err != nil || len(outcomes) != 2 || outcomes[1].Reason != "symbols for 4 elements, plain [1]" {
		t.Errorf("with symbols: %+v, %v", outcomes, err)
	}
}

// TestCachedAnswers checks that answers are cached by all that they depend on. Failures of the
// process are not cached.
func TestCachedAnswers(t *testing.T) {
	kept := buildcache.Results(filepath.Join(t.TempDir(), "kept"))
	first := extractOne(t, fake(t, Options{Kept: kept}), "f")
	if a := extractOne(t, fake(t, Options{Kept: kept}), "f"); a.Reason != first.Reason {
		t.Error("another process was asked what was answered before")
	}
	for name, change := range map[string]func(*Engine, *Request){
		"size":     func(_ *Engine, r *Request) { r.Sizes.Buffer = 3 },
		"mode":     func(_ *Engine, r *Request) { r.Mode = Integers },
		"null":     func(_ *Engine, r *Request) { r.Null = []int{0} },
		"held":     func(_ *Engine, r *Request) { r.Held = map[int]Value{1: {Int: "10"}} },
		"proto":    func(_ *Engine, r *Request) { r.Prototype = "int f(long)" },
		"adapter":  func(e *Engine, _ *Request) { e.Env.Adapter = "b" },
		"function": func(_ *Engine, r *Request) { r.Function = "h" },
	} {
		e, r := fake(t, Options{Kept: kept}), Request{Function: "f", Mode: Bytes}
		change(e, &r)
		if a, err := e.Extract(t.Context(), []Request{r}, nil); err != nil || a[0].Reason == first.Reason {
			t.Errorf("with another %s: the same answer, %v", name, err)
		}
	}
	files := func() int { all, _ := os.ReadDir(string(kept)); return len(all) }
	before := files()
	if a := extractOne(t, fake(t, Options{Kept: kept}), "noresult"); a.Status != Crash || files() != before {
		t.Errorf("the end of a process is kept: %+v", a)
	}
	if a := extractOne(t, fake(t, Options{Kept: kept}), "exception"); a.Status != Crash || files() != before+1 {
		t.Errorf("what the engine threw is not kept: %+v", a)
	}
	// A file that is no answer is asked again.
	e := fake(t, Options{Kept: kept})
	key := e.key(message{Function: "f", Mode: Bytes, Sizes: Sizes{DefaultBuffer}})
	if kept.Read(key) == nil {
		t.Fatal("the answer is kept under another name")
	}
	kept.Write(key, []byte(`{"function":"f","status":"ok"}`))
	if a := extractOne(t, e, "f"); len(a.Paths) != 1 {
		t.Errorf("a broken file was taken for an answer: %+v", a)
	}
}
