// Package leader ends groups of processes. The process that leads a group gives the group its
// number. Once the leader was waited for and the group is empty, the kernel gives the number to
// somebody else, and a signal that is late reaches a stranger. A Leader sends no such signal.
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
// called by any goroutine.
type Leader struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	gone bool // waited for, or about to be: its number may be somebody else's
}

// Of returns the leader that a command has started. Its end is to be awaited by Wait alone, not by
// exec.Cmd.Wait.
func Of(cmd *exec.Cmd) *Leader { return &Leader{cmd: cmd} }

// Pid returns the number of the leader.
func (l *Leader) Pid() int { return l.cmd.Process.Pid }

// send is syscall.Kill, which tests watch.
var send = syscall.Kill

// Kill kills the group. It does nothing once the leader has been waited for.
func (l *Leader) Kill() { l.signal(-l.cmd.Process.Pid, syscall.SIGKILL) }

// SignalGroup sends a signal to the group, as long as the leader has not been waited for.
func (l *Leader) SignalGroup(s syscall.Signal) { l.signal(-l.cmd.Process.Pid, s) }

// Signal sends a signal to the leader alone, as long as it has not been waited for.
func (l *Leader) Signal(s syscall.Signal) { l.signal(l.cmd.Process.Pid, s) }

func (l *Leader) signal(pid int, s syscall.Signal) {
	l.Do(func() { send(pid, s) })
}

// Do calls f, unless the leader has been waited for. While f runs, the leader's number is not given
// to anybody else.
func (l *Leader) Do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone {
		f()
	}
}

// Ended returns when the leader has ended, and leaves it to Wait.
func (l *Leader) Ended() {
	for unix.Waitid(unix.P_PID, l.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// Wait waits until the leader has ended, kills who is left in its group, and returns what
// exec.Cmd.Wait returns.
func (l *Leader) Wait() error {
	l.Ended()
	l.Kill() // the leader is a zombie, which keeps its number
	l.mu.Lock()
	l.gone = true
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
	runtime.LockOSThread() // the signal comes when the thread ends that started the process
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return err
	}
	l := Of(cmd)
	defer context.AfterFunc(ctx, l.Kill)()
	return l.Wait()
}
