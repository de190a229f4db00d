package compiler

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestRun checks that the limit and the context end a hanging compiler with all its processes, and
// that failures are reported unchanged.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	hangs := write("hangs", "sleep 600 &\necho $! >child\nwait\n")
	ended := func() {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, "child"))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		for range 200 { // the process that adopts it must reap it first
			stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if syscall.Kill(pid, 0) == syscall.ESRCH || err == nil && strings.Contains(string(stat), ") Z ") {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error("what the compiler started still runs")
	}
	defer func(was time.Duration) { Limit = was }(Limit)
	Limit = 300 * time.Millisecond
	var slow *SlowError
	if _, _, err := Run(context.Background(), dir, hangs); !errors.As(err, &slow) || !strings.Contains(err.Error(), "hangs did not end within 300ms") {
		t.Errorf("by the limit: %v", err)
	}
	ended()
	Limit = time.Minute
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := Run(ctx, dir, hangs); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &slow) {
		t.Errorf("by the context: %v", err)
	}
	ended()
	out, messages, err := Run(context.Background(), dir, write("fails", "pwd\necho $1 >&2\nexit 3\n"), "said")
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != 3 || !strings.HasSuffix(strings.TrimSpace(string(out)), filepath.Base(dir)) || string(messages) != "said\n" {
		t.Errorf("%q, %q, %v", out, messages, err)
	}
}
