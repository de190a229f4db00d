// Package leader ends process groups. The number of the group is that of its first process, the
// leader. Once the leader is waited for and the group is empty, the kernel may reuse the number. A
// late signal would then reach an unrelated process. A Leader never sends one.
package leader

import (
	"context"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Leader is a process that was started with SysProcAttr.Setpgid or Setsid. Its methods may be
// called from any goroutine.
type Leader struct {
	cmd    *exec.Cmd
	mu     sync.Mutex
	reaped bool // waited for, or about to be: its number may be reused
}

// New returns the leader that a command has started. Only Wait may wait for its end, not
// exec.Cmd.Wait.
func New(cmd *exec.Cmd) *Leader { return &Leader{cmd: cmd} }

// Pid returns the number of the leader.
func (l *Leader) Pid() int { return l.cmd.Process.Pid }

// send is syscall.Kill. Tests replace it.
var send = syscall.Kill

// Kill kills the group. It does nothing after the leader has been waited for.
func (l *Leader) Kill() { l.signal(-l.cmd.Process.Pid, syscall.SIGKILL) }

// SignalGroup sends a signal to the group. It does nothing after the leader has been waited for.
func (l *Leader) SignalGroup(s syscall.Signal) { l.signal(-l.cmd.Process.Pid, s) }

// Signal sends a signal to the leader alone. It does nothing after the leader has been waited for.
func (l *Leader) Signal(s syscall.Signal) { l.signal(l.cmd.Process.Pid, s) }

func (l *Leader) signal(pid int, s syscall.Signal) {
	l.Do(func() { send(pid, s) })
}

// Do calls f, unless the leader has been waited for. While f runs, the kernel cannot reuse the
// leader's number.
func (l *Leader) Do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.reaped {
		f()
	}
}

// Ended waits until the leader has ended. It leaves the zombie to Wait.
func (l *Leader) Ended() {
	for unix.Waitid(unix.P_PID, l.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// Wait waits until the leader has ended, kills the rest of its group, and returns the result of
// exec.Cmd.Wait.
func (l *Leader) Wait() error {
	l.Ended()
	l.Kill() // the leader is a zombie, which keeps its number
	l.mu.Lock()
	l.reaped = true
	l.mu.Unlock()
	return l.cmd.Wait()
}

// Run starts a command, kills its group when ctx ends, and waits for it. The kernel kills the
// leader when this process ends.
func Run(ctx context.Context, cmd *exec.Cmd) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid, cmd.SysProcAttr.Pdeathsig = true, syscall.SIGKILL
	runtime.LockOSThread() // the kernel sends the signal when the starting thread ends
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return err
	}
	l := New(cmd)
	defer context.AfterFunc(ctx, l.Kill)()
	return l.Wait()
}
