package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"parallax/cmd/internal/exit"
)

// command is one run of the go command.
type command struct {
	dir   string
	env   []string // added to the environment
	guard string   // the parallax executable; empty: run without a guard
	args  []string // after "go"
}

// run executes the command in a process group of its own and returns what it wrote. The group is killed when ctx ends.
// Under a guard it is also killed when this process dies, however that happens.
func run(ctx context.Context, c command) (stdout, stderr []byte, err error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return nil, nil, exit.Usage("no go command on PATH: parallax builds with the Go toolchain, 1.22 or later; install it from https://go.dev/dl")
	}
	argv := append([]string{goTool}, c.args...)
	death := syscall.SIGKILL
	if c.guard != "" {
		argv = append([]string{c.guard, "guard", "--"}, argv...)
		death = syscall.SIGTERM
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), c.env...)
	if c.dir != "" {
		cmd.Env = append(cmd.Env, "PWD="+c.dir)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death}
	cmd.WaitDelay = 2 * time.Second

	// PR_SET_PDEATHSIG fires when the thread that forked ends, so that thread is kept until the command is done.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("starting %s: %w", argv[0], err)
	}
	stop := context.AfterFunc(ctx, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err = cmd.Wait()
	stop()
	if ctx.Err() != nil {
		return out.Bytes(), errs.Bytes(), ctx.Err()
	}
	return out.Bytes(), errs.Bytes(), err
}

// Guard is the command `parallax guard -- COMMAND ARGUMENTS...`. It runs the command in its own process group and, when
// its parent dies or it is told to end, kills the whole group, itself included. Otherwise it exits as the command does.
func Guard(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "parallax guard: no command")
		return exit.UsageCode
	}
	ending := make(chan os.Signal, 1)
	signal.Notify(ending, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	parent := os.Getppid()
	syscall.Setpgid(0, 0) // fails only where it is the leader of a session already, which is a group of its own too
	runtime.LockOSThread()
	// The parent asked for SIGTERM at its death through SysProcAttr.Pdeathsig. Here again, for a guard started otherwise.
	syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
	if os.Getppid() != parent {
		return exit.InfraCode
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "parallax guard:", err)
		return exit.InfraCode
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-ending:
		syscall.Kill(-syscall.Getpgrp(), syscall.SIGKILL)
		return exit.InfraCode
	case err := <-done:
		var failed *exec.ExitError
		switch {
		case err == nil:
			return exit.OK
		case errors.As(err, &failed) && failed.ExitCode() >= 0:
			return failed.ExitCode()
		}
		fmt.Fprintln(os.Stderr, "parallax guard:", err)
		return exit.InfraCode
	}
}
