// Package process runs a command and accounts for the CPU time of all that descends from it. The
// programs of bench call it, on Linux.
//
// Wait's figure is the kernel's: user and system time of the command and of every descendant. The
// parent of each waits for it. If the parent died before, this process does, which becomes the
// parent of such orphans. CPU is the same sum so far, from /proc, in steps of ten milliseconds.
//
// One command runs at a time. While it runs, all children of this process count as its own.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Command describes a command to run.
type Command struct {
	Path   string
	Args   []string // without the path
	Dir    string
	Env    []string // added to this process's environment
	Stdout *os.File // nil: thrown away
	Stderr *os.File // nil: thrown away
}

// Usage is the cost of a command and its descendants.
type Usage struct {
	CPU  time.Duration // user and system
	Wall time.Duration
	Exit int // exit code of the command; -1 if a signal ended it
}

// Process is a running command.
type Process struct {
	cmd     *exec.Cmd
	started time.Time
	passed  Progress      // what CPU has returned
	ended   chan struct{} // closed when the command itself has ended
	err     error         // of waiting for it
}

// Start starts a command, in a process group of its own.
func Start(c Command) (*Process, error) {
	if err := adopt(); err != nil {
		return nil, fmt.Errorf("becoming the parent of orphans: %w", err)
	}
	p := &Process{cmd: exec.Command(c.Path, c.Args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = c.Dir, append(os.Environ(), c.Env...)
	if c.Stdout != nil { // an interface that holds a nil file would be no nil
		p.cmd.Stdout = c.Stdout
	}
	if c.Stderr != nil {
		p.cmd.Stderr = c.Stderr
	}
	ownGroup(p.cmd)
	p.started = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Ended is closed when the command itself has ended; descendants may go on.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Interrupt asks the command to end.
func (p *Process) Interrupt() { p.cmd.Process.Signal(os.Interrupt) }

// Kill ends the command and all descendants.
func (p *Process) Kill() { killAll() }

// CPU is the CPU time of the command and its descendants so far. Progress has the figure. One
// goroutine calls it.
func (p *Process) CPU() time.Duration {
	total := time.Duration(0)
	for _, pid := range tree(os.Getpid()) {
		total += spent(pid)
	}
	p.passed = append(p.passed, Moment{time.Now(), total})
	return total
}

// Progress returns all figures that CPU has returned, after one of the start. The given time was
// spent before, or is not to count if it is negative.
func (p *Process) Progress(before time.Duration) Progress {
	all := Progress{{p.started, max(0, before)}}
	for _, m := range p.passed {
		all = append(all, Moment{m.At, max(0, m.CPU+before)})
	}
	return all
}

// Tree are the process numbers of the command and its descendants, ancestors first.
func (p *Process) Tree() []int { return tree(os.Getpid()) }

// Spent is the CPU time of one process and of those that it has waited for. It is zero when the
// process is gone.
func Spent(pid int) time.Duration { return spent(pid) }

// Own is the CPU time of the command itself, without its descendants. It is zero when the command
// has ended.
func (p *Process) Own() time.Duration { return alone(p.cmd.Process.Pid) }

// Wait waits for the command and everything that descends from it. It kills the processes that the
// command has left behind after the given time. A command that fails is no error.
func (p *Process) Wait(leftover time.Duration) (Usage, error) {
	<-p.ended
	u := Usage{Wall: time.Since(p.started)}
	var exited *exec.ExitError
	if p.err != nil && !errors.As(p.err, &exited) {
		return u, p.err
	}
	u.Exit = p.cmd.ProcessState.ExitCode()
	u.CPU = p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	orphans, err := reap(leftover)
	u.CPU += orphans
	return u, err
}

// Run runs a command to its end, or kills it when the context ends.
func Run(ctx context.Context, c Command) (Usage, error) {
	p, err := Start(c)
	if err != nil {
		return Usage{}, err
	}
	select {
	case <-p.Ended():
	case <-ctx.Done():
		p.Kill()
	}
	u, err := p.Wait(10 * time.Second)
	return u, errors.Join(ctx.Err(), err)
}
