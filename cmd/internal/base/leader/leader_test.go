package leader

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestSignalsReachOnlyGroup checks that a signal reaches the leader or no process: every signal is
// sent before the leader has been waited for.
func TestSignalsReachOnlyGroup(t *testing.T) {
	sent := 0
	send = func(pid int, s syscall.Signal) error {
		sent++
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", max(pid, -pid)))
		var parent int
		if err == nil {
			_, err = fmt.Sscanf(string(stat[strings.LastIndexByte(string(stat), ')')+3:]), "%d", &parent)
		}
		if err != nil || parent != os.Getpid() {
			t.Errorf("a signal to %d, whose parent is %d: %v", pid, parent, err)
		}
		return syscall.Kill(pid, s)
	}
	defer func() { send = syscall.Kill }()
	for range 100 {
		cmd := exec.Command("/bin/true")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		l := New(cmd)
		var all sync.WaitGroup
		over := make(chan bool)
		for range 4 {
			all.Go(func() {
				for {
					select {
					case <-over:
						return
					default:
						l.Kill()
						l.Signal(0)
					}
				}
			})
		}
		l.Wait()
		close(over)
		all.Wait()
		l.Kill()
		l.SignalGroup(syscall.SIGTERM)
	}
	if sent == 0 {
		t.Error("no signal was sent at all")
	}
}

// TestGroupEnds checks that the group is empty when Wait returns, even if the leader ended by
// itself.
func TestGroupEnds(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", "sleep 1000 & exit 3")
	cmd.Stdout = w
	err = Run(t.Context(), cmd)
	w.Close()
	var failed *exec.ExitError
	if !errors.As(err, &failed) || failed.ExitCode() != 3 {
		t.Error(err)
	}
	if n, _ := r.Read(make([]byte, 1)); n != 0 { // end of the pipe: no process holds it
		t.Error(n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, exec.Command("/bin/true")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
