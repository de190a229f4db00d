package trial

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
)

// shell returns a process that runs a script.
func shell(t *testing.T, script string) *process {
	dir := t.TempDir()
	return &process{
		tool: "/bin/sh", args: []string{"-c", script}, dir: dir, wall: time.Minute,
		stdout: filepath.Join(dir, "out"), stderr: filepath.Join(dir, "err"),
	}
}

func TestProcess(t *testing.T) {
	p := shell(t, "echo one; echo two >&2; pwd >>out; exit 3")
	e, err := p.run(context.Background())
	if err != nil || e.code != 3 || e.cut {
		t.Fatalf("%+v, %v", e, err)
	}
	if out, _ := os.ReadFile(p.stdout); !strings.HasPrefix(string(out), "one") || !strings.Contains(string(out), p.dir) {
		t.Errorf("standard output: %q", out)
	}
	if text, _ := os.ReadFile(p.stderr); string(text) != "two\n" {
		t.Errorf("standard error: %q", text)
	}
	p.tool = filepath.Join(p.dir, "nothing")
	if _, err := p.run(context.Background()); exit.Code(err) != exit.InfraCode {
		t.Errorf("no such tool: %v", err)
	}
}

func TestProcessCut(t *testing.T) {
	p := shell(t, "trap 'exit 0' INT; while :; do sleep 0.01; done")
	p.wall = 3 * time.Second
	if e, err := p.run(context.Background()); err != nil || e.code != 0 || !e.cut {
		t.Errorf("asked to end: %+v, %v", e, err)
	}
}

// TestProcessCanceled checks that a canceled process and its children are gone when run returns.
func TestProcessCanceled(t *testing.T) {
	p := shell(t, "echo $$ >pid; exec sleep 600")
	ctx, cancel := context.WithCancel(context.Background())
	pid := 0
	go func() {
		for pid == 0 {
			data, _ := os.ReadFile(filepath.Join(p.dir, "pid"))
			pid, _ = strconv.Atoi(strings.TrimSpace(string(data)))
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := p.run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if syscall.Kill(pid, 0) != syscall.ESRCH {
		t.Errorf("process %d is still there", pid)
	}
}

func TestComplaint(t *testing.T) {
	for _, test := range []struct {
		said, want string
		e          ended
	}{
		{"building\nparallax: ./p does not build:\np.go:1: undefined: x\n", "./p does not build:\np.go:1: undefined: x", ended{code: 3}},
		{"parallax: one\n", "one", ended{code: 2}},
		{"panic: oh\n", "panic: oh", ended{code: 2}},
		{"", "it ended with exit code 4 and said nothing", ended{code: 4}},
		{"", "it did not end within 1m0s and 30s more", ended{code: -1, cut: true, wall: time.Minute}},
	} {
		if got := complaint([]byte(test.said), test.e); got != test.want {
			t.Errorf("%q: %q, want %q", test.said, got, test.want)
		}
	}
	if got := complaint([]byte(strings.Repeat("x", 10000)), ended{code: 4}); len(got) > 4100 {
		t.Errorf("%d bytes", len(got))
	}
}

func TestRemainingTime(t *testing.T) {
	now := time.Unix(1000, 0)
	r := &Run{Now: func() time.Time { return now }, began: now.Add(-30 * time.Minute), total: 100, ended: 4}
	if got := r.remaining(); got != "" {
		t.Errorf("too early to tell: %q", got)
	}
	r.ended = 20
	if got := r.remaining(); got != "; about 2h0m left" {
		t.Errorf("got %q", got)
	}
	r.ended = 99
	if got := r.remaining(); got != "" {
		t.Errorf("less than a minute: %q", got)
	}
}

// TestDrop checks that repeated failures are reported once and skipped, with the exit code of a
// failed build.
func TestDrop(t *testing.T) {
	var told []string
	r := &Run{
		Config: &Config{}, dropped: map[string]bool{}, reported: map[string]bool{}, failures: map[string]int{}, Report: func(s string) { told = append(told, s) },
		left: []key{{"x", "a", 1}, {"y", "a", 1}, {"y", "b", 1}, {"z", "a", 1}},
	}
	r.finish(key{"y", "a", 0}, nil, &Failure{Code: exit.UsageCode, Text: "no such flag"})
	r.finish(key{"z", "a", 0}, nil, &Failure{Code: exit.UsageCode, Text: "no such flag"})
	r.finish(key{"x", "a", 0}, nil, &Failure{Code: exit.BuildCode, Text: "it does not build"})
	if k, ok := r.next(); !ok || k != (key{"y", "b", 1}) {
		t.Errorf("next is %v, %v", k, ok)
	}
	if _, ok := r.next(); ok {
		t.Error("something is left")
	}
	if len(told) != 2 || exit.Code(r.failed) != exit.BuildCode {
		t.Errorf("told %q, %v", told, r.failed)
	}
	if err := r.finish(key{"x", "a", 0}, nil, exit.Infra("disk full")); exit.Code(err) != exit.InfraCode || r.fatal == nil {
		t.Errorf("what nothing can go on with: %v", err)
	}
}

// TestDropTransient checks that a single transient failure costs one trial, and two in a row cost
// the others.
func TestDropTransient(t *testing.T) {
	log, err := OpenLog(filepath.Join(t.TempDir(), "s.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var told []string
	r := &Run{
		Config: &Config{}, Log: log, dropped: map[string]bool{}, reported: map[string]bool{}, failures: map[string]int{}, builds: map[string]string{},
		Report: func(s string) { told = append(told, s) },
	}
	killed := &Failure{Code: -1, Text: "it ended with exit code -1 and said nothing"}
	for trial, test := range []struct {
		fails, dropped bool
	}{{true, false}, {false, false}, {true, false}, {false, false}, {true, false}, {true, true}} {
		k := key{"x", "a", trial}
		if test.fails {
			err = r.finish(k, nil, killed)
		} else {
			err = r.finish(k, trialOf("x", "a", trial, 1), nil)
		}
		if err != nil || r.dropped["x/a"] != test.dropped {
			t.Errorf("after trial %d: dropped %v, want %v (%v)", trial, r.dropped, test.dropped, err)
		}
		if trial == 0 && !strings.Contains(r.failed.Error(), "x, a, trial 1 failed: see above; the same command runs it again") {
			t.Errorf("after one failure: %v", r.failed)
		}
	}
	r.finish(key{"x", "b", 0}, nil, killed) // of another configuration, so not in a row
	if len(r.dropped) != 1 || exit.Code(r.failed) != exit.InfraCode {
		t.Errorf("dropped %v, %v", r.dropped, r.failed)
	}
	if text := strings.Join(told, "\n"); strings.Count(text, "said nothing") != 1 || strings.Count(text, "x, a: 2 trials in a row have failed, the others are left out") != 1 {
		t.Errorf("told:\n%s", text)
	}
	// A wrong configuration fails every time.
	r.finish(key{"y", "a", 0}, nil, &Failure{Code: exit.UsageCode, Text: "no such flag"})
	if !r.dropped["y/a"] {
		t.Error("a wrong flag is not dropped at once")
	}
}
